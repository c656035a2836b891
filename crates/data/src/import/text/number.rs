//! Numbers in text: a decimal comma, thousands, words for nothing. The digits themselves are read by `fast_float2`, which rounds
//! as the standard library does.

/// Reads a number at the start of `text` and returns it with the bytes used.
pub(crate) fn prefix(text: &[u8], decimal: u8) -> Option<(f64, usize)> {
    let body = match text {
        [b'-' | b'+', rest @ ..] => rest,
        all => all,
    };
    // The library also knows words such as `nan`; here they are not numbers.
    if !body
        .first()
        .is_some_and(|b| b.is_ascii_digit() || *b == decimal)
    {
        return None;
    }
    if decimal != b'.' {
        return translated(text, decimal);
    }
    let (value, used) = fast_float2::parse_partial(text).ok()?;
    match text.get(used) {
        Some(b'd' | b'D') => translated(text, decimal),
        _ => Some((value, used)),
    }
}

/// A number with another decimal sign, or with the `D` that Fortran writes for an exponent.
fn translated(text: &[u8], decimal: u8) -> Option<(f64, usize)> {
    // Longer than any number that a program writes.
    let mut short = [0; 48];
    let length = copied(text, decimal, &mut short);
    if length < short.len() {
        return fast_float2::parse_partial(&short[..length]).ok();
    }
    let mut long = vec![0; text.len()];
    let length = copied(text, decimal, &mut long);
    fast_float2::parse_partial(&long[..length]).ok()
}

/// Copies what can belong to a number, with a point and `e`, as far as there is room; how far that was.
fn copied(text: &[u8], decimal: u8, to: &mut [u8]) -> usize {
    let room = to.len();
    for (i, (to, &from)) in to.iter_mut().zip(text).enumerate() {
        *to = match from {
            b'0'..=b'9' | b'+' | b'-' | b'e' | b'E' => from,
            b'd' | b'D' => b'e',
            _ if from == decimal => b'.',
            _ => return i,
        };
    }
    room.min(text.len())
}

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell {
    /// A finite number.
    Number(f64),
    /// One group of thousands, as in `1,234`; the sign may as well be meant as the decimal sign.
    Group(f64),
    /// A number beyond all bounds, or a word for it (inf).
    NotFinite(f64),
    /// Nothing, or a word for nothing (NaN, NA).
    Missing,
    /// Something else.
    Other,
}

/// U+2212, which word processors put for a minus.
const MINUS: &[u8] = "\u{2212}".as_bytes();

/// Words for a missing value.
const MISSING: [&[u8]; 11] = [
    b"nan",
    b"na",
    b"n/a",
    b"#n/a",
    b"null",
    b"none",
    b"-",
    b"--",
    b"nan(ind)",
    b"1.#qnan",
    b"1.#ind",
];

/// Words for a value beyond all bounds.
const INFINITE: [&[u8]; 3] = [b"inf", b"infinity", b"1.#inf"];

/// Reads a trimmed cell.
pub(crate) fn cell(text: &[u8], decimal: u8) -> Cell {
    if let Some((value, used)) = prefix(text, decimal)
        && used == text.len()
    {
        return if value.is_finite() {
            Cell::Number(value)
        } else {
            Cell::NotFinite(value)
        };
    }
    if let Some(found) = grouped(text, decimal) {
        return found;
    }
    // No number is longer; a cell of nothing but minus signs could be.
    if text.len() <= 60
        && let Some(at) = memchr::memmem::find(text, MINUS)
    {
        let plain = [&text[..at], b"-", &text[at + MINUS.len()..]].concat();
        return cell(&plain, decimal);
    }
    let (sign, bare) = match text {
        [b'-', rest @ ..] if !rest.is_empty() => (-1.0, rest),
        [b'+', rest @ ..] if !rest.is_empty() => (1.0, rest),
        all => (1.0, all),
    };
    let among = |words: &[&[u8]]| words.iter().any(|w| bare.eq_ignore_ascii_case(w));
    if among(&INFINITE) {
        Cell::NotFinite(sign * f64::INFINITY)
    } else if text.is_empty() || among(&MISSING) {
        Cell::Missing
    } else {
        Cell::Other
    }
}

