//! The main job: tests and a model in, parameters with error bars out.

pub(crate) mod diagnostics;
pub(crate) mod held_out;
pub(crate) mod job;
pub(crate) mod levels;
mod moving_mass;
mod score_test;
mod summary;

pub(crate) use held_out::predict_as_stepped;
pub use held_out::predict_held_out;

use self::job::Job;
use self::summary::{After, summarise};
use crate::conditions::{self, Follow, Followed};
use crate::error::FitError;
use crate::loops::{self, Loops};
use crate::objective::loss::Loss;
use crate::objective::residuals::Residuals;
use crate::objective::{Objective, Watch, Weights};
use crate::problem::unknown::Unknown;
use crate::problem::{SetUp, set_up};
use crate::result::{Estimate, Identified};
use crate::search::optimise::Stop;
use crate::search::progress::Progress;
use crate::search::{Effort, Method, Searched};
use crate::test::Test;
use crate::uncertainty::Uncertainty;
use crate::uncertainty::leave_one_out::Left;
use crate::uncertainty::profile::Profile;
use masing_diagnostic::Diagnostic;
use masing_model::Model;

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Parameters held at a value, by address.
    pub fixed: Vec<(String, f64)>,
    /// Parameters started at a value, by address.
    pub starts: Vec<(String, f64)>,
    /// Parameters estimated although they are not by default, by address: initial states of masses.
    pub free: Vec<String>,
    /// Ranges narrower than those of the elements, by address.
    pub bounds: Vec<(String, f64, f64)>,
    /// Parameters pulled towards a value with a weight (Tikhonov), by address.
    pub tikhonov: Vec<(String, f64, f64)>,
    /// Parameters that follow conditions of the tests, by address.
    pub follow: Vec<(String, Follow)>,
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
    /// Whether a loop law is assessed: whether it suits, and whether the other one would suit better.
    pub assess_loops: bool,
    /// Tests simulated at the same time.
    pub workers: usize,
}

/// The result of a search, with what only the search needs: tests as they were simulated, unknowns,
/// covariance.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// The model with the values found.
    pub(crate) model: Model,
    /// Its parameters with error bars.
    pub(crate) parameters: Vec<Estimate>,
    /// Nuisances: offsets, delays, masses of the rig.
    pub(crate) others: Vec<Estimate>,
    /// How the tests that were fitted turned out.
    pub(crate) tests: Vec<Residuals>,
    /// How the tests that were held out turned out.
    pub(crate) validation: Vec<Residuals>,
    /// Relative error over all fitted tests, with equal weights.
    pub(crate) relative: f64,
    /// Mean square of residuals over noise, where the noise is known.
    pub(crate) chi2_dof: Option<f64>,
    /// Why the search stopped.
    pub(crate) stop: Stop,
    /// Evaluations of all tests.
    pub(crate) evaluations: usize,
    /// How the error fell: evaluations so far and relative error.
    pub(crate) history: Vec<(usize, f64)>,
    /// Correlations and the weakest direction.
    pub(crate) trust: Uncertainty,
    /// What was sought.
    pub(crate) unknowns: Vec<Unknown>,
    /// The parameters without each test in turn.
    pub(crate) left_out: Vec<Left>,
    /// The likelihood along parameters, where it was asked for.
    pub(crate) profiles: Vec<Profile>,
    /// Predicted values, fitted tests first, then those held out.
    pub(crate) predicted: Vec<Vec<f64>>,
    /// The tests as they were simulated.
    pub(crate) simulated: Vec<Test>,
    /// What the user should know.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What only a law with one hysteresis loop has.
    pub(crate) loops: Option<Loops>,
    /// Parameters over their conditions.
    pub(crate) followed: Vec<Followed>,
}

/// Searches with residual scales taken from the last one, for robust losses.
const ROBUST_ROUNDS: usize = 2;

/// Fits `model` to the tests of `fitted` and predicts those of `held_out`.
pub fn fit(
    model: &Model,
    fitted: Vec<Test>,
    held_out: Vec<Test>,
    options: &FitOptions,
    watch: Option<&Watch<'_>>,
) -> Result<Identified, FitError> {
    let mut found = solve(model, fitted, held_out, options, watch)?;
    if found.followed.is_empty() {
        found.loops = Loops::of(&found, options);
    }
    if let Some(assessment) = found.loops.as_ref().and_then(|l| l.assessment.as_ref()) {
        found
            .diagnostics
            .extend(assessment.diagnostics.iter().cloned());
    }
    Ok(found.identified())
}

/// The search of a fit, and what is known about its minimum.
pub(crate) fn solve(
    model: &Model,
    mut fitted: Vec<Test>,
    held_out: Vec<Test>,
    options: &FitOptions,
    watch: Option<&Watch<'_>>,
) -> Result<Solution, FitError> {
    if options.effort.method == Method::SemiAnalytic {
        if !options.follow.is_empty() || !model.following().is_empty() {
            let why = "a parameter follows a condition";
            return Err(FitError::SemiAnalytic { why });
        }
        return loops::by_formula(model, fitted, held_out);
    }
    let progress = Progress::new(watch);
    let mut options = options.clone();
    let mut plan = conditions::plan(model, &fitted, &options, &progress)?;
    let mut again = true;
    loop {
        let begin = plan.as_ref().map_or(model, |plan| &plan.starts[0]);
        if plan.is_some() {
            let elements = begun_at(begin);
            options
                .starts
                .retain(|(a, _)| !elements.iter().any(|(known, _)| a == known));
            options.starts.extend(elements);
        }
        let SetUp {
            model: first,
            unknowns,
            rules,
            guess,
        } = set_up(begin, &mut fitted, &options, &progress)?;
        let mut job = Job {
            model: &first,
            unknowns: &unknowns,
            fitted,
            rules,
            effort: options.effort,
            progress: &progress,
        };
        let found = job.elements_first(&options, guess.as_deref())?;
        let Searched {
            best: mut outcome,
            mut rivals,
        } = match found {
            Some(found) => found,
            None => {
                let starts = plan.as_ref().map(|plan| plan.starts.as_slice());
                job.first_search(
                    &options,
                    guess.as_deref().filter(|_| starts.is_none()),
                    starts,
                )?
            }
        };
        if job.settle_steps(&mut outcome)? && again {
            // Other initial states are other unknowns: once more, from the values found.
            again = false;
            options.starts.extend(job.parameters(&outcome));
            if let Some(plan) = &mut plan {
                plan.starts = vec![job.model_at(&outcome)?];
            }
            fitted = job.fitted;
            continue;
        }
        if job.smooth_accelerations(&outcome)? {
            job.search_again(&mut outcome)?;
            rivals.clear();
        }
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
        let objective = Objective::new(&first, &fitted, &unknowns, job.rules.clone());
        let ranked = plan.map(|plan| plan.ranked).unwrap_or_default();
        let after = After {
            held_out,
            options: &options,
            ranked: &ranked,
        };
        return summarise(&objective, &outcome, &rivals, after, &progress);
    }
}

/// The values of the elements as starts, but for what follows conditions.
fn begun_at(model: &Model) -> Vec<(String, f64)> {
    let values = model.params().into_iter().zip(model.element_values());
    let values = values.enumerate();
    let follows = |i: usize| model.following().iter().any(|f| f.param == i);
    values
        .filter(|(i, _)| !follows(*i))
        .map(|(_, ((address, _), value))| (address, *value))
        .collect()
}
