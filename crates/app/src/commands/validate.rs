//! `masing validate`: the error of a model on tests that it has not seen.

use super::fit::known_motion;
use crate::console::Console;
use crate::error::AppError;
use crate::request::{TestSource, ValidateRequest};
use masing_diagnostic::thresholds::POOR_FIT;
use masing_diagnostic::{Method, ResultDiagnostic};
use masing_identify::result::{Comparison, DataNotes, Role};
use masing_identify::test::reading::{ReadError, Subject, Tests, tell_apart};
use masing_identify::{FitError, Names, predict_held_out, units};
use masing_report::validate::{ValidateDocument, text};
use std::path::Path;

impl ValidateRequest {
    /// Predicts, and tells how it went.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let model = self.model.complete()?;
        let name = self.model.to_string();
        let subject = Subject::of(&model);
        let mut motion = known_motion(&model);
        let mut targets = Tests::default();
        for test in &self.tests {
            for test in test.each(Path::new("")).map_err(|wrong| *wrong.error)? {
                let spec = test.spec().map_err(|wrong| *wrong.error)?;
                targets.add(&spec, &subject, &mut motion)?;
            }
        }
        if motion.is_some_and(|motion| motion != model.motion()) {
            return Err(ReadError::MixedMotion {
                path: self.tests.first().map(TestSource::path).unwrap_or_default(),
            }
            .into());
        }
        tell_apart(&mut Tests::default(), &mut targets);
        let names = Names::of(model.motion());
        let mut tests = Vec::new();
        let mut diagnostics = std::mem::take(&mut targets.diagnostics);
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
                diagnostics.push(poor.into());
            }
            tests.push(test);
        }
        let data = DataNotes {
            assumptions: targets.assumptions,
            diagnostics,
        };
        let units = units(model.motion());
        let document = ValidateDocument::of(&name, &tests, &data, units);
        console.show(&document, || text(&tests, &data, units))
    }
}
