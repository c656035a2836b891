//! One candidate tried: a fit to all tests, and one without each part of them.

use super::candidate::Candidate;
use super::folds::Fold;
use super::strength;
use super::target::{Aim, error_on};
use crate::conditions;
use crate::error::FitError;
use crate::fit::{FitOptions, predict_held_out};
use crate::objective::{Objective, Residuals};
use crate::problem::unknown::Unknown;
use crate::problem::{SetUp, far_off, first_value, set_up, starts};
use crate::search::ROUGH;
use crate::search::optimise::{Options, Outcome, Stop, trust_region};
use crate::search::progress::Progress;
use crate::start::nested::nested;
use crate::test::Test;
use masing_model::{Form, Model, MotionKind};

/// A descent to the bottom of the chosen minimum: the error is known to a hundredth of itself.
const SETTLED: Options = Options {
    cost: 1e-4,
    step: 1e-5,
    gradient: 1e-12,
    evaluations: 40,
};
/// A descent without a part of the tests, from the minimum with all of them.
const NEAR: Options = Options {
    cost: 1e-3,
    step: 1e-4,
    gradient: 1e-12,
    evaluations: 10,
};
/// By how much a fold's solution must meet all tests better to be followed.
const CLEARLY_BETTER: f64 = 0.98;

/// The tests, and what is common to all trials.
pub(super) struct Bench<'a> {
    /// Fitted tests, reduced.
    pub tests: Vec<Test>,
    /// Held-out tests, reduced: shown, never used.
    pub held_out: Vec<Test>,
    pub folds: Vec<Fold>,
    /// How much errors count for the motion that the model is for.
    pub aim: Option<Aim>,
    pub motion: MotionKind,
    pub seed: u64,
    /// Conditions with several levels, and the form that strengths have over them.
    pub follow: Vec<(String, Form)>,
    /// How strong the part is in each test, at its levels, relative to the others.
    pub strengths: Vec<f64>,
    /// Whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Seconds since some moment, where somebody measures.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
}

/// The error of one part of the tests that was left out.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOutError {
    /// What was left out.
    pub name: String,
    /// Relative error there.
    pub error: f64,
    /// How much it counts among the others: 1, or more where the motion is that which the model is for.
    pub weight: f64,
}

impl LeftOutError {
    /// An error that counts as all others do.
    pub(super) fn new(name: &str, error: f64) -> Self {
        Self {
            name: name.to_owned(),
            error,
            weight: 1.0,
        }
    }
}

/// A test that was fitted, beside what the model gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its name.
    pub test: String,
    /// Displacement.
    pub x: Vec<f64>,
    /// Measured force.
    pub measured: Vec<f64>,
    /// Force of the model.
    pub predicted: Vec<f64>,
}

/// A candidate with its errors.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The structure.
    pub candidate: Candidate,
    /// The model with the values found from all tests.
    pub model: Model,
    /// Numbers of the model that were sought.
    pub parameters: usize,
    /// Relative error of every fitted test.
    pub each: Vec<LeftOutError>,
    /// Relative error of what was left out, fold by fold.
    pub left_out: Vec<LeftOutError>,
    /// Relative error of the held-out tests.
    pub held_out: Vec<LeftOutError>,
    /// Why some motion could draw energy from it, if it could.
    pub non_passive: Option<&'static str>,
    /// Seconds it took.
    pub seconds: f64,
    /// Solutions of the unknowns by name.
    pub(super) values: Vec<(String, f64)>,
    /// The minimum.
    pub(super) found: Outcome,
    /// The tests as they were simulated.
    pub(super) tests: Vec<Test>,
    pub(super) unknowns: Vec<Unknown>,
}

/// Root mean square of errors, each as much as it counts.
pub(super) fn rms(errors: &[LeftOutError]) -> f64 {
    let squares: f64 = errors.iter().map(|e| e.weight * e.error * e.error).sum();
    let weights: f64 = errors.iter().map(|e| e.weight).sum();
    (squares / weights.max(f64::MIN_POSITIVE)).sqrt()
}

impl Trial {
    /// Relative error over the fitted tests.
    pub fn fitted(&self) -> f64 {
        rms(&self.each)
    }

