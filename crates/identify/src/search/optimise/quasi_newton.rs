//! Quasi-Newton descent within bounds.
//!
//! Each iteration minimises the quadratic g.s + s.B s/2 over the bounds, in two steps: along the
//! projected steepest descent up to its first minimum (the Cauchy point), which decides which bounds
//! are met, then over the unknowns that are still free there. A strong-Wolfe line search goes from the
//! present point towards that minimum, along a straight line within the bounds, so that no point
//! outside is ever evaluated. B and its update are defined by each method.
//!
//! Reference: Byrd, R. H., Lu, P., Nocedal, J., Zhu, C. (1995), SIAM J. Sci. Comput. 16, 1190-1208;
//! Morales, J. L., Nocedal, J. (2011), ACM Trans. Math. Softw. 38, 7:1-7:4.

use super::line_search::{Trial, line_search};
use super::{Minimum, Options, Smooth, Stop};
use nalgebra::DVector;

/// An approximation B of the second derivatives, positive definite.
pub(super) trait Curvature {
    /// Forgets all steps: B = `scale` times the identity.
    fn forget(&mut self, scale: f64);

    /// Whether there is nothing to forget.
    fn fresh(&self) -> bool;

    /// Learns from a step and the change of the gradient along it, with step.change > 0.
    fn learn(&mut self, step: &DVector<f64>, change: &DVector<f64>);

    /// B v.
    fn times(&self, v: &DVector<f64>) -> DVector<f64>;

    /// Solves for the free unknowns alone, the others held; `None` if B is no longer positive definite
    /// because of rounding.
    fn solve(&self, free: &[usize], right: &DVector<f64>) -> Option<DVector<f64>>;
}

/// A point with its cost and gradient.
#[derive(Clone, Debug)]
struct Point {
    x: DVector<f64>,
    cost: f64,
    gradient: DVector<f64>,
}

/// Smallest and largest admissible values.
struct Bounds<'a> {
    lower: &'a [f64],
    upper: &'a [f64],
}

impl Bounds<'_> {
    fn nearest(&self, mut x: DVector<f64>) -> DVector<f64> {
        for (i, x) in x.iter_mut().enumerate() {
            // Not `clamp`, which refuses bounds in the wrong order; NaN stays NaN.
            if *x < self.lower[i] {
                *x = self.lower[i];
            } else if *x > self.upper[i] {
                *x = self.upper[i];
            }
        }
        x
    }

    /// How far one can go from `x` along `step`.
    fn room(&self, x: &DVector<f64>, step: &DVector<f64>) -> f64 {
        (0..x.len()).fold(f64::INFINITY, |least, i| {
            least.min(self.room_of(i, x[i], step[i]))
        })
    }

    fn room_of(&self, i: usize, x: f64, step: f64) -> f64 {
        match step {
            s if s > 0.0 => (self.upper[i] - x) / s,
            s if s < 0.0 => (self.lower[i] - x) / s,
            _ => f64::INFINITY,
        }
    }

    /// Largest component of the gradient step that stays inside.
    fn slope(&self, at: &Point) -> f64 {
        (&at.x - self.nearest(&at.x - &at.gradient)).amax()
    }
}

/// Minimises the cost from `start`.
pub(super) fn descend(
    problem: &impl Smooth,
    start: &[f64],
    options: &Options,
    mut curvature: impl Curvature,
) -> Minimum {
    let [lower, upper] = problem.bounds();
    let bounds = Bounds { lower, upper };
    let first = bounds.nearest(DVector::from_column_slice(start));
    let Some(mut at) = evaluate(problem, first) else {
        return Minimum::nowhere(start);
    };
    let mut evaluations = 1;
    curvature.forget(at.gradient.norm());
    let stop = loop {
        if problem.watch(at.x.as_slice(), at.cost, evaluations) {
            break Stop::Interrupted;
        }
        if options.flat(bounds.slope(&at), at.cost) {
            break Stop::Gradient;
        }
        if evaluations >= options.evaluations {
            break Stop::Evaluations;
        }
        let next = towards_minimum(&at, &curvature, &bounds).and_then(|direction| {
            let budget = options.evaluations - evaluations;
            search(problem, &at, &direction, &bounds, budget, &mut evaluations)
        });
        let Some(next) = next else {
            if evaluations >= options.evaluations {
                break Stop::Evaluations;
            }
            if curvature.fresh() {
                break Stop::Step;
            }
            // What was learnt misleads; once more with the gradient alone.
            curvature.forget(at.gradient.norm());
            continue;
        };
        let (step, change) = (&next.x - &at.x, &next.gradient - &at.gradient);
        if step.dot(&change) > 1e-10 * step.norm() * change.norm() {
            curvature.learn(&step, &change);
        }
        let decision = if at.cost - next.cost < options.cost * at.cost.abs() {
            Some(Stop::Cost)
        } else if options.still(step.norm(), at.x.norm()) {
            Some(Stop::Step)
        } else {
            None
        };
        at = next;
        if let Some(stop) = decision {
            break stop;
        }
    };
    Minimum {
        x: at.x.as_slice().to_vec(),
        cost: at.cost,
        evaluations,
        stop,
    }
}

