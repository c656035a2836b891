//! BFGS within bounds: second derivatives learnt from the gradients, kept in full.
//!
//! B+ = B - (B s)(B s)^T / (s.B s) + y y^T / (y.s)
//!
//! with the step s and the change of the gradient y. The line-search method of the literature, for
//! costs of which only the gradient is known; n^2 numbers are kept. For sums of squares with a Jacobian the
//! trust region needs far fewer evaluations.
//!
//! Reference: Nocedal, J., Wright, S. J. (2006), Numerical Optimization, section 6.1.

use super::quasi_newton::{Curvature, descend};
use super::{Minimum, Options, Smooth};
use nalgebra::{Cholesky, DMatrix, DVector};

/// Minimises the cost from `start`; a start outside the bounds begins at the nearest point inside.
pub fn bfgs(problem: &impl Smooth, start: &[f64], options: &Options) -> Minimum {
    let n = start.len();
    let full = Full {
        b: DMatrix::identity(n, n),
        fresh: true,
    };
    descend(problem, start, options, full)
}

/// B as a matrix.
struct Full {
    b: DMatrix<f64>,
    fresh: bool,
}

impl Curvature for Full {
    fn forget(&mut self, scale: f64) {
        self.b.fill_with_identity();
        self.b *= scale;
        self.fresh = true;
    }

    fn fresh(&self) -> bool {
        self.fresh
    }

    fn learn(&mut self, step: &DVector<f64>, change: &DVector<f64>) {
        let along = step.dot(change);
        if self.fresh {
            // The first step tells how curved the cost is; its length did not.
            self.forget(change.norm_squared() / along);
            self.fresh = false;
        }
        let image = &self.b * step;
        let before = image.dot(step);
        self.b.ger(-1.0 / before, &image, &image, 1.0);
        self.b.ger(1.0 / along, change, change, 1.0);
    }

    fn times(&self, v: &DVector<f64>) -> DVector<f64> {
        &self.b * v
    }

    fn solve(&self, free: &[usize], right: &DVector<f64>) -> Option<DVector<f64>> {
        let part = DMatrix::from_fn(free.len(), free.len(), |i, j| self.b[(free[i], free[j])]);
        // Scaled to a unit diagonal, because unknowns may differ by many powers of ten.
        let scale = part.diagonal().map(|d| 1.0 / d.sqrt());
        let scaled = DMatrix::from_fn(free.len(), free.len(), |i, j| {
            part[(i, j)] * scale[i] * scale[j]
        });
        let solved = Cholesky::new(scaled)?.solve(&right.component_mul(&scale));
        let solved = solved.component_mul(&scale);
        solved.iter().all(|s| s.is_finite()).then_some(solved)
    }
}
