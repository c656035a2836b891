//! `masing validate`: the error of a model on tests that it has not seen.

use super::fit::{TestDocument, known_motion, said_of_all, scale_of_tests, table_of_tests};
use crate::console::Console;
use crate::error::AppError;
use crate::measure::measured_by;
use crate::names::{Names, units};
use crate::reading::Reading;
use crate::targets::{Subject, Targets, gathered, tell_apart};
use clap::Args;
use masing_diagnostic::thresholds::POOR_FIT;
use masing_diagnostic::{Entry, Method, ResultDiagnostic, entries};
use masing_identify::{FitError, predict_held_out};
use masing_model::file;
use masing_report::figures::significant;
use serde::Serialize;
use std::fmt::Write as _;
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

/// The result for programs.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    model: String,
    experiments: Vec<TestDocument>,
    warnings: Vec<Entry>,
}

impl Validate {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let model = file::read(&self.model)?;
        let name = self.model.display().to_string();
        let subject = Subject::of(&model);
        let mut motion = known_motion(&model);
        let mut targets = Targets::default();
        for path in &self.files {
            let mut spec = self.reading.spec(path)?;
            said_of_all(&mut spec, self.preload.as_ref(), &self.nuisance)?;
            targets.add(&spec, &subject, &mut motion)?;
        }
        if motion.is_some_and(|motion| motion != model.motion()) {
            return Err(AppError::MixedMotion {
                path: self.reading.given.path(&self.files[0]).to_owned(),
            });
        }
        tell_apart(&mut Targets::default(), &mut targets);
        let names = Names::of(model.motion());
        let mut experiments = Vec::new();
        let mut diagnostics = std::mem::take(&mut targets.findings);
        for target in &mut targets.list {
            let (outcome, _) =
                predict_held_out(&model, target).map_err(|source: FitError| AppError::Fit {
                    model: name.clone(),
                    source,
                })?;
            if outcome.relative > POOR_FIT {
                let poor = ResultDiagnostic::PoorFit {
                    method: Method::Fit,
                    error: outcome.relative,
                    test: Some(outcome.name.clone()),
                    scale: Some(measured_by(target, &names)),
                    preload: None,
                };
                diagnostics.push(poor.into());
            }
            experiments.push(TestDocument::new(&outcome, target, "validate", &names));
        }
        let document = Document {
            schema: "masing.validate/1",
            model: name,
            experiments,
            warnings: entries(&diagnostics, units(model.motion())),
        };
        console.show(&document, || text(&document, &targets.assumptions))
    }
}

fn text(document: &Document, assumptions: &[String]) -> String {
    let mut text = String::new();
    let worst = document
        .experiments
        .iter()
        .max_by(|a, b| a.relative_misfit.total_cmp(&b.relative_misfit));
    if let Some(worst) = worst {
        let _ = writeln!(
            text,
            "The model predicts {} with an error of at most {} %{}.\n",
            match document.experiments.len() {
                1 => "the test".to_owned(),
                n => format!("the {n} tests"),
            },
            significant(100.0 * worst.relative_misfit, 3),
            scale_of_tests(&document.experiments)
        );
    }
    let _ = writeln!(text, "{}", table_of_tests(&document.experiments, false));
    for warning in &document.warnings {
        let _ = writeln!(text, "\nnote: {}", warning.message);
    }
    let _ = writeln!(text, "\n{}", gathered(assumptions));
    text
}
