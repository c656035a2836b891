//! Ends of an interval from the likelihood, where the curvature at the minimum is not enough.
//!
//! Parameters that can compensate each other lie on a curved ridge: a Dahl loop that hardly bends
//! determines alpha/fc, but alpha and fc may both be ten times as large. The curvature at the minimum is
//! that of the ridge where the search ended, and its interval may exclude the truth. So the ends of a wide
//! interval are tested with all other unknowns re-estimated, and an end that is hardly worse than the
//! minimum is moved outwards.

use crate::objective::Objective;
use crate::search::optimise::{Options, Outcome};
use crate::search::progress::Progress;
use crate::uncertainty::Uncertainty;
use crate::uncertainty::profile::{CHI2, refit};
use masing_model::Scale;

/// Relative standard error above which an interval counts as wide: within a tenth of its value a
/// parameter acts almost linearly, and the likelihood is a parabola.
const WIDE: f64 = 0.1;
/// Each step outwards is this many times the last.
const STRIDE: f64 = 2.0;
/// Distance, in the optimiser's numbers, beyond which the interval is open: two decades of a logarithmic
/// parameter.
const NO_END: f64 = 4.6;
/// Most unknowns for which the others are re-estimated; with more of them (a chain with a value per
/// cell) it would take longer than the search.
const FEW_UNKNOWNS: usize = 20;

/// Accurate enough to compare with 3.84.
const TOLD: Options = Options {
    cost: 1e-5,
    step: 1e-4,
    gradient: 1e-12,
    evaluations: 12,
};

/// An interval that was made wider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wider {
    /// Its ends.
    pub(crate) ends: [f64; 2],
    /// Whether one of them lies beyond the range that was searched.
    pub(crate) open: bool,
}

/// Whether the interval of unknown `i` is too wide for the curvature to give its ends.
fn is_wide(objective: &Objective<'_>, values: &[f64], trust: &Uncertainty, i: usize) -> bool {
    let u = &objective.unknowns[i];
    let size = match u.scale {
        Scale::Log => values[i].abs(),
        Scale::Linear => values[i].abs().max(u.typical),
    };
    let error = trust.std_error[i];
    error.is_finite() && error > WIDE * size
}

/// The interval of parameter `i` from the likelihood, if it is wider than `ends` from the curvature;
/// else `None`.
pub(crate) fn wider(
    objective: &Objective<'_>,
    outcome: &Outcome,
    trust: &Uncertainty,
    i: usize,
    ends: [f64; 2],
    progress: &Progress<'_>,
) -> Option<Wider> {
    let u = &objective.unknowns[i];
    let values = objective.values_of(&outcome.x);
    if objective.unknowns.len() > FEW_UNKNOWNS || !is_wide(objective, &values, trust, i) {
        return None;
    }
    let slope = |j: usize| objective.unknowns[j].slope(values[j]).abs();
    let error = |j: usize| trust.std_error[j] / slope(j);
    let variance = error(i).powi(2) / trust.unit_variance[i];
    if !(variance.is_finite() && variance > 0.0) {
        return None;
    }
    let loss_at = |x: f64, from: &[f64]| {
        let (cost, found) = refit(objective, i, u.value(x), from, &TOLD, progress)?;
        let loss = 2.0 * (cost - outcome.cost) / variance;
        loss.is_finite().then_some((loss.max(0.0), found))
    };
    let mut wider = Wider { ends, open: false };
    for (k, bound) in [u.min, u.max].into_iter().enumerate() {
        let middle = outcome.x[i];
        let (bound, mut stride) = (u.internal(bound), u.internal(ends[k]) - middle);
        let mut inner = (middle, 0.0);
        // The other unknowns follow as their correlation says.
        let follow = |j: usize| error(j) * trust.correlation[(i, j)] / error(i) * stride;
        let start: Vec<f64> = (0..values.len())
            .map(|j| outcome.x[j] + follow(j))
            .collect();
        let mut from = objective.values_of(&start);
        let mut tried = 0;
        while stride != 0.0 && inner.0 != bound {
            if (inner.0 - middle).abs() >= NO_END {
                wider.open = true;
                wider.ends[k] = if bound.is_finite() {
                    u.value(bound)
                } else {
                    u.value(inner.0)
                };
                break;
            }
            let x = inner.0 + stride;
            let x = if stride > 0.0 {
                x.min(bound)
            } else {
                x.max(bound)
            };
            let Some((loss, found)) = loss_at(x, &from) else {
                break;
            };
            tried += 1;
            if loss >= CHI2 {
                // The curvature's own end stays where the likelihood has fallen there.
                if tried > 1 {
                    let share = (CHI2.sqrt() - inner.1) / (loss.sqrt() - inner.1);
                    wider.ends[k] = u.value(inner.0 + share * (x - inner.0));
                }
                break;
            }
            inner = (x, loss.sqrt());
            wider.ends[k] = u.value(x);
            (from, stride) = (found, STRIDE * stride);
        }
    }
    (wider.ends != ends && !progress.stopped()).then_some(wider)
}
