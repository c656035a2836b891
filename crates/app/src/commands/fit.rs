//! `masing fit`: parameters with error bars from tests.

mod choices;
mod fitted;
mod job;
pub mod study;

pub use choices::said_of_all;
pub use fitted::Fitted;
pub use job::{is_toml, known_motion};

use crate::console::Console;
use crate::error::AppError;
use crate::given::Given;
use crate::interrupt;
use crate::output_dir::OutDir;
use crate::provenance;
use crate::reading::Reading;
use clap::Args;
use job::Job;
use masing_identify::objective::Watch;
use masing_identify::test::TestSpec;
use masing_identify::{FitOptions, Test, fit};
use masing_model::Model;
use masing_report::identified::html::provenance::options as said;
use masing_report::identified::json::FitDocument;
use std::path::{Path, PathBuf};
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
    /// Tests simulated at the same time; all cores if left out. The result is the same
    #[arg(long, value_name = "COUNT")]
    threads: Option<usize>,
    #[command(flatten)]
    pub reading: Reading,
}

impl Fit {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let work = self.prepare()?;
        interrupt::listen();
        let progress = console.spinner("searching".to_owned());
        let watch = |_: &[f64], error: f64, evaluations: usize| {
            progress.set_message(format!(
                "{evaluations} evaluations, error {:.3} %",
                100.0 * error
            ));
            interrupt::asked()
        };
        let result = work.search(&watch);
        progress.finish_and_clear();
        let fitted = result?;
        console.show(&FitDocument::of(&fitted.found), || {
            fitted.text(self.out.as_deref())
        })?;
        fitted.failure().map_or(Ok(()), Err)
    }

    /// Reads everything that is needed.
    pub fn prepare(&self) -> Result<Work<'_>, AppError> {
        let started = Instant::now();
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        Ok(Work {
            args: self,
            started,
            out,
            job: Job::new(self)?,
        })
    }

    /// What is said about one of the files.
    fn spec(&self, path: &Path) -> Result<TestSpec, AppError> {
        let mut spec = self.reading.spec(path)?;
        choices::said_of_all(&mut spec, self.preload.as_ref(), &self.nuisance)?;
        Ok(spec)
    }
}

/// A fit that can begin.
pub struct Work<'a> {
    args: &'a Fit,
    started: Instant,
    out: Option<OutDir>,
    job: Job,
}

impl Work<'_> {
    /// Searches, and writes the folder of results if there is to be one.
    pub fn search(self, watch: &Watch<'_>) -> Result<Fitted, AppError> {
        let (mut job, args) = (self.job, self.args);
        job.options.assess_loops = true;
        let fitted = std::mem::take(&mut job.fitted.list);
        let held_out = std::mem::take(&mut job.held_out.list);
        let result = fit(&job.model, fitted, held_out, &job.options, Some(watch));
        let mut found = result.map_err(|source| AppError::Fit {
            model: job.name.clone(),
            source,
        })?;
        for tests in [&mut job.fitted, &mut job.held_out] {
            found.data.diagnostics.append(&mut tests.findings);
            found.data.assumptions.append(&mut tests.assumptions);
        }
        let read = job.fitted.files.iter().chain(&job.held_out.files);
        let named = args
            .files
            .iter()
            .filter(|path| args.reading.given.test(path).is_none());
        found.provenance =
            provenance::of(&args.reading.given, named.chain(read), said(&job.options));
        found.provenance.model = job.name;
        found.model.part = job.part;
        found.search.seconds = self.started.elapsed().as_secs_f64();
        let fitted = Fitted { found };
        if let Some(out) = &self.out {
            out.write(&fitted.files()?)?;
        }
        Ok(fitted)
    }
}

/// Fits a model that no file describes, one with laws of your own, to tests that are at hand, and tells the
/// result as `masing fit` does.
pub fn fit_model(
    model: &Model,
    fitted: Vec<Test>,
    held_out: Vec<Test>,
    options: &FitOptions,
) -> Result<Fitted, AppError> {
    let started = Instant::now();
    let kinds = model.assembly().parts().iter().map(|p| p.kind.as_str());
    let name = kinds.collect::<Vec<_>>().join("+");
    let result = fit(model, fitted, held_out, options, None);
    let mut found = result.map_err(|source| AppError::Fit {
        model: name.clone(),
        source,
    })?;
    found.provenance = provenance::of(&Given::default(), [], said(options));
    found.provenance.model = name;
    found.search.seconds = started.elapsed().as_secs_f64();
    Ok(Fitted { found })
}
