//! Words and units for turning and for straight motion.

use crate::names::Names;
use masing_data::unit::Quantity;
use masing_diagnostic::Units;
use masing_model::MotionKind;
use masing_report::figures::significant;

/// How to speak about a device.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    pub names: Names,
    pub rotation: bool,
}

impl Words {
    pub fn of(motion: MotionKind) -> Self {
        Self {
            names: Names::of(motion),
            rotation: motion == MotionKind::Rotation,
        }
    }

    /// The same for diagnostics.
    pub fn units(&self) -> Units {
        Units::of_rotation(self.rotation)
    }
}

/// An SI number in the unit people read.
pub fn figure(value: f64, quantity: Quantity, digits: u8) -> String {
    significant(value / quantity.engineering().1, digits)
}

/// The same, or nothing.
pub fn optional_figure(value: Option<f64>, quantity: Quantity, digits: u8) -> String {
    value.map_or_else(String::new, |v| figure(v, quantity, digits))
}

/// Name and unit, broken.
pub fn heading(name: &str, quantity: Quantity) -> String {
    format!("{name}\n{}", quantity.engineering().0)
}

/// Values in the unit people read.
pub fn in_units(values: &[f64], quantity: Quantity) -> Vec<f64> {
    let factor = quantity.engineering().1;
    values.iter().map(|v| v / factor).collect()
}
