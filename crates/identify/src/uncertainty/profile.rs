//! The likelihood along one parameter, with all others re-estimated at every value.

use crate::objective::Objective;
use crate::problem::unknown::{Place, Unknown};
use crate::search::optimise::{Options, Outcome, Stop, trust_region};
use crate::search::progress::Progress;
use crate::uncertainty::Uncertainty;
use masing_model::Model;

/// A profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Address of the parameter.
    pub address: String,
    /// Values tried, growing.
    pub values: Vec<f64>,
    /// Increase of -2 log likelihood at each value.
    pub loss: Vec<f64>,
    /// Where that increase passes 3.84, on either side; `None` if it does not within the values tried.
    pub ci95: [Option<f64>; 2],
}

/// Values tried on either side of the optimum, in even steps: enough for a smooth curve.
const STEPS: usize = 8;
/// How far those reach, in standard errors: a parabola passes 3.84 at two, and one that is half as steep
/// at three.
const ERRORS: f64 = 3.5;
/// Values tried beyond, where the likelihood has not fallen by then: it need not be a parabola.
const MORE_STEPS: usize = 14;
/// Factor by which each of those steps is longer than the last.
const STRETCH: f64 = 1.4;
/// How far the even steps reach at most, in the optimiser's numbers: two decades of a logarithmic parameter.
const TWO_DECADES: f64 = 4.6;
/// The 95 % point of chi squared with one degree of freedom.
pub(super) const CHI2: f64 = 3.841_458_820_694_124;

/// Points of a profile are only plotted; an accuracy of a hundredth is enough.
const DRAWN: Options = Options {
    cost: 1e-6,
    step: 1e-6,
    gradient: 1e-12,
    evaluations: 20,
};

