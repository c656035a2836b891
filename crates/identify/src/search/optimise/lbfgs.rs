//! L-BFGS within bounds: second derivatives from the last few steps, for many unknowns.
//!
//! B = theta I - W M W^T,  W = [Y, theta S],  M^-1 = [-D, L^T; L, theta S^T S]
//!
//! with the last steps S, the changes of the gradient Y, and D and L the diagonal and the part below
//! it of S^T Y. The same matrix as BFGS would build from those steps, in O(n) numbers.
//!
//! Reference: Byrd, R. H., Nocedal, J., Schnabel, R. B. (1994), Math. Program. 63, 129-156.

use super::quasi_newton::{Curvature, descend};
use super::{Minimum, Options, Smooth};
use nalgebra::{DMatrix, DVector};

/// Steps remembered.
const MEMORY: usize = 10;

/// Minimises the cost from `start`; a start outside the bounds begins at the nearest point inside.
pub fn lbfgs(problem: &impl Smooth, start: &[f64], options: &Options) -> Minimum {
    let n = start.len();
    let limited = Limited {
        theta: 1.0,
        pairs: Vec::with_capacity(MEMORY),
        w: DMatrix::zeros(n, 0),
        m: DMatrix::zeros(0, 0),
    };
    descend(problem, start, options, limited)
}

/// B as a multiple of the identity and a correction of low rank.
struct Limited {
    theta: f64,
    /// The last steps, oldest first, each with its change of the gradient.
    pairs: Vec<(DVector<f64>, DVector<f64>)>,
    w: DMatrix<f64>,
    m: DMatrix<f64>,
}

impl Limited {
    fn assemble(&mut self) -> Option<()> {
        let (n, k) = (self.w.nrows(), self.pairs.len());
        let mut w = DMatrix::zeros(n, 2 * k);
        let mut inverse = DMatrix::zeros(2 * k, 2 * k);
        for (i, (s, y)) in self.pairs.iter().enumerate() {
            w.set_column(i, y);
            w.set_column(k + i, &(s * self.theta));
            inverse[(i, i)] = -s.dot(y);
            for (j, (earlier, change)) in self.pairs.iter().enumerate() {
                inverse[(k + i, k + j)] = self.theta * s.dot(earlier);
                if i > j {
                    inverse[(k + i, j)] = s.dot(change);
                    inverse[(j, k + i)] = s.dot(change);
                }
            }
        }
        self.m = inverse.try_inverse()?;
        self.w = w;
        Some(())
    }
}

impl Curvature for Limited {
    fn forget(&mut self, scale: f64) {
        self.theta = scale;
        self.pairs.clear();
        self.w = DMatrix::zeros(self.w.nrows(), 0);
        self.m = DMatrix::zeros(0, 0);
    }

    fn fresh(&self) -> bool {
        self.pairs.is_empty()
    }

    fn learn(&mut self, step: &DVector<f64>, change: &DVector<f64>) {
        if self.pairs.len() == MEMORY {
            self.pairs.remove(0);
        }
        // B does not depend on the length of a pair; at this one D is the identity, and steps of very
        // different lengths go together.
        let along = step.dot(change);
        let scale = along.sqrt().recip();
        self.pairs.push((step * scale, change * scale));
        self.theta = change.norm_squared() / along;
        if self.assemble().is_none() {
            // Steps that repeat each other: go on with the curvature of the last one.
            self.forget(self.theta);
        }
    }

    fn times(&self, v: &DVector<f64>) -> DVector<f64> {
        v * self.theta - &self.w * (&self.m * self.w.tr_mul(v))
    }

    fn solve(&self, free: &[usize], right: &DVector<f64>) -> Option<DVector<f64>> {
        // Inverse of a multiple of the identity and a low rank (Sherman, Morrison, Woodbury).
        let (k, theta) = (self.w.ncols(), self.theta);
        if k == 0 {
            return Some(right / theta);
        }
        let w = DMatrix::from_fn(free.len(), k, |i, j| self.w[(free[i], j)]);
        let small = DMatrix::identity(k, k) - &self.m * w.tr_mul(&w) / theta;
        let inner = small.lu().solve(&(&self.m * w.tr_mul(right)))?;
        let solved = (right + w * inner / theta) / theta;
        solved.iter().all(|s| s.is_finite()).then_some(solved)
    }
}
