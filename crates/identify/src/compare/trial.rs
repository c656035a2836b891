//! One candidate tried: a fit to all tests, and one without each part of them.

use super::candidate::Candidate;
use super::folds::Fold;
use super::strength;
use super::target::{Aim, error_on};
use crate::conditions;
use crate::error::FitError;
use crate::fit::{FitOptions, predict_as_stepped, predict_held_out};
use crate::objective::{Objective, Residuals, Rules};
use crate::problem::unknown::{Place, Unknown};
use crate::problem::{SetUp, far_off, first_value, set_up, starts};
use crate::search::ROUGH;
use crate::search::optimise::{Options, Outcome, Stop, trust_region};
use crate::search::progress::Progress;
use crate::start::nested::nested;
use crate::test::Test;
use masing_model::{Form, Model, MotionKind, Scale};

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
/// A first descent from each of several starts, and how many of them are followed: a start that is not among the
/// best after a few steps rarely ends as the best.
const SHORT: Options = Options {
    evaluations: 6,
    ..ROUGH
};
const FOLLOWED: usize = 2;
/// By how much a fold's solution must meet all tests better to be followed.
const CLEARLY_BETTER: f64 = 0.98;

/// How far from the ends of its range a full fit begins, in typical sizes of a parameter.
const OFF_THE_ENDS: f64 = 1e-3;

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
    /// Whether the time of the records is known.
    pub timed: bool,
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
    /// Residuals of all fitted tests together over their forces, both rms: tests with small forces count little.
    pub over_all: Option<f64>,
    /// Relative error of what was left out, fold by fold.
    pub left_out: Vec<LeftOutError>,
    /// Whether leaving out was ended early because the model was clearly behind: the errors are at least these.
    pub at_least: bool,
    /// Whether somebody stopped it before all parts were left out.
    pub(super) cut_short: bool,
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

    /// Values of the model's own numbers by address, for a full fit to begin from: none at an end of its range, from
    /// where a search takes only the smallest of steps.
    pub fn starts(&self) -> Vec<(String, f64)> {
        let following = self.model.following();
        let params = self.model.params().into_iter().zip(self.model.values());
        let own = params
            .enumerate()
            .filter(|(i, _)| following.iter().all(|f| f.param != *i));
        let inside = |i: usize, value: f64| {
            let sought = |u: &&Unknown| u.place == Place::Param(i) && u.scale == Scale::Linear;
            match self.unknowns.iter().find(sought) {
                Some(u) if u.max - u.min > 2.0 * OFF_THE_ENDS * u.typical => {
                    let room = OFF_THE_ENDS * u.typical;
                    value.clamp(u.min + room, u.max - room)
                }
                _ => value,
            }
        };
        own.map(|(i, ((address, _), value))| (address, inside(i, *value)))
            .collect()
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

    /// Fits a candidate to all tests, from starts of which some values are known, and from guesses where there are
    /// none.
    pub(super) fn fitted(
        &self,
        candidate: &Candidate,
        known: &[Known],
    ) -> Result<Fitted, FitError> {
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
        let rough = deepest(&objective, &begin).ok_or(FitError::NoStart)?;
        // The steps were chosen at the first values; the values found may need finer ones.
        let there = objective.model_at(&objective.values_of(&rough.x))?;
        drop(objective);
        for test in &mut tests {
            let p = there.values_at(&test.conditions)?;
            test.choose_numerics(&first, &p)?;
        }
        let mut fitted = Fitted {
            candidate: candidate.clone(),
            first,
            tests,
            unknowns,
            rules,
            found: rough,
            seconds: 0.0,
            bounds: vec![],
        };
        fitted.settle(self)?;
        fitted.seconds = (self.clock)() - begun;
        Ok(fitted)
    }

    /// The errors of a candidate on what is left out, until it is clear that they are beyond `limit`.
    pub(super) fn trial(&self, mut fitted: Fitted, limit: f64) -> Result<Trial, FitError> {
        let begun = (self.clock)();
        let mut left_out = fitted.leave_out(self, limit)?;
        // A fold may find the way to a minimum that all tests together missed.
        if let Some(x) = left_out.better.take().filter(|_| !(self.stop)()) {
            fitted.found.x = x;
            fitted.settle(self)?;
            left_out = fitted.leave_out(self, limit)?;
        }
        let objective = fitted.objective();
        let values = objective.values_of(&fitted.found.x);
        let model = objective.model_at(&values)?;
        let (mut each, mut residuals, mut forces) = (Vec::new(), 0.0, 0.0);
        for (k, test) in fitted.tests.iter().enumerate() {
            let predicted = objective.predict(k, &values, false)?.values;
            let own =
                crate::objective::residuals::compare(test, objective.rows(k), &predicted, 0.0);
            each.push(error_of(&own));
            residuals += own.rms.powi(2);
            forces += (own.rms / own.relative).powi(2);
        }
        let histories = fitted.tests.iter().all(|t| t.is_history());
        let over_all = (histories && forces.is_finite()).then(|| (residuals / forces).sqrt());
        let mut held_out = Vec::new();
        for mut test in fitted.candidate.added.to(&self.held_out) {
            held_out.push(error_of(&predict_held_out(&model, &mut test)?.0));
        }
        let mut parts = model.assembly().parts().iter();
        let non_passive = parts.find_map(|part| {
            part.element
                .law()
                .non_passive(&model.values()[part.params.clone()])
        });
        drop(objective);
        let names = fitted.unknowns.iter().map(|u| u.name.clone());
        let sought = |u: &&Unknown| u.place.is_of_model();
        Ok(Trial {
            parameters: fitted.unknowns.iter().filter(sought).count(),
            each,
            over_all,
            left_out: left_out.errors,
            at_least: left_out.at_least,
            cut_short: left_out.cut_short,
            held_out,
            non_passive,
            seconds: fitted.seconds + (self.clock)() - begun,
            values: names.zip(values).collect(),
            candidate: fitted.candidate,
            found: fitted.found,
            model,
            tests: fitted.tests,
            unknowns: fitted.unknowns,
        })
    }
}

