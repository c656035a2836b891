//! Minima that the data can hardly tell from the best one.
//!
//! The cost of a chain has one minimum for every number of cells that slip. Under noise the deepest
//! of them is not always the right one, and the curvature at its bottom knows nothing of the others.
//! Each counts by its likelihood, and the distance to it adds to the variance.

use crate::objective::Objective;
use crate::search::optimise::{Options, Outcome, Stop, trust_region};
use crate::uncertainty::Uncertainty;

/// A minimum other than the best.
#[derive(Clone, Debug, PartialEq)]
pub struct CompetingMinimum {
    /// The optimiser's numbers.
    pub x: Vec<f64>,
    /// How much its cost is above the best.
    pub excess: f64,
}

/// Minima whose -2 log likelihood exceeds the best by more than this are dropped, before and after
/// they are polished.
const CONSIDERED: [f64; 2] = [12.0, 8.0];

/// Evaluations to polish one.
const SETTLE: Options = Options {
    cost: 1e-6,
    step: 1e-6,
    gradient: 1e-12,
    evaluations: 12,
};

/// The competing minima among the ends of rough descents.
pub(crate) fn rivals(
    objective: &Objective<'_>,
    best: &Outcome,
    ends: &[(f64, Vec<f64>)],
    spent: &mut usize,
) -> Vec<CompetingMinimum> {
    let rows: usize = (0..objective.tests.len())
        .map(|k| objective.rows(k).len())
        .sum();
    let loss = |cost: f64| rows as f64 * (cost / best.cost - 1.0);
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    let mut out: Vec<CompetingMinimum> = Vec::new();
    for (cost, x) in ends {
        if loss(*cost) > CONSIDERED[0] || cost.is_nan() || same(x, &best.x) {
            continue;
        }
        let found = trust_region(objective, x, &SETTLE);
        *spent += found.evaluations;
        if found.stop == Stop::Interrupted {
            break;
        }
        let known = same(&found.x, &best.x) || out.iter().any(|r| same(&found.x, &r.x));
        if !known && loss(found.cost) <= CONSIDERED[1] {
            out.push(CompetingMinimum {
                excess: (found.cost - best.cost).max(0.0),
                x: found.x,
            });
        }
    }
    out
}

/// Adds the effect of the competing minima to the standard errors; `x` is the best minimum.
pub(crate) fn widen(
    trust: &mut Uncertainty,
    objective: &Objective<'_>,
    x: &[f64],
    rivals: &[CompetingMinimum],
) {
    let values = objective.values_of(x);
    for (i, u) in objective.unknowns.iter().enumerate() {
        let slope = u.slope(values[i]).abs();
        let own = (trust.std_error[i] / slope).powi(2);
        // The variance of a weighted residual, as this unknown feels it.
        let variance = own / trust.unit_variance[i];
        if !(variance.is_finite() && variance > 0.0) {
            continue;
        }
        let (mut weights, mut spread) = (1.0, 0.0);
        for rival in rivals {
            let weight = (-rival.excess / variance).exp();
            weights += weight;
            spread += weight * (rival.x[i] - x[i]).powi(2);
        }
        trust.std_error[i] = (own + spread / weights).sqrt() * slope;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Rules;
    use crate::problem::unknown::free_parameters;
    use crate::trial::{model, record};
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn what_is_dropped_hardly_counts() {
        // By its likelihood a minimum of this loss has a weight of a fiftieth; three standard errors away it
        // would make the error larger by a twelfth.
        let weight = (-0.5 * CONSIDERED[1]).exp();
        assert!((weight - 1.0 / 54.6).abs() < 1e-3);
        // A rough descent may be a little above its minimum, so that more are settled than kept.
        assert!(CONSIDERED.is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn a_minimum_as_good_adds_half_its_squared_distance() {
        let spring = model("spring");
        let unknowns = free_parameters(&spring, &[], &[]).expect("parameters");
        let tests = [record(&spring, &[1e5], 60, 0.0, 1)];
        let objective = Objective::new(&spring, &tests, &unknowns, Rules::default());
        let x = objective.internal(&[1e5]);
        let own = 0.1;
        let uncertainty = || Uncertainty {
            std_error: vec![own * unknowns[0].slope(1e5)],
            correlation: DMatrix::identity(1, 1),
            status: vec![],
            singular: vec![1.0],
            weakest: DVector::zeros(1),
            inflated: false,
            unit_variance: vec![1.0],
        };
        let at = |distance: f64, excess: f64| CompetingMinimum {
            x: vec![x[0] + distance],
            excess,
        };
        let error = |rivals: &[CompetingMinimum]| {
            let mut found = uncertainty();
            widen(&mut found, &objective, &x, rivals);
            found.std_error[0] / unknowns[0].slope(1e5)
        };
        assert!((error(&[]) - own).abs() < 1e-12);
        let expected = (own * own + 0.5 * 0.3_f64.powi(2)).sqrt();
        assert!((error(&[at(0.3, 0.0)]) - expected).abs() < 1e-12);
        // One that the data refute adds nothing.
        assert!((error(&[at(0.3, 1.0)]) - own).abs() < 1e-6);
    }
}
