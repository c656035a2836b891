//! Dynamic stiffness tables.

use super::TestSpec;
use crate::error::AppError;
use masing_data::HarmonicTable;
use masing_data::Preload;
use masing_identify::Kind;
use masing_identify::test::{Point, StiffnessTable};

/// The rows of a table as tests; a row without frequency or amplitude cannot be simulated.
pub fn content(
    spec: &TestSpec,
    table: &HarmonicTable,
    preload: Preload,
) -> Result<Box<dyn Kind>, AppError> {
    let mut points = Vec::with_capacity(table.points.len());
    for (i, row) in table.points.iter().enumerate() {
        let missing = [
            ("frequency", row.frequency),
            ("amplitude", row.amplitude),
            ("stiffness", row.stiffness),
        ];
        if let Some((role, value)) = missing.iter().find(|(_, v)| !(v.is_finite() && *v > 0.0)) {
            return Err(AppError::TableRow {
                path: spec.path.clone(),
                line: table.source.line(i),
                role,
                value: *value,
            });
        }
        let mut point = Point::new(row.amplitude, row.frequency, row.stiffness, row.loss_angle);
        point.preload = row.preload.unwrap_or(preload);
        points.push(point);
    }
    Ok(Box::new(StiffnessTable {
        points,
        noise: None,
    }))
}
