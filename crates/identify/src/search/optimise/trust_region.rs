//! Bounded nonlinear least squares: trust region with reflection at the bounds.
//!
//! Each iteration minimises the Gauss-Newton model within a ball in variables scaled by the distance
//! to the bounds (Coleman-Li), so that iterates approach a bound without sticking to it. The step is
//! the best of the trust-region step cut at the first bound, its reflection there, and the scaled
//! gradient. The Jacobian is reduced to a triangle once per iteration, so that the cost of the
//! algebra does not depend on the number of residuals beyond one QR.
//!
//! Reference: Branch, M. A., Coleman, T. F., Li, Y. (1999), SIAM J. Sci. Comput. 21, 1-23.

use super::{LeastSquares, Linearisation, Minimum, Options, Stop};
use crate::search::svd::svd;
use nalgebra::{DMatrix, DVector};

/// The best point found, with its residuals and Jacobian.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Unknowns.
    pub x: Vec<f64>,
    /// Half the sum of squares.
    pub cost: f64,
    /// Residuals and Jacobian there.
    pub at: Linearisation,
    /// Evaluations used.
    pub evaluations: usize,
    /// Why it stopped.
    pub stop: Stop,
}

impl Outcome {
    /// A start at which nothing can be computed.
    fn nowhere(start: &[f64]) -> Self {
        Self {
            x: start.to_vec(),
            cost: f64::INFINITY,
            at: Linearisation {
                r: DVector::zeros(0),
                j: DMatrix::zeros(0, start.len()),
            },
            evaluations: 1,
            stop: Stop::BadStart,
        }
    }
}

impl From<Outcome> for Minimum {
    fn from(found: Outcome) -> Self {
        Self {
            x: found.x,
            cost: found.cost,
            evaluations: found.evaluations,
            stop: found.stop,
        }
    }
}

/// Minimises half the sum of squares from `start`.
pub fn trust_region(problem: &impl LeastSquares, start: &[f64], options: &Options) -> Outcome {
    let [lower, upper] = problem.bounds().map(DVector::from_column_slice);
    let mut x = inside(&DVector::from_column_slice(start), &lower, &upper, 1e-10);
    let Some(mut at) = evaluate(problem, &x) else {
        return Outcome::nowhere(start);
    };
    let mut cost = 0.5 * at.r.norm_squared();
    let mut evaluations = 1;
    let mut radius = x.norm().max(1.0);
    let mut damping = 0.0;
    let stop = loop {
        if problem.watch(x.as_slice(), cost, evaluations) {
            break Stop::Interrupted;
        }
        let gradient = at.j.tr_mul(&at.r);
        let (v, dv) = coleman_li(&x, &gradient, &lower, &upper);
        let gradient_size = gradient.component_mul(&v).amax();
        if options.flat(gradient_size, cost) || cost == 0.0 {
            break Stop::Gradient;
        }
        let d = v.map(f64::sqrt);
        let local = Local::new(&at, &gradient, &dv, &d);
        let theta = (1.0 - gradient_size).max(0.995);
        let mut decision = None;
        let (mut accepted, mut rejected) = (None, false);
        while accepted.is_none() {
            if evaluations >= options.evaluations {
                decision = Some(Stop::Evaluations);
                break;
            }
            if rejected && problem.watch(x.as_slice(), cost, evaluations) {
                decision = Some(Stop::Interrupted);
                break;
            }
            rejected = true;
            let (step_h, new_damping) = local.trust_region_step(radius, damping);
            damping = new_damping;
            let (step_h, predicted) = local.select(&x, step_h, &d, radius, (&lower, &upper), theta);
            let step = d.component_mul(&step_h);
            let trial = inside(&(&x + &step), &lower, &upper, 0.0);
            evaluations += 1;
            let size_h = step_h.norm();
            let Some(next) = evaluate(problem, &trial) else {
                radius = 0.25 * size_h;
                if radius < 1e-14 * x.norm().max(1.0) {
                    decision = Some(Stop::Step);
                    break;
                }
                continue;
            };
            let next_cost = 0.5 * next.r.norm_squared();
            let reduction = cost - next_cost;
            let ratio = if predicted > 0.0 {
                reduction / predicted
            } else {
                0.0
            };
            let old = radius;
            if ratio < 0.25 {
                radius = 0.25 * size_h;
            } else if ratio > 0.75 && size_h > 0.95 * radius {
                radius *= 2.0;
            }
            damping *= old / radius;
            if reduction.abs() < options.cost * cost && ratio > 0.25 {
                decision = Some(Stop::Cost);
            } else if options.still((&trial - &x).norm(), x.norm()) {
                decision = Some(Stop::Step);
            }
            if reduction > 0.0 {
                accepted = Some((trial, next, next_cost));
            } else if decision.is_some() {
                break;
            }
        }
        if let Some((trial, next, next_cost)) = accepted {
            (x, at, cost) = (trial, next, next_cost);
        }
        if let Some(stop) = decision {
            break stop;
        }
    };
    Outcome {
        x: x.as_slice().to_vec(),
        cost,
        at,
        evaluations,
        stop,
    }
}

