//! Motion and forces of a model with masses under loads.

use super::{Run, largest, prescribed_numerics, refuse_endless};
use crate::csv::Column;
use crate::error::AppError;
use crate::names::Names;
use masing_data::{DataError, Finding, Record, Role};
use masing_model::{Masses, Model};
use masing_sim::system::{Response, choose};
use masing_sim::{Driven, Load, SimError};
use std::ops::Range;

pub(super) fn run(
    model: &Model,
    masses: &Masses,
    record: &Record,
    counting: Range<usize>,
    accuracy: Option<f64>,
) -> Result<Run, AppError> {
    let failed = |source: SimError| AppError::simulation(record, source);
    let names = Names::of(model.motion());
    let load = load_of(record, masses, &names)?;
    let (assembly, p) = (model.assembly(), model.values());
    let numerics = match prescribed_numerics(model, accuracy) {
        Some(numerics) => numerics,
        None => choose(assembly, masses, &load, p, accuracy).map_err(failed)?,
    };
    let intervals = load.time().windows(2).map(|t| t[1] - t[0]);
    refuse_endless(record, intervals.map(|dt| numerics.parts(0.0, dt)).sum())?;
    let response = Driven::new(assembly, masses, &load, numerics)
        .and_then(|driven| driven.run(p))
        .map_err(failed)?;

    let labels: Vec<&str> = assembly.parts().iter().map(|p| p.label.as_str()).collect();
    let dofs = masses.dofs();
    let numbered = |name: &str, dof: usize| {
        if masses.name() == "oscillator" {
            name.to_owned()
        } else {
            format!("{name}.{}", dof + 1)
        }
    };
    let cut = |values: &[f64]| values[counting.clone()].to_vec();
    let mut columns = vec![Column::new("time", "s", cut(load.time()))];
    let mut peaks = Vec::new();
    let kinds = [
        (names.displacement, names.length, &response.displacement),
        ("velocity", names.velocity, &response.velocity),
        (
            "acceleration",
            names.acceleration,
            &response.absolute_acceleration,
        ),
    ];
    for (name, quantity, rows) in kinds {
        for dof in 0..dofs {
            let values = cut(&Response::history(rows, dofs, dof));
            let name = numbered(name, dof);
            peaks.push((name.clone(), largest(&values), quantity));
            columns.push(Column::new(&name, quantity.si(), values));
        }
    }
    let mut forces: Vec<(String, Vec<f64>)> = Vec::new();
    if masses.name() == "oscillator" {
        forces.push((names.force.to_owned(), response.total_force()));
    } else {
        for (i, label) in labels.iter().enumerate() {
            let values = Response::history(&response.force, response.parts, i);
            forces.push((format!("{}.{label}", names.force), values));
        }
    }
    for (name, values) in forces {
        let values = cut(&values);
        peaks.push((name.clone(), largest(&values), names.load));
        columns.push(Column::new(&name, names.load.si(), values));
    }
    let notes = load
        .base_acceleration()
        .map(|_| {
            let text =
                "displacement and velocity are relative to the base, acceleration is absolute";
            Finding::new("relative-motion", text)
        })
        .into_iter()
        .collect();
    Ok(Run {
        columns,
        steps: response.micro_steps,
        numerics,
        cycles: Vec::new(),
        whole: None,
        largest: peaks,
        notes,
    })
}

/// The loads of a record; `force` and `torque` serve where there is no `load`.
fn load_of(record: &Record, masses: &Masses, names: &Names) -> Result<Load, AppError> {
    let failed = |source: SimError| AppError::simulation(record, source);
    let mut load = Load::new(record.need_time()?.to_vec()).map_err(failed)?;
    let has_load = record.signals.iter().any(|s| s.slot.role == Role::Load);
    let mut driven = false;
    for signal in &record.signals {
        let refuse = |reason: String| {
            AppError::from(DataError::Channel {
                file: record.source.file.clone(),
                role: signal.slot.to_string(),
                column: signal.column.clone(),
                reason,
            })
        };
        let expected = match signal.slot.role {
            Role::Load => names.load,
            Role::Force | Role::Torque if !has_load => names.load,
            Role::BaseAcceleration => names.acceleration,
            _ => continue,
        };
        if signal.quantity != expected {
            return Err(refuse(format!(
                "is a {}; the model expects a {expected}",
                signal.quantity
            )));
        }
        driven = true;
        let values = signal.values.clone();
        load = if signal.slot.role == Role::BaseAcceleration {
            load.base(values).map_err(failed)?
        } else {
            let dof = match signal.slot.index {
                Some(dof) if dof <= masses.dofs() => dof,
                None if masses.dofs() == 1 => 1,
                Some(dof) => {
                    return Err(refuse(format!(
                        "acts on mass {dof}; the model has {}",
                        masses.dofs()
                    )));
                }
                None => {
                    return Err(refuse(format!(
                        "does not say on which of the {} masses it acts; expected load.1, load.2, ...",
                        masses.dofs()
                    )));
                }
            };
            load.on(dof, values).map_err(failed)?
        };
    }
    if driven {
        Ok(load)
    } else {
        Err(DataError::MissingRole {
            file: record.source.file.clone(),
            role: "load or base_acceleration".to_owned(),
            available: record.available.clone(),
        }
        .into())
    }
}
