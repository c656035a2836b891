//! `masing terms`: which terms of a force model the data support.

mod tests;

use crate::console::{Console, document};
use crate::error::AppError;
use crate::output_dir::OutDir;
use crate::provenance;
use crate::request::study::misstated;
use crate::request::{RankingName, Role, TermsRequest, TestSource, unfiltered};
use masing_model::file;
use masing_report::terms::json::TermsDocument;
use masing_report::terms::{html, text};
use masing_report::text::gathered;
use masing_terms::{Options, TermsError, identify};
use tests::{Given, Tests, candidates};

impl TermsRequest {
    /// Chooses terms, and tells them.
    pub fn run(self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let request = self.resolved()?;
        let choice = &request.options;
        let mut tests = Tests::default();
        let given = choice.preload.as_deref().map(Given::parse).transpose()?;
        let mut options = Options {
            chebyshev: Some(choice.degree),
            sliders: choice.ranking == RankingName::Sliders,
            sign: choice.sign.into(),
            slope: choice.slope.into(),
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            ..Options::default()
        };
        for test in &request.tests {
            let spec = test.spec();
            let spec = spec.map_err(|wrong| misstated(request.origin.as_deref(), test, wrong))?;
            let spec = unfiltered(spec)?;
            let held_out = test.role() == Role::Validate;
            tests.add(&spec, given.as_ref(), &choice.candidates, held_out)?;
        }
        if let Some(given) = &given {
            given.all_used(&tests)?;
        }
        if !choice.candidates.is_empty() {
            candidates(&choice.candidates, &tests, &mut options)?;
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
        found.data.diagnostics = tests.diagnostics;
        found.data.assumptions = tests.assumptions;
        let files: Vec<_> = request.tests.iter().map(TestSource::path).collect();
        let command = provenance::command(request.typed.as_deref(), "terms", &request);
        let files = request.study.iter().chain(&files);
        found.provenance = provenance::of(command, files, request.facts());
        let json = TermsDocument::of(&terms);
        if let Some(out) = &out {
            let model = file::to_text(&terms.identified.model);
            out.write(&[
                ("model.toml", model.into_bytes()),
                ("terms.json", document(&json)?),
                ("report.html", html::page(&terms).render()?.into_bytes()),
            ])?;
        }
        console.show(&json, || text::text(&terms, request.out.as_deref()))?;
        AppError::untrustworthy(&terms.identified).map_or(Ok(()), Err)
    }

    /// The choices of a run, for the page.
    fn facts(&self) -> Vec<(String, String)> {
        let options = &self.options;
        let fact = |name: &str, value: String| (name.to_owned(), value);
        let mut facts = vec![
            fact(
                "preload",
                options.preload.as_deref().unwrap_or("found").to_owned(),
            ),
            fact("candidates", options.candidates.join(", ")),
            fact("highest Chebyshev degree", options.degree.to_string()),
        ];
        facts.retain(|(_, value)| !value.is_empty());
        facts
    }
}
