//! `masing fit`: parameters with error bars from tests.

mod choices;
mod document;
mod job;
mod loops;
pub mod report;
pub mod study;
pub mod summary;
mod tests;

pub use choices::nuisance;
pub use document::Remark;
pub use job::{is_toml, known_motion};
pub use tests::{Test as TestDocument, scale as scale_of_tests, table as table_of_tests};

use crate::console::Console;
use crate::error::AppError;
use crate::interrupt;
use crate::output_dir::OutDir;
use crate::reading::Reading;
use clap::Args;
use document::Document;
use job::Job;
use loops::Loops;
use masing_identify::target::finer;
use masing_identify::{Target, fit};
use masing_model::{Model, StepLimits, Validity, file};
use report::{Provenance, Report};
use std::path::PathBuf;
use std::time::Instant;

/// Find the parameters of a model from tests, with error bars and a verdict
///
/// Takes a study.toml, or test records and dynamic stiffness tables with --model. No starting values
/// are needed. Tests given with --validate are not fitted but predicted.
#[derive(Debug, Args)]
pub struct Fit {
    /// A study.toml, or tests to fit: records of motion and force, or dynamic stiffness tables
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// An element, a preset, a sum such as bouc-wen+dashpot+spring, or a model.toml (its values are
    /// starts)
    #[arg(long)]
    model: Option<String>,
    /// A test that is held out and predicted
    #[arg(long, value_name = "FILE")]
    validate: Vec<PathBuf>,
    /// Hold a parameter at a value (SI)
    #[arg(long, value_name = "PARAMETER=VALUE", allow_hyphen_values = true)]
    fix: Vec<String>,
    /// Start a parameter at a value (SI)
    #[arg(long, value_name = "PARAMETER=VALUE", allow_hyphen_values = true)]
    start: Vec<String>,
    /// Cells of a chain
    #[arg(long)]
    cells: Option<usize>,
    /// What the part is under before every test: a displacement or a force, such as 2.2mm or 150N
    #[arg(long, allow_hyphen_values = true)]
    preload: Option<String>,
    /// What the rig may have added to the records, found with the fit: force-offset,
    /// displacement-offset, delay, moving-mass (or moving-mass=0.35, a known mass in kg)
    #[arg(long, value_name = "WHAT,...")]
    nuisance: Vec<String>,
    /// How tests count against each other
    #[arg(long, value_enum)]
    weights: Option<choices::Share>,
    /// How much large differences count; huber and soft-l1 are not pulled by outliers
    #[arg(long, value_enum)]
    loss: Option<choices::LossName>,
    /// How to search
    #[arg(long, value_enum)]
    method: Option<choices::MethodName>,
    /// Follow the likelihood along a parameter: an interval that needs no straight lines
    #[arg(long, value_name = "PARAMETER")]
    profile: Vec<String>,
    /// Do not look for other minima along the valley of a chain
    #[arg(long)]
    no_scan: bool,
    /// Seed of the search
    #[arg(long)]
    seed: Option<u64>,
    /// The folder for model.toml, fit.json, report.html and summary.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Fit {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let started = Instant::now();
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let mut job = Job::new(self)?;
        interrupt::listen();
        let progress = console.spinner("searching".to_owned());
        let watch = |_: &[f64], error: f64, evaluations: usize| {
            progress.set_message(format!(
                "{evaluations} evaluations, error {:.3} %",
                100.0 * error
            ));
            interrupt::asked()
        };
        let fitted = std::mem::take(&mut job.fitted.list);
        let held_out = std::mem::take(&mut job.held_out.list);
        let result = fit(&job.model, fitted, held_out, &job.options, Some(&watch));
        progress.finish_and_clear();
        let mut found = result.map_err(|source| AppError::Fit {
            model: job.name.clone(),
            source,
        })?;
        let loops = Loops::of(&mut found, &job.options);
        let model = finished(&job, &found);
        let mut findings = std::mem::take(&mut job.fitted.findings);
        findings.append(&mut job.held_out.findings);
        let mut assumptions = std::mem::take(&mut job.fitted.assumptions);
        assumptions.append(&mut job.held_out.assumptions);
        let seconds = started.elapsed().as_secs_f64();
        let mut document = Document::new(&job.name, &found, &model, seconds, &findings);
        document.loops = loops;
        if let Some(out) = &out {
            let provenance = Provenance::of(&self.files, &job);
            let report = Report {
                document: &document,
                fit: &found,
                model: &model,
                findings: &findings,
                assumptions: &assumptions,
                provenance: &provenance,
            };
            let page = report::page(&report).render()?;
            out.write(&[
                ("model.toml", file::to_text(&model).into_bytes()),
                ("fit.json", document.to_json()?),
                ("report.html", page.into_bytes()),
                ("summary.csv", summary::csv(&document).into_bytes()),
            ])?;
        }
        console.show(&document, || {
            summary::text(&document, &assumptions, self.out.as_deref())
        })?;
        if found.stop.converged() {
            Ok(())
        } else {
            Err(AppError::NotConverged {
                stop: document.stop.clone(),
            })
        }
    }
}

/// The model with the values found, the part block, and the steps and tests that it was found with.
fn finished(job: &Job, found: &masing_identify::Fit) -> Model {
    let mut model = found.model.clone();
    model.part.clone_from(&job.part);
    let finest = found.targets.iter().map(Target::numerics).reduce(finer);
    model.numerics = finest
        .filter(|n| n.increment.is_finite() || n.max_dt.is_finite())
        .map(|n| StepLimits {
            increment: n.increment,
            max_dt: n.max_dt,
        });
    let covered = found.targets.iter().filter_map(Target::covered);
    model.validity = covered.reduce(Validity::and);
    model
}
