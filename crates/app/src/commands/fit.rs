//! `masing fit`: parameters with error bars from tests.

mod document;
mod files;
mod summary;

use crate::console::Console;
use crate::error::AppError;
use crate::output_dir::OutDir;
use crate::reading::Reading;
use clap::{Args, ValueEnum};
use document::Document;
use masing_identify::{Effort, FitOptions, Weights, fit};
use masing_model::{Assembly, Model, MotionKind, Shape, file};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Find the parameters of a model from tests, with error bars and a verdict
///
/// No starting values are needed. Tests given with --validate are not fitted but predicted.
#[derive(Debug, Args)]
pub struct Fit {
    /// Test records to fit: motion and force over time
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// An element, a preset, a sum such as bouc-wen+dashpot+spring, or a model.toml (its values are
    /// starts)
    #[arg(long)]
    model: String,
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
    /// How tests count against each other
    #[arg(long, value_enum, default_value_t = Share::Equal)]
    weights: Share,
    /// Seed of the search
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The folder for model.toml, fit.json and summary.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Share {
    /// Every test counts the same
    Equal,
    /// Every sample counts by its noise
    Noise,
}

impl Fit {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let started = Instant::now();
        let (mut assembly, given) = self.assembly()?;
        let mut options = FitOptions {
            fixed: pairs("--fix", &self.fix)?,
            starts: given,
            weights: match self.weights {
                Share::Equal => Weights::Equal,
                Share::Noise => Weights::Noise,
            },
            seed: self.seed,
            effort: Effort::default(),
            ..FitOptions::default()
        };
        options.starts.extend(pairs("--start", &self.start)?);
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let rotation = assembly.motion == MotionKind::Rotation;
        let mut motion = rotation.then_some(MotionKind::Rotation);
        let mut read = files::read_all(&self.files, &self.reading, &mut motion)?;
        let held_out = files::read_all(&self.validate, &self.reading, &mut motion)?;
        assembly.motion = motion.unwrap_or_default();
        let fitted = read.targets.clone();
        read.assumptions.extend(held_out.assumptions);
        read.findings.extend(held_out.findings);
        let progress = console.spinner("searching".to_owned());
        let watch = |_: &[f64], cost: f64, evaluations: usize| {
            progress.set_message(format!(
                "{evaluations} evaluations, error {:.3} % of rms force",
                100.0 * (2.0 * cost / fitted.len() as f64).sqrt()
            ));
            false
        };
        let result = fit(
            &assembly,
            fitted.clone(),
            held_out.targets,
            &options,
            Some(&watch),
        );
        progress.finish_and_clear();
        let found = result.map_err(|source| AppError::Fit {
            model: self.model.clone(),
            source,
        })?;
        let model = Self::fitted_model(assembly, &found)?;
        let document = Document::new(
            &self.model,
            &found,
            &model,
            started.elapsed().as_secs_f64(),
            &read.findings,
        );
        if let Some(out) = &out {
            out.write(&[
                ("model.toml", file::to_text(&model).into_bytes()),
                ("fit.json", document.to_json()?),
                ("summary.csv", summary::csv(&document).into_bytes()),
            ])?;
        }
        console.show(&document, || {
            summary::text(&document, &read.assumptions, self.out.as_deref())
        })?;
        if found.stop.converged() {
            Ok(())
        } else {
            Err(AppError::NotConverged {
                stop: document.stop.clone(),
            })
        }
    }

    /// The model to fit, and starts that its file gives.
    fn assembly(&self) -> Result<(Assembly, Vec<(String, f64)>), AppError> {
        let path = Path::new(&self.model);
        if path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("toml"))
        {
            let draft = file::read_draft(path)?;
            if draft.model.system().is_some() {
                return Err(AppError::option(
                    "--model",
                    &self.model,
                    "a model without masses: only prescribed motion can be fitted yet",
                ));
            }
            let starts = draft
                .model
                .params()
                .into_iter()
                .zip(draft.model.values())
                .zip(&draft.given)
                .filter(|(_, given)| **given)
                .map(|(((address, _), value), _)| (address, *value))
                .collect();
            return Ok((draft.model.assembly().clone(), starts));
        }
        let mut shape = Shape::default();
        if let Some(cells) = self.cells {
            shape.numbers.insert("cells".to_owned(), cells as f64);
        }
        let assembly = Assembly::from_names(&self.model, |kind| {
            if ["rt", "sts"].contains(&kind) {
                shape.clone()
            } else {
                Shape::default()
            }
        })?;
        Ok((assembly, Vec::new()))
    }

    /// The model with the values found and the steps that they were found with.
    fn fitted_model(assembly: Assembly, found: &masing_identify::Fit) -> Result<Model, AppError> {
        let mut model = Model::new(assembly, None, found.p.clone())?;
        let finest = found
            .targets
            .iter()
            .map(|t| t.numerics)
            .reduce(|a, b| masing_sim::Numerics {
                increment: a.increment.min(b.increment),
                max_dt: a.max_dt.min(b.max_dt),
            });
        model.numerics = finest
            .filter(|n| n.increment.is_finite() || n.max_dt.is_finite())
            .map(|n| masing_model::StepLimits {
                increment: n.increment,
                max_dt: n.max_dt,
            });
        Ok(model)
    }
}

/// `parameter=value` options.
fn pairs(option: &str, texts: &[String]) -> Result<Vec<(String, f64)>, AppError> {
    texts
        .iter()
        .flat_map(|text| text.split(','))
        .map(|text| {
            let expected = "PARAMETER=VALUE, such as rt.alpha=0.1";
            let (address, value) = text
                .split_once('=')
                .ok_or_else(|| AppError::option(option, text, expected))?;
            let value = value.trim().parse::<f64>().ok().filter(|v| v.is_finite());
            let value = value.ok_or_else(|| AppError::option(option, text, expected))?;
            Ok((address.trim().to_owned(), value))
        })
        .collect()
}