    /// Root mean square of the errors on what was left out.
    pub fn left_out_rms(&self) -> f64 {
        if self.left_out.is_empty() {
            f64::INFINITY
        } else {
            rms(&self.left_out)
        }
    }

    /// The tests that were fitted beside what the model gives, as they were tried.
    pub fn loops(&self) -> Vec<Loop> {
        let objective = self.objective();
        let values: Vec<f64> = self.values.iter().map(|(_, value)| *value).collect();
        let each = self.tests.iter().enumerate().filter_map(|(k, test)| {
            let rig = test.motion_record()?;
            let predicted = objective.predict(k, &values, false).ok()?.values;
            let pick = |from: &[f64]| rig.samples().map(|i| from[i]).collect();
            Some(Loop {
                test: test.name.clone(),
                x: pick(rig.motion.x()),
                measured: pick(&rig.force),
                predicted: pick(&predicted),
            })
        });
        each.collect()
    }

    /// The objective that was minimised.
    pub(super) fn objective(&self) -> Objective<'_> {
        Objective::new(
            &self.model,
            &self.tests,
            &self.unknowns,
            crate::Rules::default(),
        )
    }
}

/// Values of unknowns by name: a start that knows only some of them.
pub(super) type Known = Vec<(String, f64)>;

impl Bench<'_> {
    /// The options of a trial: the strength of every block follows the conditions.
    pub(super) fn options(&self, candidate: &Candidate) -> Result<FitOptions, FitError> {
        Ok(FitOptions {
            seed: self.seed,
            follow: strength::follow(&candidate.model(self.motion)?, &self.follow),
            ..FitOptions::default()
        })
    }

    /// The model of a candidate; what follows conditions begins as the forces of the tests do.
    pub(super) fn model(
        &self,
        candidate: &Candidate,
        tests: &[Test],
        options: &FitOptions,
    ) -> Result<Model, FitError> {
        let model = candidate.model(self.motion)?;
        if options.follow.is_empty() {
            return Ok(model);
        }
        conditions::by_strength(&model, tests, options, &self.strengths)
    }

    /// Tries a candidate from starts of which some values are known, and from guesses where there are none.
    pub(super) fn trial(&self, candidate: &Candidate, known: &[Known]) -> Result<Trial, FitError> {
        let begun = (self.clock)();
        let mut tests = candidate.added.to(&self.tests);
        let options = self.options(candidate)?;
        let model = self.model(candidate, &tests, &options)?;
        let watch = |_: &[f64], _: f64, _: usize| (self.stop)();
        let progress = Progress::new(Some(&watch));
        let SetUp {
            model: first,
            unknowns,
            rules,
            ..
        } = set_up(&model, &mut tests, &options, &progress)?;
        let objective =
            Objective::new(&first, &tests, &unknowns, rules.clone()).watched(Some(&watch));
        let value = |known: &Known, u: &Unknown| {
            let found = known.iter().find(|(name, _)| *name == u.name);
            found.map_or_else(|| first_value(&first, &tests, u), |(_, value)| *value)
        };
        let of = |known: &Known| unknowns.iter().map(|u| value(known, u)).collect();
        let mut begin: Vec<Vec<f64>> = known.iter().map(of).collect();
        if known.is_empty() {
            begin = starts(&objective, &tests, &options);
            // A sum that follows conditions begins from them alone.
            if far_off(&first, &unknowns, &options) && first.following().is_empty() {
                begin.extend(nested(&objective, &tests, &options, &progress));
            }
        }
        let mut found = deepest(&objective, &begin).ok_or(FitError::NoStart)?;
        // The steps were chosen at the first values; the values found may need finer ones.
        let there = objective.model_at(&objective.values_of(&found.x))?;
        drop(objective);
        for test in &mut tests {
            let p = there.values_at(&test.conditions)?;
            test.choose_numerics(&first, &p)?;
        }
        let objective =
            Objective::new(&first, &tests, &unknowns, rules.clone()).watched(Some(&watch));
        found = trust_region(&objective, &found.x, &SETTLED);
        let mut left_out = Vec::new();
        for again in [true, false] {
            let (errors, better) = self.leave_out(&objective, &found, candidate)?;
            left_out = errors;
            // A fold may find the way to a minimum that all tests together missed.
            match better.filter(|_| again && !(self.stop)()) {
                Some(x) => found = trust_region(&objective, &x, &SETTLED),
                None => break,
            }
        }
        if found.stop == Stop::BadStart || !found.cost.is_finite() {
            return Err(FitError::NoStart);
        }
        let values = objective.values_of(&found.x);
        let model = objective.model_at(&values)?;
        let mut each = Vec::new();
        for (k, test) in tests.iter().enumerate() {
            let predicted = objective.predict(k, &values, false)?.values;
            let own =
                crate::objective::residuals::compare(test, objective.rows(k), &predicted, 0.0);
            each.push(error_of(&own));
        }
        let mut held_out = Vec::new();
        for mut test in candidate.added.to(&self.held_out) {
            held_out.push(error_of(&predict_held_out(&model, &mut test)?.0));
        }
        let mut parts = model.assembly().parts().iter();
        let non_passive = parts.find_map(|part| {
            part.element
                .law()
                .non_passive(&model.values()[part.params.clone()])
        });
        let names = unknowns.iter().map(|u| u.name.clone());
        let sought = |u: &&Unknown| u.place.is_of_model();
        Ok(Trial {
            candidate: candidate.clone(),
            parameters: unknowns.iter().filter(sought).count(),
            each,
            left_out,
            held_out,
            non_passive,
            seconds: (self.clock)() - begun,
            values: names.zip(values).collect(),
            found,
            model,
            tests,
            unknowns,
        })
    }

    /// The errors on what is left out, and the solution of a fold that meets all tests better than `found`.
    fn leave_out(
        &self,
        objective: &Objective<'_>,
        found: &Outcome,
        candidate: &Candidate,
    ) -> Result<(Vec<LeftOutError>, Option<Vec<f64>>), FitError> {
        let mut errors = Vec::new();
        let mut better = None;
        let mut least = CLEARLY_BETTER * found.cost;
        for fold in &self.folds {
            if (self.stop)() {
                break;
            }
            let aim = self.aim.as_ref();
            let (x, error) = predicted_fold(objective, found, candidate, fold, aim)?;
            errors.push(error);
            let cost = objective.cost(&objective.values_of(&x));
            if let Some(cost) = cost.filter(|c| *c < least) {
                least = cost;
                better = Some(x);
            }
        }
        Ok((errors, better))
    }
}

