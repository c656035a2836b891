//! Weights that the force is linear in, started by non-negative least squares.
//!
//! For given other values the best weights are a linear problem (variable projection): residuals and their
//! derivatives at one point hold all of it. The search then goes on with the weights as ordinary unknowns.

use crate::objective::Objective;
use crate::problem::unknown::Place;
use crate::search::non_negative::non_negative;
use crate::search::optimise::LeastSquares;

/// Which unknowns are weights.
fn weights(objective: &Objective<'_>) -> Vec<usize> {
    let parts = objective.model.assembly().parts().iter();
    let all: Vec<usize> = parts
        .flat_map(|part| {
            let own = part.element.law().weights().into_iter();
            own.map(|k| k + part.params.start).collect::<Vec<_>>()
        })
        .collect();
    let weight = |place: Place| matches!(place, Place::Param(i) if all.contains(&i));
    let unknowns = objective.unknowns.iter().enumerate();
    unknowns
        .filter(|(_, u)| weight(u.place))
        .map(|(k, _)| k)
        .collect()
}

/// Moves the weights among the values of the unknowns to their best, if that is better.
pub(crate) fn project(objective: &Objective<'_>, values: &mut [f64]) {
    let weights = weights(objective);
    if weights.is_empty() {
        return;
    }
    let Some(at) = objective.linearise(&objective.internal(values)) else {
        return;
    };
    // What is left without any of the weights, and what each adds to it.
    let mut left = -at.r;
    let mut columns: Vec<Vec<f64>> = Vec::with_capacity(weights.len());
    for &k in &weights {
        let slope = objective.unknowns[k].slope(values[k]);
        let column = at.j.column(k) / slope;
        left += &column * values[k];
        columns.push(column.iter().copied().collect());
    }
    let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let Some(found) = non_negative(&[], &views, left.as_slice()) else {
        return;
    };
    let mut better = values.to_vec();
    for (&k, weight) in weights.iter().zip(found.positive) {
        let u = &objective.unknowns[k];
        better[k] = weight.clamp(u.min, u.max);
    }
    let cost = |values: &[f64]| objective.cost(values).unwrap_or(f64::INFINITY);
    if cost(&better) < cost(values) {
        values.copy_from_slice(&better);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::{Rules, Weights};
    use crate::problem::unknown::free_parameters;
    use crate::trial::{model, record};

    /// Six sliders of which two do nothing: found at once from any weights, where the slip displacements are right.
    #[test]
    fn weights_are_found_in_one_go() {
        let iwan = model("spring + iwan[spread=6, weights=1]");
        let truth = [2e4, 5.0, 0.0, 30.0, 12.0, 0.0, 40.0, 4e-5, 1.5e-3];
        let test = [record(&iwan, &truth, 600, 0.0, 1)];
        let unknowns = free_parameters(&iwan, &[], &[]).expect("unknowns");
        let rules = Rules {
            weights: Weights::Equal,
            ..Rules::default()
        };
        let objective = Objective::new(&iwan, &test, &unknowns, rules);
        let mut values = truth.to_vec();
        values[1..7].fill(1.0);
        project(&objective, &mut values);
        // Half a squared relative error, down to rounding; sliders that never slip may share their force otherwise.
        let cost = objective.cost(&values).expect("a run");
        assert!(cost <= 1e-16, "{cost:e}: {values:?}");
        assert!(values[1..7].iter().all(|weight| *weight >= 0.0));
        // Best already: nothing moves.
        let before = values.clone();
        project(&objective, &mut values);
        assert!(objective.cost(&values) <= objective.cost(&before));
    }
}
