//! A request for terms.

use super::study::{Study, misstated};
use super::value::one_or_more;
use super::{Origin, TestSource};
use crate::error::AppError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Find which terms of a force model the data support.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TermsRequest {
    /// A study, whose model is not needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<PathBuf>,
    /// The tests, used or held out.
    pub tests: Vec<TestSource>,
    /// How to choose.
    pub options: TermsOptions,
    /// The folder for model.toml, terms.json and report.html.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    /// The study as it was written.
    #[serde(skip)]
    pub origin: Option<Arc<Origin>>,
    /// The command as it was typed, where it was.
    #[serde(skip)]
    pub typed: Option<Vec<String>>,
}

/// How to choose terms.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct TermsOptions {
    /// What the part is under before the tests: 2.2mm or 150N, or per test: test1=2.2mm,test2=1mm. Left out, it is
    /// found from the data
    #[cfg_attr(feature = "cli", arg(long, allow_hyphen_values = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preload: Option<String>,
    /// Candidate terms: k1, k2, ... (powers of the displacement), c1, c2, ... (powers of the velocity), one, sgn,
    /// products such as x^2*v, columns of the files [default: k1,k3,k5,c1,c3,c5,c7,c9,c11,c13]
    #[cfg_attr(
        feature = "cli",
        arg(long = "terms", value_name = "TERM,...", value_delimiter = ',')
    )]
    #[serde(
        rename = "terms",
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    pub candidates: Vec<String>,
    /// Highest degree of the Chebyshev terms in the ranking
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 10, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=40)))]
    pub degree: u32,
    /// What stands for friction among the ranked terms; the model has spring-sliders in any case
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t = RankingName::Chebyshev))]
    pub ranking: RankingName,
    /// Where the direction of a branch comes from
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t = SignName::Turns))]
    pub sign: SignName,
    /// How the velocity is found where no column gives it
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t = SlopeName::SavitzkyGolay))]
    pub slope: SlopeName,
}

impl Default for TermsOptions {
    fn default() -> Self {
        Self {
            preload: None,
            candidates: Vec::new(),
            degree: 10,
            ranking: RankingName::Chebyshev,
            sign: SignName::Turns,
            slope: SlopeName::SavitzkyGolay,
        }
    }
}

/// Highest degree that is ranked: beyond it polynomials of a branch are noise.
const HIGHEST: u32 = 40;

/// What stands for friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum RankingName {
    /// Chebyshev polynomials of a branch, as in the paper: a0, a1, ...
    Chebyshev,
    /// Spring-sliders over a grid of slip displacements
    Sliders,
}

choice! {
    /// Where a direction comes from.
    pub enum SignName for masing_terms::Sign {
        /// Detected turns of the motion
        Turns,
        /// The sign of the velocity, as in the paper: wrong at turns
        Velocity,
    }
}

choice! {
    /// How a velocity is found.
    pub enum SlopeName for masing_terms::Slope {
        /// Smoothed over an eighth of a cycle
        SavitzkyGolay,
        /// Difference to the next sample, as in the paper
        Forward,
    }
}

impl TermsRequest {
    /// The request with the tests of its study, and one test for every file.
    pub fn resolved(mut self) -> Result<Self, AppError> {
        if self.options.degree > HIGHEST {
            let expected = format!("a number from 0 to {HIGHEST}");
            return Err(AppError::option("--degree", self.options.degree, expected));
        }
        let mut tests = Vec::new();
        if let Some(path) = &self.study {
            let study = Study::read(path)?;
            tests = study.tests;
            self.origin = Some(study.origin);
        }
        for test in &self.tests {
            let each = test.each(Path::new(""));
            tests.extend(each.map_err(|wrong| misstated(self.origin.as_deref(), test, wrong))?);
        }
        self.tests = tests;
        Ok(self)
    }
}
