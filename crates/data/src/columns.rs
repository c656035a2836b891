//! Sums and differences of columns.

use crate::error::DataError;
use crate::table::Table;

/// A signed column of a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Term {
    pub(crate) sign: f64,
    pub(crate) column: usize,
}

/// Reads a column name, a number from 1, or a sum or difference of those.
pub(crate) fn parse(text: &str, table: &Table) -> Result<Vec<Term>, DataError> {
    if let Some(column) = lookup(text, table) {
        return Ok(vec![Term { sign: 1.0, column }]);
    }
    let spaced = split(text, true);
    let resolves = |parts: &[(f64, &str)]| {
        !parts.is_empty() && parts.iter().all(|p| lookup(p.1, table).is_some())
    };
    let parts = if spaced.len() > 1 || resolves(&spaced) {
        spaced
    } else {
        split(text, false)
    };
    let missing = |name: &str| DataError::MissingColumn {
        file: table.source.file.clone(),
        column: name.trim().to_owned(),
        available: table.available(),
    };
    if parts.is_empty() {
        return Err(missing(text));
    }
    parts
        .into_iter()
        .map(|(sign, name)| {
            lookup(name, table)
                .map(|column| Term { sign, column })
                .ok_or_else(|| missing(name))
        })
        .collect()
}

/// Terms between plus and minus signs, which must stand between blanks if `spaced`.
fn split(text: &str, spaced: bool) -> Vec<(f64, &str)> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let (mut start, mut sign) = (0, 1.0);
    for (at, b) in bytes.iter().enumerate() {
        let operator = matches!(b, b'+' | b'-');
        let blank = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(|b| *b == b' ');
        let leads = text[..at].trim().is_empty();
        if operator && (!spaced || leads || (blank(at.checked_sub(1)) && blank(Some(at + 1)))) {
            if !text[start..at].trim().is_empty() {
                parts.push((sign, &text[start..at]));
            }
            sign = if *b == b'-' { -1.0 } else { 1.0 };
            start = at + 1;
        }
    }
    if !text[start..].trim().is_empty() {
        parts.push((sign, &text[start..]));
    }
    parts
}

fn lookup(text: &str, table: &Table) -> Option<usize> {
    let text = text.trim();
    let by = |same: &dyn Fn(&str) -> bool| {
        table
            .channels
            .iter()
            .position(|c| same(&c.name) || same(&c.label()))
    };
    by(&|name| name == text)
        .or_else(|| by(&|name| name.eq_ignore_ascii_case(text)))
        .or_else(|| {
            // `x_mm` was split into name and unit, but may be asked for as written.
            let (name, unit) = crate::import::text::header::split(text, &[]);
            unit.and_then(|unit| {
                table.channels.iter().position(|c| {
                    c.name.eq_ignore_ascii_case(&name) && c.unit.as_deref() == Some(&unit)
                })
            })
        })
        .or_else(|| {
            text.parse::<usize>()
                .ok()?
                .checked_sub(1)
                .filter(|&i| i < table.channels.len())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Channel, Source};
    use std::path::Path;

    #[test]
    fn sums_and_numbers() {
        let names = [
            ("n_in", None),
            ("n_out", None),
            ("x", Some("mm".to_owned())),
            ("a-b", None),
        ];
        let channels = names
            .into_iter()
            .map(|(n, u)| Channel::new(n, u, vec![0.0]))
            .collect();
        let table = Table::new("", channels, Source::new(Path::new("f.csv"), "text", 2));
        let columns = |text| {
            parse(text, &table)
                .unwrap()
                .iter()
                .map(|t| (t.sign, t.column))
                .collect::<Vec<_>>()
        };
        assert_eq!(columns("n_in - n_out"), [(1.0, 0), (-1.0, 1)]);
        assert_eq!(columns("N_IN+2"), [(1.0, 0), (1.0, 1)]);
        assert_eq!(columns("-n_in + x"), [(-1.0, 0), (1.0, 2)]);
        assert_eq!(columns("x_mm"), [(1.0, 2)]);
        assert_eq!(columns("x [mm]"), [(1.0, 2)]);
        assert_eq!(columns("a-b"), [(1.0, 3)]);
        assert_eq!(columns("4"), [(1.0, 3)]);
        assert_eq!(columns("a-b - x"), [(1.0, 3), (-1.0, 2)]);
        assert!(matches!(
            parse("y", &table),
            Err(DataError::MissingColumn { .. })
        ));
        assert!(parse("x - y", &table).is_err());
        assert!(parse("0", &table).is_err());
        assert!(parse("", &table).is_err());
    }
}
