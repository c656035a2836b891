//! Units of rig data and their SI factors.
//!
//! SI value = factor * value. The same text may belong to several kinds (`g`, `rpm`, `N m`), so a unit is
//! always looked up for a kind of quantity.

use crate::error::DataError;
use crate::named::named;

mod table;

use table::UNITS;

named! {
    /// Kind of a physical quantity.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Quantity, 2 {
        /// Length, m.
        Length = ["length", "m"],
        /// Angle, rad.
        Angle = ["angle", "rad"],
        /// Force, N.
        Force = ["force", "N"],
        /// Torque, N m.
        Torque = ["torque", "N m"],
        /// Time, s.
        Time = ["time", "s"],
        /// Velocity, m/s.
        Velocity = ["velocity", "m/s"],
        /// Angular velocity, rad/s.
        AngularVelocity = ["angular velocity", "rad/s"],
        /// Acceleration, m/s^2.
        Acceleration = ["acceleration", "m/s^2"],
        /// Angular acceleration, rad/s^2.
        AngularAcceleration = ["angular acceleration", "rad/s^2"],
        /// Stiffness, N/m.
        Stiffness = ["stiffness", "N/m"],
        /// Rotational stiffness, N m/rad.
        AngularStiffness = ["rotational stiffness", "N m/rad"],
        /// Viscous damping, N s/m.
        Damping = ["viscous damping", "N s/m"],
        /// Rotational viscous damping, N m s/rad.
        AngularDamping = ["rotational viscous damping", "N m s/rad"],
        /// Frequency, Hz.
        Frequency = ["frequency", "Hz"],
        /// Mass, kg.
        Mass = ["mass", "kg"],
        /// Moment of inertia, kg m^2.
        Inertia = ["moment of inertia", "kg m^2"],
        /// Energy, J.
        Energy = ["energy", "J"],
        /// Electric current, A.
        Current = ["current", "A"],
        /// Electric voltage, V.
        Voltage = ["voltage", "V"],
        /// Absolute temperature, K.
        Temperature = ["temperature", "K"],
        /// Pressure, Pa.
        Pressure = ["pressure", "Pa"],
        /// A plain number.
        Number = ["plain number", "1"],
    }
}

impl Quantity {
    /// The name people read.
    pub const fn name(self) -> &'static str {
        Self::TEXTS[self as usize][0]
    }

    /// The SI unit symbol.
    pub const fn si(self) -> &'static str {
        Self::TEXTS[self as usize][1]
    }

    /// The unit people read the quantity in, and its SI factor.
    pub fn engineering(self) -> (&'static str, f64) {
        let symbol = match self {
            Quantity::Length => "mm",
            Quantity::Angle => "deg",
            Quantity::Velocity => "mm/s",
            Quantity::AngularVelocity => "deg/s",
            Quantity::Stiffness => "N/mm",
            Quantity::AngularStiffness => "N m/deg",
            Quantity::Damping => "N s/mm",
            Quantity::AngularDamping => "N m s/deg",
            other => other.si(),
        };
        (symbol, find(symbol, self).unwrap_or(1.0))
    }

    /// The known unit symbols of this kind.
    pub fn known(self) -> Vec<String> {
        UNITS
            .iter()
            .filter(|u| u.quantity == self)
            .map(|u| u.names[0].to_owned())
            .collect()
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One line of the unit table.
struct Unit {
    /// The symbol, then other spellings.
    names: &'static [&'static str],
    quantity: Quantity,
    factor: f64,
}

/// Spelling without what does not matter: spaces, dots, stars, superscripts, words for symbols.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = text.trim().replace("**", "^");
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            ' ' | '*' | '·' | '.' | '⋅' | '×' | '\u{a0}' => {}
            '²' => out.push_str("^2"),
            'µ' | 'μ' => out.push('u'),
            '°' => out.push_str("deg"),
            '2' if previous.is_ascii_alphabetic() => out.push_str("^2"),
            // N-m, lbf-ft: a hyphen between letters joins factors.
            '-' if previous.is_ascii_alphabetic() => {}
            c => out.push(c),
        }
        previous = c;
    }
    out
}

/// SI factor of a unit of the given kind, if it is known.
fn find(text: &str, quantity: Quantity) -> Option<f64> {
    let wanted = normal(text);
    if wanted.is_empty() {
        return None;
    }
    let of_kind = || UNITS.iter().filter(|u| u.quantity == quantity);
    if let Some(unit) = of_kind().find(|u| u.names.iter().any(|n| normal(n) == wanted)) {
        return Some(unit.factor);
    }
    // Rigs write `KN`, `MM`, `Sec`: accept another case when only one unit of the kind can be meant.
    let mut factors = of_kind()
        .filter(|u| {
            u.names
                .iter()
                .any(|n| normal(n).eq_ignore_ascii_case(&wanted))
        })
        .map(|u| u.factor);
    match (factors.next(), factors.next()) {
        (Some(factor), None) => Some(factor),
        _ => None,
    }
}

