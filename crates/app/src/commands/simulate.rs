//! `masing simulate`: the response of a model to a motion or a load.

mod driven;
mod prescribed;
mod response;
mod slopes;
mod summary;

pub use response::{Asked, Response, respond};
pub use slopes::{gradient, jacobian};

use crate::console::Console;
use crate::error::AppError;
use crate::output::OutFile;
use crate::request::{SimulateRequest, TestSource, unfiltered};
use masing_data::unit::Quantity;
use masing_data::{Cycle, Record, range};
use masing_diagnostic::Diagnostic;
use masing_model::Model;
use masing_report::csv::{self, Column};
use masing_sim::Numerics;
use response::SCHEMA;
use serde::Serialize;
use std::path::PathBuf;

/// What a run gives, before it is told.
struct Run {
    /// Time first.
    columns: Vec<Column>,
    steps: usize,
    numerics: Numerics,
    /// The full cycles of displacement and force, where the motion is prescribed.
    cycles: Vec<Cycle>,
    /// The record as one loop.
    whole: Option<Whole>,
    /// Largest magnitudes: what, value, kind of quantity.
    largest: Vec<(String, f64, Quantity)>,
    /// States after the last sample; none where there are masses.
    end: Vec<f64>,
    notes: Vec<Diagnostic>,
}

/// What is said when no trustworthy result came out.
#[derive(Serialize)]
struct Failed {
    schema: &'static str,
    model: String,
    drive: String,
    converged: bool,
    stop: String,
}

/// A record taken as one loop, closed or not.
#[derive(Clone, Copy, Serialize)]
struct Whole {
    /// Half the peak-to-peak displacement.
    amplitude: f64,
    /// Peak-to-peak force over peak-to-peak displacement.
    secant_stiffness: f64,
    /// Work of the force on the part.
    work: f64,
}

impl Whole {
    fn of(x: &[f64], force: &[f64]) -> Self {
        let span = |values: &[f64]| {
            let (low, high) = range(values);
            high - low
        };
        let steps = x.windows(2).zip(force.windows(2));
        Self {
            amplitude: 0.5 * span(x),
            secant_stiffness: span(force) / span(x),
            work: steps
                .map(|(x, f)| 0.5 * (f[0] + f[1]) * (x[1] - x[0]))
                .sum(),
        }
    }
}

impl SimulateRequest {
    /// Simulates, and tells the response.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let model = self.model.complete()?;
        let out = self.out.as_deref().map(OutFile::prepare).transpose()?;
        let asked = Asked {
            accuracy: self.accuracy,
            start: None,
        };
        asked.check()?;
        let spec = unfiltered(self.drive(&model)?.spec().map_err(|wrong| *wrong.error)?)?;
        let (path, options) = (spec.path, spec.options);
        let progress = console.spinner("simulating".to_owned());
        let result = Response::of(&model, &path, options, &asked);
        progress.finish_and_clear();
        let response = match result {
            Err(error @ AppError::Simulation { .. }) if console.json => {
                let failed = Failed {
                    schema: SCHEMA,
                    model: self.model.to_string(),
                    drive: path.display().to_string(),
                    converged: false,
                    stop: error.to_string(),
                };
                console.show(&failed, String::new)?;
                return Err(error);
            }
            other => other?,
        };
        if let Some(out) = &out {
            out.write(|to| csv::write(to, response.columns()))?;
        }
        let written = self.out.as_ref().map(|path| path.display().to_string());
        let document = response.document(self.model.to_string(), written);
        console.show(&document, || summary::text(&document, &model))
    }
}

impl SimulateRequest {
    /// What drives the model, if it is of the kind the model needs.
    fn drive(&self, model: &Model) -> Result<&TestSource, AppError> {
        let refuse = |found, expected| {
            Err(AppError::WrongDrive {
                model: PathBuf::from(self.model.to_string()),
                found,
                expected,
            })
        };
        match (model.system(), &self.motion, &self.load) {
            (None, Some(test), _) | (Some(_), _, Some(test)) => Ok(test),
            (None, ..) => refuse("the model has no [system] with masses", "--motion FILE"),
            (Some(_), ..) => refuse("the model has a [system] with masses", "--load FILE"),
        }
    }
}

/// Sub-steps as the model prescribes them, unless an accuracy was asked for.
fn prescribed_numerics(model: &Model, accuracy: Option<f64>) -> Option<Numerics> {
    if accuracy.is_some() {
        return None;
    }
    model.numerics.map(|limits| Numerics {
        increment: limits.increment,
        max_dt: limits.max_dt,
    })
}

/// More steps than this are refused: the sub-steps of the model do not go with the record.
const MOST_STEPS: usize = 1 << 28;

/// Refuses sub-steps so short that the run would not end.
fn refuse_endless(record: &Record, steps: usize) -> Result<(), AppError> {
    if steps <= MOST_STEPS {
        return Ok(());
    }
    Err(AppError::TooManySteps {
        path: record.source.file.clone(),
        steps,
        most: MOST_STEPS,
    })
}

/// Largest magnitude.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}