fn evaluate(problem: &impl Smooth, x: DVector<f64>) -> Option<Point> {
    let (cost, gradient) = problem.slope(x.as_slice())?;
    let sound = cost.is_finite() && gradient.iter().all(|g| g.is_finite());
    sound.then(|| Point {
        x,
        cost,
        gradient: DVector::from_vec(gradient),
    })
}

/// Line search from `at`; counts what it evaluates.
fn search(
    problem: &impl Smooth,
    at: &Point,
    direction: &DVector<f64>,
    bounds: &Bounds<'_>,
    budget: usize,
    evaluations: &mut usize,
) -> Option<Point> {
    let trial = |t: f64, at: Point| Trial {
        t,
        cost: at.cost,
        slope: at.gradient.dot(direction),
        at,
    };
    // The direction ends inside; what is missing to 1 is rounding.
    let longest = bounds.room(&at.x, direction).max(1.0);
    // Shorter steps would not change the point.
    let shortest = f64::EPSILON * at.x.norm() / direction.norm();
    let start = trial(0.0, at.clone());
    let found = line_search(start, 1.0, (shortest, longest), budget, |t| {
        if problem.watch(at.x.as_slice(), at.cost, *evaluations) {
            return None;
        }
        *evaluations += 1;
        evaluate(problem, bounds.nearest(&at.x + direction * t)).map(|point| trial(t, point))
    });
    found.map(|trial| trial.at)
}

/// The step from `at` to the minimum of the quadratic model within the bounds; `None` if it is not
/// a descent direction.
fn towards_minimum(
    at: &Point,
    curvature: &impl Curvature,
    bounds: &Bounds<'_>,
) -> Option<DVector<f64>> {
    let (cauchy, free) = cauchy_point(at, curvature, bounds);
    let downhill = |x: &DVector<f64>| {
        let direction = x - &at.x;
        (direction.dot(&at.gradient) < 0.0).then_some(direction)
    };
    if !free.is_empty() {
        let gradient = &at.gradient + curvature.times(&(&cauchy - &at.x));
        let right = DVector::from_fn(free.len(), |k, _| -gradient[free[k]]);
        if let Some(solved) = curvature.solve(&free, &right) {
            let mut step = DVector::zeros(at.x.len());
            for (k, &i) in free.iter().enumerate() {
                step[i] = solved[k];
            }
            // The whole step, projected; where that is not downhill, as much of it as stays inside.
            let whole = bounds.nearest(&cauchy + &step);
            if let Some(direction) = downhill(&whole) {
                return Some(direction);
            }
            let share = bounds.room(&cauchy, &step).min(1.0);
            if let Some(direction) = downhill(&bounds.nearest(&cauchy + step * share)) {
                return Some(direction);
            }
        }
    }
    downhill(&cauchy)
}

/// The first minimum of the quadratic model along the projected steepest descent, and the unknowns
/// that are not on a bound there.
fn cauchy_point(
    at: &Point,
    curvature: &impl Curvature,
    bounds: &Bounds<'_>,
) -> (DVector<f64>, Vec<usize>) {
    let n = at.x.len();
    let mut direction = -&at.gradient;
    let ends: Vec<f64> = (0..n)
        .map(|i| bounds.room_of(i, at.x[i], direction[i]).max(0.0))
        .collect();
    let mut order: Vec<usize> = (0..n).filter(|&i| ends[i].is_finite()).collect();
    order.sort_by(|&a, &b| ends[a].total_cmp(&ends[b]));
    let mut x = at.x.clone();
    let mut done = 0.0;
    let mut stopped = vec![false; n];
    for k in 0..=order.len() {
        let end = order.get(k).map_or(f64::INFINITY, |&i| ends[i]);
        if end > done {
            let image = curvature.times(&direction);
            let slope = at.gradient.dot(&direction) + image.dot(&(&x - &at.x));
            let curved = image.dot(&direction);
            // No slope is left when every unknown has met its bound.
            if !(slope < 0.0 && curved > 0.0) {
                break;
            }
            let best = -slope / curved;
            if best < end - done {
                x += &direction * best;
                break;
            }
            x += &direction * (end - done);
            done = end;
        }
        if let Some(&i) = order.get(k) {
            x[i] = if direction[i] > 0.0 {
                bounds.upper[i]
            } else {
                bounds.lower[i]
            };
            direction[i] = 0.0;
            stopped[i] = true;
        }
    }
    let inside = |i: usize| !stopped[i] && x[i] > bounds.lower[i] && x[i] < bounds.upper[i];
    let free = (0..n).filter(|&i| inside(i)).collect();
    (bounds.nearest(x), free)
}
