//! The motion of masses.

use super::{DrivenMasses, Output, history};
use crate::error::FitError;
use crate::objective::predict::{Prediction, Question};
use crate::problem::unknown::{Place, Unknown, mirror};
use masing_sim::Driven;
use masing_sim::system::{Column, Outputs, Response, Sensitivity};

/// Average pieces per step above which a law is chattering.
const PATIENCE: usize = 2;

fn driven<'a>(question: &Question<'a>, test: &DrivenMasses) -> Result<Driven<'a>, FitError> {
    let masses = question.model.system().ok_or(FitError::NoMasses)?;
    let assembly = question.model.assembly();
    Ok(Driven::new(assembly, masses, test.drive(), test.numerics)?.with_patience(PATIENCE))
}

/// Where an unknown acts on this test, among all values: what the masses begin with stands in one
/// piece, displacements before velocities.
fn place(question: &Question<'_>, unknown: &Unknown) -> Option<usize> {
    match unknown.place {
        Place::Param(index) => Some(index),
        Place::Start { target, state } if target == question.index => {
            let masses = question.model.system()?;
            Some(question.elements().len() + masses.x0().start + state)
        }
        _ => None,
    }
}

/// The same, with the entry that mirrors it in a matrix.
fn places(question: &Question<'_>, unknown: &Unknown) -> impl Iterator<Item = usize> {
    let own = place(question, unknown);
    let other = own.and_then(|index| mirror(question.model, index));
    own.into_iter().chain(other)
}

/// All values, with the beginning of this test where that is sought.
fn values(question: &Question<'_>) -> Vec<f64> {
    let mut p = question.p.to_vec();
    for (u, value) in question.unknowns.iter().zip(question.values) {
        if let (Place::Start { .. }, Some(index)) = (u.place, place(question, u)) {
            p[index] = *value;
        }
    }
    p
}

pub(super) fn predict(
    question: &Question<'_>,
    test: &DrivenMasses,
) -> Result<Prediction, FitError> {
    let driven = driven(question, test)?;
    let (count, p) = (question.columns(), values(question));
    let (mut columns, mut of) = (Vec::new(), Vec::new());
    for (c, u) in question.unknowns.iter().enumerate().take(count) {
        for index in places(question, u) {
            columns.push(Column::Param(index));
            of.push(c);
        }
    }
    if count == 0 {
        let response = driven.run(&p)?;
        return Ok(Prediction {
            values: observed(test, &response),
            jacobian: vec![],
        });
    }
    let run = driven.tangent(&p, &columns)?;
    let n = test.load().len();
    let mut out = Prediction {
        values: observed(test, &run.response),
        jacobian: vec![0.0; n * test.channels.len() * count],
    };
    for (k, channel) in test.channels.iter().enumerate() {
        for (column, &c) in of.iter().enumerate() {
            let slopes = slopes(&run, channel.output, channel.dof, column);
            let slopes = test.kept(channel.output, slopes);
            for (i, slope) in slopes.into_iter().enumerate() {
                out.jacobian[(k * n + i) * count + c] += slope;
            }
        }
    }
    Ok(out)
}

/// Derivatives of a channel along a column, row by row.
fn slopes(run: &Sensitivity, output: Output, dof: usize, column: usize) -> Vec<f64> {
    let (rows, width) = match output {
        Output::Displacement => (&run.displacement, run.response.dofs),
        Output::Velocity => (&run.velocity, run.response.dofs),
        Output::Acceleration => (&run.acceleration, run.response.dofs),
        Output::Force => (&run.force, run.response.parts),
    };
    let width = width * run.columns;
    if output == Output::Force {
        let rows = rows.chunks_exact(width);
        return rows
            .map(|row| row.iter().skip(column).step_by(run.columns).sum())
            .collect();
    }
    Response::history(rows, width, dof * run.columns + column)
}

/// The measured channels of a response, one after the other.
fn observed(test: &DrivenMasses, response: &Response) -> Vec<f64> {
    let each = test.channels.iter();
    each.flat_map(|channel| test.kept(channel.output, history(response, channel)))
        .collect()
}

pub(super) fn pull_back(
    question: &Question<'_>,
    test: &DrivenMasses,
    bar: &mut dyn FnMut(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, FitError> {
    let driven = driven(question, test)?;
    let p = values(question);
    let recorded = driven.record(&p)?;
    let response = recorded.response();
    let bar = bar(&observed(test, response));
    let (n, dofs, parts) = (response.samples(), response.dofs, response.parts);
    let mut outputs = Outputs {
        displacement: vec![0.0; n * dofs],
        velocity: vec![0.0; n * dofs],
        acceleration: vec![0.0; n * dofs],
        force: vec![0.0; n * parts],
    };
    let of_channels = bar.chunks_exact(test.load().len());
    for (channel, bar) in test.channels.iter().zip(of_channels) {
        for (i, bar) in test.rows_bar(channel.output, bar).into_iter().enumerate() {
            match channel.output {
                Output::Displacement => outputs.displacement[i * dofs + channel.dof] += bar,
                Output::Velocity => outputs.velocity[i * dofs + channel.dof] += bar,
                Output::Acceleration => outputs.acceleration[i * dofs + channel.dof] += bar,
                Output::Force => {
                    for part in 0..parts {
                        outputs.force[i * parts + part] += bar;
                    }
                }
            }
        }
    }
    let own = recorded.pull_back(&outputs)?;
    let mut gradient = vec![0.0; question.unknowns.len()];
    for (sum, u) in gradient.iter_mut().zip(question.unknowns) {
        for index in places(question, u) {
            *sum += own.params[index];
        }
    }
    Ok(gradient)
}
