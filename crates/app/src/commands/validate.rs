//! `masing validate`: the error of a model on tests that it has not seen.

use super::fit::known_motion;
use crate::console::{Console, document};
use crate::error::AppError;
use crate::output_dir::OutDir;
use crate::provenance;
use crate::request::condition;
use crate::request::{ModelSource, TestSource, ValidateRequest};
use masing_diagnostic::thresholds::{EXTRAPOLATED, POOR_FIT};
use masing_diagnostic::{Method, ResultDiagnostic, TestDiagnostic};
use masing_identify::result::{Comparison, DataNotes, MethodName, Provenance, Role};
use masing_identify::test::Test;
use masing_identify::test::reading::{ReadError, Subject, Tests, tell_apart};
use masing_identify::{FitError, Identified, Names, predict_held_out};
use masing_model::Model;
use masing_report::identified::html;
use masing_report::validate::{ValidateDocument, text};
use std::path::{Path, PathBuf};

/// Whether a test goes well beyond what the tests of the model covered.
fn leaves_validity(model: &Model, target: &Test) -> Option<TestDiagnostic> {
    let (tested, own) = (model.validity.as_ref()?, target.covers(model)?);
    let [low, high] = tested.displacement;
    let margin = 0.5 * (EXTRAPOLATED - 1.0) * (high - low);
    let beyond = |x: &f64| (low - x).max(x - high);
    let displacement = (own.displacement.into_iter())
        .filter(|x| beyond(x) > margin)
        .max_by(|a, b| beyond(a).total_cmp(&beyond(b)))
        .map(|x| (x, tested.displacement));
    let fast = own.speed > EXTRAPOLATED * tested.speed;
    let speed = fast.then_some((own.speed, tested.speed));
    (displacement.is_some() || speed.is_some()).then_some(TestDiagnostic::OutsideValidity {
        displacement,
        speed,
        frequency: None,
    })
}

impl ValidateRequest {
    /// Predicts, and tells how it went.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
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
        let conditions = self.tests.iter().map(|test| &test.conditions);
        condition::conditions_of(conditions, model.conditions())?;
        let names = Names::of(model.motion());
        let (mut tests, mut diagnostics) = (Vec::new(), Vec::new());
        for target in &mut targets.list {
            diagnostics.extend(masing_identify::conditions::outside(&model, target));
            let (residuals, predicted) =
                predict_held_out(&model, target).map_err(|source: FitError| AppError::Fit {
                    model: name.clone(),
                    source,
                })?;
            diagnostics.extend(target.diagnostic());
            if let Some(left) = leaves_validity(&model, target) {
                diagnostics.push(left.in_file(Path::new(&target.name)));
            }
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
        let command = provenance::command(self.typed.as_deref(), "validate", self);
        let of_model = match &self.model {
            ModelSource::Named(path) => Some(PathBuf::from(path)),
            ModelSource::Given(_) => None,
        };
        let files = of_model.iter().chain(&targets.files);
        let found = Identified {
            diagnostics,
            data: DataNotes {
                assumptions: targets.assumptions,
                diagnostics: targets.diagnostics,
            },
            provenance: Provenance {
                model: name,
                ..provenance::of(command, files, Vec::new())
            },
            ..Identified::new(MethodName::Validate, model, Vec::new(), tests)
        };
        let json = ValidateDocument::of(&found);
        if let Some(out) = &out {
            out.write(&[
                ("validate.json", document(&json)?),
                ("report.html", html::validate(&found).render()?.into_bytes()),
            ])?;
        }
        console.show(&json, || text(&found, self.out.as_deref()))
    }
}
