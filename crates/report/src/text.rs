//! Tables on a terminal.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// A line under the header and nothing else.
const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('-').junction('-'));

/// A table without frames, as wide as the terminal at most.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(STYLE)
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

/// A table of numbers, whose cells are never broken.
pub fn number_table(header: &[String]) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE).set_header(header);
    align_right(&mut table, 0..header.len());
    table
}
