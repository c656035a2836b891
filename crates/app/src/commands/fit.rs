//! `masing fit`: parameters with error bars from tests.

mod document;
mod files;
mod study;
mod summary;

use crate::console::Console;
use crate::error::AppError;
use crate::output_dir::OutDir;
use crate::reading::Reading;
use clap::{Args, ValueEnum};
use document::Document;
use files::Files;
use masing_identify::{FitOptions, Weights, fit};
use masing_model::file::{self, Draft};
use masing_model::{Assembly, Model, MotionKind, Shape};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use study::{Role, Study};

/// Find the parameters of a model from tests, with error bars and a verdict
///
/// Takes a study.toml, or test records with --model. No starting values are needed. Tests given
/// with --validate are not fitted but predicted.
#[derive(Debug, Args)]
pub struct Fit {
    /// A study.toml, or test records to fit: motion and force over time
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
    /// How tests count against each other
    #[arg(long, value_enum)]
    weights: Option<Share>,
    /// Seed of the search
    #[arg(long)]
    seed: Option<u64>,
    /// The folder for model.toml, fit.json and summary.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Share {
    /// Every test counts the same
    Equal,
    /// Every sample counts by its noise
    Noise,
}

/// Everything a search needs.
struct Job {
    name: String,
    assembly: Assembly,
    part: BTreeMap<String, String>,
    fitted: Files,
    held_out: Files,
    options: FitOptions,
}

impl Fit {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let started = Instant::now();
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let mut job = match self.files.as_slice() {
            [path] if is_toml(path) => self.job_of_study(path)?,
            _ => self.job_of_files()?,
        };
        job.options.fixed.extend(pairs("--fix", &self.fix)?);
        job.options.starts.extend(pairs("--start", &self.start)?);
        if let Some(seed) = self.seed {
            job.options.seed = seed;
        }
        if let Some(weights) = self.weights {
            job.options.weights = weights.into();
        }
        let tests = job.fitted.targets.len();
        let progress = console.spinner("searching".to_owned());
        let watch = |_: &[f64], cost: f64, evaluations: usize| {
            progress.set_message(format!(
                "{evaluations} evaluations, error {:.3} % of rms force",
                100.0 * (2.0 * cost / tests as f64).sqrt()
            ));
            false
        };
        let targets = (job.fitted.targets, job.held_out.targets);
        let result = fit(
            &job.assembly,
            targets.0,
            targets.1,
            &job.options,
            Some(&watch),
        );
        progress.finish_and_clear();
        let found = result.map_err(|source| AppError::Fit {
            model: job.name.clone(),
            source,
        })?;
        let mut model = Self::fitted_model(job.assembly, &found)?;
        model.part = job.part;
        let mut findings = job.fitted.findings;
        findings.extend(job.held_out.findings);
        let seconds = started.elapsed().as_secs_f64();
        let document = Document::new(&job.name, &found, &model, seconds, &findings);
        if let Some(out) = &out {
            out.write(&[
                ("model.toml", file::to_text(&model).into_bytes()),
                ("fit.json", document.to_json()?),
                ("summary.csv", summary::csv(&document).into_bytes()),
            ])?;
        }
        let mut assumptions = job.fitted.assumptions;
        assumptions.extend(job.held_out.assumptions);
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

    /// The job that the options describe.
    fn job_of_files(&self) -> Result<Job, AppError> {
        let Some(name) = self.model.clone() else {
            return Err(AppError::Needs {
                option: "fit",
                other: "--model",
                why: "test records do not say which model they are for; a study.toml does",
            });
        };
        let (mut assembly, starts) = self.assembly(&name)?;
        let mut motion = known_motion(&assembly);
        let (mut fitted, mut held_out) = (Files::new(), Files::new());
        for path in &self.files {
            fitted.add(path, self.reading.options()?, &mut motion)?;
        }
        for path in &self.validate {
            held_out.add(path, self.reading.options()?, &mut motion)?;
        }
        assembly.motion = motion.unwrap_or_default();
        let options = FitOptions {
            starts,
            ..FitOptions::default()
        };
        Ok(Job {
            name,
            assembly,
            part: BTreeMap::new(),
            fitted,
            held_out,
            options,
        })
    }