/// The solution without a part of the tests, and the relative error on that part.
pub(super) fn predicted_fold(
    objective: &Objective<'_>,
    found: &Outcome,
    candidate: &Candidate,
    fold: &Fold,
    aim: Option<&Aim>,
) -> Result<(Vec<f64>, LeftOutError), FitError> {
    let p = objective.parameters(&objective.values_of(&found.x));
    let mut kept = candidate.added.to(&fold.kept);
    for (test, whole) in kept.iter_mut().zip(objective.tests) {
        match (test.motion_record_mut(), whole.motion_record()) {
            (Some(rig), Some(whole)) => {
                (rig.numerics, rig.cycles) = (whole.numerics, whole.cycles);
            }
            _ => test.choose_numerics(objective.model, &p)?,
        }
    }
    let rules = objective.rules.clone();
    let without = Objective::new(objective.model, &kept, objective.unknowns, rules);
    let end = trust_region(&without, &found.x, &NEAR);
    let values = without.values_of(&end.x);
    let model = without.model_at(&values)?;
    let mut left = Vec::new();
    for mut test in candidate.added.to(&fold.left) {
        let (residuals, predicted) = predict_held_out(&model, &mut test)?;
        left.push((test, residuals.relative, predicted));
    }
    Ok((end.x, error_on(aim, &fold.name, &left)))
}

fn error_of(own: &Residuals) -> LeftOutError {
    LeftOutError::new(&own.name, own.relative)
}

/// The deepest minimum of rough descents from all starts.
fn deepest(objective: &Objective<'_>, starts: &[Vec<f64>]) -> Option<Outcome> {
    let mut best: Option<Outcome> = None;
    for start in starts {
        let found = trust_region(objective, &objective.internal(start), &ROUGH);
        let interrupted = found.stop == Stop::Interrupted;
        let deeper = best.as_ref().is_none_or(|b| found.cost < b.cost);
        if found.stop != Stop::BadStart && found.cost.is_finite() && deeper {
            best = Some(found);
        }
        if interrupted {
            break;
        }
    }
    best
}
