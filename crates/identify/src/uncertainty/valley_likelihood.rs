//! How broad the likelihood is along the valley of a chain.
//!
//! Along kr c0 = const the cost is a broad bowl with a narrow dip for every number of slipping cells.
//! Under noise the search finds the deepest dip, and the curvature at its bottom tells how wide that
//! dip is, not how wide the bowl. So the valley is followed to either side with all other unknowns
//! re-estimated, and the variances are those of the likelihood integrated along it.

use crate::objective::Objective;
use crate::search::optimise::{Options, Outcome};
use crate::search::progress::Progress;
use crate::search::valley::Valley;
use crate::uncertainty::Uncertainty;
use crate::uncertainty::profile::refit;

/// Points on either side.
const POINTS: usize = 12;
/// The factor by which their distances grow: twelve of them reach 54 standard errors of a dip, which is
/// as much narrower than the bowl.
const GROWTH: f64 = 1.25;
/// Increase of -2 log likelihood beyond which a point no longer counts: a weight of exp(-7), a
/// thousandth.
const NEGLIGIBLE: f64 = 14.0;
/// Logarithm of the factor on kr at which the walk ends: by then half or twice as many cells slip,
/// which any record rules out.
const FARTHEST: f64 = 0.7;

/// A point of the valley only has to be near its bottom.
const NEAR_THE_BOTTOM: Options = Options {
    cost: 1e-4,
    step: 1e-5,
    gradient: 1e-12,
    evaluations: 5,
};

/// A point of the valley: the optimiser's numbers, and the increase of -2 log likelihood there.
struct At {
    x: Vec<f64>,
    loss: f64,
}

/// Widens the standard errors to those of the likelihood along the valley.
pub(crate) fn broaden(
    trust: &mut Uncertainty,
    objective: &Objective<'_>,
    outcome: &Outcome,
    valley: &Valley,
    progress: &Progress<'_>,
) {
    let held = valley.measure();
    let values = objective.values_of(&outcome.x);
    let slopes: Vec<f64> = objective
        .unknowns
        .iter()
        .zip(&values)
        .map(|(u, &value)| u.slope(value).abs())
        .collect();
    let step = trust.std_error[held] / slopes[held];
    let variance = step * step / trust.unit_variance[held];
    if !(step.is_finite() && step > 0.0 && step < FARTHEST && variance > 0.0) {
        return;
    }
    let mut walk: Vec<At> = Vec::new();
    for side in [-1.0, 1.0] {
        let (mut way, mut stride) = (0.0_f64, side * step);
        let mut from = values.clone();
        for _ in 0..POINTS {
            way += stride;
            let start = valley.moved(&from, stride.exp());
            stride *= GROWTH;
            let u = &objective.unknowns[held];
            let inside = start[held] >= u.min && start[held] <= u.max;
            if way.abs() > FARTHEST || !inside {
                break;
            }
            let found = refit(
                objective,
                held,
                start[held],
                &start,
                &NEAR_THE_BOTTOM,
                progress,
            );
            let Some((cost, found)) = found else { break };
            let loss = 2.0 * (cost - outcome.cost) / variance;
            if !loss.is_finite() {
                break;
            }
            walk.push(At {
                x: objective.internal(&found),
                loss: loss.max(0.0),
            });
            from = found;
            if loss > NEGLIGIBLE {
                break;
            }
        }
    }
    if progress.stopped() {
        return;
    }
    walk.push(At {
        x: outcome.x.clone(),
        loss: 0.0,
    });
    walk.sort_by(|a, b| a.x[held].total_cmp(&b.x[held]));
    // Trapezoids of the likelihood along the valley.
    let (mut sum, mut squares) = (0.0, vec![0.0; values.len()]);
    for pair in walk.windows(2) {
        let width = 0.5 * (pair[1].x[held] - pair[0].x[held]);
        for at in pair {
            let weight = width * (-0.5 * at.loss).exp();
            sum += weight;
            for (square, (x, best)) in squares.iter_mut().zip(at.x.iter().zip(&outcome.x)) {
                *square += weight * (x - best).powi(2);
            }
        }
    }
    if sum <= 0.0 {
        return;
    }
    for (i, square) in squares.iter().enumerate() {
        let own = trust.std_error[i] / slopes[i];
        // What is left to unknown `i` where kr is held, and what kr adds to it.
        let with_kr = trust.correlation[(i, held)].clamp(-1.0, 1.0);
        let beside = own * own * (1.0 - with_kr * with_kr);
        let error = (beside + square / sum).sqrt();
        if error.is_finite() && error > own {
            trust.std_error[i] = error * slopes[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_reaches_from_a_dip_across_the_bowl() {
        // A dip of one cell in fifteen is about 2 % wide; the walk ends at half or twice the measure.
        let way: f64 = (0..POINTS).map(|i| GROWTH.powi(i as i32)).sum();
        assert!(0.013 * way > FARTHEST, "{way}");
        assert!((-0.5 * NEGLIGIBLE).exp() < 1e-3);
    }
}
