//! Dynamic stiffness tables.

use super::ReadError;
use crate::test::{Point, StiffnessTable};
use masing_data::{HarmonicTable, Preload};
use std::path::Path;

/// The rows of a table; one without frequency, amplitude or stiffness cannot be simulated.
pub(super) fn read(
    path: &Path,
    table: &HarmonicTable,
    preload: Preload,
) -> Result<StiffnessTable, ReadError> {
    let mut points = Vec::with_capacity(table.points.len());
    for (i, row) in table.points.iter().enumerate() {
        let missing = [
            ("frequency", row.frequency),
            ("amplitude", row.amplitude),
            ("stiffness", row.stiffness),
        ];
        if let Some((role, value)) = missing.iter().find(|(_, v)| !(v.is_finite() && *v > 0.0)) {
            return Err(ReadError::TableRow {
                path: path.to_owned(),
                line: table.source.line(i),
                role,
                value: *value,
            });
        }
        let mut point = Point::new(row.amplitude, row.frequency, row.stiffness, row.loss_angle);
        point.preload = row.preload.unwrap_or(preload);
        points.push(point);
    }
    Ok(StiffnessTable {
        points,
        noise: None,
    })
}
