//! Dynamic stiffness tables.

use super::TestSpec;
use crate::error::AppError;
use masing_data::HarmonicTable;
use masing_identify::test::{Point, Table};
use masing_identify::{Content, Preload};

/// The rows of a table as tests; a row without frequency or amplitude cannot be simulated.
pub fn content(
    spec: &TestSpec,
    table: &HarmonicTable,
    preload: Preload,
) -> Result<Content, AppError> {
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
        point.preload = match row.preload {
            Some(masing_data::Preload::Motion(x)) => Preload::Motion(x),
            Some(masing_data::Preload::Force(force)) => Preload::Force(force),
            None => preload,
        };
        points.push(point);
    }
    Ok(Content::Table(Table {
        points,
        noise: None,
    }))
}
