//! Arguments of `masing fit`.

use super::reading::Reading;
use super::{said_of_all, typed};
use crate::error::AppError;
use crate::request::{CompareOptions, FitOptions, FitRequest, ModelSource, Role};
use clap::Args;
use std::path::PathBuf;

/// Find the parameters of a model from tests, with error bars and a verdict
///
/// Takes a study.toml, or test records and dynamic stiffness tables. Without --model the model that
/// predicts tests left out best is found first, as by compare. No starting values are needed. Tests given
/// with --validate are not fitted but predicted.
#[derive(Debug, Args)]
pub struct Fit {
    /// A study.toml, or tests to fit: records of motion and force, or dynamic stiffness tables;
    /// 'eol/*.csv' stands for several
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// An element, a preset, a sum such as "bouc-wen + polynomial-spring[powers=1,3]", or a model.toml
    /// (its values are starts)
    #[arg(long)]
    model: Option<String>,
    /// Tests that are held out and predicted
    #[arg(long, value_name = "FILE", num_args = 1..)]
    validate: Vec<PathBuf>,
    /// What the part is under before every test: a displacement or a force, such as 2.2mm or 150N
    #[arg(long, allow_hyphen_values = true)]
    preload: Option<String>,
    /// What the rig may have added to the records, found with the fit: force-offset,
    /// displacement-offset, delay, level, moving-mass (or moving-mass=0.35, a known mass in kg)
    #[arg(long, value_name = "WHAT,...")]
    nuisance: Vec<String>,
    /// The folder for model.toml, fit.json, report.html and summary.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    compare: CompareOptions,
    #[command(flatten)]
    options: FitOptions,
    #[command(flatten)]
    reading: Reading,
}

impl Fit {
    /// What is asked for.
    pub fn request(self) -> Result<FitRequest, AppError> {
        let study = super::study_of(
            &self.files,
            "test records; a study goes alone, and a model.toml after --model",
        )?;
        let about_tests = match (&self.preload, self.nuisance.is_empty()) {
            (Some(_), _) => Some("--preload"),
            (None, false) => Some("--nuisance"),
            (None, true) => None,
        };
        if let (Some(_), Some(option), true) = (
            &study,
            about_tests.or(self.reading.given()),
            self.validate.is_empty(),
        ) {
            let why = "a study says it for each test, in its [[experiment]]";
            return Err(AppError::needs(
                option,
                "test records, or files after --validate",
                why,
            ));
        }
        let files = if study.is_some() {
            &[][..]
        } else {
            &self.files
        };
        let held_out = (&self.validate[..], Some(Role::Validate));
        let groups = [(files, None), held_out];
        let target = self.compare.target.as_ref();
        let (mut tests, target) = self.reading.tests_and_target(&groups, target)?;
        said_of_all(&mut tests, self.preload.as_deref(), &self.nuisance)?;
        Ok(FitRequest {
            study,
            tests,
            model: self.model.map(ModelSource::Named),
            options: self.options,
            compare: CompareOptions {
                target,
                ..self.compare
            },
            out: self.out,
            typed: Some(typed()),
            ..FitRequest::default()
        })
    }
}
