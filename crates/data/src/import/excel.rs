//! Excel and OpenDocument sheets, each turned into text and read like text: the same headers, units rows and tables.

use std::fmt::Write as _;
use std::io::Cursor;
use std::path::Path;

use calamine::{Data, Reader as _, open_workbook_auto_from_rs};

use super::text;
use crate::error::DataError;
use crate::table::Table;

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "Excel";

/// True for a ZIP container or an old compound document.
pub(crate) fn matches(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(&[0xd0, 0xcf, 0x11, 0xe0])
}

/// Reads all sheets with numbers.
pub(crate) fn read(file: &Path, bytes: Vec<u8>) -> Result<Vec<Table>, DataError> {
    let limit = 64 * bytes.len() + (16 << 20);
    let bad = |place: &str, e: &dyn std::fmt::Display| DataError::format(file, FORMAT, place, e);
    let mut book =
        open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|e| bad("workbook", &e))?;
    let mut out = Vec::new();
    let names = book.sheet_names();
    let several = names.len() > 1;
    for name in names {
        let range = book
            .worksheet_range(&name)
            .map_err(|e| bad(&format!("sheet `{name}`"), &e))?;
        let (rows, columns) = range.get_size();
        if rows == 0 || rows.saturating_mul(columns) > limit {
            continue;
        }
        let mut lines = String::new();
        // Line numbers are row numbers of the sheet.
        for _ in 0..range.start().map_or(0, |s| s.0.min(1 << 20)) {
            lines.push('\n');
        }
        for row in range.rows() {
            for (i, cell) in row.iter().enumerate() {
                if i > 0 {
                    lines.push('\t');
                }
                write_cell(cell, &mut lines);
            }
            lines.push('\n');
        }
        // Sheets with notes only are no data.
        match text::read(file, Vec::new(), Box::new(Cursor::new(lines.into_bytes()))) {
            Ok(tables) => {
                for mut table in tables {
                    table.source.format = FORMAT;
                    table.part = match (several, table.part.is_empty()) {
                        (true, true) => name.clone(),
                        (true, false) => format!("{name}.{}", table.part),
                        (false, _) => table.part,
                    };
                    out.push(table);
                }
            }
            Err(DataError::Empty { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(out)
}

fn write_cell(cell: &Data, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match cell {
        Data::Int(i) => write!(out, "{i}"),
        Data::Float(f) => write!(out, "{f:?}"),
        Data::Bool(b) => write!(out, "{}", u8::from(*b)),
        // Days to seconds: only differences matter.
        Data::DateTime(d) => write!(out, "{:?}", d.as_f64() * 86_400.0),
        Data::String(s) | Data::DateTimeIso(s) | Data::DurationIso(s) => {
            write!(
                out,
                "\"{}\"",
                s.replace('"', "\"\"").replace(['\t', '\n', '\r'], " ")
            )
        }
        Data::Error(_) => write!(out, "NaN"),
        Data::Empty => Ok(()),
    };
}
