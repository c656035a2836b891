//! Finds out how a text file is laid out, from its beginning.
//!
//! The delimiter and decimal sign are those under which most cells are numbers; the data begin at the first line whose
//! cells fit the columns; names and units are looked for above it.

use super::encoding::Charset;
use super::header;
use super::split::{Cells, Delimiter, Look, look};

/// A line of the beginning of the file; a quoted cell may span several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a [u8],
    /// Line of the file, from 1.
    pub(crate) number: usize,
    /// Byte offset in the file.
    pub(crate) offset: usize,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Number,
    Stamp,
    Text,
    /// Nothing yet.
    Empty,
}

/// How a text file is laid out.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) delimiter: Delimiter,
    pub(crate) decimal: u8,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) names: Vec<String>,
    pub(crate) units: Vec<Option<String>>,
    pub(crate) meta: Vec<(String, String)>,
    pub(crate) charset: Charset,
    /// Line and byte offset of the first data row.
    pub(crate) line: usize,
    pub(crate) offset: usize,
    /// Lines of the header, to be recognised when a segment repeats them.
    pub(crate) repeated: Vec<Vec<u8>>,
}

const CANDIDATES: [(Delimiter, u8); 9] = [
    (Delimiter::Byte(b'\t'), b'.'),
    (Delimiter::Byte(b'\t'), b','),
    (Delimiter::Byte(b';'), b'.'),
    (Delimiter::Byte(b';'), b','),
    (Delimiter::Byte(b','), b'.'),
    // Quoted numbers with decimal commas between commas.
    (Delimiter::Byte(b','), b','),
    (Delimiter::Byte(b'|'), b'.'),
    (Delimiter::Blank, b'.'),
    (Delimiter::Blank, b','),
];

/// Most lines looked at to find the delimiter.
const SAMPLE: usize = 300;

pub(crate) fn is_comment(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    matches!(text.first(), Some(b'#' | b'%' | b'!')) || text.starts_with(b"//")
}

/// Numbers, stamps and texts among the cells of a line.
fn tally(line: &[u8], delimiter: Delimiter, decimal: u8) -> (usize, usize, usize, usize) {
    let (mut numbers, mut stamps, mut texts, mut cells) = (0, 0, 0, 0);
    for (i, cell) in Cells::new(line, delimiter).enumerate() {
        match look(cell, decimal) {
            Look::Number => numbers += 1,
            Look::Stamp => stamps += 1,
            Look::Text => texts += 1,
            Look::Missing => {}
        }
        // Trailing empty cells do not count.
        if !cell.is_empty() {
            cells = i + 1;
        }
    }
    (numbers, stamps, texts, cells)
}

