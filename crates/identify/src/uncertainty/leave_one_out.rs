//! How much each test matters: the parameters found without it.

use crate::conditions::is_needed;
use crate::objective::Objective;
use crate::problem::unknown::Unknown;
use crate::search::optimise::{Options, Outcome, Stop, trust_region};
use crate::search::progress::Progress;
use crate::test::Test;
use crate::uncertainty::Normals;
use nalgebra::DVector;

/// The unknowns found without one test.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// Name of the test that was left out.
    pub test: String,
    /// Values of all unknowns; those that belong to the test itself are meaningless.
    pub values: Vec<f64>,
}

/// When a refit has converged: far below a standard error.
const WITHOUT_A_TEST: Options = Options {
    cost: 1e-5,
    step: 1e-5,
    gradient: 1e-12,
    evaluations: 8,
};

/// Fewest tests for which leaving one out is informative: two values have no useful spread.
pub const FEWEST_TESTS: usize = 3;

/// Refits without each test in turn, starting from the linear prediction. Empty if interrupted: the
/// spread needs all of the tests.
pub(crate) fn leave_one_out(
    objective: &Objective<'_>,
    outcome: &Outcome,
    normals: &Normals,
    progress: &Progress<'_>,
) -> Vec<Left> {
    let sum = normals.sum();
    let x = DVector::from_column_slice(&outcome.x);
    let best = objective.values_of(&outcome.x);
    let poll = |_: &[f64], _: f64, evaluations: usize| progress.poll(&best, evaluations);
    let mut out = Vec::new();
    for (k, target) in objective.tests.iter().enumerate() {
        if is_needed(objective.model, objective.tests, k) {
            continue;
        }
        // The minimum without the test, to first order: (N - N_k) step = g_k; at most a factor of 3.
        let rest = &sum - &normals.of_test[k];
        let step = rest
            .svd(true, true)
            .solve(&normals.slope_of_test[k], 1e-12 * sum.amax())
            .map_or_else(
                |_| DVector::zeros(x.len()),
                |step| step.map(|s| s.clamp(-1.0, 1.0)),
            );
        let tests: Vec<Test> = objective
            .tests
            .iter()
            .enumerate()
            .map(|(i, t)| if i == k { t.without_rows() } else { t.clone() })
            .collect();
        let without = Objective::new(
            objective.model,
            &tests,
            objective.unknowns,
            objective.rules.clone(),
        )
        .watched(Some(&poll));
        let mut start = (&x + step).as_slice().to_vec();
        let ranges = objective.unknowns.iter();
        for (value, u) in start.iter_mut().zip(ranges) {
            *value = value.clamp(u.internal(u.min), u.internal(u.max));
        }
        let found = trust_region(&without, &start, &WITHOUT_A_TEST);
        progress.spent(found.evaluations);
        if progress.poll(&best, 0) {
            return vec![];
        }
        if found.stop == Stop::BadStart {
            continue;
        }
        out.push(Left {
            test: target.name.clone(),
            values: without.values_of(&found.x),
        });
    }
    out
}

impl Left {
    /// The jackknife standard error of every unknown; nothing with fewer than [`FEWEST_TESTS`].
    pub(crate) fn spread(all: &[Left], unknowns: &[Unknown]) -> Vec<f64> {
        if all.len() < FEWEST_TESTS {
            return vec![];
        }
        let of = |i: usize| {
            if !unknowns[i].place.is_of_model() {
                return 0.0;
            }
            let values: Vec<f64> = all.iter().map(|l| l.values[i]).collect();
            jackknife(&values)
        };
        (0..unknowns.len()).map(of).collect()
    }
}

/// The standard error of a value from those found without each test in turn.
pub fn jackknife(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|v| (v - mean).powi(2));
    ((n - 1.0) / n * squares.sum::<f64>()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::jackknife;

    #[test]
    fn the_jackknife_of_a_mean_is_its_standard_error() {
        // Means without one of 1, 2, 3, 6: standard error sqrt(14/3/4).
        let all = [1.0, 2.0, 3.0, 6.0];
        let without = all.map(|v| (12.0 - v) / 3.0);
        assert!((jackknife(&without) - (14.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(jackknife(&[2.0, 2.0, 2.0]), 0.0);
    }
}
