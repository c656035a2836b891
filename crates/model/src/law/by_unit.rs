//! What the unit of a parameter says about it: the defaults of what a law says of itself.

use super::{Features, Probe, Strength};
use crate::element::Memory;
use crate::spec::Spec;

/// A first guess by units: stiffness the secant, force that of the friction, length a third of the
/// amplitude, damping what gives the energy of the loop. Elements in parallel get a `share` of
/// stiffness and damping each.
pub fn guess(spec: &Spec, f: &Features, share: f64) -> Vec<f64> {
    let lost = f.friction();
    let speed = f.speed_above_zero();
    let mut values = spec.defaults();
    for (value, param) in values.iter_mut().zip(&spec.params) {
        if param.default == 0.0 {
            continue;
        }
        let size = match param.unit.as_str() {
            "N/m" => f.secant * share,
            "N" => lost,
            "m" => f.amplitude / 3.0,
            "N s/m" => share * lost / speed,
            "s" => f.amplitude / speed,
            "s/m" => 3.0 / speed,
            "m/s" => 0.3 * speed,
            unit => match power(unit) {
                Some((true, n)) => share * f.secant / f.amplitude.powi(n - 1),
                Some((false, n)) => share * lost / speed.powi(n),
                None => continue,
            },
        };
        *value = size.copysign(param.default);
    }
    values
}

/// The power in N/m^n (true) or N (s/m)^n (false).
pub fn power(unit: &str) -> Option<(bool, i32)> {
    if let Some(n) = unit.strip_prefix("N/m^") {
        return Some((true, n.parse().ok()?));
    }
    Some((false, unit.strip_prefix("N (s/m)^")?.parse().ok()?))
}

/// Times are told by the speed of a test, masses by its frequency, everything else by its amplitude.
pub fn probe(unit: &str) -> Probe {
    let mut words = unit.split(|c: char| !c.is_alphabetic());
    if words.clone().any(|word| word == "kg") {
        Probe::Frequency
    } else if words.any(|word| word == "s") {
        Probe::Speed
    } else {
        Probe::Amplitude
    }
}

/// A law with a memory of time, or one of whose parameters holds a time, depends on the speed.
pub fn rate_dependent(spec: &Spec) -> bool {
    let by_speed = |unit: &str| probe(unit) == Probe::Speed;
    spec.memory == Memory::Time || spec.params.iter().any(|p| by_speed(&p.unit))
}

/// Forces, or stiffness and damping where there are none.
pub fn strength(spec: &Spec) -> Strength {
    let of = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let each = spec.params.iter().enumerate();
        // What may be negative is not a size.
        let own = each.filter(|(_, param)| param.min >= 0.0 && is(&param.unit));
        own.map(|(k, _)| k).collect()
    };
    if spec.params.iter().any(|param| param.unit == "N") {
        return Strength::Forces(of(&|unit| unit == "N"));
    }
    // N^(1-n)/m grows as its law fades.
    Strength::Slopes(of(&|unit| unit.starts_with('N') && !unit.starts_with("N^")))
}

/// Takes every force, stiffness and damping as near to zero as its range allows.
pub fn null(spec: &Spec, p: &mut [f64]) {
    for (value, param) in p.iter_mut().zip(&spec.params) {
        // N^(1-n)/m grows as its law fades.
        if param.unit.starts_with('N') && !param.unit.starts_with("N^") {
            *value = 0_f64.clamp(param.min, param.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_tell_which_test_helps() {
        for (unit, expected) in [
            ("N/m", Probe::Amplitude),
            ("N s/m", Probe::Speed),
            ("N (s/m)^3", Probe::Speed),
            ("s", Probe::Speed),
            ("m/s", Probe::Speed),
            ("kg", Probe::Frequency),
            ("1", Probe::Amplitude),
        ] {
            assert_eq!(probe(unit), expected, "{unit}");
        }
        assert_eq!(power("N/m^3"), Some((true, 3)));
        assert_eq!(power("N (s/m)^5"), Some((false, 5)));
        assert_eq!(power("N (s/m)^alpha"), None);
    }
}
