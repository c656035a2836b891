//! What a model answers to a motion or a load, for people, for programs and for callers.

use super::{Run, Whole, conditions, driven, prescribed};
use crate::error::AppError;
use crate::request::{TestSource, unfiltered_drive};
use masing_data::Cycle;
use masing_data::unit::Quantity;
use masing_diagnostic::{Entry, entries};
use masing_identify::test::reading;
use masing_identify::units;
use masing_model::Model;
use masing_report::csv::Column;
use serde::Serialize;

/// How a model is to be simulated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// Largest error of the stepping; the model's own sub-steps if left out.
    pub accuracy: Option<f64>,
    /// States to begin with; at rest if left out. Models with masses say themselves what they begin with.
    pub start: Option<&'a [f64]>,
}

impl Asked<'_> {
    pub(in crate::commands) fn check(&self) -> Result<(), AppError> {
        match self.accuracy {
            Some(accuracy) if !(accuracy > 0.0 && accuracy < 1.0) => {
                let expected = "a number between 0 and 1, such as 1e-4";
                Err(AppError::option("--accuracy", accuracy, expected))
            }
            _ => Ok(()),
        }
    }
}

/// A response.
pub struct Response {
    drive: String,
    run: Run,
    assumptions: Vec<String>,
    warnings: Vec<Entry>,
}

/// The response of a model to the motion or load that a test holds.
pub fn respond(model: &Model, drive: &TestSource, asked: &Asked<'_>) -> Result<Response, AppError> {
    asked.check()?;
    Response::of(model, drive, asked)
}

impl Response {
    /// To what a test holds; its conditions are levels of the model, or columns of the test.
    pub(super) fn of(
        model: &Model,
        drive: &TestSource,
        asked: &Asked<'_>,
    ) -> Result<Self, AppError> {
        let path = &drive.path();
        let options = unfiltered_drive(drive)?;
        let levels = conditions::read(model, drive)?;
        let reading::Whole {
            experiment,
            record,
            window: counting,
        } = reading::Whole::read(path, options)?;
        let law = model;
        let outside = conditions::outside(law, &levels, counting.clone());
        let at_levels = levels.varying.is_empty();
        let model = &if at_levels {
            law.at(&levels.constant)?
        } else {
            law.clone()
        };
        let mut run = match model.system() {
            Some(_) if !at_levels => return Err(conditions::varying_masses(&levels)),
            Some(masses) => driven::run(model, masses, &record, counting, asked),
            None => prescribed::run(model, &record, counting, asked, &levels),
        }?;
        run.notes.extend(outside);
        let units = units(model.motion());
        let mut warnings = entries(&experiment.diagnostics, units);
        warnings.extend(entries(&run.notes, units));
        Ok(Self {
            drive: path.display().to_string(),
            run,
            assumptions: experiment.assumptions,
            warnings,
        })
    }

    /// The histories, time first.
    pub fn columns(&self) -> &[Column] {
        &self.run.columns
    }

    /// States after the last sample; none where there are masses.
    pub fn end(&self) -> &[f64] {
        &self.run.end
    }

    /// The document that `--json` prints for a model of that name.
    pub fn json(&self, model: &str) -> Result<String, AppError> {
        let document = self.document(model.to_owned(), None);
        serde_json::to_string_pretty(&document).map_err(|error| AppError::Stdout(error.into()))
    }

    pub(super) fn document(&self, model: String, out: Option<String>) -> Document<'_> {
        let run = &self.run;
        let time = run.columns.first().map_or(&[][..], |c| &c.values);
        Document {
            schema: SCHEMA,
            model,
            drive: self.drive.clone(),
            converged: true,
            samples: time.len(),
            duration: time.last().unwrap_or(&0.0) - time.first().unwrap_or(&0.0),
            steps: run.steps,
            numerics: Limits {
                increment: Some(run.numerics.increment).filter(|v| v.is_finite()),
                max_dt: Some(run.numerics.max_dt).filter(|v| v.is_finite()),
            },
            columns: run.columns.iter().map(|c| c.header.as_str()).collect(),
            largest: run
                .largest
                .iter()
                .map(|(name, value, quantity)| Largest {
                    name,
                    value: *value,
                    unit: quantity.si(),
                    quantity: *quantity,
                })
                .collect(),
            whole: run.whole,
            cycles: &run.cycles,
            assumptions: &self.assumptions,
            warnings: &self.warnings,
            out,
        }
    }
}

pub(super) const SCHEMA: &str = "masing.simulate/1";

#[derive(Serialize)]
pub(super) struct Document<'a> {
    pub schema: &'static str,
    pub model: String,
    pub drive: String,
    pub converged: bool,
    pub samples: usize,
    pub duration: f64,
    pub steps: usize,
    pub numerics: Limits,
    pub columns: Vec<&'a str>,
    pub largest: Vec<Largest<'a>>,
    pub whole: Option<Whole>,
    pub cycles: &'a [Cycle],
    pub assumptions: &'a [String],
    pub warnings: &'a [Entry],
    pub out: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Limits {
    /// `null` for no limit.
    pub increment: Option<f64>,
    pub max_dt: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Largest<'a> {
    pub name: &'a str,
    pub value: f64,
    pub unit: &'static str,
    #[serde(skip)]
    pub quantity: Quantity,
}
