//! Words and units for rotation and translation.

use crate::figures::significant;
use masing_data::unit::Quantity;
use masing_identify::Names;
use masing_model::MotionKind;

/// The words and units of a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub(crate) names: Names,
    pub(crate) rotation: bool,
}

impl Words {
    pub(crate) fn of(motion: MotionKind) -> Self {
        Self {
            names: Names::of(motion),
            rotation: motion == MotionKind::Rotation,
        }
    }
}

/// An SI number in the unit people read.
pub(crate) fn figure(value: f64, quantity: Quantity, digits: u8) -> String {
    significant(value / quantity.engineering().1, digits)
}

/// The same, or nothing.
pub(crate) fn optional_figure(value: Option<f64>, quantity: Quantity, digits: u8) -> String {
    value.map_or_else(String::new, |v| figure(v, quantity, digits))
}

/// Name and unit, broken.
pub(crate) fn heading(name: &str, quantity: Quantity) -> String {
    format!("{name}\n{}", quantity.engineering().0)
}

/// Values in the unit people read.
pub(crate) fn in_units(values: &[f64], quantity: Quantity) -> Vec<f64> {
    let factor = quantity.engineering().1;
    values.iter().map(|v| v / factor).collect()
}
