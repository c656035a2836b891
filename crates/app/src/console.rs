//! What goes to standard output.

use crate::error::AppError;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;
use std::io::Write as _;

/// How much is printed, and in which form.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// One JSON document instead of text.
    pub json: bool,
    /// Nothing but errors.
    pub quiet: bool,
}

impl Console {
    /// Prints the result in the form asked for: `document` as JSON, or the text that `text` makes.
    pub fn show(
        &self,
        document: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), AppError> {
        if self.json {
            let mut json = serde_json::to_string_pretty(document)
                .map_err(|error| AppError::Stdout(error.into()))?;
            json.push('\n');
            write_out(json.as_bytes())
        } else if self.quiet {
            Ok(())
        } else {
            let mut text = text();
            if !text.ends_with('\n') {
                text.push('\n');
            }
            write_out(text.as_bytes())
        }
    }
}

/// Writes bytes to standard output; a reader that has gone away is an [`AppError::Stdout`].
pub fn write_out(bytes: &[u8]) -> Result<(), AppError> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(AppError::Stdout)
}

/// A table without frames, as wide as the terminal at most.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(header.to_vec());
    if table.width().is_none() {
        table.set_width(100);
    }
    table
}

/// Aligns columns to the right: numbers.
pub fn align_right(table: &mut Table, columns: impl IntoIterator<Item = usize>) {
    for index in columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