/// Follows parameter `index` of the model away from the optimum; `None` if it was not sought or the work was
/// interrupted.
pub(crate) fn profile(
    objective: &Objective<'_>,
    outcome: &Outcome,
    trust: &Uncertainty,
    index: usize,
    progress: &Progress<'_>,
) -> Option<Profile> {
    let held = objective
        .unknowns
        .iter()
        .position(|u| u.place == Place::Param(index))?;
    let u = &objective.unknowns[held];
    let best = objective.values_of(&outcome.x);
    let error = trust.std_error[held] / u.slope(best[held]).abs();
    // Near the optimum the loss is the squared distance in standard errors, with all that they count:
    // noise of every test, neighbours that repeat each other, the spread over the tests.
    let variance = error * error / trust.unit_variance[held];
    let step = if error.is_finite() && error > 0.0 {
        (ERRORS * error).min(TWO_DECADES) / STEPS as f64
    } else {
        TWO_DECADES / STEPS as f64
    };
    let mut points = vec![(outcome.x[held], 0.0)];
    for side in [-1.0, 1.0] {
        let mut from = best.clone();
        let (mut x, mut stride) = (outcome.x[held], side * step);
        for i in 1..=STEPS + MORE_STEPS {
            let fallen = points.last().is_some_and(|p: &(f64, f64)| p.1 > CHI2);
            if i > STEPS {
                if fallen {
                    break;
                }
                stride *= STRETCH;
            }
            x += stride;
            if x < u.internal(u.min) || x > u.internal(u.max) {
                break;
            }
            let Some((cost, values)) = refit(objective, held, u.value(x), &from, &DRAWN, progress)
            else {
                break;
            };
            let loss = 2.0 * (cost - outcome.cost) / variance;
            if !loss.is_finite() {
                // What cannot be told is not as good as the optimum: the profile ends here.
                break;
            }
            points.push((x, loss.max(0.0)));
            from = values;
        }
    }
    if progress.stopped() {
        return None;
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let values: Vec<f64> = points.iter().map(|(x, _)| u.value(*x)).collect();
    let loss: Vec<f64> = points.iter().map(|(_, l)| *l).collect();
    let middle = points.iter().position(|p| p.0 == outcome.x[held])?;
    let crossing = |inner: usize, outer: usize| {
        let ((a, la), (b, lb)) = (points[inner], points[outer]);
        // The root of the loss is straight near the optimum.
        let share = (CHI2.sqrt() - la.sqrt()) / (lb.sqrt() - la.sqrt());
        u.value(a + share * (b - a))
    };
    let lower = (1..=middle)
        .rev()
        .find(|&i| loss[i - 1] >= CHI2)
        .map(|i| crossing(i, i - 1));
    let upper = (middle..points.len() - 1)
        .find(|&i| loss[i + 1] >= CHI2)
        .map(|i| crossing(i, i + 1));
    Some(Profile {
        address: u.name.clone(),
        values,
        loss,
        ci95: [lower, upper],
    })
}

/// The model with one of its values or coefficients set.
fn held_at(model: &Model, place: Place, value: f64) -> Option<Model> {
    match place {
        Place::Param(index) => {
            let mut p = model.values().to_vec();
            p[index] = value;
            model.with(p).ok()
        }
        Place::Coefficient { param, k } => {
            let mut following = model.following().to_vec();
            let own = following.iter_mut().find(|f| f.param == param)?;
            own.coefficients[k] = value;
            model.follow(model.conditions().to_vec(), following).ok()
        }
        _ => None,
    }
}

/// Cost and values of all unknowns with one of them held; `None` where there are none or the work was
/// interrupted. `from` are the values to start from.
pub(crate) fn refit(
    objective: &Objective<'_>,
    held: usize,
    value: f64,
    from: &[f64],
    options: &Options,
    progress: &Progress<'_>,
) -> Option<(f64, Vec<f64>)> {
    let model = held_at(objective.model, objective.unknowns[held].place, value)?;
    let others: Vec<Unknown> = objective
        .unknowns
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != held)
        .map(|(_, u)| u.clone())
        .collect();
    let mut rules = objective.rules.clone();
    rules.priors.retain(|prior| prior.unknown != held);
    for prior in &mut rules.priors {
        prior.unknown -= usize::from(prior.unknown > held);
    }
    let poll = |_: &[f64], _: f64, evaluations: usize| progress.poll(from, evaluations);
    let rest = Objective::new(&model, objective.tests, &others, rules).watched(Some(&poll));
    let mut start = from.to_vec();
    start.remove(held);
    let (cost, mut values) = if others.is_empty() {
        (rest.cost(&[])?, vec![])
    } else {
        let found = trust_region(&rest, &rest.internal(&start), options);
        progress.spent(found.evaluations);
        if found.stop == Stop::BadStart || progress.poll(from, 0) {
            return None;
        }
        (found.cost, rest.values_of(&found.x))
    };
    values.insert(held, value);
    Some((cost, values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{FitOptions, fit};
    use crate::search::optimise::Stop;
    use crate::trial::{model, record};

    #[test]
    fn even_steps_show_the_parabola_and_its_end() {
        // At least two points within 1.96 standard errors, and one beyond for a parabola half as steep.
        let step = ERRORS / STEPS as f64;
        assert!(2.0 * step < 1.96 && ERRORS > 1.96 * 2_f64.sqrt());
        // Beyond, the steps reach more than twenty times as far.
        let way: f64 = (1..=MORE_STEPS)
            .map(|i| step * STRETCH.powi(i as i32))
            .sum();
        assert!(way > 20.0 * ERRORS, "{way}");
    }

    #[test]
    fn whoever_interrupts_the_errors_is_heard() {
        let two = model("spring+dashpot");
        let tests = |n: u64| {
            (0..n)
                .map(|k| record(&two, &[1e5, 300.0], 200, 1e-2, k))
                .collect()
        };
        let options = FitOptions {
            profiles: vec!["spring.k".to_owned()],
            leave_one_out: true,
            ..FitOptions::default()
        };
        let whole = fit(&two, tests(3), vec![], &options, None).expect("a fit");
        assert!(whole.search.stop.converged());
        assert_eq!((whole.left_out.len(), whole.profiles.len()), (3, 1));
        // Stop as soon as the search itself has settled.
        let plain = FitOptions::default();
        let alone = fit(&two, tests(3), vec![], &plain, None).expect("a fit");
        let last = alone.search.evaluations;
        let watch = |_: &[f64], _: f64, spent: usize| spent > last;
        let cut = fit(&two, tests(3), vec![], &options, Some(&watch)).expect("a fit");
        assert_eq!(cut.search.stop, Stop::Interrupted);
        assert!(cut.left_out.is_empty() && cut.profiles.is_empty());
        assert_eq!(cut.model.values(), whole.model.values());
    }
}
