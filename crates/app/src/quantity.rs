//! Quantities on the command line: SI, or with a unit; lists and ranges of them.

use crate::error::AppError;
use masing_data::DataError;
use masing_data::unit::{Quantity, parse_quantity};
#[cfg(feature = "cli")]
use masing_model::MotionKind;

fn unreadable(option: &str, source: DataError) -> AppError {
    AppError::OptionText {
        option: option.to_owned(),
        source: Box::new(source),
    }
}

/// A quantity of one kind, from the text of an option.
pub fn parse(option: &str, text: &str, quantity: Quantity) -> Result<f64, AppError> {
    parse_quantity(text, quantity).map_err(|source| unreadable(option, source))
}

/// A displacement or an angle; a bare number is a displacement in m.
#[cfg(feature = "cli")]
pub fn parse_motion(option: &str, text: &str) -> Result<(f64, MotionKind), AppError> {
    match parse_quantity(text, Quantity::Length) {
        Ok(value) => Ok((value, MotionKind::Translation)),
        Err(error) => match parse_quantity(text, Quantity::Angle) {
            Ok(value) => Ok((value, MotionKind::Rotation)),
            Err(_) => Err(unreadable(option, error)),
        },
    }
}

/// A quantity that must be positive.
pub fn positive(option: &str, text: &str, quantity: Quantity) -> Result<f64, AppError> {
    let value = parse(option, text, quantity)?;
    if value > 0.0 {
        return Ok(value);
    }
    let expected = format!("a positive {quantity}");
    Err(AppError::option(option, text, expected))
}

/// Both ends of a range `1..100Hz`; the unit of the upper end serves a lower end without one.
pub fn range(option: &str, text: &str, quantity: Quantity) -> Result<[f64; 2], AppError> {
    let refuse = |expected: &str| AppError::option(option, text, expected);
    let Some((from, to)) = text.split_once("..") else {
        return Err(refuse("a range such as 1..100Hz"));
    };
    let unit = to
        .trim()
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    let bare = from.trim().parse::<f64>().is_ok();
    let from = if bare && !starts_with_exponent(unit) {
        positive(option, &format!("{}{unit}", from.trim()), quantity)?
    } else {
        positive(option, from, quantity)?
    };
    let to = positive(option, to, quantity)?;
    if from < to {
        Ok([from, to])
    } else {
        Err(refuse("a range whose lower end is below its upper end"))
    }
}

/// `1e3` leaves `e3` once its digits are gone: no unit.
fn starts_with_exponent(unit: &str) -> bool {
    unit.strip_prefix(['e', 'E'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '-'))
}

/// A list `0.1mm,0.5mm`, or a range `1..100Hz` of `points` values in equal ratios.
pub fn series(
    option: &str,
    text: &str,
    quantity: Quantity,
    points: usize,
) -> Result<Vec<f64>, AppError> {
    if text.contains("..") {
        let [from, to] = range(option, text, quantity)?;
        let last = (points - 1) as f64;
        return Ok((0..points)
            .map(|i| match i {
                0 => from,
                i if i + 1 == points => to,
                i => from * (to / from).powf(i as f64 / last),
            })
            .collect());
    }
    let entries: Vec<&str> = text.split(',').collect();
    let bare = entries
        .iter()
        .filter(|e| e.trim().parse::<f64>().is_ok())
        .count();
    if bare > 0 && bare < entries.len() {
        let expected = "a unit on every entry of the list, or on none (SI)";
        return Err(AppError::option(option, text, expected));
    }
    entries
        .into_iter()
        .map(|entry| positive(option, entry, quantity))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let read = |text| series("--frequency", text, Quantity::Frequency, 3);
        assert_eq!(read("1..100Hz").unwrap(), [1.0, 10.0, 100.0]);
        assert_eq!(read("1,2,5").unwrap(), [1.0, 2.0, 5.0]);
        assert_eq!(read("1Hz, 2Hz").unwrap(), [1.0, 2.0]);
        assert_eq!(read("1e0..1e2").unwrap()[2], 100.0);
        assert!(read("1,2Hz").is_err());
        assert!(read("100..1Hz").is_err());
        assert!(read("0..1Hz").is_err());
        assert!(read("-1Hz").is_err());
        assert!(read("").is_err());
        assert!(read("1mm").is_err());
        let read = |text| series("--amplitude", text, Quantity::Length, 2);
        assert_eq!(read("0.1..1mm").unwrap(), [1e-4, 1e-3]);
        assert_eq!(read("0.1mm,0.5mm").unwrap(), [1e-4, 5e-4]);
    }
}
