//! The result of a search, with everything a user wants to know about it.

use super::{FitOptions, Solution, levels};
use crate::conditions::{self, RankedForm};
use crate::error::FitError;
use crate::fit::diagnostics::{diagnostics, held};
use crate::fit::held_out::predict_held_out;
use crate::fit::score_test::{outliers, overlooked};
use crate::names::Names;
use crate::objective::Objective;
use crate::objective::residuals::{Residuals, outcomes};
use crate::problem::unknown::Place;
use crate::result::Estimate;
use crate::search::competing_minima::{CompetingMinimum, widen};
use crate::search::optimise::{Outcome, Stop};
use crate::search::progress::Progress;
use crate::search::valley::Valley;
use crate::test::{InitialState, Test};
use crate::uncertainty::interval::{interval, reach};
use crate::uncertainty::leave_one_out::{FEWEST_TESTS, Left, leave_one_out};
use crate::uncertainty::likelihood_interval::wider;
use crate::uncertainty::profile::profile;
use crate::uncertainty::valley_likelihood::broaden;
use crate::uncertainty::{Normals, Status, Uncertainty, status, trust};
use masing_diagnostic::Diagnostic;
use masing_model::{Masses, Model};

pub(super) fn predictions(
    objective: &Objective<'_>,
    values: &[f64],
) -> Result<Vec<Vec<f64>>, FitError> {
    let workers = &objective.rules.workers;
    let each = workers.map(objective.tests.len(), |k| {
        Ok(objective.predict(k, values, false)?.values)
    });
    each.into_iter().collect()
}

/// What comes after the search.
pub(super) struct After<'a> {
    pub(super) held_out: Vec<Test>,
    pub(super) options: &'a FitOptions,
    /// How the forms over conditions were chosen.
    pub(super) ranked: &'a [(usize, Vec<RankedForm>)],
}

pub(super) fn summarise(
    objective: &Objective<'_>,
    outcome: &Outcome,
    rivals: &[CompetingMinimum],
    after: After<'_>,
    progress: &Progress<'_>,
) -> Result<Solution, FitError> {
    let (mut held_out, options) = (after.held_out, after.options);
    let values = objective.values_of(&outcome.x);
    let model = objective.model_at(&values)?;
    let mut predicted = predictions(objective, &values)?;
    let tests = outcomes(objective, &predicted);
    let normals = Normals::new(objective, &outcome.at);
    let mut trust = trust(objective, &outcome.x, &normals, &tests);
    let interrupted = outcome.stop == Stop::Interrupted;
    let left_out = if options.leave_one_out && objective.tests.len() >= FEWEST_TESTS && !interrupted
    {
        leave_one_out(objective, outcome, &normals, progress)
    } else {
        vec![]
    };
    let spread = Left::spread(&left_out, objective.unknowns);
    let alone = trust.std_error.clone();
    let valley = Valley::find(objective.model.assembly(), objective.unknowns);
    if let Some(valley) = valley.filter(|_| options.effort.valley && !interrupted) {
        broaden(&mut trust, objective, outcome, &valley, progress);
    }
    widen(&mut trust, objective, &outcome.x, rivals);
    for i in 0..values.len() {
        // The larger of the two counts.
        let error = trust.std_error[i].max(spread.get(i).copied().unwrap_or(0.0));
        if error > alone[i] {
            trust.std_error[i] = error;
            let found = status(objective, i, outcome.x[i], values[i], error, false);
            if trust.status[i] != Status::Unidentifiable {
                trust.status[i] = found;
            }
        }
    }
    let intervals = intervals(objective, outcome, &mut trust, progress);
    conditions::judge(objective, &values, &mut trust);
    let followed = conditions::followed(&model, objective, &trust, options, after.ranked)?;
    let mut parameters = found(&model, objective, &trust, &intervals, &spread);
    let mut profiles = Vec::new();
    for address in &options.profiles {
        for index in model.find(address)? {
            if !progress.stopped() {
                profiles.extend(profile(objective, outcome, &trust, index, progress));
            }
        }
    }
    // Who interrupts what comes after the search gets what is there, and is told.
    let stop = if progress.stopped() {
        Stop::Interrupted
    } else {
        outcome.stop
    };
    if matches!(stop, Stop::Evaluations | Stop::Interrupted) {
        // An error bar belongs to a minimum; where the search did not reach one nothing is sure.
        let sure = parameters.iter_mut().filter(|p| p.status == Status::Ok);
        sure.for_each(|p| p.status = Status::PoorlyDetermined);
    }
    let mut others = others(objective, &values, &trust, &intervals);
    others.extend(levels::last(objective, &values, &trust));
    let (validation, levels_outside) = validated(&model, &mut held_out, &mut predicted)?;
    let count: usize = tests.iter().map(|t| t.samples).sum();
    let known = tests.iter().all(|t| t.noise_known);
    let chi2: f64 = tests
        .iter()
        .map(|t| t.samples as f64 * (t.rms / t.noise).powi(2))
        .sum();
    let relative =
        (tests.iter().map(|t| t.relative.powi(2)).sum::<f64>() / tests.len() as f64).sqrt();
    let (evaluations, history) = progress.take();
    let mut fit = Solution {
        model,
        parameters,
        others,
        relative,
        chi2_dof: known.then(|| chi2 / (count - values.len()) as f64),
        tests,
        validation,
        stop,
        evaluations,
        history,
        trust,
        unknowns: objective.unknowns.to_vec(),
        left_out,
        profiles,
        predicted,
        simulated: objective.tests.iter().cloned().chain(held_out).collect(),
        diagnostics: Vec::new(),
        loops: None,
        followed,
    };
    fit.diagnostics = diagnostics(&fit);
    fit.diagnostics.extend(levels_outside);
    fit.diagnostics.extend(levels::scatter(objective, &values));
    fit.diagnostics.extend(outliers(objective, &fit.tests));
    if stop != Stop::Interrupted {
        let disturbed = overlooked(objective, outcome, &normals, &fit.tests);
        fit.diagnostics.extend(disturbed);
    }
    if objective.rules.priors.iter().any(|p| p.weight > 0.0) {
        fit.diagnostics.push(held(objective));
    }
    Ok(fit)
}

