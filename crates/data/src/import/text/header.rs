//! Header cells to names and units.

use crate::unit;

/// Splits a header cell into name and unit text: `x [mm]`, `x (mm)`, `x / mm`, `x in mm`, `x_mm`.
///
/// Brackets always hold a unit; an unknown one is refused later, when the column is used. The other spellings count only
/// with a known unit. `siblings` guards `n_in` against inches where there is an `n_out`.
pub(crate) fn split(cell: &str, siblings: &[String]) -> (String, Option<String>) {
    let cell = cell.trim();
    for (open, close) in [('[', ']'), ('(', ')'), ('{', '}'), ('<', '>')] {
        let Some(body) = cell.strip_suffix(close) else {
            continue;
        };
        let Some(at) = matching(body, open, close) else {
            continue;
        };
        let (name, unit) = (body[..at].trim(), body[at + open.len_utf8()..].trim());
        if name.is_empty() {
            break;
        }
        return (name.to_owned(), some_unit(unit));
    }
    for mark in ["/ ", " in ", ", "] {
        if let Some((name, unit)) = cell.rsplit_once(mark)
            && !name.trim().is_empty()
            && is_unit(unit)
        {
            return (name.trim().to_owned(), some_unit(unit));
        }
    }
    if let Some((name, unit)) = cell.rsplit_once('_') {
        let sibling = |s: &String| s.trim().eq_ignore_ascii_case(&format!("{name}_out"));
        let flow = unit.eq_ignore_ascii_case("in") && siblings.iter().any(sibling);
        if !name.is_empty() && is_unit(unit) && !flow {
            return (name.to_owned(), some_unit(unit));
        }
    }
    (cell.to_owned(), None)
}

/// Position of the bracket that the end of the cell closes.
fn matching(body: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in body.char_indices().rev() {
        if c == close {
            depth += 1;
        } else if c == open {
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        }
    }
    None
}

fn some_unit(text: &str) -> Option<String> {
    let text = text.trim();
    (!matches!(text, "" | "-" | "--" | "1" | "none")).then(|| text.to_owned())
}

/// A known unit, not a plain number.
fn is_unit(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
        && !unit::kinds(text).is_empty()
}

/// The unit text of a cell of a units row.
pub(crate) fn unit_cell(cell: &str) -> Option<String> {
    let cell = cell.trim();
    match bracketed(cell) {
        Some(inside) => some_unit(inside),
        None if is_unit(cell) => some_unit(cell),
        None => None,
    }
}

/// True if a cell can stand in a units row: a unit, brackets, or a word for none.
pub(crate) fn may_be_unit(cell: &str) -> bool {
    let cell = cell.trim();
    let none = ["", "-", "--", "1", "unit", "units", "einheit", "einheiten"];
    bracketed(cell).is_some() || is_unit(cell) || none.iter().any(|n| cell.eq_ignore_ascii_case(n))
}

fn bracketed(cell: &str) -> Option<&str> {
    cell.strip_prefix(['[', '('])?
        .strip_suffix([']', ')'])
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_in_header_cells() {
        let parts = |cell| split(cell, &[]);
        let some = |n: &str, u: &str| (n.to_owned(), Some(u.to_owned()));
        assert_eq!(parts("x [mm]"), some("x", "mm"));
        assert_eq!(parts("x(mm)"), some("x", "mm"));
        assert_eq!(parts("Weg / mm"), some("Weg", "mm"));
        assert_eq!(parts("Kraft in kN"), some("Kraft", "kN"));
        assert_eq!(parts("x_mm"), some("x", "mm"));
        assert_eq!(parts("F_N"), some("F", "N"));
        assert_eq!(parts("c [N/(m/s)]"), some("c", "N/(m/s)"));
        assert_eq!(parts("c (N/(m/s))"), some("c", "N/(m/s)"));
        assert_eq!(parts("x [furlong]"), some("x", "furlong"));
        assert_eq!(parts("disp_x"), ("disp_x".into(), None));
        assert_eq!(parts("n [-]"), ("n".into(), None));
        assert_eq!(parts("Date/Time"), ("Date/Time".into(), None));
        assert_eq!(
            split("n_in", &["n_in".into(), "n_out".into()]),
            ("n_in".into(), None)
        );
        assert_eq!(parts("[mm]"), ("[mm]".into(), None));
    }
}
