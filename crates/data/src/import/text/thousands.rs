//! Whether `1,234` is a thousand or one and a bit.
//!
//! The decimal sign of a file is the same in all its columns. A number that can be written in only one way (`0,5`,
//! `1,234.5`, `1,234,567`) therefore tells what the signs mean in all the others. Where there is none, a column whose
//! numbers below a thousand carry no sign (`998`, `999`, `1,000`) tells that the sign parts thousands, since decimals
//! that end in zeros would not all be three digits long.

use super::number::{Cell, cell, other_sign};

/// Cells with a sign from which on chance is no explanation: of so many decimals one in ten would end in a zero and be
/// written shorter.
const MANY: usize = 30;

/// What the signs mean.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Signs {
    pub(crate) decimal: u8,
    /// Nothing in the file says so for certain.
    pub(crate) doubtful: bool,
    /// For every column a number that can be read in two ways, if there is one.
    pub(crate) examples: Vec<Option<Vec<u8>>>,
    /// For every column whether one group, `1,234`, may be read as thousands: not where other numbers have decimals.
    pub(crate) groups: Vec<bool>,
}

#[derive(Debug, Clone, Default)]
struct Column<'a> {
    /// Three digits after the decimal sign and one to three before it.
    either: usize,
    /// Up to three digits and no sign; more than three.
    small: usize,
    large: usize,
    /// Numbers with the other sign, with decimals, with both.
    others: usize,
    decimals: usize,
    both: usize,
    example: Option<&'a [u8]>,
}

/// Weighs the cells of data rows, read with a decimal sign that fits most of them.
pub(crate) fn weigh<'a>(
    rows: impl Iterator<Item = Vec<&'a [u8]>>,
    decimal: u8,
    width: usize,
) -> Signs {
    let other = other_sign(decimal);
    let mut columns = vec![Column::default(); width];
    // A number that only this decimal sign allows, and one that only the other allows.
    let (mut proof, mut counter_proof) = (false, false);
    for row in rows {
        for (column, text) in columns.iter_mut().zip(row) {
            match (cell(text, decimal), cell(text, other)) {
                (Cell::Group(_), Cell::Number(_)) => {
                    column.others += 1;
                    column.example.get_or_insert(text);
                }
                (Cell::Number(_), Cell::Group(_)) => {
                    column.either += 1;
                    column.example.get_or_insert(text);
                }
                (Cell::Number(_), Cell::Number(_)) => match digits(text) {
                    Some(1..=3) if !text.iter().all(|b| *b == b'0') => column.small += 1,
                    Some(4..) => column.large += 1,
                    _ => {}
                },
                (Cell::Number(_), _) => {
                    proof = true;
                    let (own, alien) = (text.contains(&decimal), text.contains(&other));
                    column.decimals += usize::from(own);
                    column.both += usize::from(own && alien);
                }
                (_, Cell::Number(_)) => {
                    counter_proof = true;
                }
                _ => {}
            }
        }
    }
    // 1234 beside 1,234: this column does not part thousands.
    proof |= columns.iter().any(|c| c.either > 0 && c.large > 0);
    let ambiguous = columns.iter().any(|c| c.example.is_some());
    let parted: usize = columns
        .iter()
        .filter(|c| c.small > 0)
        .map(|c| c.either)
        .sum();
    let (swap, doubtful) = match (proof, counter_proof) {
        (true, _) => (false, false),
        (false, true) => (true, false),
        // A lone point is a decimal point unless something speaks against it.
        _ if decimal == b'.' => (false, columns.iter().any(|c| c.others > 0)),
        _ => (parted > 0, ambiguous && parted < MANY),
    };
    Signs {
        decimal: if swap { other } else { decimal },
        doubtful,
        groups: columns
            .iter()
            .map(|c| swap || c.decimals == 0 || c.both > 0)
            .collect(),
        examples: columns
            .iter()
            .map(|c| c.example.map(<[u8]>::to_vec))
            .collect(),
    }
}

/// How many digits, if there is nothing else but a sign in front.
fn digits(text: &[u8]) -> Option<usize> {
    let bare = match text {
        [b'+' | b'-', rest @ ..] => rest,
        all => all,
    };
    bare.iter().all(u8::is_ascii_digit).then_some(bare.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(decimal: u8, rows: &[&[&str]]) -> (char, bool) {
        let cells = rows
            .iter()
            .map(|row| row.iter().map(|c| c.as_bytes()).collect());
        let found = weigh(cells, decimal, 3);
        (char::from(found.decimal), found.doubtful)
    }

    #[test]
    fn evidence_decides() {
        // Decimals elsewhere.
        assert_eq!(signs(b'.', &[&["0.5", "1,787"]]), ('.', false));
        assert_eq!(signs(b',', &[&["0,5", "1.787"]]), (',', false));
        assert_eq!(signs(b',', &[&["1,787", "0,001"]]), (',', false));
        // Numbers with both signs, or several groups.
        assert_eq!(signs(b',', &[&["1,787"], &["1,787.5"]]), ('.', false));
        assert_eq!(signs(b',', &[&["1,787"], &["1,234,567"]]), ('.', false));
        // The same column without a sign.
        assert_eq!(signs(b',', &[&["1,787"], &["1787"]]), (',', false));
        let grown: Vec<String> = (990..1100)
            .map(|n| match n {
                1000.. => format!("1,{:03}", n - 1000),
                n => n.to_string(),
            })
            .collect();
        let rows: Vec<Vec<&str>> = grown.iter().map(|c| vec![c.as_str()]).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(signs(b',', &rows), ('.', false));
        assert_eq!(signs(b',', &rows[..20]), ('.', true));
    }

    #[test]
    fn without_evidence_there_is_doubt() {
        assert_eq!(signs(b',', &[&["0", "1", "1,787"]]), (',', true));
        assert_eq!(signs(b'.', &[&["1.234", "1,787"]]), ('.', true));
        assert_eq!(signs(b'.', &[&["0", "1", "1.787"]]), ('.', false));
        assert_eq!(signs(b',', &[&["0", "1", "2"]]), (',', false));
    }

    #[test]
    fn a_column_with_decimals_has_no_lone_groups() {
        let rows: [&[&str]; 2] = [&["0.5", "12", "1,234.5"], &["1,234", "1,787", "0.1"]];
        let cells = rows
            .iter()
            .map(|row| row.iter().map(|c| c.as_bytes()).collect());
        assert_eq!(weigh(cells, b'.', 3).groups, [false, true, true]);
    }
}
