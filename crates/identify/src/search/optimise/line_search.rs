//! Line search for the strong Wolfe conditions.
//!
//! Looks for a step t along a direction with slope m < 0 at which
//!
//! phi(t) <= phi(0) + 1e-4 t m  and  |phi'(t)| <= 0.9 |m|,
//!
//! by lengthening the step until an interval holds such a point, then by cubic interpolation in that
//! interval. A step that cannot be evaluated counts as too long. At the longest step, where a bound
//! is met, the first condition is enough.
//!
//! Reference: Nocedal, J., Wright, S. J. (2006), Numerical Optimization, section 3.5.

/// Share of the slope that the decrease must reach (Armijo).
const DECREASE: f64 = 1e-4;

/// Share of the slope that may remain (curvature condition).
const CURVATURE: f64 = 0.9;

/// Trials on one line.
const MOST_TRIALS: usize = 40;

/// A point on the line; `at` is what the caller keeps of it.
#[derive(Clone, Debug)]
pub(super) struct Trial<T> {
    pub(super) t: f64,
    pub(super) cost: f64,
    pub(super) slope: f64,
    pub(super) at: T,
}

/// The far end of the interval.
#[derive(Clone, Copy)]
enum Far {
    /// Not met yet.
    Open,
    /// There, with cost and slope.
    Known { t: f64, cost: f64, slope: f64 },
    /// There, but it could not be evaluated.
    Unknown { t: f64 },
}

/// Searches from `start` (t = 0), first at `first`, never beyond the longest step, nor in intervals
/// below the shortest, with at most `budget` calls of `evaluate`. Returns the best point with
/// sufficient decrease; `None` if there was none.
pub(super) fn line_search<T>(
    start: Trial<T>,
    first: f64,
    (shortest, longest): (f64, f64),
    budget: usize,
    mut evaluate: impl FnMut(f64) -> Option<Trial<T>>,
) -> Option<Trial<T>> {
    let (cost, slope) = (start.cost, start.slope);
    let mut near = start;
    let mut far = Far::Open;
    let mut t = first.min(longest);
    for _ in 0..budget.min(MOST_TRIALS) {
        match evaluate(t) {
            None => far = Far::Unknown { t },
            Some(trial) => {
                let fell = trial.cost <= cost + DECREASE * t * slope && trial.cost < near.cost;
                if fell {
                    let settled = trial.slope.abs() <= CURVATURE * slope.abs();
                    if settled || (t >= longest && trial.slope < 0.0) {
                        return Some(trial);
                    }
                    // The minimum lies on the side to which the cost falls.
                    let ahead = match far {
                        Far::Open => 1.0,
                        Far::Known { t: end, .. } | Far::Unknown { t: end } => end - t,
                    };
                    if trial.slope * ahead >= 0.0 {
                        far = known(&near);
                    }
                    near = trial;
                } else {
                    far = known(&trial);
                }
            }
        }
        let next = match far {
            Far::Open => (4.0 * t).min(longest),
            Far::Unknown { t: end } => near.t + 0.25 * (end - near.t),
            Far::Known {
                t: end,
                cost,
                slope,
            } => near.t + share(&near, (end, cost, slope)) * (end - near.t),
        };
        if (next - near.t).abs() <= shortest.max(4.0 * f64::EPSILON * near.t) {
            break;
        }
        t = next;
    }
    (near.t > 0.0).then_some(near)
}

fn known<T>(trial: &Trial<T>) -> Far {
    Far::Known {
        t: trial.t,
        cost: trial.cost,
        slope: trial.slope,
    }
}

/// Where between the ends the cubic through costs and slopes has its minimum, as a share of the
/// interval, kept off its ends.
fn share<T>(near: &Trial<T>, (end, cost, slope): (f64, f64, f64)) -> f64 {
    let width = end - near.t;
    let (a, b) = (near.slope * width, slope * width);
    let chord = 3.0 * (near.cost - cost) + a + b;
    let root = (chord * chord - a * b).max(0.0).sqrt();
    let share = 1.0 - (b + root - chord) / (b - a + 2.0 * root);
    if share.is_finite() {
        share.clamp(0.1, 0.9)
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(
        first: f64,
        longest: f64,
        phi: impl Fn(f64) -> Option<(f64, f64)>,
    ) -> (Option<Trial<()>>, Vec<f64>) {
        let mut tried = Vec::new();
        let trial = |t: f64| {
            phi(t).map(|(cost, slope)| Trial {
                t,
                cost,
                slope,
                at: (),
            })
        };
        let start = trial(0.0).expect("the start is sound");
        let found = line_search(start, first, (0.0, longest), 100, |t| {
            tried.push(t);
            trial(t)
        });
        (found, tried)
    }

    #[test]
    fn both_conditions_hold_from_short_and_long_first_steps() {
        // Minimum at 3 of a quartic with a flat start.
        let phi = |t: f64| Some(((t - 3.0).powi(4) + t, 4.0 * (t - 3.0).powi(3) + 1.0));
        for first in [1e-3, 0.1, 1.0, 10.0, 1e4] {
            let (found, _) = search(first, f64::INFINITY, phi);
            let found = found.expect("a step");
            let slope = 4.0_f64 * -27.0 + 1.0;
            assert!(found.cost <= 81.0 + DECREASE * found.t * slope);
            assert!(found.slope.abs() <= CURVATURE * slope.abs(), "{first}");
        }
    }

    #[test]
    fn the_longest_step_is_taken_where_the_cost_still_falls() {
        let (found, tried) = search(1.0, 5.0, |t| Some((-t, -1.0)));
        assert_eq!(found.expect("a step").t, 5.0);
        assert!(tried.iter().all(|t| *t <= 5.0));
    }

    #[test]
    fn what_cannot_be_evaluated_is_too_long() {
        let phi = |t: f64| (t < 0.2).then_some(((t - 0.1).powi(2), 2.0 * (t - 0.1)));
        let (found, _) = search(1.0, f64::INFINITY, phi);
        assert!(found.expect("a step").t < 0.2);
    }

    #[test]
    fn uphill_is_refused() {
        // The slope promised a decrease that is not there.
        let phi = |t: f64| Some((t, if t == 0.0 { -1.0 } else { 1.0 }));
        let (found, tried) = search(1.0, f64::INFINITY, phi);
        assert!(found.is_none());
        assert!(tried.len() <= MOST_TRIALS);
    }
}
