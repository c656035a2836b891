//! `masing init`: a commented study.toml from what `inspect` found, for the model that predicts best.

mod model;
mod study;

use super::compare::{Ground, so_far};
use super::inspect::tests;
use crate::console::{Console, write_out};
use crate::error::AppError;
use crate::interrupt;
use crate::output::OutFile;
use crate::request::study::Study;
use crate::request::{Budget, CompareOptions, InitRequest};
use crate::schema;
use masing_data::Window;
use masing_report::compare::{Comparing, verdict};
use masing_report::inspect::Inspected;
use model::Written;
use serde::Serialize;
use std::path::Path;
use study::Told;

/// Candidates that are tried, and for how long at most: a study is something to begin with.
const BUDGET: Budget = Budget {
    candidates: Some(24),
    seconds: Some(20.0),
};

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    study: String,
    out: Option<String>,
    /// What the comparison of models says, where there was one.
    verdict: Option<String>,
}

impl InitRequest {
    /// Inspects, looks for a model, and writes the study.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutFile::prepare).transpose()?;
        let mut found: Vec<Told> = Vec::new();
        for source in &self.tests {
            let each = tests(source)?.into_iter();
            found.extend(each.map(|(test, options)| Told {
                test,
                options,
                conditions: source.conditions.clone(),
            }));
        }
        let folder = self.out.as_deref().and_then(Path::parent);
        let (model, verdict) = self.model(&found, folder, console)?;
        let study = study::study(&found, &model, folder);
        if let Some(out) = &out {
            out.write(|to| to.write_all(study.as_bytes()))?;
            // The first line of the study names it.
            let beside = OutFile::prepare(&out.path().with_file_name(schema::STUDY_FILE))?;
            beside.write(|to| to.write_all(schema::text(&schema::study()).as_bytes()))?;
        } else if !console.json {
            // The study is the result, not talk about it: --quiet does not silence it.
            return write_out(study.as_bytes());
        }
        let written = self.out.as_ref().map(|path| path.display().to_string());
        let document = Document {
            schema: "masing.init/1",
            study,
            out: written,
            verdict,
        };
        console.show(&document, || {
            let path = document.out.as_deref().unwrap_or_default();
            let tests = found.len();
            let word = if tests == 1 { "test" } else { "tests" };
            let head = document.verdict.as_ref();
            let head = head.map_or_else(String::new, |said| format!("{said}\n\n"));
            format!(
                "{head}{path} written with {tests} {word}; look it over, then: masing fit {path}"
            )
        })
    }

    /// What the study says about its model, and what was found by comparing.
    fn model(
        &self,
        told: &[Told],
        folder: Option<&Path>,
        console: Console,
    ) -> Result<(Written, Option<String>), AppError> {
        let asked = CompareOptions {
            budget: self.budget.clone(),
            ..CompareOptions::default()
        };
        let budget = match self.budget {
            Some(_) => asked.budget()?,
            None => BUDGET,
        };
        let tests: Vec<&Inspected> = told.iter().map(|own| &own.test).collect();
        if let Some(text) = &self.model {
            return Ok((Written::given(&tests, text)?, None));
        }
        if self.no_compare {
            return Ok((Written::first_choice(&tests, None), None));
        }
        let plain = study::study(told, &Written::first_choice(&tests, None), folder);
        let whole: Vec<bool> = told
            .iter()
            .map(|own| matches!(own.options.window, Window::All))
            .collect();
        match compared((plain, folder), &whole, &asked, budget, console) {
            Ok(compared) => {
                let Some(chosen) = compared.found.chosen() else {
                    return Ok((Written::first_choice(&tests, None), None));
                };
                let tried = compared.found.ladder.len() + compared.found.failed.len();
                let said = verdict(&compared);
                let written = format!(
                    "Found by comparing {tried} candidates on the fitted tests: {said} `masing compare` looks longer."
                );
                Ok((Written::found(&tests, chosen, &written)?, Some(said)))
            }
            // A study can be written all the same; what is wrong with the files, `fit` will say again.
            Err(error) => {
                let why = error.to_string();
                let why = why.trim_end_matches('.').replace('\n', " ");
                let said = format!("No models were compared: {why}.");
                Ok((Written::first_choice(&tests, Some(&why)), Some(said)))
            }
        }
    }
}

/// Models compared on the tests of a study that is not written yet, as it will read them; but for `whole` ones, of which
/// all cycles count: one cycle alone leaves nothing to predict.
fn compared(
    (text, folder): (String, Option<&Path>),
    whole: &[bool],
    asked: &CompareOptions,
    budget: Budget,
    console: Console,
) -> Result<Comparing, AppError> {
    let path = folder.unwrap_or(Path::new("")).join("study.toml");
    let mut study = Study::of_text(&path, text)?;
    let whole = study
        .tests
        .iter_mut()
        .zip(whole)
        .filter(|(_, whole)| **whole);
    whole.for_each(|(test, _)| test.window = None);
    let ground = Ground::read(&study.tests)?;
    interrupt::listen();
    let progress = console.spinner("trying models".to_owned());
    let tell = |tried: usize, best: &str, error: f64| {
        progress.set_message(so_far(tried, best, error));
    };
    let found = ground.compare(asked, budget, 0, None, &tell);
    progress.finish_and_clear();
    found
}
