//! What a part is under before a test.

use crate::unit::{Quantity, parse_quantity};

/// A displacement or a force that a part is under before a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Preload {
    /// A displacement or angle, m or rad, which is added to that of the test.
    Motion(f64),
    /// A force or torque at rest, N or N m, which only a model turns into a displacement.
    Force(f64),
}

impl Default for Preload {
    fn default() -> Self {
        Self::Motion(0.0)
    }
}

impl Preload {
    /// Reads `2.2mm` or `150N`; for turning motion `5deg` or `12Nm`. A number without a unit is a
    /// displacement. `None` for anything else.
    pub fn parse(text: &str, rotation: bool) -> Option<Self> {
        let (motion, load) = if rotation {
            (Quantity::Angle, Quantity::Torque)
        } else {
            (Quantity::Length, Quantity::Force)
        };
        let motion = parse_quantity(text, motion).ok().map(Self::Motion);
        motion.or_else(|| parse_quantity(text, load).ok().map(Self::Force))
    }
}
