//! How the force under a given motion changes with the parameters.

use super::{Asked, prescribed};
use crate::error::AppError;
use crate::request::{TestSource, condition, unfiltered_drive};
use masing_data::Record;
use masing_identify::test::reading;
use masing_model::Model;
use masing_sim::{Column, Linearised, Motion, Numerics, Prescribed, SimError, TAPE_BUDGET};

/// Forces and their derivatives with respect to the parameters of these indices.
pub fn jacobian(
    model: &Model,
    drive: &TestSource,
    parameters: &[usize],
    asked: &Asked<'_>,
) -> Result<Linearised, AppError> {
    let model = &condition::at_levels(model, &drive.conditions)?;
    let (record, motion, numerics) = prepared(model, drive, asked)?;
    let columns: Vec<Column<'_>> = parameters.iter().map(|&i| Column::Param(i)).collect();
    begun(model, &motion, numerics, asked)
        .tangent(model.element_values(), &columns)
        .map_err(|source| AppError::simulation(&record, source))
}

/// Half the sum of the squared differences to measured forces, and its derivatives with respect to all parameters.
/// Missing forces do not count.
pub fn gradient(
    model: &Model,
    drive: &TestSource,
    measured: &[f64],
    asked: &Asked<'_>,
) -> Result<(f64, Vec<f64>), AppError> {
    let model = &condition::at_levels(model, &drive.conditions)?;
    let (record, motion, numerics) = prepared(model, drive, asked)?;
    let failed = |source: SimError| AppError::simulation(&record, source);
    let run = begun(model, &motion, numerics, asked);
    let recorded = run
        .record(model.element_values(), TAPE_BUDGET)
        .map_err(failed)?;
    if measured.len() != motion.len() {
        return Err(failed(SimError::Length {
            channel: "force",
            found: measured.len(),
            expected: motion.len(),
        }));
    }
    let pairs = recorded.force().iter().zip(measured);
    let differences: Vec<f64> = pairs
        .map(|(force, measured)| match force - measured {
            difference if difference.is_finite() => difference,
            _ => 0.0,
        })
        .collect();
    let loss = 0.5 * differences.iter().map(|d| d * d).sum::<f64>();
    let gradient = recorded.pull_back(&differences).map_err(failed)?;
    Ok((loss, gradient.params))
}

fn prepared(
    model: &Model,
    drive: &TestSource,
    asked: &Asked<'_>,
) -> Result<(Record, Motion, Numerics), AppError> {
    asked.check()?;
    let record = reading::Whole::read(&drive.path(), unfiltered_drive(drive)?)?.record;
    if model.system().is_some() {
        return Err(AppError::simulation(&record, SimError::Masses));
    }
    let (motion, numerics) = prescribed::prepare(model, &record, asked)?;
    Ok((record, motion, numerics))
}

/// The model before its motion.
fn begun<'a>(
    model: &'a Model,
    motion: &'a Motion,
    numerics: Numerics,
    asked: &Asked<'a>,
) -> Prescribed<'a> {
    let run = Prescribed::new(model.assembly(), motion, numerics);
    match asked.start {
        Some(start) => run.from_state(start),
        None => run,
    }
}
