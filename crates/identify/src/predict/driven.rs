//! The motion of masses.

use super::{FitError, Prediction, Question};
use crate::target::{DrivenTest, Output};
use crate::unknown::Place;
use masing_sim::Driven;
use masing_sim::system::{Column, Outputs, Response};

fn driven<'a>(question: &Question<'a>, test: &DrivenTest) -> Result<Driven<'a>, FitError> {
    let masses = question.model.system().ok_or(FitError::NoMasses)?;
    let assembly = question.model.assembly();
    Ok(Driven::new(assembly, masses, &test.load, test.numerics)?)
}

pub(super) fn predict(question: &Question<'_>, test: &DrivenTest) -> Result<Prediction, FitError> {
    let driven = driven(question, test)?;
    let count = question.columns();
    let (mut columns, mut of) = (Vec::new(), Vec::new());
    for (c, u) in question.unknowns.iter().enumerate().take(count) {
        if let Place::Param(index) = u.place {
            columns.push(Column::Param(index));
            of.push(c);
        }
    }
    if count == 0 {
        let response = driven.run(question.p)?;
        return Ok(Prediction {
            values: observed(test, &response),
            jacobian: vec![],
        });
    }
    let run = driven.tangent(question.p, &columns)?;
    let n = test.load.len();
    let mut out = Prediction {
        values: observed(test, &run.response),
        jacobian: vec![0.0; n * test.channels.len() * count],
    };
    for (k, channel) in test.channels.iter().enumerate() {
        let (rows, width) = match channel.output {
            Output::Displacement => (&run.displacement, run.response.dofs),
            Output::Velocity => (&run.velocity, run.response.dofs),
            Output::Acceleration => (&run.acceleration, run.response.dofs),
            Output::Force => (&run.force, run.response.parts),
        };
        let picked = match channel.output {
            Output::Force => 0..width,
            _ => channel.dof..channel.dof + 1,
        };
        for i in 0..n {
            for entry in picked.clone() {
                let row = &rows[(i * width + entry) * run.columns..][..run.columns];
                for (slope, &c) in row.iter().zip(&of) {
                    out.jacobian[(k * n + i) * count + c] += slope;
                }
            }
        }
    }
    Ok(out)
}

/// The measured channels of a response, one after the other.
fn observed(test: &DrivenTest, response: &Response) -> Vec<f64> {
    let dofs = response.dofs;
    let each = test.channels.iter().map(|channel| match channel.output {
        Output::Displacement => Response::history(&response.displacement, dofs, channel.dof),
        Output::Velocity => Response::history(&response.velocity, dofs, channel.dof),
        Output::Acceleration => {
            Response::history(&response.absolute_acceleration, dofs, channel.dof)
        }
        Output::Force => response.total_force(),
    });
    each.flatten().collect()
}

pub(super) fn pull_back(
    question: &Question<'_>,
    test: &DrivenTest,
    bar: &mut dyn FnMut(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, FitError> {
    let driven = driven(question, test)?;
    let recorded = driven.record(question.p)?;
    let response = recorded.response();
    let bar = bar(&observed(test, response));
    let (n, dofs, parts) = (test.load.len(), response.dofs, response.parts);
    let mut outputs = Outputs {
        displacement: vec![0.0; n * dofs],
        velocity: vec![0.0; n * dofs],
        acceleration: vec![0.0; n * dofs],
        force: vec![0.0; n * parts],
    };
    for (k, channel) in test.channels.iter().enumerate() {
        for i in 0..n {
            let bar = bar[k * n + i];
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
        if let Place::Param(index) = u.place {
            *sum += own.params[index];
        }
    }
    Ok(gradient)
}
