//! Motion and forces of a model with masses under loads.

use super::{Asked, Run, largest, prescribed_numerics, refuse_endless};
use crate::error::AppError;
use masing_data::Record;
use masing_diagnostic::TestDiagnostic;
use masing_identify::Names;
use masing_identify::test::reading::load_of;
use masing_model::{Masses, Model};
use masing_report::csv::Column;
use masing_sim::system::{Response, choose};
use masing_sim::{Driven, SimError};
use std::ops::Range;

pub(super) fn run(
    model: &Model,
    masses: &Masses,
    record: &Record,
    counting: Range<usize>,
    asked: &Asked<'_>,
) -> Result<Run, AppError> {
    let failed = |source: SimError| AppError::simulation(record, source);
    let names = Names::of(model.motion());
    let load = load_of(record, masses, model.motion())?;
    let (assembly, p) = (model.assembly(), model.values());
    let numerics = match prescribed_numerics(model, asked.accuracy) {
        Some(numerics) => numerics,
        None => choose(assembly, masses, &load, p, asked.accuracy).map_err(failed)?,
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
        .map(|_| TestDiagnostic::RelativeMotion {}.into())
        .into_iter()
        .collect();
    Ok(Run {
        columns,
        steps: response.micro_steps,
        numerics,
        cycles: Vec::new(),
        whole: None,
        largest: peaks,
        end: Vec::new(),
        notes,
    })
}
