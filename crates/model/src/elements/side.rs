//! Laws that may differ towards minus and towards plus.

use crate::error::ModelError;
use crate::registry::Shape;

/// The option by which a law is given two sides.
pub(super) const SIDES_OPTION: (&str, &str) = (
    "sides",
    "1: the same towards both sides; 2: pairs, towards minus and towards plus",
);

/// One side, or two where asked for or where one of the lists was given as a pair.
pub(super) fn sides(shape: &Shape, lists: &[&str]) -> Result<usize, ModelError> {
    let given = lists
        .iter()
        .find_map(|list| Some((list, *shape.lists.get(*list)?)));
    if let Some((list, len)) = given.filter(|(_, len)| *len != 2) {
        return Err(ModelError::Shape {
            option: (*list).to_owned(),
            value: format!("a list of {len}"),
            expected: "one number, or two: towards minus, towards plus".to_owned(),
        });
    }
    shape.count("sides", 1 + usize::from(given.is_some()), 1..=2)
}