/// SI factor of `text`, which may carry a number in front (`10 mm` for a channel in steps of 10 mm).
fn scaled(text: &str, quantity: Quantity) -> Option<f64> {
    if let Some(factor) = find(text, quantity) {
        return Some(factor);
    }
    let (number, rest) = split_number(text)?;
    let unit = if rest.trim().is_empty() {
        1.0
    } else {
        find(rest, quantity)?
    };
    (number != 0.0).then_some(number * unit)
}

/// The kinds a unit belongs to.
pub fn kinds(text: &str) -> Vec<Quantity> {
    Quantity::ALL
        .into_iter()
        .filter(|q| scaled(text, *q).is_some())
        .collect()
}

/// SI factor of a unit for one of several kinds; the first that knows the unit wins.
///
/// `place` is put in front of the error message.
pub fn factor(
    text: &str,
    quantities: &[Quantity],
    place: &str,
) -> Result<(f64, Quantity), DataError> {
    for &quantity in quantities {
        if let Some(factor) = scaled(text, quantity) {
            return Ok((factor, quantity));
        }
    }
    let known: Vec<String> = quantities.iter().flat_map(|q| q.known()).collect();
    let quantity = quantities
        .iter()
        .map(|q| q.name())
        .collect::<Vec<_>>()
        .join(" or ");
    let place = place.to_owned();
    let found = text.trim().to_owned();
    match kinds(text).first() {
        Some(kind) => Err(DataError::WrongUnit {
            place,
            found,
            is: kind.name().into(),
            quantity,
            known,
        }),
        None => Err(DataError::UnknownUnit {
            place,
            found,
            quantity,
            known,
        }),
    }
}

/// A value in SI from text such as `2.2mm`, `150 N` or `0.0022` (a bare number is SI).
pub fn parse_quantity(text: &str, quantity: Quantity) -> Result<f64, DataError> {
    let bad = || DataError::BadValue {
        found: text.to_owned(),
        expected: format!(
            "a {} such as `2.5` ({}) or `2.5{}`",
            quantity,
            quantity.si(),
            quantity.engineering().0
        ),
    };
    let (number, rest) = split_number(text).ok_or_else(bad)?;
    if rest.trim().is_empty() {
        return Ok(number);
    }
    if rest
        .trim_start()
        .starts_with(|c: char| c.is_ascii_digit() || c == ',')
    {
        return Err(bad());
    }
    let (factor, _) = factor(rest, &[quantity], &format!("value `{text}`"))?;
    Ok(number * factor)
}

/// Kinds of quantity that a test condition may have, the likeliest first where a unit belongs to several.
const CONDITIONS: [Quantity; 14] = [
    Quantity::Current,
    Quantity::Voltage,
    Quantity::Temperature,
    Quantity::Pressure,
    Quantity::Force,
    Quantity::Torque,
    Quantity::Length,
    Quantity::Angle,
    Quantity::Frequency,
    Quantity::Velocity,
    Quantity::AngularVelocity,
    Quantity::Mass,
    Quantity::Time,
    Quantity::Number,
];

/// Degrees with another zero than 0 K: names, size of a degree, zero in K.
const DEGREES: [(&[&str], f64, f64); 2] = [
    (&["degC", "celsius"], 1.0, 273.15),
    (&["degF", "fahrenheit"], 5.0 / 9.0, 459.67 * 5.0 / 9.0),
];

/// Factor and offset to SI of the unit of a condition, and the SI unit.
pub fn condition_unit(text: &str) -> Result<(f64, f64, &'static str), DataError> {
    let wanted = normal(text);
    for (names, degree, zero) in DEGREES {
        if names.iter().any(|name| name.eq_ignore_ascii_case(&wanted)) {
            return Ok((degree, zero, Quantity::Temperature.si()));
        }
    }
    let (factor, quantity) = factor(text, &CONDITIONS, "condition")?;
    Ok((factor, 0.0, quantity.si()))
}

/// The level of a condition from text such as `0.5A`, `20 degC` or `0.5`: its SI value and, where it has a unit, the SI
/// unit.
pub fn parse_level(text: &str) -> Result<(f64, Option<&'static str>), DataError> {
    let (number, rest) = split_number(text).ok_or_else(|| DataError::BadValue {
        found: text.to_owned(),
        expected: "a level such as `0.5A`, `20degC`, `150N` or `0.5` (SI)".to_owned(),
    })?;
    if rest.trim().is_empty() {
        return Ok((number, None));
    }
    let (factor, zero, unit) = condition_unit(rest)?;
    Ok((number * factor + zero, Some(unit)))
}

/// Splits a leading finite number from the rest.
fn split_number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E')))
        .unwrap_or(text.len());
    (1..=end).rev().find_map(|cut| {
        let number: f64 = text[..cut].parse().ok()?;
        number.is_finite().then_some((number, &text[cut..]))
    })
}

#[cfg(test)]
mod tests;