/// The tests that were held out, predicted, and those whose levels were not fitted.
fn validated(
    model: &Model,
    held_out: &mut [Test],
    predicted: &mut Vec<Vec<f64>>,
) -> Result<(Vec<Residuals>, Vec<Diagnostic>), FitError> {
    let (mut validation, mut levels_outside) = (Vec::new(), Vec::new());
    for target in held_out {
        levels_outside.extend(conditions::outside(model, target));
        let (outcome, values) = predict_held_out(model, target)?;
        validation.push(outcome);
        predicted.push(values);
    }
    Ok((validation, levels_outside))
}

/// The intervals of all unknowns; wide ones of parameters come from the likelihood, which may change their
/// status.
fn intervals(
    objective: &Objective<'_>,
    outcome: &Outcome,
    trust: &mut Uncertainty,
    progress: &Progress<'_>,
) -> Vec<[f64; 2]> {
    let reach = reach(objective);
    let values = objective.values_of(&outcome.x);
    let mut out = Vec::new();
    for (i, (u, &value)) in objective.unknowns.iter().zip(&values).enumerate() {
        let mut ends = interval(u, value, reach * trust.std_error[i]);
        let known = matches!(trust.status[i], Status::Ok | Status::PoorlyDetermined);
        let judged = known && u.place.is_of_model() && !progress.stopped();
        if let Some(found) = judged
            .then(|| wider(objective, outcome, trust, i, ends, progress))
            .flatten()
        {
            ends = found.ends;
            trust.status[i] = if found.open {
                Status::Unidentifiable
            } else {
                trust.status[i].by_interval(ends)
            };
        }
        out.push(ends);
    }
    out
}

/// What belongs to the tests: offsets, delays, masses of the rig, what masses begin with. The states of elements are not
/// listed: nobody can measure them.
fn others(
    objective: &Objective<'_>,
    values: &[f64],
    trust: &Uncertainty,
    intervals: &[[f64; 2]],
) -> Vec<Estimate> {
    let names = Names::of(objective.model.motion());
    let dofs = objective.model.system().map_or(0, Masses::dofs);
    let each = objective.unknowns.iter().zip(values).enumerate();
    let listed =
        each.filter_map(|(i, (u, value))| Some((i, u, value, unit_of(u.place, &names, dofs)?)));
    listed
        .map(|(i, u, &value, unit)| Estimate {
            address: u.name.clone(),
            value,
            unit: unit.to_owned(),
            std_error: Some(trust.std_error[i]),
            interval: Some(intervals[i]),
            leave_one_out: None,
            status: trust.status[i],
        })
        .collect()
}

/// The SI unit of what belongs to a test; `None` for parameters and for states of elements. `dofs` are those of masses.
fn unit_of(place: Place, names: &Names, dofs: usize) -> Option<&'static str> {
    match place {
        Place::ForceOffset(_) => Some(names.load.si()),
        Place::MotionOffset(_) => Some(names.length.si()),
        Place::Delay(_) => Some("s"),
        Place::Level(_) => Some("1"),
        Place::MovingMass(_) => Some(names.mass.si()),
        Place::Start { state, .. } if state < dofs => Some(names.length.si()),
        Place::Start { .. } if dofs > 0 => Some(names.velocity.si()),
        Place::Param(_) | Place::Coefficient { .. } | Place::Start { .. } | Place::Turn { .. } => {
            None
        }
    }
}

/// All parameters of the model with what is known about them.
fn found(
    model: &Model,
    objective: &Objective<'_>,
    trust: &Uncertainty,
    intervals: &[[f64; 2]],
    spread: &[f64],
) -> Vec<Estimate> {
    let params = model.params().into_iter().zip(model.values()).enumerate();
    let elements = model.assembly().param_count();
    let beginning = model.system().map(|m| elements + m.x0().start);
    let mut states = objective.tests.iter().map(|t| t.initial_state());
    // What the masses of no test begin with.
    let unused = states.all(|state| state == Some(InitialState::Estimated));
    let per_test = |index: usize| unused && beginning.is_some_and(|first| index >= first);
    let estimate = |(address, unit): (String, String), value: f64, place: Place| {
        let sought = objective.unknowns.iter().position(|u| u.place == place);
        Estimate {
            address,
            value,
            unit,
            std_error: sought.map(|i| trust.std_error[i]),
            interval: sought.map(|i| intervals[i]),
            leave_one_out: sought.and_then(|i| spread.get(i).copied()),
            status: match (sought, place) {
                (Some(i), _) => trust.status[i],
                (None, Place::Param(index)) if per_test(index) => Status::PerTest,
                _ => Status::Fixed,
            },
        }
    };
    let mut out = Vec::new();
    for (index, ((address, param), &value)) in params {
        let Some(own) = model.following().iter().find(|f| f.param == index) else {
            out.push(estimate((address, param.unit), value, Place::Param(index)));
            continue;
        };
        // In place of a parameter that follows stand its coefficients.
        let names = own.coefficient_names(&param.unit, model.conditions());
        for (k, ((name, unit), &c)) in names.into_iter().zip(&own.coefficients).enumerate() {
            let place = Place::Coefficient { param: index, k };
            out.push(estimate((format!("{address}.{name}"), unit), c, place));
        }
    }
    out
}