fn evaluate(problem: &impl LeastSquares, x: &DVector<f64>) -> Option<Linearisation> {
    problem
        .linearise(x.as_slice())
        .filter(|at| at.r.iter().all(|r| r.is_finite()) && at.j.iter().all(|j| j.is_finite()))
}

/// Moves a point off its bounds, by a share of the interval.
fn inside(
    x: &DVector<f64>,
    lower: &DVector<f64>,
    upper: &DVector<f64>,
    share: f64,
) -> DVector<f64> {
    DVector::from_fn(x.len(), |i, _| {
        let (l, u) = (lower[i], upper[i]);
        let room = |b: f64| share * b.abs().max(1.0);
        if l == u {
            l
        } else if x[i] <= l {
            if share > 0.0 {
                (l + room(l)).min(0.5 * (l + u))
            } else {
                next_towards(l, u)
            }
        } else if x[i] >= u {
            if share > 0.0 {
                (u - room(u)).max(0.5 * (l + u))
            } else {
                next_towards(u, l)
            }
        } else {
            x[i]
        }
    })
}

/// The next number after `a` towards `b`.
fn next_towards(a: f64, b: f64) -> f64 {
    if b > a { a.next_up() } else { a.next_down() }
}

/// Distance to the bound that the negative gradient points to (1 without one), and its derivative.
fn coleman_li(
    x: &DVector<f64>,
    gradient: &DVector<f64>,
    lower: &DVector<f64>,
    upper: &DVector<f64>,
) -> (DVector<f64>, DVector<f64>) {
    let n = x.len();
    let (mut v, mut dv) = (DVector::from_element(n, 1.0), DVector::zeros(n));
    for i in 0..n {
        if gradient[i] < 0.0 && upper[i].is_finite() {
            (v[i], dv[i]) = (upper[i] - x[i], -1.0);
        } else if gradient[i] > 0.0 && lower[i].is_finite() {
            (v[i], dv[i]) = (x[i] - lower[i], 1.0);
        }
    }
    (v, dv)
}

/// The quadratic model around a point, in scaled variables.
struct Local {
    /// Triangle of the scaled Jacobian.
    triangle: DMatrix<f64>,
    /// Curvature that the scaling adds.
    extra: DVector<f64>,
    gradient: DVector<f64>,
    singular: DVector<f64>,
    right: DMatrix<f64>,
    projected: DVector<f64>,
}

impl Local {
    fn new(
        at: &Linearisation,
        gradient: &DVector<f64>,
        dv: &DVector<f64>,
        d: &DVector<f64>,
    ) -> Self {
        let n = d.len();
        let (triangle, qtr) = reduce(at);
        let rows = triangle.nrows();
        let scaled = DMatrix::from_fn(rows, n, |i, j| triangle[(i, j)] * d[j]);
        let extra = gradient.component_mul(dv);
        let mut augmented = DMatrix::zeros(rows + n, n);
        augmented.rows_mut(0, rows).copy_from(&scaled);
        for i in 0..n {
            augmented[(rows + i, i)] = extra[i].max(0.0).sqrt();
        }
        let mut right_side = DVector::zeros(rows + n);
        right_side.rows_mut(0, rows).copy_from(&qtr);
        let svd = svd(&augmented);
        let (u, right) = (
            svd.u.unwrap_or_default(),
            svd.v_t.unwrap_or_default().transpose(),
        );
        Self {
            triangle: scaled,
            extra,
            gradient: gradient.component_mul(d),
            projected: u.tr_mul(&right_side),
            singular: svd.singular_values,
            right,
        }
    }