/// A number with thousands separators, `1.234,5` or `1,234,567`. With a single one and no decimals, `1,234`, the
/// sign may be a decimal comma: whoever asks has to know.
fn grouped(text: &[u8], decimal: u8) -> Option<Cell> {
    let separator = other_sign(decimal);
    if !text.contains(&separator) || text.len() > 40 {
        return None;
    }
    let body = text
        .strip_prefix(b"-")
        .or_else(|| text.strip_prefix(b"+"))
        .or_else(|| text.strip_prefix(MINUS))
        .unwrap_or(text);
    let whole = body.split(|b| *b == decimal).next()?;
    let mut groups = whole.split(|b| *b == separator);
    let first = groups.next()?;
    let digits = |g: &[u8]| g.iter().all(u8::is_ascii_digit);
    let good = (1..=3).contains(&first.len())
        && first[0] != b'0'
        && digits(first)
        && groups.all(|g| g.len() == 3 && digits(g));
    let separators = memchr::memchr_iter(separator, whole).count();
    if !good || separators == 0 {
        return None;
    }
    let plain: Vec<u8> = body.iter().copied().filter(|b| *b != separator).collect();
    let sign = if body.len() < text.len() && text[0] != b'+' {
        -1.0
    } else {
        1.0
    };
    let (value, used) = prefix(&plain, decimal)?;
    if used < plain.len() {
        return None;
    }
    Some(if separators > 1 || body.contains(&decimal) {
        Cell::Number(sign * value)
    } else {
        Cell::Group(sign * value)
    })
}

/// Comma for point, and point for comma.
pub(crate) fn other_sign(decimal: u8) -> u8 {
    if decimal == b',' { b'.' } else { b',' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_rigs_write() {
        let number = |text: &str, decimal| cell(text.as_bytes(), decimal);
        assert_eq!(number("-29.9210", b'.'), Cell::Number(-29.921));
        assert_eq!(number("1,5", b','), Cell::Number(1.5));
        assert_eq!(number("1,5", b'.'), Cell::Other);
        assert_eq!(number("-1.234,5", b','), Cell::Number(-1234.5));
        assert_eq!(number("1,234,567", b'.'), Cell::Number(1_234_567.0));
        assert_eq!(number("1,234", b'.'), Cell::Group(1234.0));
        assert_eq!(number("-1,787", b'.'), Cell::Group(-1787.0));
        assert_eq!(number("0,123", b'.'), Cell::Other);
        assert_eq!(number("\u{2212}1.5e\u{2212}3", b'.'), Cell::Number(-1.5e-3));
        assert_eq!(number("\u{2212}1,234.5", b'.'), Cell::Number(-1234.5));
        assert_eq!(number("\u{2212}", b'.'), Cell::Missing);
        assert_eq!(number("0,123.5", b'.'), Cell::Other);
        assert_eq!(number("1.23,5", b','), Cell::Other);
        assert_eq!(number("1.2.3", b','), Cell::Other);
        assert_eq!(number("1.5D-03", b'.'), Cell::Number(1.5e-3));
        assert_eq!(number(".5", b'.'), Cell::Number(0.5));
        assert_eq!(number("5.", b'.'), Cell::Number(5.0));
        assert_eq!(number("1e400", b'.'), Cell::NotFinite(f64::INFINITY));
        assert_eq!(number("-Inf", b'.'), Cell::NotFinite(f64::NEG_INFINITY));
        for text in ["", "NaN", "-nan", "N/A", "1.#QNAN", "-"] {
            assert_eq!(number(text, b'.'), Cell::Missing, "{text}");
        }
        for text in ["abc", "1.2.3", "1e", "+", ".", "0x10", "1 2"] {
            assert_eq!(number(text, b'.'), Cell::Other, "{text}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(bits: u64, exponent in -400i32..400, digits in 0u64..u64::MAX) {
            let value = f64::from_bits(bits);
            let texts = [format!("{value}"), format!("{value:e}"), format!("{digits}e{exponent}"), format!("{}.{digits}", bits >> 40)];
            for text in texts {
                let expected: f64 = text.parse().unwrap();
                match cell(text.as_bytes(), b'.') {
                    Cell::Number(found) => prop_assert_eq!(found.to_bits(), expected.to_bits(), "{}", text),
                    Cell::NotFinite(found) => prop_assert_eq!(found, expected),
                    Cell::Missing => prop_assert!(expected.is_nan()),
                    Cell::Group(_) | Cell::Other => prop_assert!(false, "{} refused", text),
                }
            }
        }
    }
}
