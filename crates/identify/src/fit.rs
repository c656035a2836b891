//! The main job: tests and a model in, parameters with error bars out.

pub(crate) mod diagnostics;
pub(crate) mod held_out;
mod job;
mod score_test;
mod summary;

pub use held_out::predict_held_out;

use self::job::Job;
use self::summary::summarise;
use crate::error::FitError;
use crate::loops;
use crate::objective::comparison::Comparison;
use crate::objective::loss::Loss;
use crate::objective::{Objective, Watch, Weights};
use crate::problem::unknown::{Place, Unknown};
use crate::problem::{SetUp, set_up};
use crate::search::optimise::Stop;
use crate::search::progress::Progress;
use crate::search::{Effort, Method, Searched};
use crate::test::Test;
use crate::uncertainty::leave_one_out::Left;
use crate::uncertainty::profile::Profile;
use crate::uncertainty::{Status, Uncertainty};
use masing_diagnostic::Diagnostic;
use masing_model::Model;

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Parameters held at a value, by address.
    pub fixed: Vec<(String, f64)>,
    /// Parameters started at a value, by address.
    pub starts: Vec<(String, f64)>,
    /// Parameters sought although they are not by default: what masses start with, by address.
    pub free: Vec<String>,
    /// Ranges narrower than those of the elements, by address.
    pub bounds: Vec<(String, f64, f64)>,
    /// Parameters held towards a value with a weight (Tikhonov), by address.
    pub tikhonov: Vec<(String, f64, f64)>,
    /// How tests count against each other.
    pub weights: Weights,
    /// How much large residuals count.
    pub loss: Loss,
    /// Seed of the variations of the start.
    pub seed: u64,
    /// How hard to look.
    pub effort: Effort,
    /// Parameters whose likelihood is followed away from the optimum, by address.
    pub profiles: Vec<String>,
    /// Whether every test is left out once, where there are three or more.
    pub leave_one_out: bool,
    /// Tests simulated at the same time.
    pub workers: usize,
}

/// One parameter of the model after the fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Address.
    pub address: String,
    /// Value.
    pub value: f64,
    /// Standard error; `None` for a parameter that was given.
    pub std_error: Option<f64>,
    /// Interval that holds the truth in 95 of 100 cases.
    pub ci95: Option<[f64; 2]>,
    /// Standard error from leaving out one test at a time, where there are three or more.
    pub leave_one_out: Option<f64>,
    /// Whether it can be trusted.
    pub status: Status,
}

/// A number that belongs to a test, not to the part.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// Test and kind.
    pub name: String,
    /// What it is.
    pub place: Place,
    /// Value.
    pub value: f64,
    /// Standard error.
    pub std_error: f64,
    /// Interval that holds the truth in 95 of 100 cases, within the range that was searched.
    pub ci95: [f64; 2],
    /// Whether it can be trusted.
    pub status: Status,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The model with the values found.
    pub model: Model,
    /// Its parameters with error bars.
    pub parameters: Vec<Found>,
    /// Numbers found beside the parameters: offsets, delays, masses of the rig.
    pub others: Vec<Other>,
    /// How the tests that were fitted turned out.
    pub tests: Vec<Comparison>,
    /// How the tests that were held out turned out.
    pub validation: Vec<Comparison>,
    /// Relative error over all fitted tests, each with the same share.
    pub relative: f64,
    /// Mean square of residuals over noise, where the noise is known.
    pub chi2_dof: Option<f64>,
    /// Why the search stopped.
    pub stop: Stop,
    /// Evaluations of all tests.
    pub evaluations: usize,
    /// How the error fell: evaluations so far and relative error.
    pub history: Vec<(usize, f64)>,
    /// Correlations and the weakest direction.
    pub trust: Uncertainty,
    /// What was sought.
    pub unknowns: Vec<Unknown>,
    /// The parameters without each test in turn.
    pub left_out: Vec<Left>,
    /// The likelihood along parameters, where it was asked for.
    pub profiles: Vec<Profile>,
    /// Predicted values, fitted tests first, then those held out.
    pub predicted: Vec<Vec<f64>>,
    /// The tests as they were simulated.
    pub targets: Vec<Test>,
    /// What the user should know.
    pub diagnostics: Vec<Diagnostic>,
}

impl Fit {
    /// The tests that were fitted, as they were simulated.
    pub fn fitted(&self) -> impl Iterator<Item = &Test> {
        self.targets.iter().take(self.tests.len())
    }
}

/// Searches with residual scales taken from the last one, for robust losses.
const ROBUST_ROUNDS: usize = 2;

/// Fits `model` to the tests of `fitted` and predicts those of `held_out`.
pub fn fit(
    model: &Model,
    mut fitted: Vec<Test>,
    held_out: Vec<Test>,
    options: &FitOptions,
    watch: Option<&Watch<'_>>,
) -> Result<Fit, FitError> {
    if options.effort.method == Method::SemiAnalytic {
        return loops::by_formula(model, fitted, held_out);
    }
    let SetUp {
        model,
        unknowns,
        rules,
        guess,
    } = set_up(model, &fitted, options)?;
    for target in &mut fitted {
        target.choose_numerics(&model, model.values())?;
    }
    let progress = Progress::new(watch);
    let mut job = Job {
        model: &model,
        unknowns: &unknowns,
        fitted,
        rules,
        effort: options.effort,
        progress: &progress,
    };
    let found = job.elements_first(options, guess.as_deref())?;
    let Searched {
        best: mut outcome,
        mut rivals,
    } = match found {
        Some(found) => found,
        None => job.first_search(options, guess.as_deref())?,
    };
    job.settle_steps(&mut outcome)?;
    if options.weights == Weights::Noise && job.guess_noise(&outcome)? {
        job.search_again(&mut outcome)?;
        // Minima of another cost say nothing about this one.
        rivals.clear();
    }
    if options.loss != Loss::Linear {
        job.rules.loss = options.loss;
        rivals.clear();
        for _ in 0..ROBUST_ROUNDS {
            job.take_scales(&outcome)?;
            job.search_again(&mut outcome)?;
        }
    }
    let fitted = std::mem::take(&mut job.fitted);
    let objective = Objective::new(&model, &fitted, &unknowns, job.rules.clone());
    summarise(&objective, &outcome, &rivals, held_out, options, &progress)
}
