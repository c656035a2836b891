//! Tables and sentences on a terminal.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// A line under the header and nothing else.
const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('-').junction('-'));

/// Width where there is no terminal: wide enough for every table, narrow enough for a page.
const WIDTH: u16 = 100;
/// Width of a terminal that does not report its own.
const USUAL: u16 = 80;

/// A table without frames, as wide as the terminal at most.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(header.to_vec());
    if let Some(width) = room(table.width()) {
        table.set_width(width);
    }
    table
}

/// The width to use where the terminal reports none.
fn room(terminal: Option<u16>) -> Option<u16> {
    match terminal {
        None => Some(WIDTH),
        // Some terminals do not know how wide they are.
        Some(0) => Some(USUAL),
        Some(_) => None,
    }
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

/// A table of a page on a terminal.
pub fn printed(shown: &crate::Table) -> String {
    let mut rows = if shown.words {
        let header: Vec<&str> = shown.header.iter().map(String::as_str).collect();
        table(&header)
    } else {
        number_table(&shown.header)
    };
    for row in &shown.rows {
        rows.add_row(row.clone());
    }
    for &index in &shown.word_columns {
        if let Some(column) = rows.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Left);
        }
    }
    let mut text = rows.trim_fmt();
    if let Some(note) = &shown.note {
        text.push('\n');
        text.push_str(note);
    }
    text
}

/// The first letter a capital.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// A whole sentence: a capital at its beginning, a full stop at its end.
pub fn sentence(text: &str) -> String {
    let mut text = capital(text);
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}

/// Files that were read in the same way are described once; the lines about a file are indented below its
/// name.
pub fn gathered(lines: &[String]) -> String {
    let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for line in lines {
        match groups.last_mut() {
            Some((_, below)) if line.starts_with(' ') => below.push(line),
            _ => groups.push((vec![line], Vec::new())),
        }
    }
    let mut told: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for (file, below) in groups {
        match told.iter_mut().find(|(_, other)| *other == below) {
            Some((files, _)) => files.extend(file),
            None => told.push((file, below)),
        }
    }
    let each = told
        .into_iter()
        .flat_map(|(files, below)| files.into_iter().chain(below));
    each.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_without_a_width_is_as_wide_as_usual() {
        assert_eq!(
            [None, Some(0), Some(120)].map(room),
            [Some(100), Some(80), None]
        );
    }

    #[test]
    fn sentences_are_whole() {
        assert_eq!(sentence("the end"), "The end.");
        assert_eq!(sentence("`rt.k0` moved."), "`rt.k0` moved.");
    }

    #[test]
    fn files_read_alike_are_told_once() {
        let lines = [
            "a.csv",
            "  x in mm",
            "b.csv",
            "  x in m",
            "c.csv",
            "  x in mm",
        ];
        let lines: Vec<String> = lines.map(str::to_owned).to_vec();
        assert_eq!(gathered(&lines), "a.csv\nc.csv\n  x in mm\nb.csv\n  x in m");
        assert_eq!(gathered(&[]), "");
    }
}
