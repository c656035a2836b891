//! Arguments of `masing inspect`, `masing init` and `masing validate`.

use super::reading::Reading;
use super::{said_of_all, typed};
use crate::error::AppError;
use crate::request::{InitRequest, InspectRequest, ModelSource, ValidateRequest};
use clap::Args;
use std::path::PathBuf;

/// Show what is in a data file: channels, sampling, cycles, and what is wrong
///
/// Every finding says what to type to fix it; the same options work in every command that reads data.
#[derive(Debug, Args)]
pub struct Inspect {
    /// Data files; file#part picks a segment, sheet or variable, 'eol/*.csv' stands for several
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder to write inspect.html into: loop, time histories, tables
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Inspect {
    /// What is asked for.
    pub fn request(self) -> Result<InspectRequest, AppError> {
        Ok(InspectRequest {
            tests: self.reading.tests(&[(&self.files, None)])?,
            out: self.out,
        })
    }
}

/// Write a commented study.toml for data files, with what inspect found fixed
///
/// One test per file or part: columns, units, signs, offsets, what to fit and what to hold out. The model is the one
/// that predicts best of 24 candidates that are tried for 20 s at most; `masing compare` looks longer. Without --out
/// the study is printed.
#[derive(Debug, Args)]
pub struct Init {
    /// Data files; file#part picks a segment, sheet or variable, 'eol/*.csv' stands for several
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The model, such as "bouc-wen + dashpot"; found by comparing if left out
    #[arg(long, conflicts_with_all = ["no_compare", "budget"])]
    model: Option<String>,
    /// Do not compare models: take one by the kind of part
    #[arg(long, conflicts_with = "budget")]
    no_compare: bool,
    /// Most candidates that are tried, such as 40; or a time such as 60s
    #[arg(long)]
    budget: Option<String>,
    /// The study to write
    #[arg(long, value_name = "study.toml")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Init {
    /// What is asked for.
    pub fn request(self) -> Result<InitRequest, AppError> {
        Ok(InitRequest {
            tests: self.reading.tests(&[(&self.files, None)])?,
            model: self.model,
            no_compare: self.no_compare,
            budget: self.budget,
            out: self.out,
        })
    }
}

/// Predict tests with a model as it is, and compare
///
/// No parameter is changed. An initial state that is not at rest is taken from the test.
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
    /// displacement-offset, delay, level, moving-mass (or moving-mass=0.35, a known mass in kg)
    #[arg(long, value_name = "WHAT,...")]
    nuisance: Vec<String>,
    /// The folder for validate.json and report.html
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Validate {
    /// What is asked for.
    pub fn request(self) -> Result<ValidateRequest, AppError> {
        let mut tests = self.reading.tests(&[(&self.files, None)])?;
        said_of_all(&mut tests, self.preload.as_deref(), &self.nuisance)?;
        Ok(ValidateRequest {
            model: ModelSource::from(self.model.into_os_string()),
            tests,
            out: self.out,
            typed: Some(typed()),
        })
    }
}
