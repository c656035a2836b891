//! Readers, chosen by content.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::DataError;
use crate::table::Table;

pub(crate) mod text;

/// Bytes looked at to tell the format.
const PROBE: usize = 4096;

/// Formats this build reads.
fn known() -> Vec<String> {
    vec!["text (CSV, TSV, semicolons, blanks)".to_owned()]
}

/// Reads all tables of a file.
pub(crate) fn load(file: &Path) -> Result<Vec<Table>, DataError> {
    let failed = |e: std::io::Error| DataError::Io {
        file: file.to_owned(),
        reason: e.to_string(),
    };
    let about = std::fs::metadata(file).map_err(failed)?;
    if about.is_dir() {
        return Err(DataError::Directory {
            file: file.to_owned(),
        });
    }
    let mut input = File::open(file).map_err(failed)?;
    let mut head = Vec::with_capacity(PROBE);
    input
        .by_ref()
        .take(PROBE as u64)
        .read_to_end(&mut head)
        .map_err(failed)?;
    if head.is_empty() {
        return Err(DataError::Empty {
            file: file.to_owned(),
            what: "the file is empty".into(),
        });
    }
    if !looks_like_text(&head) {
        return Err(DataError::UnknownFormat {
            file: file.to_owned(),
            found: printable(&head),
            known: known(),
        });
    }
    let tables = text::read(file, head, Box::new(input))?;
    let tables: Vec<Table> = tables
        .into_iter()
        .filter(|t| !t.channels.is_empty() && t.rows() > 0)
        .collect();
    if tables.is_empty() {
        return Err(DataError::Empty {
            file: file.to_owned(),
            what: "no rows of numbers".into(),
        });
    }
    Ok(tables)
}

fn looks_like_text(head: &[u8]) -> bool {
    let marked = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    let control = head
        .iter()
        .filter(|b| **b < 9 || (14..32).contains(*b))
        .count();
    marked || control == 0
}

/// The first bytes for a message.
fn printable(head: &[u8]) -> String {
    head.iter()
        .take(8)
        .map(|b| format!("{b:02x}"))
        .collect::<Vec<_>>()
        .join(" ")
}