/// A candidate fitted to all tests, before anything was left out.
pub(super) struct Fitted {
    candidate: Candidate,
    /// The model at its first values.
    first: Model,
    tests: Vec<Test>,
    unknowns: Vec<Unknown>,
    rules: Rules,
    found: Outcome,
    seconds: f64,
    /// Errors of the fit on what will be left out. A model cannot meet tests better when it was not fitted to
    /// them (`docs/math/compare.md`), so these are the least that leaving out will find.
    bounds: Vec<LeftOutError>,
}

/// What leaving out found.
struct LeftOut {
    errors: Vec<LeftOutError>,
    at_least: bool,
    cut_short: bool,
    /// The solution of a fold that meets all tests better than the fit to all of them.
    better: Option<Vec<f64>>,
}

impl Fitted {
    fn objective(&self) -> Objective<'_> {
        Objective::new(&self.first, &self.tests, &self.unknowns, self.rules.clone())
    }

    /// Goes to the bottom of the minimum.
    fn settle(&mut self, bench: &Bench<'_>) -> Result<(), FitError> {
        let watch = |_: &[f64], _: f64, _: usize| (bench.stop)();
        let objective = self.objective().watched(Some(&watch));
        let found = trust_region(&objective, &self.found.x, &SETTLED);
        if found.stop == Stop::BadStart || !found.cost.is_finite() {
            return Err(FitError::NoStart);
        }
        let model = objective.model_at(&objective.values_of(&found.x))?;
        let aim = bench.aim.as_ref();
        let each = bench.folds.iter();
        let each = each.map(|fold| error_on_left(&objective, &model, &self.candidate, fold, aim));
        let bounds = each.collect::<Result<Vec<_>, FitError>>()?;
        drop(objective);
        (self.found, self.bounds) = (found, bounds);
        Ok(())
    }

    fn leave_out(&self, bench: &Bench<'_>, limit: f64) -> Result<LeftOut, FitError> {
        let objective = self.objective();
        let mut out = LeftOut {
            errors: self.bounds.clone(),
            at_least: false,
            cut_short: false,
            better: None,
        };
        let mut least = CLEARLY_BETTER * self.found.cost;
        for (k, fold) in bench.folds.iter().enumerate() {
            out.cut_short = (bench.stop)();
            out.at_least = rms(&out.errors) > limit;
            if out.cut_short || out.at_least {
                break;
            }
            let aim = bench.aim.as_ref();
            let (x, error) = predicted_fold(&objective, &self.found, &self.candidate, fold, aim)?;
            out.errors[k] = error;
            let cost = objective.cost(&objective.values_of(&x));
            if let Some(cost) = cost.filter(|c| *c < least) {
                least = cost;
                out.better = Some(x);
            }
        }
        Ok(out)
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
    let there = objective.model_at(&objective.values_of(&found.x))?;
    let mut kept = candidate.added.to(&fold.kept);
    for (test, whole) in kept.iter_mut().zip(objective.tests) {
        step_as(test, whole, &there)?;
    }
    let rules = objective.rules.clone();
    let without = Objective::new(objective.model, &kept, objective.unknowns, rules);
    let end = trust_region(&without, &found.x, &NEAR);
    let model = without.model_at(&without.values_of(&end.x))?;
    let error = error_on_left(objective, &model, candidate, fold, aim)?;
    Ok((end.x, error))
}

