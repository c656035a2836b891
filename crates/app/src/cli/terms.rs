//! Arguments of `masing terms`.

use super::reading::Reading;
use super::typed;
use crate::error::AppError;
use crate::request::{Role, TermsOptions, TermsRequest};
use clap::Args;
use std::path::PathBuf;

/// Find which terms of a force model the data support: powers of displacement and velocity, spring-sliders
///
/// Ranks candidate terms by how much of the force they explain, chooses the powers and the friction that the data
/// support, and says whether the result is physically sound. Tests given with --validate are not used but predicted.
#[derive(Debug, Args)]
pub struct Terms {
    /// Tests: records of time, displacement and force; or a study.toml, whose model is not needed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Tests that are held out and predicted
    #[arg(long, value_name = "FILE", num_args = 1..)]
    validate: Vec<PathBuf>,
    #[command(flatten)]
    options: TermsOptions,
    /// The folder for model.toml, terms.json and report.html
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Terms {
    /// What is asked for.
    pub fn request(self) -> Result<TermsRequest, AppError> {
        let study = super::study_of(&self.files, "a study by itself, or files of tests")?;
        let files = if study.is_some() {
            &[][..]
        } else {
            &self.files
        };
        let held_out = (&self.validate[..], Some(Role::Validate));
        Ok(TermsRequest {
            study,
            tests: self.reading.tests(&[(files, None), held_out])?,
            options: self.options,
            out: self.out,
            typed: Some(typed()),
            ..TermsRequest::default()
        })
    }
}
