//! Delimited text: CSV, TSV, semicolons, blanks; rig text with a preamble and segments.

use std::io::{Cursor, Read};
use std::path::Path;

use crate::error::DataError;
use crate::table::{Channel, Source, Table};
use masing_diagnostic::{Diagnostic, ReadAs, ReadingDiagnostic};

mod body;
mod encoding;
mod head;
pub(crate) mod header;
mod layout;
mod lines;
mod number;
mod split;
mod stamp;
#[cfg(test)]
mod tests;
mod thousands;

pub(crate) use number::{Cell, cell};

use layout::{Kind, Layout, Line};
use lines::Lines;

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "text";

/// Reads text of which `head` was read already from `input`.
pub(crate) fn read<'f>(
    file: &'f Path,
    head: Vec<u8>,
    mut input: Box<dyn Read + 'f>,
) -> Result<Vec<Table>, DataError> {
    let mut head = head;
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        input
            .read_to_end(&mut head)
            .map_err(|e| DataError::io(file, &e))?;
        if let Some(text) = encoding::utf16(&head) {
            head = text;
            input = Box::new(Cursor::new(Vec::new()));
        }
    }
    let mut lines = Lines::new(file, head, input);
    let layout = {
        let (bytes, ended, end_of_line) = lines.head()?;
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        let logical = logical_lines(&bytes[mark..], mark, ended, end_of_line);
        layout::detect(&logical)
    };
    let layout = layout.ok_or_else(|| DataError::empty(file, "no line with numbers"))?;
    lines.skip(layout.offset, layout.line);
    let segments = body::read(file, &layout, &mut lines)?;
    Ok(tables(file, &layout, segments))
}

/// Lines of the beginning; a quoted cell may hold line ends. The last line is left out unless the file ends with it.
fn logical_lines(bytes: &[u8], offset: usize, ended: bool, end_of_line: u8) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let (mut start, mut number, mut first, mut quotes) = (0, 1, 1, 0);
    let mut push = |start: usize, end: usize, number| {
        let text = &bytes[start..end];
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        lines.push(Line {
            text,
            number,
            offset: offset + start,
        });
    };
    // Only near the top can a quote stay open over a line end; further down it is a stray one.
    let multi_line = 4096;
    for (at, &b) in bytes.iter().enumerate() {
        if b == b'"' {
            quotes += 1;
        } else if b == end_of_line {
            number += 1;
            if quotes % 2 == 0 || at - start > multi_line {
                push(start, at, first);
                (start, first, quotes) = (at + 1, number, 0);
            }
        }
    }
    if start < bytes.len() && ended {
        push(start, bytes.len(), first);
    }
    if lines.is_empty() && start < bytes.len() {
        lines.push(Line {
            text: bytes,
            number: 1,
            offset,
        });
    }
    lines
}

fn tables(file: &Path, layout: &Layout, segments: Vec<body::Segment>) -> Vec<Table> {
    let several = segments.len() > 1;
    let mut text_columns = Vec::new();
    for (i, kind) in layout.kinds.iter().enumerate() {
        if *kind == Kind::Text {
            text_columns.push(name(layout, i));
        }
    }
    let mut tables = Vec::with_capacity(segments.len());
    for (number, segment) in segments.into_iter().enumerate() {
        let mut channels = Vec::new();
        let remarks = (0..layout.kinds.len())
            .filter_map(|i| remark(layout, i, segment.groups[i].as_deref()))
            .collect();
        for (i, mut values) in segment.columns.into_iter().enumerate() {
            let nothing = values.iter().all(|v| v.is_nan());
            match layout.kinds[i] {
                Kind::Text => continue,
                // Trailing delimiters and event columns leave columns without numbers.
                Kind::Empty if nothing => continue,
                _ => {}
            }
            let stamp = layout.kinds[i] == Kind::Stamp;
            if stamp {
                from_zero(&mut values);
            }
            let unit = if stamp {
                Some("s".to_owned())
            } else {
                layout.units[i].clone()
            };
            channels.push(Channel::new(name(layout, i), unit, values));
        }
        let source = Source {
            file: file.to_owned(),
            format: FORMAT,
            lines: segment.lines,
        };
        let part = if several {
            (number + 1).to_string()
        } else {
            String::new()
        };
        let mut meta = layout.meta.clone();
        if !segment.title.is_empty() {
            meta.push(("segment".into(), segment.title));
        }
        tables.push(Table {
            part,
            channels,
            text_columns: text_columns.clone(),
            remarks,
            meta,
            source,
        });
    }
    tables
}

/// What there is to say about a column: its name and the finding.
fn remark(layout: &Layout, column: usize, group: Option<&[u8]>) -> Option<(String, Diagnostic)> {
    let name = name(layout, column);
    let decode = |text: &[u8]| layout.charset.decode(text);
    let signs = &layout.signs;
    let column_name = name.clone();
    let unit = layout.units[column].clone();
    let doubtful =
        |shown: &[u8], value: f64, read_as: ReadAs| ReadingDiagnostic::ThousandsOrDecimal {
            column: column_name.clone(),
            shown: decode(shown),
            value,
            read_as,
            unit: unit.clone(),
        };
    let found = if let Some((line, text)) = &layout.texts[column] {
        ReadingDiagnostic::TextColumn {
            column: name.clone(),
            example: text.clone(),
            line: *line,
        }
    } else if let Some(text) = group {
        let plain = number::cell(text, signs.decimal);
        let (number::Cell::Group(value) | number::Cell::Number(value)) = plain else {
            return None;
        };
        if signs.doubtful {
            doubtful(text, value, ReadAs::Thousands)
        } else {
            ReadingDiagnostic::Thousands {
                column: name.clone(),
                shown: decode(text),
                value,
            }
        }
    } else if let (true, Some(text)) = (signs.doubtful, &signs.examples[column]) {
        let number::Cell::Number(value) = number::cell(text, signs.decimal) else {
            return None;
        };
        doubtful(text, value, ReadAs::Decimal)
    } else {
        return None;
    };
    Some((name, found.into()))
}

/// Stamps count from the first row of the segment.
fn from_zero(values: &mut [f64]) {
    if let Some(first) = values.iter().copied().find(|v| !v.is_nan()) {
        for value in values {
            *value -= first;
        }
    }
}

fn name(layout: &Layout, column: usize) -> String {
    match layout.names.get(column) {
        Some(name) if !name.is_empty() => name.clone(),
        _ => (column + 1).to_string(),
    }
}
