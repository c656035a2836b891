//! `masing validate`: the error of a model on tests that it has not seen.

use super::fit::{known_motion, said_of_all};
use crate::console::Console;
use crate::error::AppError;
use crate::reading::Reading;
use clap::Args;
use masing_diagnostic::thresholds::POOR_FIT;
use masing_diagnostic::{Method, ResultDiagnostic};
use masing_identify::result::{Comparison, DataNotes, Role};
use masing_identify::test::reading::{ReadError, Subject, Tests, tell_apart};
use masing_identify::{FitError, Names, predict_held_out, units};
use masing_model::file;
use masing_report::validate::{ValidateDocument, text};
use std::path::PathBuf;

/// Predict tests with a model as it is, and compare
///
/// No parameter is changed. A start that is not at rest is taken from the test.
#[derive(Debug, Args)]
pub struct Validate {
    /// The model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Tests: records of motion and force, or dynamic stiffness tables
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the part is under before every test: a displacement or a force, such as 2.2mm or 150N
    #[arg(long, allow_hyphen_values = true)]
    preload: Option<String>,
    /// What the rig may have added to the records, found from each of them: force-offset,
    /// displacement-offset, delay, moving-mass (or moving-mass=0.35, a known mass in kg)
    #[arg(long, value_name = "WHAT,...")]
    nuisance: Vec<String>,
    #[command(flatten)]
    pub reading: Reading,
}

impl Validate {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let model = file::read(&self.model)?;
        let name = self.model.display().to_string();
        let subject = Subject::of(&model);
        let mut motion = known_motion(&model);
        let mut targets = Tests::default();
        for path in &self.files {
            let mut spec = self.reading.spec(path)?;
            said_of_all(&mut spec, self.preload.as_ref(), &self.nuisance)?;
            targets.add(&spec, &subject, &mut motion)?;
        }
        if motion.is_some_and(|motion| motion != model.motion()) {
            return Err(ReadError::MixedMotion {
                path: self.reading.given.path(&self.files[0]).to_owned(),
            }
            .into());
        }
        tell_apart(&mut Tests::default(), &mut targets);
        let names = Names::of(model.motion());
        let mut tests = Vec::new();
        let mut findings = std::mem::take(&mut targets.findings);
        for target in &mut targets.list {
            let (residuals, predicted) =
                predict_held_out(&model, target).map_err(|source: FitError| AppError::Fit {
                    model: name.clone(),
                    source,
                })?;
            let test = Comparison::new(Role::HeldOut, &residuals, target, &predicted, &names);
            if test.error > POOR_FIT {
                let poor = ResultDiagnostic::PoorFit {
                    method: Method::Fit,
                    error: test.error,
                    test: Some(test.name.clone()),
                    scale: Some(test.scale.clone()),
                    preload: None,
                };
                findings.push(poor.into());
            }
            tests.push(test);
        }
        let data = DataNotes {
            assumptions: targets.assumptions,
            diagnostics: findings,
        };
        let units = units(model.motion());
        let document = ValidateDocument::of(&name, &tests, &data, units);
        console.show(&document, || text(&tests, &data, units))
    }
}
