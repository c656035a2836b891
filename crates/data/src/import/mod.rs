//! Readers, chosen by content. To add one: a file with `FORMAT`, `matches`, `read`, and a line in `choose`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::DataError;
use crate::table::Table;

#[cfg(feature = "excel")]
mod excel;
#[cfg(any(feature = "mat", feature = "hdf5", feature = "json"))]
mod gather;
#[cfg(feature = "hdf5")]
mod hdf5;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "mat")]
mod mat5;
#[cfg(feature = "mdf")]
mod mdf4;
#[cfg(feature = "parquet")]
mod parquet;
mod rpc3;
#[cfg(feature = "tdms")]
mod tdms;
pub(crate) mod text;
mod uff58;
#[cfg(any(feature = "mat", feature = "hdf5", feature = "json"))]
mod unit_keys;

#[cfg(test)]
mod tests;

/// Bytes looked at to tell the format.
const PROBE: usize = 4096;

/// Formats this build reads.
const KNOWN: &[&str] = &[
    "text (CSV, TSV, semicolons, blanks)",
    uff58::FORMAT,
    rpc3::FORMAT,
    #[cfg(feature = "mat")]
    mat5::FORMAT,
    #[cfg(feature = "hdf5")]
    "MATLAB v7.3",
    #[cfg(feature = "hdf5")]
    hdf5::FORMAT,
    #[cfg(feature = "tdms")]
    tdms::FORMAT,
    #[cfg(feature = "mdf")]
    mdf4::FORMAT,
    #[cfg(feature = "excel")]
    excel::FORMAT,
    #[cfg(feature = "parquet")]
    parquet::FORMAT,
    #[cfg(feature = "json")]
    json::FORMAT,
];

/// Reads all tables of a file.
pub(crate) fn load(file: &Path) -> Result<Vec<Table>, DataError> {
    let failed = |e: std::io::Error| DataError::io(file, &e);
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
        return Err(DataError::empty(file, "the file is empty"));
    }
    let mut tables = choose(file, head, input, about.len())?;
    // A damaged file may leave columns of different length: the rest is missing.
    for table in &mut tables {
        let rows = table.rows();
        for channel in &mut table.channels {
            channel.values.resize(rows, f64::NAN);
        }
    }
    let tables: Vec<Table> = tables
        .into_iter()
        .filter(|t| !t.channels.is_empty() && t.rows() > 0)
        .collect();
    if tables.is_empty() {
        return Err(DataError::empty(file, "no rows of numbers"));
    }
    Ok(tables)
}

#[cfg_attr(not(feature = "tdms"), allow(unused_variables))]
fn choose(file: &Path, head: Vec<u8>, input: File, size: u64) -> Result<Vec<Table>, DataError> {
    // Only readers that need it hold the whole file.
    let whole = |mut input: File, mut head: Vec<u8>| -> Result<Vec<u8>, DataError> {
        input
            .read_to_end(&mut head)
            .map_err(|e| DataError::io(file, &e))?;
        Ok(head)
    };
    #[cfg(feature = "mat")]
    if mat5::matches(&head) {
        return mat5::read(file, &whole(input, head)?);
    }
    #[cfg(feature = "hdf5")]
    if hdf5::matches(&head) {
        let bytes = whole(input, head)?;
        return guarded(file, hdf5::FORMAT, || hdf5::read(file, bytes));
    }
    #[cfg(feature = "tdms")]
    if tdms::matches(&head) {
        return guarded(file, tdms::FORMAT, || tdms::read(file, size));
    }
    #[cfg(feature = "mdf")]
    if mdf4::matches(&head) {
        let bytes = whole(input, head)?;
        return guarded(file, mdf4::FORMAT, || mdf4::read(file, bytes));
    }
    #[cfg(feature = "parquet")]
    if parquet::matches(&head) {
        return guarded(file, parquet::FORMAT, || parquet::read(file, input));
    }
    #[cfg(feature = "excel")]
    if excel::matches(&head) {
        let bytes = whole(input, head)?;
        return guarded(file, excel::FORMAT, || excel::read(file, bytes));
    }
    if rpc3::matches(&head) {
        return rpc3::read(file, &whole(input, head)?);
    }
    if uff58::matches(&head) {
        return uff58::read(file, &whole(input, head)?);
    }
    if !looks_like_text(&head) {
        return Err(DataError::UnknownFormat {
            file: file.to_owned(),
            found: printable(&head),
            known: KNOWN.iter().map(|n| (*n).to_owned()).collect(),
        });
    }
    #[cfg(feature = "json")]
    if json::matches(&head) {
        let bytes = whole(input, head)?;
        // A header in brackets looks like JSON: what JSON refuses may be text.
        return json::read(file, &bytes).or_else(|error| {
            text::read(file, Vec::new(), Box::new(std::io::Cursor::new(bytes))).map_err(|_| error)
        });
    }
    text::read(file, head, Box::new(input))
}

/// Runs a reader built on somebody else's code: a panic there is a broken file here.
#[cfg(any(
    feature = "hdf5",
    feature = "tdms",
    feature = "mdf",
    feature = "parquet",
    feature = "excel"
))]
fn guarded(
    file: &Path,
    format: &'static str,
    read: impl FnOnce() -> Result<Vec<Table>, DataError>,
) -> Result<Vec<Table>, DataError> {
    GUARDED.set(true);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    GUARDED.set(false);
    outcome.unwrap_or_else(|_| {
        let reason = "the file is damaged: its reader gave up";
        Err(DataError::format(file, format, "somewhere", reason))
    })
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

thread_local! {
    static GUARDED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Whether this thread is inside a reader of a format library whose panics become errors: a panic hook
/// has nothing to tell then.
pub fn inside_guarded_reader() -> bool {
    GUARDED.get()
}