    /// Decrease that the model predicts for a step.
    fn decrease(&self, step: &DVector<f64>) -> f64 {
        let image = &self.triangle * step;
        -(0.5 * image.norm_squared()
            + 0.5 * step.component_mul(&self.extra).dot(step)
            + self.gradient.dot(step))
    }

    /// Minimiser of the model within the ball, and the damping that holds it there.
    fn trust_region_step(&self, radius: f64, first_damping: f64) -> (DVector<f64>, f64) {
        let n = self.singular.len();
        let scaled = self.singular.component_mul(&self.projected);
        let at = |damping: f64| {
            let z = DVector::from_fn(n, |i, _| {
                let denominator = self.singular[i] * self.singular[i] + damping;
                if denominator > 0.0 {
                    -scaled[i] / denominator
                } else {
                    0.0
                }
            });
            (&self.right * &z, z)
        };
        let largest = self.singular.amax();
        let full_rank = self.singular.amin() > f64::EPSILON * largest * n as f64;
        if full_rank {
            let (step, z) = at(0.0);
            if z.norm() <= radius {
                return (step, 0.0);
            }
        }
        // Newton on 1/|p| - 1/radius, kept in a bracket.
        let mut high = scaled.norm() / radius;
        let mut low = 0.0;
        let mut damping = if first_damping > 0.0 {
            first_damping
        } else {
            1e-3 * high
        };
        for _ in 0..20 {
            if damping < low || damping > high {
                damping = (1e-3 * high).max((low * high).sqrt());
            }
            let (_, z) = at(damping);
            let size = z.norm();
            let excess = size - radius;
            if excess < 0.0 {
                high = damping;
            }
            let slope = -(0..n)
                .map(|i| z[i] * z[i] / (self.singular[i] * self.singular[i] + damping))
                .sum::<f64>()
                / size;
            let ratio = excess / slope;
            low = f64::max(low, damping - ratio);
            damping -= (excess + radius) * ratio / radius;
            if excess.abs() < 0.01 * radius {
                break;
            }
        }
        let (step, z) = at(damping.max(0.0));
        let shrink = radius / z.norm();
        (
            if shrink < 1.0 { step * shrink } else { step },
            damping.max(0.0),
        )
    }

    /// The best of the step cut at the bound, its reflection and the scaled gradient; and the
    /// decrease predicted for it.
    fn select(
        &self,
        x: &DVector<f64>,
        step: DVector<f64>,
        d: &DVector<f64>,
        radius: f64,
        (lower, upper): (&DVector<f64>, &DVector<f64>),
        theta: f64,
    ) -> (DVector<f64>, f64) {
        let real = |s: &DVector<f64>| d.component_mul(s);
        let (stride, hit) = to_bound(x, &real(&step), lower, upper);
        if stride > 1.0 {
            let decrease = self.decrease(&step);
            return (step, decrease);
        }
        let mut best = &step * (theta * stride);
        let mut best_decrease = self.decrease(&best);
        // The reflected path from where the step meets the bound.
        let corner = &step * stride;
        let reflected =
            DVector::from_fn(step.len(), |i, _| if hit[i] { -step[i] } else { step[i] });
        let (room, _) = to_bound(&(x + real(&corner)), &real(&reflected), lower, upper);
        let far = to_sphere(&corner, &reflected, radius);
        let longest = if room < far { theta * room } else { far };
        if longest > 0.0 {
            let least = (1.0 - theta) * stride / longest.max(f64::MIN_POSITIVE);
            if least <= longest {
                let t = self.line_minimum(&reflected, Some(&corner), (least, longest));
                let candidate = &corner + &reflected * t;
                let decrease = self.decrease(&candidate);
                if decrease > best_decrease {
                    (best, best_decrease) = (candidate, decrease);
                }
            }
        }
        let descent = -&self.gradient;
        let size = descent.norm();
        if size > 0.0 {
            let (room, _) = to_bound(x, &real(&descent), lower, upper);
            let longest = (radius / size).min(theta * room);
            let t = self.line_minimum(&descent, None, (0.0, longest));
            let candidate = descent * t;
            let decrease = self.decrease(&candidate);
            if decrease > best_decrease {
                (best, best_decrease) = (candidate, decrease);
            }
        }
        (best, best_decrease)
    }

