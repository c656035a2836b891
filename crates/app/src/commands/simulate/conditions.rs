//! Levels of the conditions of a simulation: constant, or columns of the motion.

use crate::error::AppError;
use crate::request::condition::{Conditions, levels_for, outside as beyond};
use crate::request::{TestSource, Value};
use masing_data::unit::{condition_unit, parse_level};
use masing_data::{Channel, tables};
use masing_diagnostic::Diagnostic;
use masing_model::{Condition, Model, condition};
use masing_sim::VaryingLevels;
use std::ops::Range;

/// The levels that a test says, for the conditions that a model follows. A text that is no level names a column.
pub(super) fn read(model: &Model, drive: &TestSource) -> Result<VaryingLevels, AppError> {
    let is_column = |value: &&Value| match value {
        Value::Number(_) => false,
        Value::Text(text) => parse_level(text).is_err(),
    };
    let (columns, constant): (Conditions, Conditions) = drive
        .conditions
        .clone()
        .into_iter()
        .partition(|(_, value)| is_column(&value));
    let mut out = VaryingLevels {
        constant: levels_for(model, &constant)?,
        varying: Vec::new(),
    };
    for (name, column) in columns {
        let known = model.conditions().iter().find(|c| c.name == name);
        let own = known.ok_or_else(|| condition::unknown(&name, model.conditions()))?;
        let values = column_of(own, &column.to_string(), drive)?;
        out.varying.push((name, values));
    }
    if let Some(missing) = model
        .following()
        .iter()
        .flat_map(|own| &own.of)
        .find(|(name, _)| {
            let varies = out.varying.iter().any(|(known, _)| known == name);
            !varies && !out.constant.contains_key(name)
        })
    {
        let condition = missing.0.clone();
        return Err(masing_model::ModelError::NoLevel { condition }.into());
    }
    Ok(out)
}

/// The values of a column in SI.
fn column_of(own: &Condition, column: &str, drive: &TestSource) -> Result<Vec<f64>, AppError> {
    let options = drive.options().map_err(|wrong| *wrong.error)?;
    let tables = tables(drive.path(), &options)?;
    let mut channels = tables.iter().flat_map(|table| &table.channels);
    let wanted = |c: &&Channel| c.name == column || c.label() == column;
    let refuse = |expected: String| {
        let found = format!("{}={column}", own.name);
        AppError::option("--condition", found, expected)
    };
    let Some(channel) = channels.find(wanted) else {
        let labels: Vec<String> = tables.iter().flat_map(masing_data::Table::labels).collect();
        return Err(refuse(format!(
            "a level such as 0.5{}, or a column of the motion: {}",
            if own.unit == "1" { "" } else { &own.unit },
            labels.join(", ")
        )));
    };
    let (factor, zero) = match &channel.unit {
        None => (1.0, 0.0),
        Some(text) => {
            let (factor, zero, unit) = condition_unit(text)?;
            if own.unit != "1" && unit != own.unit {
                return Err(refuse(format!("a column in {}, not in {text}", own.unit)));
            }
            (factor, zero)
        }
    };
    let each = channel.values.iter();
    Ok(each.map(|value| value * factor + zero).collect())
}

/// Levels beyond those that the model was fitted to; of a column the farthest.
pub(super) fn outside(
    model: &Model,
    levels: &VaryingLevels,
    counting: Range<usize>,
) -> Vec<Diagnostic> {
    let mut farthest = levels.constant.clone();
    for (name, values) in &levels.varying {
        let own = model.conditions().iter().find(|c| c.name == *name);
        let counted = values.get(counting.clone()).unwrap_or(values);
        let middle = own.map_or(0.0, Condition::middle);
        let far = |a: &&f64, b: &&f64| (**a - middle).abs().total_cmp(&(**b - middle).abs());
        if let Some(level) = counted.iter().max_by(far) {
            farthest.insert(name.clone(), *level);
        }
    }
    beyond(model, &farthest)
}

/// Masses are simulated at constant levels only.
pub(super) fn varying_masses(levels: &VaryingLevels) -> AppError {
    let name = levels.varying.first().map_or("", |(name, _)| name.as_str());
    let expected = "a constant level: the model has masses, whose conditions do not vary in time";
    AppError::option("--condition", name, expected)
}