/// Works the layout out from the first lines; `None` if no line holds a number.
pub(crate) fn detect(lines: &[Line<'_>]) -> Option<Layout> {
    let content: Vec<&Line<'_>> = lines
        .iter()
        .filter(|l| !l.text.trim_ascii().is_empty() && !is_comment(l.text))
        .collect();
    let sample = &content[content.len().saturating_sub(SAMPLE)..];
    let score = |&(delimiter, decimal): &(Delimiter, u8)| -> i64 {
        let per_line = sample.iter().map(|l| {
            let (numbers, stamps, texts, _) = tally(l.text, delimiter, decimal);
            let data = numbers + stamps;
            if data > texts {
                i64::try_from(data - texts).unwrap_or(0)
            } else {
                0
            }
        });
        per_line.sum()
    };
    let mut best = (CANDIDATES[0], 0);
    for candidate in CANDIDATES {
        let points = score(&candidate);
        // Blanks also part words and dates above the data: they must win clearly.
        let rivals = candidate.0 == Delimiter::Blank && best.1 > 0;
        let margin = if rivals { best.1 / 10 + 1 } else { 0 };
        if points > best.1 + margin {
            best = (candidate, points);
        }
    }
    let ((delimiter, decimal), points) = best;
    if points == 0 {
        return None;
    }
    let width = modal_width(sample, delimiter, decimal);
    let mut kinds = column_kinds(sample, delimiter, decimal, width);
    let first = first_row(&content, delimiter, decimal, &kinds)?;
    let charset = {
        let end = lines
            .iter()
            .position(|l| l.number == content[first].number)
            .unwrap_or(lines.len());
        let words: Vec<u8> = lines[..end]
            .iter()
            .flat_map(|l| l.text.iter().copied().chain([b'\n']))
            .collect();
        Charset::of(&words)
    };
    let above: Vec<&[u8]> = content[..first].iter().map(|l| l.text).collect();
    let comments: Vec<&[u8]> = lines
        .iter()
        .filter(|l| l.number < content[first].number && is_comment(l.text))
        .map(|l| l.text)
        .collect();
    let head = Head::find(&above, &comments, delimiter, charset, kinds.len());
    while kinds.len() < head.names.len() {
        kinds.push(Kind::Empty);
    }
    let Head {
        mut names,
        mut units,
        meta,
        repeated,
    } = head;
    names.resize(kinds.len(), String::new());
    units.resize(kinds.len(), None);
    Some(Layout {
        delimiter,
        decimal,
        kinds,
        names,
        units,
        meta,
        charset,
        line: content[first].number,
        offset: content[first].offset,
        repeated,
    })
}

/// The most frequent number of cells among lines with numbers.
fn modal_width(sample: &[&Line<'_>], delimiter: Delimiter, decimal: u8) -> usize {
    let mut widths: Vec<usize> = Vec::new();
    for line in sample {
        let (numbers, stamps, texts, cells) = tally(line.text, delimiter, decimal);
        if numbers + stamps > texts {
            widths.push(cells);
        }
    }
    widths.sort_unstable();
    let mut best = (0, 0);
    let mut at = 0;
    while at < widths.len() {
        let run = widths[at..]
            .iter()
            .take_while(|w| **w == widths[at])
            .count();
        // On a tie the wider wins: short rows miss values, long rows do not invent them.
        if run >= best.0 {
            best = (run, widths[at]);
        }
        at += run;
    }
    best.1
}

fn column_kinds(
    sample: &[&Line<'_>],
    delimiter: Delimiter,
    decimal: u8,
    width: usize,
) -> Vec<Kind> {
    let mut counts: Vec<[usize; 3]> = vec![[0; 3]; width];
    for line in sample {
        let (numbers, stamps, texts, _) = tally(line.text, delimiter, decimal);
        if numbers + stamps <= texts {
            continue;
        }
        for (column, cell) in counts.iter_mut().zip(Cells::new(line.text, delimiter)) {
            match look(cell, decimal) {
                Look::Number => column[0] += 1,
                Look::Stamp => column[1] += 1,
                Look::Text => column[2] += 1,
                // The word NaN says that numbers are meant, an empty cell says nothing.
                Look::Missing => column[0] += usize::from(!cell.is_empty()),
            }
        }
    }
    let kind = |&[numbers, stamps, texts]: &[usize; 3]| {
        if numbers + stamps + texts == 0 {
            Kind::Empty
        } else if stamps > numbers && stamps >= texts {
            Kind::Stamp
        } else if numbers >= texts {
            Kind::Number
        } else {
            Kind::Text
        }
    };
    counts.iter().map(kind).collect()
}

/// Index of the first data row among the lines with content.
fn first_row(
    content: &[&Line<'_>],
    delimiter: Delimiter,
    decimal: u8,
    kinds: &[Kind],
) -> Option<usize> {
    let wanted = kinds
        .iter()
        .filter(|k| matches!(k, Kind::Number | Kind::Stamp))
        .count();
    let fits = |line: &Line<'_>| {
        let mut good = 0;
        for (kind, cell) in kinds.iter().zip(Cells::new(line.text, delimiter)) {
            match (kind, look(cell, decimal)) {
                (Kind::Number, Look::Number) | (Kind::Stamp, Look::Stamp) => good += 1,
                (Kind::Number | Kind::Stamp, Look::Text | Look::Stamp) => return false,
                _ => {}
            }
        }
        good > 0 && 2 * good >= wanted
    };
    let mut first = content.iter().position(|l| fits(l))?;
    // A row above with a number under a header is data with a bad cell, not a header.
    while first >= 2 {
        let (numbers, stamps, _, cells) = tally(content[first - 1].text, delimiter, decimal);
        let above = tally(content[first - 2].text, delimiter, decimal);
        let row = numbers + stamps > 0 && cells == kinds.len() && 2 * (numbers + stamps) >= wanted;
        if !row || above.3 < kinds.len() {
            break;
        }
        first -= 1;
    }
    Some(first)
}

/// Names, units and remarks above the data.
#[derive(Default)]
struct Head {
    names: Vec<String>,
    units: Vec<Option<String>>,
    meta: Vec<(String, String)>,
    repeated: Vec<Vec<u8>>,
}

impl Head {
    fn find(
        above: &[&[u8]],
        comments: &[&[u8]],
        delimiter: Delimiter,
        charset: Charset,
        width: usize,
    ) -> Head {
        let mut head = Head::default();
        let mut end = above.len();
        while end > 0 && is_rule(above[end - 1]) {
            end -= 1;
        }
        let row = |at: usize| header_cells(&charset.decode(above[at]), delimiter, width);
        let units_of = |cells: &[String]| -> Option<Vec<Option<String>>> {
            if !cells.iter().all(|c| header::may_be_unit(c)) {
                return None;
            }
            let units: Vec<Option<String>> = cells.iter().map(|c| header::unit_cell(c)).collect();
            units.iter().any(Option::is_some).then_some(units)
        };
        if end > 0
            && let Some(cells) = row(end - 1)
        {
            // `t,m` may be names as well as units: a units row needs a row of names above it, or brackets, or to be alone.
            if let Some(units) = units_of(&cells) {
                head.units = units;
                head.repeated.push(above[end - 1].to_vec());
                end -= 1;
                while end > 0 && is_rule(above[end - 1]) {
                    end -= 1;
                }
            }
        }
        if end > 0
            && let Some(cells) = row(end - 1)
        {
            head.repeated.push(above[end - 1].to_vec());
            end -= 1;
            head.take_names(&cells);
        }
        for line in &above[..end] {
            head.repeated.push(line.to_vec());
            remark(&charset.decode(line), &mut head.meta);
        }
        for line in comments {
            let text = charset.decode(line);
            let text = text.trim().trim_start_matches(['#', '%', '!', '/']).trim();
            remark(text, &mut head.meta);
        }
        if head.names.is_empty()
            && let Some(line) = comments.last()
        {
            let text = charset.decode(line);
            let text = text.trim().trim_start_matches(['#', '%', '!', '/']).trim();
            let blank = header_cells(text, Delimiter::Blank, width);
            if let Some(cells) = header_cells(text, delimiter, width)
                .or(blank)
                .filter(|c| c.len() == width)
            {
                head.take_names(&cells);
            }
        }
        head
    }

    fn take_names(&mut self, cells: &[String]) {
        let parts: Vec<(String, Option<String>)> =
            cells.iter().map(|c| header::split(c, cells)).collect();
        self.units.resize(self.units.len().max(parts.len()), None);
        for (i, (name, unit)) in parts.into_iter().enumerate() {
            // A units row wins; then the cell is a name as it stands.
            if self.units[i].is_some() {
                self.names.push(cells[i].trim().to_owned());
            } else {
                self.units[i] = unit;
                self.names.push(name);
            }
        }
    }
}

/// A line of dashes.
fn is_rule(line: &[u8]) -> bool {
    line.iter().all(|b| {
        matches!(
            b,
            b'-' | b'=' | b'*' | b'_' | b' ' | b'\t' | b'+' | b'|' | b',' | b';'
        )
    })
}

/// Cells of a header line if they can name `width` columns.
fn header_cells(text: &str, delimiter: Delimiter, width: usize) -> Option<Vec<String>> {
    let trimmed = |mut cells: Vec<String>| {
        while cells.len() > width && cells.last().is_some_and(|c| c.trim().is_empty()) {
            cells.pop();
        }
        cells
    };
    let bytes = text.as_bytes();
    let plain = trimmed(
        Cells::new(bytes, delimiter)
            .map(|c| String::from_utf8_lossy(c).replace("\"\"", "\""))
            .collect(),
    );
    // One column more may be an event column that the first rows leave out.
    let fits = |cells: &[String]| {
        let named = cells.iter().filter(|c| !c.trim().is_empty()).count();
        cells.len() >= width && cells.len() <= width + 4 && 2 * named > width
    };
    if delimiter != Delimiter::Blank {
        return fits(&plain).then_some(plain);
    }
    // `Time (s)   Force (N)`: blanks inside a name.
    let mut joined: Vec<String> = Vec::new();
    for cell in &plain {
        match joined.last_mut() {
            Some(last) if cell.starts_with(['[', '(']) => {
                last.push(' ');
                last.push_str(cell);
            }
            _ => joined.push(cell.clone()),
        }
    }
    let mut wide: Vec<String> = text
        .trim()
        .replace('\t', "  ")
        .split("  ")
        .map(|c| c.trim().to_owned())
        .collect();
    wide.retain(|c| !c.is_empty());
    [wide, joined, plain]
        .into_iter()
        .find(|cells| cells.len() == width)
}

/// Keeps `key: value` and `key = value`.
fn remark(line: &str, meta: &mut Vec<(String, String)>) {
    let pair = line
        .split_once(':')
        .or_else(|| line.split_once('='))
        .or_else(|| line.split_once('\t'))
        .or_else(|| line.split_once([',', ';']));
    let Some((key, value)) = pair else { return };
    let clean = |t: &str| {
        t.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | ',' | ';' | ':'))
            .to_owned()
    };
    let (key, value) = (clean(key), clean(value));
    if !key.is_empty() && !value.is_empty() && meta.len() < 1000 {
        meta.push((key, value));
    }
}
