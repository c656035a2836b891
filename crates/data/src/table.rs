//! Channels as a file holds them: names, unit texts and numbers, before any meaning is given to them.

use masing_diagnostic::Diagnostic;
use std::path::{Path, PathBuf};

/// One channel of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// Name from the header without its unit; the column number where there is no header.
    pub name: String,
    /// Unit text from the header, if it gives one.
    pub unit: Option<String>,
    /// The numbers; NaN is a missing value.
    pub values: Vec<f64>,
}

impl Channel {
    /// A channel from its parts.
    pub fn new(name: impl Into<String>, unit: Option<String>, values: Vec<f64>) -> Self {
        Channel {
            name: name.into(),
            unit,
            values,
        }
    }

    /// The header cell: `name [unit]`.
    pub fn label(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} [{unit}]", self.name),
            None => self.name.clone(),
        }
    }
}

/// Where a table came from, so that an error can name a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The file as given.
    pub file: PathBuf,
    /// Name of the format.
    pub format: &'static str,
    /// Rows at which the distance between row and line changes: (row, line).
    pub lines: Vec<(usize, usize)>,
}

impl Source {
    /// A source whose rows are counted from line `first`.
    pub fn new(file: &Path, format: &'static str, first: usize) -> Self {
        Source {
            file: file.to_owned(),
            format,
            lines: vec![(0, first)],
        }
    }

    /// Line of the file (the header is line 1) for a row of the table.
    pub fn line(&self, row: usize) -> usize {
        let at = self.lines.partition_point(|&(start, _)| start <= row);
        match at.checked_sub(1).and_then(|i| self.lines.get(i)) {
            Some(&(start, line)) => line + (row - start),
            None => row + 1,
        }
    }
}

/// One part of a file: a segment, a sheet, a variable, a channel group.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Name of the part, empty when the file has only one.
    pub part: String,
    /// The number channels, all of the same length.
    pub channels: Vec<Channel>,
    /// Columns that hold text and were left out.
    pub text_columns: Vec<String>,
    /// What the reader has to say about columns, by name.
    pub remarks: Vec<(String, Diagnostic)>,
    /// Lines `key: value` found above the data, or properties of the file.
    pub meta: Vec<(String, String)>,
    /// Where it came from.
    pub source: Source,
}

impl Table {
    /// A table without meta data.
    pub fn new(part: impl Into<String>, channels: Vec<Channel>, source: Source) -> Self {
        Table {
            part: part.into(),
            channels,
            text_columns: Vec::new(),
            remarks: Vec::new(),
            meta: Vec::new(),
            source,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.channels
            .iter()
            .map(|c| c.values.len())
            .max()
            .unwrap_or(0)
    }

    /// The header cells.
    pub fn labels(&self) -> Vec<String> {
        self.channels.iter().map(Channel::label).collect()
    }

    /// True if the columns have numbers instead of names.
    pub(crate) fn is_numbered(&self) -> bool {
        (1..)
            .zip(&self.channels)
            .all(|(i, c)| c.name == i.to_string())
    }

    /// The header cells, text columns included, for messages.
    pub(crate) fn available(&self) -> Vec<String> {
        let texts = self.text_columns.iter().map(|t| format!("{t} (text)"));
        self.labels().into_iter().chain(texts).collect()
    }

    /// First meta value whose key matches one of `keys`, ignoring case.
    pub fn meta(&self, keys: &[&str]) -> Option<&str> {
        self.meta
            .iter()
            .find(|(key, _)| keys.iter().any(|k| k.eq_ignore_ascii_case(key)))
            .map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_know_their_lines() {
        let source = Source {
            file: "x.csv".into(),
            format: "text",
            lines: vec![(0, 3), (10, 15)],
        };
        assert_eq!(source.line(0), 3);
        assert_eq!(source.line(9), 12);
        assert_eq!(source.line(10), 15);
        assert_eq!(source.line(12), 17);
    }
}
