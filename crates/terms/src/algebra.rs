//! Small pieces of linear algebra on tall columns.

use masing_identify::search::non_negative::triangle;
use nalgebra::{DMatrix, DVector, DVectorView, DVectorViewMut};

/// `a'b`.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    DVectorView::from_slice(a, n).dot(&DVectorView::from_slice(b, n))
}

/// `a'a`.
pub(super) fn norm2(a: &[f64]) -> f64 {
    dot(a, a)
}

/// `y += factor a`.
pub(super) fn axpy(factor: f64, a: &[f64], y: &mut [f64]) {
    let n = a.len().min(y.len());
    DVectorViewMut::from_slice(y, n).axpy(factor, &DVectorView::from_slice(a, n), 1.0);
}

/// What columns with these coefficients leave of `y`.
pub(super) fn left_of(mut y: Vec<f64>, coefficients: &[f64], columns: &[Vec<f64>]) -> Vec<f64> {
    for (c, column) in coefficients.iter().zip(columns) {
        axpy(-c, column, &mut y);
    }
    y
}

/// Orthonormal directions of a few columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    directions: Vec<Vec<f64>>,
}

/// Share of a column below which it counts as dependent on the earlier ones.
const REPEATS: f64 = 1e-10;

impl Basis {
    /// Those of the columns; dependent columns add none.
    pub(super) fn of<'a>(columns: impl IntoIterator<Item = &'a Vec<f64>>) -> Self {
        let mut basis = Self::default();
        for column in columns {
            basis.add(column.clone());
        }
        basis
    }

    /// Adds one column; false if it depends on the others.
    pub(super) fn add(&mut self, mut column: Vec<f64>) -> bool {
        let before = norm2(&column).sqrt();
        self.take_out(&mut column);
        let after = norm2(&column).sqrt();
        if !(after > REPEATS * before) {
            return false;
        }
        for v in &mut column {
            *v /= after;
        }
        self.directions.push(column);
        true
    }

    /// Orthogonalises a column against the directions, twice.
    pub(super) fn take_out(&self, column: &mut [f64]) {
        for _ in 0..2 {
            for q in &self.directions {
                axpy(-dot(q, column), q, column);
            }
        }
    }
}

/// A linear least-squares problem with unit columns.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// Coefficients of the columns as they were given.
    pub(super) coefficients: Vec<f64>,
    /// Their covariance for residuals of standard deviation one.
    pub(super) covariance: DMatrix<f64>,
    /// Residual sum of squares.
    pub(super) rest: f64,
    /// Condition of the unit columns.
    pub(super) condition: f64,
}

/// Solves for the columns; `None` where they are linearly dependent or not finite.
pub(super) fn solve(columns: &[Vec<f64>], y: &[f64]) -> Option<Solved> {
    let count = columns.len();
    if count == 0 {
        return Some(Solved {
            coefficients: Vec::new(),
            covariance: DMatrix::zeros(0, 0),
            rest: norm2(y),
            condition: 1.0,
        });
    }
    let mut lengths = Vec::with_capacity(count);
    let mut unit: Vec<Vec<f64>> = Vec::with_capacity(count);
    for column in columns {
        let largest = column.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        let mut scaled: Vec<f64> = column.iter().map(|v| v / largest).collect();
        let length = norm2(&scaled).sqrt();
        for v in &mut scaled {
            *v /= length;
        }
        lengths.push(largest * length);
        unit.push(scaled);
    }
    let mut all: Vec<&[f64]> = unit.iter().map(Vec::as_slice).collect();
    all.push(y);
    let r = triangle(&all);
    if r.nrows() <= count {
        return None;
    }
    let own = r.view((0, 0), (count, count)).into_owned();
    let right: DVector<f64> = r.view((0, count), (count, 1)).column(0).into_owned();
    let inverse = own.clone().try_inverse()?;
    let unscaled = &inverse * right;
    let singular = own.singular_values();
    let condition = singular.max() / singular.min();
    if !(condition < 1e14) {
        return None;
    }
    let covariance = &inverse * inverse.transpose();
    let covariance = DMatrix::from_fn(count, count, |i, j| {
        covariance[(i, j)] / lengths[i] / lengths[j]
    });
    let coefficients: Vec<f64> = unscaled.iter().zip(&lengths).map(|(c, l)| c / l).collect();
    let finite = coefficients.iter().all(|c| c.is_finite());
    finite.then(|| Solved {
        coefficients,
        covariance,
        rest: r[(count, count)].powi(2),
        condition,
    })
}
