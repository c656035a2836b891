//! Values in the words of warnings: mm and N, or degrees and N m.

/// What the numbers are.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Whether displacements are angles and forces torques.
    pub rotation: bool,
}

impl Words {
    /// A displacement or an angle.
    pub fn length(self, value: f64) -> String {
        if self.rotation {
            format!("{} deg", short(value.to_degrees()))
        } else {
            format!("{} mm", short(1e3 * value))
        }
    }

    /// A velocity.
    pub fn speed(self, value: f64) -> String {
        format!("{}/s", self.length(value))
    }

    /// A force or a torque.
    pub fn force(self, value: f64) -> String {
        format!(
            "{} {}",
            short(value),
            if self.rotation { "N m" } else { "N" }
        )
    }
}

/// Four significant digits.
fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let decimals = (3.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_units_of_the_rig() {
        let straight = Words { rotation: false };
        assert_eq!(straight.length(2.2e-3), "2.2 mm");
        assert_eq!(straight.speed(0.064_836), "64.84 mm/s");
        assert_eq!(straight.force(-50.0), "-50 N");
        assert_eq!(straight.force(0.0), "0 N");
        let turning = Words { rotation: true };
        assert_eq!(turning.length(0.1), "5.73 deg");
        assert_eq!(turning.force(12_345.6), "12346 N m");
    }
}