/// The relative error of a model on what a fold leaves out.
fn error_on_left(
    objective: &Objective<'_>,
    model: &Model,
    candidate: &Candidate,
    fold: &Fold,
    aim: Option<&Aim>,
) -> Result<LeftOutError, FitError> {
    let mut out = Vec::new();
    let left = candidate.added.to(&fold.left);
    for (mut test, &k) in left.into_iter().zip(&fold.of) {
        step_as(&mut test, &objective.tests[k], model)?;
        let (residuals, predicted) = predict_as_stepped(model, &mut test)?;
        out.push((test, residuals.relative, predicted));
    }
    Ok(error_on(aim, &fold.name, &out))
}

/// Steps a part of a test as the whole of it is stepped.
fn step_as(part: &mut Test, whole: &Test, model: &Model) -> Result<(), FitError> {
    if let (Some(rig), Some(whole)) = (part.motion_record_mut(), whole.motion_record()) {
        (rig.numerics, rig.cycles) = (whole.numerics, whole.cycles);
        rig.motion.cut(whole.motion.pattern().cloned());
        return Ok(());
    }
    let p = model.values_at(&part.conditions)?;
    part.choose_numerics(model, &p)
}

fn error_of(own: &Residuals) -> LeftOutError {
    LeftOutError::new(&own.name, own.relative)
}

/// The deepest minimum of rough descents from the starts that come deepest in a short one.
fn deepest(objective: &Objective<'_>, starts: &[Vec<f64>]) -> Option<Outcome> {
    let internal = starts.iter().map(|start| objective.internal(start));
    let internal: Vec<Vec<f64>> = internal.collect();
    if internal.len() <= FOLLOWED {
        return descents(objective, &internal, &ROUGH).into_iter().next();
    }
    let short = descents(objective, &internal, &SHORT);
    let deep: Vec<Vec<f64>> = short.into_iter().take(FOLLOWED).map(|o| o.x).collect();
    descents(objective, &deep, &ROUGH).into_iter().next()
}

/// Where descents end, the deepest first.
fn descents(objective: &Objective<'_>, starts: &[Vec<f64>], options: &Options) -> Vec<Outcome> {
    let mut out = Vec::new();
    for start in starts {
        let found = trust_region(objective, start, options);
        let interrupted = found.stop == Stop::Interrupted;
        if found.stop != Stop::BadStart && found.cost.is_finite() {
            out.push(found);
        }
        if interrupted {
            break;
        }
    }
    out.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    out
}