    /// The job that a study describes.
    fn job_of_study(&self, path: &Path) -> Result<Job, AppError> {
        if self.model.is_some() {
            let why = "the study says which model it is for";
            return Err(AppError::Needs {
                option: "--model",
                other: "test records",
                why,
            });
        }
        let study = Study::read(path)?;
        let draft = study.model(path)?;
        if draft.model.system().is_some() {
            return Err(AppError::Study {
                path: path.to_owned(),
                what: "fitting a model with masses is not possible yet".to_owned(),
            });
        }
        let mut assembly = draft.model.assembly().clone();
        let mut motion = known_motion(&assembly);
        let mut options = FitOptions {
            weights: study.fit.weights.unwrap_or(Share::Equal).into(),
            seed: study.fit.seed,
            // A value in the model is given; [parameters] may set it free again.
            fixed: given(&draft)
                .into_iter()
                .filter(|(a, _)| !study.parameters.contains_key(a))
                .collect(),
            ..FitOptions::default()
        };
        for (address, choice) in &study.parameters {
            options
                .fixed
                .extend(choice.fixed.map(|value| (address.clone(), value)));
            options
                .starts
                .extend(choice.start.map(|value| (address.clone(), value)));
            if choice.min.is_some() || choice.max.is_some() {
                let range = (
                    choice.min.unwrap_or(f64::NEG_INFINITY),
                    choice.max.unwrap_or(f64::INFINITY),
                );
                options.bounds.push((address.clone(), range.0, range.1));
            }
        }
        let (mut fitted, mut held_out) = (Files::new(), Files::new());
        for test in &study.experiments {
            let files = if test.role == Role::Fit {
                &mut fitted
            } else {
                &mut held_out
            };
            let target = files.add(&test.path(path), test.options()?, &mut motion)?;
            if let Some(name) = &test.name {
                target.name.clone_from(name);
            }
            target.start = test.start().unwrap_or(target.start);
            target.weight = test.weight.unwrap_or(1.0);
            target.nuisance = test.nuisance()?;
            let preload = test.preload(motion == Some(MotionKind::Rotation))?;
            if preload != 0.0 {
                let m = &target.motion;
                let x = m.x().iter().map(|x| x + preload).collect();
                target.motion = masing_sim::Motion::new(m.time().to_vec(), x, Some(m.v().to_vec()))
                    .map_err(|source| AppError::Fit {
                        model: target.name.clone(),
                        source: source.into(),
                    })?;
            }
        }
        assembly.motion = motion.unwrap_or_default();
        let kinds: Vec<&str> = assembly.parts().iter().map(|p| p.kind.as_str()).collect();
        Ok(Job {
            name: kinds.join("+"),
            part: study.part,
            assembly,
            fitted,
            held_out,
            options,
        })
    }

    /// The model to fit, and starts that its file gives.
    fn assembly(&self, name: &str) -> Result<(Assembly, Vec<(String, f64)>), AppError> {
        let path = Path::new(name);
        if is_toml(path) {
            let draft = file::read_draft(path)?;
            if draft.model.system().is_some() {
                let expected = "a model without masses: only prescribed motion can be fitted yet";
                return Err(AppError::option("--model", name, expected));
            }
            return Ok((draft.model.assembly().clone(), given(&draft)));
        }
        let mut shape = Shape::default();
        if let Some(cells) = self.cells {
            shape.numbers.insert("cells".to_owned(), cells as f64);
        }
        let assembly = Assembly::from_names(name, |kind| {
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

impl From<Share> for Weights {
    fn from(share: Share) -> Self {
        match share {
            Share::Equal => Weights::Equal,
            Share::Noise => Weights::Noise,
        }
    }
}

fn is_toml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("toml"))
}

/// The kind of motion that the elements themselves ask for.
fn known_motion(assembly: &Assembly) -> Option<MotionKind> {
    (assembly.motion == MotionKind::Rotation).then_some(MotionKind::Rotation)
}

/// The values that a draft gives, by address.
fn given(draft: &Draft) -> Vec<(String, f64)> {
    let values = draft.model.params().into_iter().zip(draft.model.values());
    values
        .zip(&draft.given)
        .filter(|(_, given)| **given)
        .map(|(((address, _), value), _)| (address, *value))
        .collect()
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
