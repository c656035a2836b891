//! `masing fit`: parameters with error bars from tests.

pub mod choices;
mod fitted;
mod job;
mod values;

pub use fitted::Fitted;
pub use job::known_motion;

use super::compare::{Ground, Tell, so_far};
use crate::console::Console;
use crate::error::AppError;
use crate::interrupt;
use crate::output_dir::OutDir;
use crate::provenance;
use crate::request::{Assignment, FitRequest, ModelSource, Role, Value};
use job::Job;
use masing_identify::objective::Watch;
use masing_identify::{FitOptions, Test, fit};
use masing_model::Model;
use masing_report::compare::Comparing;
use masing_report::identified::html::provenance::options as said;
use masing_report::identified::json::FitDocument;
use std::time::Instant;

impl FitRequest {
    /// Searches, and tells the result.
    pub fn run(self, console: Console) -> Result<(), AppError> {
        let out = self.out.clone();
        interrupt::listen();
        let progress = console.spinner("searching".to_owned());
        let tell = |tried: usize, best: &str, error: f64| {
            progress.set_message(so_far(tried, best, error));
        };
        let work = self.prepare(&tell)?;
        let watch = |_: &[f64], error: f64, evaluations: usize| {
            if error.is_finite() {
                let error = 100.0 * error;
                progress.set_message(format!("{evaluations} evaluations, error {error:.3} %"));
            }
            interrupt::asked()
        };
        let result = work.search(&watch);
        progress.finish_and_clear();
        let fitted = result?;
        console.show(&FitDocument::of(&fitted.found), || {
            fitted.text(out.as_deref())
        })?;
        fitted.failure().map_or(Ok(()), Err)
    }

    /// Searches and keeps all of the result. `watch` sees the unknowns, the error so far and the evaluations spent, and
    /// ends the search with the best so far by returning true.
    pub fn fit(
        self,
        watch: &(dyn Fn(&[f64], f64, usize) -> bool + Sync),
    ) -> Result<Fitted, AppError> {
        self.prepare(&|_, _, _| ())?.search(watch)
    }

    /// Reads everything that is needed.
    fn prepare(self, tell: &Tell<'_>) -> Result<Work, AppError> {
        let started = Instant::now();
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let asked = self.clone();
        let mut request = self.resolved()?;
        let compared = match request.model {
            Some(_) => None,
            None => Some(request.find_model(tell)?),
        };
        Ok(Work {
            started,
            out,
            job: Job::new(&request)?,
            request: asked,
            compared,
        })
    }

    /// Compares models on the tests and takes the one that predicts best, from the values found.
    fn find_model(&mut self, tell: &Tell<'_>) -> Result<Comparing, AppError> {
        if self.of_role(Role::Fit).next().is_none() {
            return Err(AppError::option("tests", "", "at least one test to fit"));
        }
        let ground = Ground::read(&self.tests)?;
        let seed = self.options.seed.unwrap_or_default();
        let (asked, threads) = (&self.compare, self.options.threads);
        let compared = ground.compare(asked, asked.budget()?, seed, threads, tell)?;
        if let Some(chosen) = compared.found.chosen() {
            let trial = &chosen.trial;
            self.model = Some(ModelSource::Named(trial.candidate.text()));
            let params = trial.model.params();
            let following = trial.model.following();
            self.options.start = trial
                .starts()
                .into_iter()
                .map(|(address, value)| Assignment {
                    address,
                    value: Value::Number(value),
                })
                .collect();
            self.options.follow = following
                .iter()
                .map(|own| {
                    let forms = own
                        .of
                        .iter()
                        .map(|(name, form)| format!("{name}:{}", form.name()));
                    let forms: Vec<String> = forms.collect();
                    format!("{}={}", params[own.param].0, forms.join("*"))
                })
                .collect();
            for test in &mut self.tests {
                test.nuisance.add(trial.candidate.added);
            }
        }
        Ok(compared)
    }
}

/// A fit that can begin.
struct Work {
    request: FitRequest,
    started: Instant,
    out: Option<OutDir>,
    job: Job,
    /// How the model was found, where none was given.
    compared: Option<Comparing>,
}

impl Work {
    /// Searches, and writes the folder of results if there is to be one.
    fn search(self, watch: &Watch<'_>) -> Result<Fitted, AppError> {
        let (mut job, request) = (self.job, self.request);
        let fitted = std::mem::take(&mut job.fitted.list);
        let held_out = std::mem::take(&mut job.held_out.list);
        let result = fit(&job.model, fitted, held_out, &job.options, Some(watch));
        let mut found = result.map_err(|source| AppError::Fit {
            model: job.name.clone(),
            source,
        })?;
        for tests in [&mut job.fitted, &mut job.held_out] {
            found.data.diagnostics.append(&mut tests.diagnostics);
            found.data.assumptions.append(&mut tests.assumptions);
        }
        let read = job.fitted.files.iter().chain(&job.held_out.files);
        let files = request.study.iter().chain(read);
        let command = provenance::command(request.typed.as_deref(), "fit", &request);
        found.provenance = provenance::of(command, files, said(&job.options));
        found.provenance.model = job.name;
        found.model.part = job.part;
        found.compared = self.compared.map(|c| Box::new(c.found));
        found.search.seconds = self.started.elapsed().as_secs_f64();
        let fitted = Fitted { found };
        if let Some(out) = &self.out {
            out.write(&fitted.files()?)?;
        }
        Ok(fitted)
    }
}

/// Fits a model that no file describes, one with laws of your own, to tests that are at hand, and tells the
/// result as `masing fit` does.
pub fn fit_model(
    model: &Model,
    fitted: Vec<Test>,
    held_out: Vec<Test>,
    options: &FitOptions,
) -> Result<Fitted, AppError> {
    let started = Instant::now();
    let kinds = model.assembly().parts().iter().map(|p| p.kind.as_str());
    let name = kinds.collect::<Vec<_>>().join("+");
    let result = fit(model, fitted, held_out, options, None);
    let mut found = result.map_err(|source| AppError::Fit {
        model: name.clone(),
        source,
    })?;
    found.provenance = provenance::of(Vec::new(), [], said(options));
    found.provenance.model = name;
    found.search.seconds = started.elapsed().as_secs_f64();
    Ok(Fitted { found })
}
