//! Optimisers: each goes downhill within bounds and keeps the best point.

mod bfgs;
mod lbfgs;
mod line_search;
mod quasi_newton;
mod trust_region;

pub use bfgs::bfgs;
pub use lbfgs::lbfgs;
pub use trust_region::{Outcome, trust_region};

use nalgebra::{DMatrix, DVector};

/// Residuals and their derivatives at a point.
#[derive(Clone, Debug)]
pub struct Linearisation {
    /// Residuals.
    pub r: DVector<f64>,
    /// d residual/d unknown.
    pub j: DMatrix<f64>,
}

impl Linearisation {
    /// From residuals and a Jacobian with one row per residual, row after row.
    pub fn from_rows(r: Vec<f64>, j: &[f64]) -> Self {
        let columns = j.len().checked_div(r.len()).unwrap_or(0);
        Self {
            j: DMatrix::from_row_slice(r.len(), columns, j),
            r: DVector::from_vec(r),
        }
    }
}

/// A sum of squares to minimise within bounds.
pub trait LeastSquares {
    /// Residuals and Jacobian at `x`; `None` where they cannot be computed.
    fn linearise(&self, x: &[f64]) -> Option<Linearisation>;

    /// Smallest and largest admissible values.
    fn bounds(&self) -> [&[f64]; 2];

    /// Told of every accepted point, and of the same one again while trials fail; `true` asks to stop with the best so far.
    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        let _ = (x, cost, evaluations);
        false
    }
}

/// A cost to minimise within bounds.
pub trait Smooth {
    /// Cost and its gradient at `x`; `None` where they cannot be computed.
    fn slope(&self, x: &[f64]) -> Option<(f64, Vec<f64>)>;

    /// Smallest and largest admissible values.
    fn bounds(&self) -> [&[f64]; 2];

    /// Told of every accepted point, and of the same one again while trials fail; `true` asks to stop with the best so far.
    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        let _ = (x, cost, evaluations);
        false
    }
}

/// Half a sum of squares as a plain cost, for optimisers that only use the gradient.
#[derive(Clone, Copy, Debug)]
pub struct Squares<'a, P>(pub &'a P);

impl<P: LeastSquares> Smooth for Squares<'_, P> {
    fn slope(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let at = self.0.linearise(x)?;
        let gradient = at.j.tr_mul(&at.r);
        Some((0.5 * at.r.norm_squared(), gradient.as_slice().to_vec()))
    }

    fn bounds(&self) -> [&[f64]; 2] {
        self.0.bounds()
    }

    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        self.0.watch(x, cost, evaluations)
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Relative decrease of the cost.
    pub cost: f64,
    /// Relative change of the unknowns.
    pub step: f64,
    /// Gradient towards the inside of the bounds, relative to the root of the cost.
    pub gradient: f64,
    /// Evaluations.
    pub evaluations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cost: 1e-12,
            step: 1e-12,
            gradient: 1e-12,
            evaluations: 200,
        }
    }
}

impl Options {
    /// Whether a gradient of that size counts as zero.
    fn flat(&self, gradient: f64, cost: f64) -> bool {
        gradient <= self.gradient * cost.abs().sqrt().max(1e-30)
    }

    /// Whether a change of that size counts as zero.
    fn still(&self, change: f64, x: f64) -> bool {
        change < self.step * (self.step + x)
    }
}

/// Why it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The cost no longer falls.
    Cost,
    /// The unknowns no longer change.
    Step,
    /// The gradient vanishes.
    Gradient,
    /// No more evaluations allowed.
    Evaluations,
    /// The caller asked to stop.
    Interrupted,
    /// The start itself could not be evaluated.
    BadStart,
    /// There was no search: the values come from formulas.
    Formula,
}

impl Stop {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Stop::Cost => "cost",
            Stop::Step => "step",
            Stop::Gradient => "gradient",
            Stop::Evaluations => "evaluations",
            Stop::Interrupted => "interrupted",
            Stop::BadStart => "badstart",
            Stop::Formula => "formula",
        }
    }

    /// Whether the point is a minimum.
    pub fn converged(self) -> bool {
        matches!(
            self,
            Stop::Cost | Stop::Step | Stop::Gradient | Stop::Formula
        )
    }
}

/// The best point found.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    /// Unknowns.
    pub x: Vec<f64>,
    /// Cost there.
    pub cost: f64,
    /// Evaluations used.
    pub evaluations: usize,
    /// Why it stopped.
    pub stop: Stop,
}

impl Minimum {
    /// A start that could not be evaluated.
    fn nowhere(start: &[f64]) -> Self {
        Self {
            x: start.to_vec(),
            cost: f64::INFINITY,
            evaluations: 1,
            stop: Stop::BadStart,
        }
    }
}
