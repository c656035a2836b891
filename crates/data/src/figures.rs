//! Numbers for people.

use crate::unit::Quantity;

/// A value with so many significant digits, with an exponent where it is very large or small.
pub fn significant(value: f64, digits: u8) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return value.to_string();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-4..=6).contains(&exponent) {
        let text = format!("{value:.*e}", usize::from(digits.saturating_sub(1)));
        return match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
            None => text,
        };
    }
    let decimals = usize::try_from(i32::from(digits) - 1 - exponent).unwrap_or(0);
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

/// A number without zeros at its end that say nothing.
fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// An SI value in the unit people read it in.
pub fn engineering(value: f64, quantity: Quantity) -> String {
    rounded(value, quantity, 5)
}

/// The same with so many significant digits.
pub fn rounded(value: f64, quantity: Quantity, digits: u8) -> String {
    let (unit, factor) = quantity.engineering();
    format!("{} {unit}", significant(value / factor, digits))
}

/// The unit people read a value in whose SI unit is given, and its factor; others stay as they are.
pub fn readable_unit(si: &str) -> (&str, f64) {
    let quantity = Quantity::ALL.into_iter().find(|q| q.si() == si);
    match quantity {
        None | Some(Quantity::Number) => (if si == "1" { "" } else { si }, 1.0),
        Some(quantity) => quantity.engineering(),
    }
}

/// The same for what is found beside the parameters, where times are delays of milliseconds.
pub fn readable_beside(si: &str) -> (&str, f64) {
    match si {
        "s" => ("ms", 1e-3),
        other => readable_unit(other),
    }
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    if share.is_finite() {
        format!("{} %", significant(100.0 * share, 3))
    } else {
        "not known".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!(significant(450.7612, 5), "450.76");
        assert_eq!(significant(2e5, 5), "200000");
        assert_eq!(significant(1e-3, 5), "0.001");
        assert_eq!(significant(-1.23456e-9, 3), "-1.23e-9");
        assert_eq!(significant(1e12, 4), "1e12");
        assert_eq!(significant(0.0, 5), "0");
        assert_eq!(significant(f64::NAN, 5), "NaN");
        assert_eq!(engineering(1e-3, Quantity::Length), "1 mm");
        assert_eq!(engineering(4.5e5, Quantity::Stiffness), "450 N/mm");
        assert_eq!(percent(0.031_234), "3.12 %");
        assert_eq!(percent(f64::INFINITY), "not known");
    }

    #[test]
    fn units_are_those_of_the_shop_floor() {
        assert_eq!(readable_unit("N/m"), ("N/mm", 1e3));
        assert_eq!(readable_unit("m").0, "mm");
        assert_eq!(readable_unit("N m/rad").0, "N m/deg");
        assert_eq!(readable_unit("1"), ("", 1.0));
        assert_eq!(readable_unit("N (s/m)^alpha"), ("N (s/m)^alpha", 1.0));
    }
}
