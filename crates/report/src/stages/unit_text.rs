//! Numbers in the units people read.

use crate::figures::significant;
use masing_data::unit::Quantity;

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
