//! Lines to cells.

use super::number::{self, Cell};
use super::stamp;

/// What stands between two cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Delimiter {
    /// One byte: comma, semicolon, tab, bar.
    Byte(u8),
    /// Any run of blanks.
    Blank,
}

/// Cells of a line, trimmed and without their quotes.
pub(crate) struct Cells<'a> {
    line: &'a [u8],
    /// Start of the next cell; beyond the line when there is none.
    at: usize,
    delimiter: Delimiter,
}

impl<'a> Cells<'a> {
    pub(crate) fn new(line: &'a [u8], delimiter: Delimiter) -> Self {
        let at = if delimiter == Delimiter::Blank {
            blanks(line, 0)
        } else {
            0
        };
        let at = if delimiter == Delimiter::Blank && at == line.len() {
            at + 1
        } else {
            at
        };
        Cells {
            line,
            at,
            delimiter,
        }
    }

    /// Continues at a byte of the line.
    pub(crate) fn from(line: &'a [u8], at: usize, delimiter: Delimiter) -> Self {
        Cells {
            line,
            at,
            delimiter,
        }
    }

    /// Start of the cell that `next` would return.
    pub(crate) fn position(&self) -> usize {
        self.at
    }
}

fn blanks(line: &[u8], from: usize) -> usize {
    let more = line[from..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    from + more
}

/// The cell without blanks around it.
pub(crate) fn trim(cell: &[u8]) -> &[u8] {
    cell.trim_ascii()
}

impl<'a> Iterator for Cells<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.at > self.line.len() {
            return None;
        }
        let begin = self.at;
        // A quoted cell ends at the next lone quote.
        let quoted = {
            let q = begin
                + self.line[begin..]
                    .iter()
                    .take_while(|b| **b == b' ')
                    .count();
            (self.line.get(q) == Some(&b'"')).then_some(q + 1)
        };
        let mut end = begin;
        let mut content = None;
        if let Some(open) = quoted {
            let mut close = open;
            while close < self.line.len() {
                if self.line[close] == b'"' {
                    if self.line.get(close + 1) == Some(&b'"') {
                        close += 1;
                    } else {
                        break;
                    }
                }
                close += 1;
            }
            content = Some(&self.line[open..close.min(self.line.len())]);
            end = (close + 1).min(self.line.len());
        }
        let stop = |b: u8| match self.delimiter {
            Delimiter::Byte(d) => b == d,
            Delimiter::Blank => matches!(b, b' ' | b'\t'),
        };
        end += self.line[end..].iter().take_while(|b| !stop(**b)).count();
        self.at = match self.delimiter {
            Delimiter::Byte(_) => end + 1,
            Delimiter::Blank => {
                let next = blanks(self.line, end);
                // Blanks at the end of a line are no cell.
                if next == self.line.len() {
                    next + 1
                } else {
                    next
                }
            }
        };
        Some(trim(content.unwrap_or(&self.line[begin..end])))
    }
}

/// What a cell looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Look {
    Number,
    /// A number if its sign parts thousands.
    Group,
    Stamp,
    Missing,
    Text,
}

/// Classifies a trimmed cell.
pub(crate) fn look(cell: &[u8], decimal: u8) -> Look {
    match number::cell(cell, decimal) {
        Cell::Number(_) => Look::Number,
        Cell::Group(_) => Look::Group,
        Cell::NotFinite(_) | Cell::Missing => Look::Missing,
        Cell::Other if stamp::parse(cell).is_some() => Look::Stamp,
        Cell::Other => Look::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str, delimiter: Delimiter) -> Vec<String> {
        Cells::new(line.as_bytes(), delimiter)
            .map(|c| String::from_utf8_lossy(c).into_owned())
            .collect()
    }

    #[test]
    fn splits() {
        let comma = Delimiter::Byte(b',');
        assert_eq!(cells("a, b ,c", comma), ["a", "b", "c"]);
        assert_eq!(cells("a,,", comma), ["a", "", ""]);
        assert_eq!(cells("\"a,b\", \"c\"", comma), ["a,b", "c"]);
        assert_eq!(cells("\"open,b", comma), ["open,b"]);
        assert_eq!(cells("", comma), [""]);
        assert_eq!(cells("  1  2\t3 ", Delimiter::Blank), ["1", "2", "3"]);
        assert!(cells("   ", Delimiter::Blank).is_empty());
    }
}
