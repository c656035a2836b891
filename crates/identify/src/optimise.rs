//! Optimisers.

mod trust_region;

pub use trust_region::{Options, Outcome, Stop, trust_region};

use nalgebra::{DMatrix, DVector};

/// Residuals and their derivatives at a point.
#[derive(Clone, Debug)]
pub struct Linearisation {
    /// Residuals.
    pub r: DVector<f64>,
    /// d residual/d unknown.
    pub j: DMatrix<f64>,
}

/// A sum of squares to be made small within bounds.
pub trait LeastSquares {
    /// Residuals and Jacobian at `x`; `None` where they cannot be computed.
    fn linearise(&self, x: &[f64]) -> Option<Linearisation>;

    /// Smallest admissible values.
    fn lower(&self) -> &[f64];

    /// Largest admissible values.
    fn upper(&self) -> &[f64];

    /// Told of every accepted point; `true` asks to stop with the best so far.
    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        let _ = (x, cost, evaluations);
        false
    }
}