    /// Where the model is smallest along a line, within an interval.
    fn line_minimum(
        &self,
        along: &DVector<f64>,
        from: Option<&DVector<f64>>,
        (low, high): (f64, f64),
    ) -> f64 {
        let image = &self.triangle * along;
        let curvature = image.norm_squared() + along.component_mul(&self.extra).dot(along);
        let mut slope = self.gradient.dot(along);
        if let Some(from) = from {
            slope +=
                (&self.triangle * from).dot(&image) + from.component_mul(&self.extra).dot(along);
        }
        if curvature > 0.0 {
            (-slope / curvature).clamp(low, high)
        } else if slope < 0.0 {
            high
        } else {
            low
        }
    }
}

/// Triangle and projected residuals of J = Q R.
pub(crate) fn reduce(at: &Linearisation) -> (DMatrix<f64>, DVector<f64>) {
    if at.j.nrows() <= at.j.ncols() {
        return (at.j.clone(), at.r.clone());
    }
    let n = at.j.ncols();
    let qr = at.j.clone().qr();
    let mut qtr = at.r.clone();
    qr.q_tr_mul(&mut qtr);
    (qr.unpack_r(), qtr.rows(0, n).into_owned())
}

/// The step length to the first bound, and the bounds that are met there.
fn to_bound(
    x: &DVector<f64>,
    step: &DVector<f64>,
    lower: &DVector<f64>,
    upper: &DVector<f64>,
) -> (f64, Vec<bool>) {
    let strides: Vec<f64> = (0..x.len())
        .map(|i| match step[i] {
            s if s > 0.0 => (upper[i] - x[i]) / s,
            s if s < 0.0 => (lower[i] - x[i]) / s,
            _ => f64::INFINITY,
        })
        .collect();
    let least = strides.iter().copied().fold(f64::INFINITY, f64::min);
    let hit = strides
        .iter()
        .map(|&s| s == least && s.is_finite())
        .collect();
    (least, hit)
}

/// The distance along `direction` from `from` to the sphere.
fn to_sphere(from: &DVector<f64>, direction: &DVector<f64>, radius: f64) -> f64 {
    let a = direction.norm_squared();
    let b = from.dot(direction);
    let c = from.norm_squared() - radius * radius;
    if a == 0.0 || c > 0.0 {
        0.0
    } else {
        (-b + (b * b - a * c).max(0.0).sqrt()) / a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Rosenbrock {
        lower: [f64; 2],
        upper: [f64; 2],
    }

    impl LeastSquares for Rosenbrock {
        fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
            Some(Linearisation {
                r: DVector::from_column_slice(&[10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]),
                j: DMatrix::from_row_slice(2, 2, &[-20.0 * x[0], 10.0, -1.0, 0.0]),
            })
        }
        fn bounds(&self) -> [&[f64]; 2] {
            [&self.lower, &self.upper]
        }
    }

    #[test]
    fn finds_free_and_bounded_minima_of_the_rosenbrock_valley() {
        let free = Rosenbrock {
            lower: [f64::NEG_INFINITY; 2],
            upper: [f64::INFINITY; 2],
        };
        let out = trust_region(&free, &[-2.0, 1.0], &Options::default());
        assert!(out.stop.converged(), "{:?}", out.stop);
        assert!(
            (out.x[0] - 1.0).abs() < 1e-8 && (out.x[1] - 1.0).abs() < 1e-8,
            "{:?}",
            out.x
        );
        // Minimum on the bound x1 = 1.5: from 200 x0 (x0^2 - 1.5) = 1 - x0, the root near sqrt(1.5).
        let bounded = Rosenbrock {
            lower: [f64::NEG_INFINITY, 1.5],
            upper: [f64::INFINITY; 2],
        };
        let out = trust_region(&bounded, &[2.0, 2.0], &Options::default());
        let mut root: f64 = 1.22;
        for _ in 0..20 {
            root -=
                (200.0 * root * (root * root - 1.5) - (1.0 - root)) / (600.0 * root * root - 299.0);
        }
        assert!(
            (out.x[1] - 1.5).abs() < 1e-6 && (out.x[0] - root).abs() < 1e-5,
            "{:?} {root}",
            out.x
        );
    }
}
