//! `masing compare`: which model predicts best.

use crate::console::{Console, document};
use crate::error::AppError;
use crate::interrupt;
use crate::output_dir::OutDir;
use crate::provenance;
use crate::request::condition;
use crate::request::{Budget, CompareOptions, CompareRequest, Role, TestSource, study::Study};
use masing_identify::compare::{self, Candidate, Compared, Watching, compare};
use masing_identify::test::reading::{Subject, Tests, tell_apart};
use masing_model::{MotionKind, file};
use masing_report::compare::{CompareDocument, Comparing, html, text};
use std::path::Path;
use std::time::Instant;

/// Told how many models were tried, the best so far and its left-out error.
pub type Tell<'a> = dyn Fn(usize, &str, f64) + Sync + 'a;

/// A line of progress.
pub fn so_far(tried: usize, best: &str, error: f64) -> String {
    if error.is_finite() {
        let error = 100.0 * error;
        format!("{tried} tried, best {best}: {error:.2} % left out")
    } else {
        format!("{tried} tried")
    }
}

/// Tests that models are compared on.
pub struct Ground {
    pub fitted: Tests,
    pub held_out: Tests,
    motion: MotionKind,
    timed: bool,
}

impl Ground {
    /// Reads the tests for any law: those of the path alone where a record has no time.
    pub fn read(tests: &[TestSource]) -> Result<Self, AppError> {
        let read = |rate_independent: bool| -> Result<Self, AppError> {
            let subject = Subject {
                rate_independent,
                ..Subject::default()
            };
            let (mut fitted, mut held_out) = (Tests::default(), Tests::default());
            let mut motion = None;
            for test in tests {
                let spec = test.spec().map_err(|wrong| *wrong.error)?;
                let targets = match test.role() {
                    Role::Fit => &mut fitted,
                    Role::Validate => &mut held_out,
                };
                targets.add(&spec, &subject, &mut motion)?;
            }
            tell_apart(&mut fitted, &mut held_out);
            // Levels of one condition are of one unit.
            condition::conditions_of(tests.iter().map(|test| &test.conditions), &[])?;
            Ok(Self {
                fitted,
                held_out,
                motion: motion.unwrap_or_default(),
                timed: !rate_independent,
            })
        };
        read(false).or_else(|error| read(true).map_err(|_| error))
    }

    /// Compares models on the tests.
    pub fn compare(
        &self,
        asked: &CompareOptions,
        budget: Budget,
        seed: u64,
        threads: Option<usize>,
        tell: &Tell<'_>,
    ) -> Result<Comparing, AppError> {
        let models = asked.each_model()?;
        let candidates = models.iter().map(|text| Candidate::new(text));
        let candidates = candidates.collect::<Result<Vec<_>, _>>()?;
        for candidate in &candidates {
            // Everything that is wrong with a structure is said before the first is tried.
            masing_model::Assembly::from_names(&candidate.text(), |_| {
                masing_model::Shape::default()
            })?;
        }
        let read = asked.target.as_ref().map(|own| own.read(self.motion));
        let (target, assumptions) = read.transpose()?.unzip();
        let options = compare::CompareOptions {
            models: candidates,
            budget: budget.candidates.unwrap_or(usize::MAX),
            seed,
            workers: threads
                .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
            timed: self.timed,
            motion: self.motion,
            target,
        };
        let begun = Instant::now();
        let clock = || begun.elapsed().as_secs_f64();
        let late = || budget.seconds.is_some_and(|most| clock() > most);
        let stop = || interrupt::asked() || late();
        let watching = Watching {
            stop: &stop,
            tell,
            clock: &clock,
        };
        let found: Compared = compare(&self.fitted.list, &self.held_out.list, &options, &watching)
            .map_err(|source| AppError::Compare { source })?;
        Ok(Comparing {
            seconds: clock(),
            // Where candidates are limited as well, a time that was not needed changed nothing.
            by_time: budget.seconds.is_some() && (budget.candidates.is_none() || found.stopped),
            found,
            interrupted: interrupt::asked(),
            motion: self.motion,
            assumptions: assumptions.unwrap_or_default(),
            command: Vec::new(),
        })
    }
}

impl CompareRequest {
    /// The request with everything that its study says, and one test for every file.
    fn resolved(mut self) -> Result<Self, AppError> {
        let mut tests = Vec::new();
        if let Some(path) = &self.study {
            let study = Study::read(path)?;
            self.options.complete(study.compare);
            tests = study.tests;
        }
        for test in &self.tests {
            tests.extend(test.each(Path::new("")).map_err(|wrong| *wrong.error)?);
        }
        self.tests = tests;
        Ok(self)
    }

    /// Compares, and tells the ladder.
    pub fn run(self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let command = provenance::command(self.typed.as_deref(), "compare", &self);
        let request = self.resolved()?;
        let ground = Ground::read(&request.tests)?;
        interrupt::listen();
        let progress = console.spinner("trying models".to_owned());
        let tell = |tried: usize, best: &str, error: f64| {
            progress.set_message(so_far(tried, best, error));
        };
        let budget = request.options.budget()?;
        let compared = ground.compare(&request.options, budget, 0, None, &tell);
        progress.finish_and_clear();
        let mut compared = compared?;
        compared.command = command;
        for tests in [ground.fitted, ground.held_out] {
            compared.assumptions.extend(tests.assumptions);
        }
        let json = CompareDocument::of(&compared);
        if let Some(out) = &out {
            let mut files = vec![
                ("compare.json", document(&json)?),
                ("report.html", html::page(&compared).render()?.into_bytes()),
            ];
            if let Some(chosen) = compared.found.chosen() {
                let model = file::to_text(&chosen.trial.model);
                files.push(("model.toml", model.into_bytes()));
            }
            out.write(&files)?;
        }
        console.show(&json, || text::ladder(&compared, request.out.as_deref()))
    }
}
