//! Numbers and names for straight and for turning motion.

/// The kind of motion that a message speaks about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// Displacements in mm, forces in N.
    #[default]
    Translation,
    /// Angles in degrees, torques in N m.
    Rotation,
}

impl Units {
    /// By whether the motion is a rotation.
    pub fn of_rotation(rotation: bool) -> Self {
        if rotation {
            Self::Rotation
        } else {
            Self::Translation
        }
    }

    fn either<T>(self, translation: T, rotation: T) -> T {
        match self {
            Self::Translation => translation,
            Self::Rotation => rotation,
        }
    }

    /// The name of the motion channel.
    pub fn displacement(self) -> &'static str {
        self.either("displacement", "angle")
    }

    /// The name of the load channel.
    pub fn force(self) -> &'static str {
        self.either("force", "torque")
    }

    /// The unit of forces.
    pub fn force_unit(self) -> &'static str {
        self.either("N", "N m")
    }

    /// A displacement or an angle, given in SI.
    pub fn show_length(self, value: f64) -> String {
        match self {
            Self::Translation => format!("{} mm", short(1e3 * value)),
            Self::Rotation => format!("{} deg", short(value.to_degrees())),
        }
    }

    /// A velocity, given in SI.
    pub fn show_speed(self, value: f64) -> String {
        format!("{}/s", self.show_length(value))
    }

    /// A force or a torque.
    pub fn show_force(self, value: f64) -> String {
        format!("{} {}", short(value), self.force_unit())
    }

    /// A stiffness, given in SI.
    pub fn show_stiffness(self, value: f64) -> String {
        match self {
            Self::Translation => format!("{} N/mm", short(1e-3 * value)),
            Self::Rotation => format!("{} N m/deg", short(value.to_radians())),
        }
    }

    /// A mass or a moment of inertia.
    pub fn show_mass(self, value: f64) -> String {
        format!("{} {}", short(value), self.either("kg", "kg m^2"))
    }
}

/// Four significant digits, without zeros at the end.
pub(crate) fn short(value: f64) -> String {
    digits(value, 4)
}

/// So many significant digits, without zeros at the end.
pub(crate) fn digits(value: f64, count: u8) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let after = usize::from(count.saturating_sub(1));
    if !(1e-3..1e6).contains(&size) {
        return format!("{value:.after$e}");
    }
    let decimals = (after as f64 - size.log10().floor()).clamp(0.0, 12.0) as usize;
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
        let straight = Units::Translation;
        assert_eq!(straight.show_length(2.2e-3), "2.2 mm");
        assert_eq!(straight.show_speed(0.064_836), "64.84 mm/s");
        assert_eq!(straight.show_force(-50.0), "-50 N");
        assert_eq!(straight.show_force(0.0), "0 N");
        assert_eq!(straight.show_stiffness(2.5e5), "250 N/mm");
        let turning = Units::Rotation;
        assert_eq!(turning.show_length(0.1), "5.73 deg");
        assert_eq!(turning.show_force(12_345.6), "12346 N m");
        assert_eq!(turning.show_force(1e-9), "1.000e-9 N m");
    }
}
