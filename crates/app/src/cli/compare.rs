//! Arguments of `masing compare`.

use super::reading::Reading;
use super::{said_of_all, study_of, typed};
use crate::error::AppError;
use crate::request::{CompareOptions, CompareRequest, Role};
use clap::Args;
use std::path::PathBuf;

/// Rank models by what they predict of tests left out
///
/// Every model is fitted without each of the tests in turn (without blocks of cycles where there is only
/// one) and ranked by its error there. Without --models candidates are built from what the records show.
/// Tests given with --validate are only shown.
#[derive(Debug, Args)]
pub struct Compare {
    /// A study.toml, or tests: records of motion and force, or dynamic stiffness tables; 'eol/*.csv'
    /// stands for several
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    options: CompareOptions,
    /// Tests that have no part in any choice and are predicted
    #[arg(long, value_name = "FILE", num_args = 1..)]
    validate: Vec<PathBuf>,
    /// What the part is under before every test: a displacement or a force, such as 2.2mm or 150N
    #[arg(long, allow_hyphen_values = true)]
    preload: Option<String>,
    /// What the rig may have added to the records, found with every model: force-offset,
    /// displacement-offset, delay, moving-mass (or moving-mass=0.35, a known mass in kg)
    #[arg(long, value_name = "WHAT,...")]
    nuisance: Vec<String>,
    /// The folder for compare.json, report.html and model.toml
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Compare {
    /// What is asked for.
    pub fn request(self) -> Result<CompareRequest, AppError> {
        let study = study_of(&self.files, "test records; a study goes alone")?;
        let files = if study.is_some() {
            &[][..]
        } else {
            &self.files
        };
        let held_out = (&self.validate[..], Some(Role::Validate));
        let groups = [(files, None), held_out];
        let target = self.options.target.as_ref();
        let (mut tests, target) = self.reading.tests_and_target(&groups, target)?;
        said_of_all(&mut tests, self.preload.as_deref(), &self.nuisance)?;
        Ok(CompareRequest {
            study,
            tests,
            options: CompareOptions {
                target,
                ..self.options
            },
            out: self.out,
            typed: Some(typed()),
        })
    }
}
