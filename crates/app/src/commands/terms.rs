//! `masing terms`: which terms of a force model the data support.

mod tests;

use super::fit::is_toml;
use super::fit::study::{Role, Study};
use crate::console::{Console, document};
use crate::error::AppError;
use crate::output_dir::OutDir;
use crate::provenance;
use crate::reading::Reading;
use clap::{Args, ValueEnum};
use masing_identify::test::TestSpec;
use masing_model::file;
use masing_report::terms::json::TermsDocument;
use masing_report::terms::{html, text};
use masing_report::text::gathered;
use masing_terms::{Options, Sign, Slope, TermsError, identify};
use std::path::PathBuf;
use tests::{Given, Tests, candidates};

/// Find which terms of a force model the data support: powers of displacement and velocity, spring-sliders
///
/// Ranks candidate terms by how much of the force they explain, chooses the powers and the friction that the data
/// support, and says whether the result is physically sound. Tests given with --validate are not used but predicted.
#[derive(Debug, Args)]
pub struct Terms {
    /// Tests: records of time, displacement and force; or a study.toml, whose model is not needed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A test that is held out and predicted
    #[arg(long, value_name = "FILE")]
    validate: Vec<PathBuf>,
    /// What the part is under before the tests: 2.2mm or 150N, or per test: test1=2.2mm,test2=1mm. Left out, it is
    /// found from the data
    #[arg(long, allow_hyphen_values = true)]
    preload: Option<String>,
    /// Candidate terms: k1, k2, ... (powers of the displacement), c1, c2, ... (powers of the velocity), one, sgn,
    /// products such as x^2*v, columns of the files [default: k1,k3,k5,c1,c3,c5,c7,c9,c11,c13]
    #[arg(long = "terms", value_name = "TERM,...", value_delimiter = ',')]
    candidates: Vec<String>,
    /// Highest degree of the Chebyshev terms in the ranking
    #[arg(long, default_value_t = 10, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=40))]
    degree: u32,
    /// What stands for friction among the ranked terms; the model has spring-sliders in any case
    #[arg(long, value_enum, default_value_t = RankingName::Chebyshev)]
    ranking: RankingName,
    /// Where the direction of a branch comes from
    #[arg(long, value_enum, default_value_t = SignName::Turns)]
    sign: SignName,
    /// How the velocity is found where no column gives it
    #[arg(long, value_enum, default_value_t = SlopeName::SavitzkyGolay)]
    slope: SlopeName,
    /// The folder for model.toml, terms.json and report.html
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RankingName {
    /// Chebyshev polynomials of a branch, as in the paper: a0, a1, ...
    Chebyshev,
    /// Spring-sliders over a grid of slip displacements
    Sliders,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SignName {
    /// Detected turns of the motion
    Turns,
    /// The sign of the velocity, as in the paper: wrong at turns
    Velocity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SlopeName {
    /// Smoothed over an eighth of a cycle
    SavitzkyGolay,
    /// Difference to the next sample, as in the paper
    Forward,
}

impl Terms {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let mut tests = Tests::default();
        let given = self.preload.as_deref().map(Given::parse).transpose()?;
        let mut options = Options {
            chebyshev: Some(self.degree),
            sliders: self.ranking == RankingName::Sliders,
            sign: match self.sign {
                SignName::Turns => Sign::Turns,
                SignName::Velocity => Sign::Velocity,
            },
            slope: match self.slope {
                SlopeName::SavitzkyGolay => Slope::SavitzkyGolay,
                SlopeName::Forward => Slope::Forward,
            },
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            ..Options::default()
        };
        for (spec, held_out) in self.specs()? {
            tests.add(&spec, given.as_ref(), &self.candidates, held_out)?;
        }
        if let Some(given) = &given {
            given.all_used(&tests)?;
        }
        if !self.candidates.is_empty() {
            candidates(&self.candidates, &tests, &mut options)?;
        }
        let progress = console.spinner("choosing terms".to_owned());
        let result = identify(&tests.fitted, &tests.held_out, &options, tests.motion);
        progress.finish_and_clear();
        let mut terms = result.map_err(|error| match error {
            TermsError::Model(_) => AppError::FoundModel {
                source: error,
                assumed: gathered(&tests.assumptions),
            },
            other => other.into(),
        })?;
        let found = &mut terms.identified;
        found.data.diagnostics = tests.findings;
        found.data.assumptions = tests.assumptions;
        let files = self.files.iter().chain(&self.validate);
        found.provenance = provenance::of(&self.reading.given, files, self.facts());
        let json = TermsDocument::of(&terms);
        if let Some(out) = &out {
            let model = file::to_text(&terms.identified.model);
            out.write(&[
                ("model.toml", model.into_bytes()),
                ("terms.json", document(&json)?),
                ("report.html", html::page(&terms).render()?.into_bytes()),
            ])?;
        }
        console.show(&json, || text::text(&terms, self.out.as_deref()))?;
        AppError::untrustworthy(&terms.identified).map_or(Ok(()), Err)
    }

    /// The tests that are named, by a study or one by one, and whether they are held out.
    fn specs(&self) -> Result<Vec<(TestSpec, bool)>, AppError> {
        let plain = |path: &PathBuf| self.reading.spec(path);
        let mut specs = Vec::new();
        match self.files.as_slice() {
            [path] if is_toml(path) => {
                for test in &Study::read(path)?.experiments {
                    specs.push((test.spec(path)?, test.role == Role::Validate));
                }
            }
            paths => {
                if let Some(study) = paths.iter().find(|path| is_toml(path)) {
                    let expected = "a study by itself, or files of tests";
                    return Err(AppError::option("FILE", study.display(), expected));
                }
                for path in paths {
                    specs.push((plain(path)?, false));
                }
            }
        }
        for path in &self.validate {
            specs.push((plain(path)?, true));
        }
        Ok(specs)
    }

    /// The choices of a run, for the page.
    fn facts(&self) -> Vec<(String, String)> {
        let fact = |name: &str, value: String| (name.to_owned(), value);
        let mut facts = vec![
            fact(
                "preload",
                self.preload.clone().unwrap_or_else(|| "found".to_owned()),
            ),
            fact("candidates", self.candidates.join(", ")),
            fact("highest Chebyshev degree", self.degree.to_string()),
        ];
        facts.retain(|(_, value)| !value.is_empty());
        facts
    }
}
