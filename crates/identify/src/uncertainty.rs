//! Uncertainty of the estimates: standard errors, correlations, what is not determined.

pub mod inflation;
pub(crate) mod interval;
pub mod leave_one_out;
pub(crate) mod likelihood_interval;
pub(crate) mod profile;
pub mod score;
mod status;
pub(crate) mod valley_likelihood;

pub use leave_one_out::Left;
pub use profile::Profile;
pub use status::Status;

use crate::objective::Objective;
use crate::objective::loss::Loss;
use crate::objective::residuals::Residuals;
use crate::problem::unknown::{Place, Unknown};
use crate::uncertainty::inflation::{correlated, inflation};
use crate::uncertainty::interval::{interval, reach};
use masing_model::Scale;
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Uncertainty of the unknowns.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    /// Standard errors of the values.
    pub std_error: Vec<f64>,
    /// Correlations of the unknowns.
    pub correlation: DMatrix<f64>,
    /// Status of each unknown.
    pub status: Vec<Status>,
    /// Singular values of the Jacobian with normalised columns, relative to the largest, in descending order.
    pub singular: Vec<f64>,
    /// The least determined direction, for normalised columns; a unit vector.
    pub weakest: DVector<f64>,
    /// Whether correlated residuals inflated the standard errors.
    pub inflated: bool,
    /// The variances of the optimiser's numbers for weighted residuals of unit variance: the
    /// diagonal of the inverse of J'J.
    pub unit_variance: Vec<f64>,
}

/// The Jacobian at the minimum, test by test.
pub(crate) struct Normals {
    /// J'J of every test.
    pub(crate) of_test: Vec<DMatrix<f64>>,
    /// J'r of every test.
    pub(crate) slope_of_test: Vec<DVector<f64>>,
    /// Priors that pull parameters towards a value.
    pub(crate) of_priors: DMatrix<f64>,
}

impl Normals {
    pub(crate) fn new(
        objective: &Objective<'_>,
        at: &crate::search::optimise::Linearisation,
    ) -> Self {
        let mut row = 0;
        let mut normals = Self {
            of_test: vec![],
            slope_of_test: vec![],
            of_priors: DMatrix::zeros(0, 0),
        };
        for k in 0..objective.tests.len() {
            let n = objective.rows(k).len();
            let rows = at.j.rows(row, n);
            normals.of_test.push(rows.tr_mul(&rows));
            normals.slope_of_test.push(rows.tr_mul(&at.r.rows(row, n)));
            row += n;
        }
        let rows = at.j.rows(row, at.j.nrows() - row);
        normals.of_priors = rows.tr_mul(&rows);
        normals
    }

    /// The sum over all tests and priors.
    pub(crate) fn sum(&self) -> DMatrix<f64> {
        let first = self.of_priors.clone();
        self.of_test.iter().fold(first, |sum, own| sum + own)
    }
}

/// Standard errors, correlations and status from the Jacobian at the minimum.
pub(crate) fn trust(
    objective: &Objective<'_>,
    x: &[f64],
    normals: &Normals,
    tests: &[Residuals],
) -> Uncertainty {
    let n = x.len();
    let values = objective.values_of(x);
    let mut noisy = DMatrix::<f64>::zeros(n, n);
    let mut inflated = false;
    for (k, test) in tests.iter().enumerate() {
        let mut variance = test.variance;
        if objective.rules.loss != Loss::Linear {
            variance *= robust_factor(objective.rules.loss, test, objective.rules.scales.get(k));
        }
        variance *= inflation(test.lag1, test.samples);
        inflated |= correlated(test.lag1, test.samples);
        noisy += &normals.of_test[k] * variance;
    }
    let normal = normals.sum();
    // Columns of equal length, so that what a direction tells does not depend on units.
    let scale = DVector::from_fn(n, |i, _| {
        let own = normal[(i, i)];
        if own > 0.0 { 1.0 / own.sqrt() } else { 1.0 }
    });
    let scaled = |m: &DMatrix<f64>| DMatrix::from_fn(n, n, |i, j| m[(i, j)] * scale[i] * scale[j]);
    let svd = scaled(&normal).svd(false, true);
    let largest = svd.singular_values.amax().max(f64::MIN_POSITIVE);
    let directions = svd.v_t.unwrap_or_else(|| DMatrix::identity(n, n));
    // Directions with a scaled singular value of the Jacobian below 1e-8 say nothing; they count with
    // that value, which makes the errors as large as they are meaningless.
    let least = 1e-16 * largest;
    // C = B B' with B = V S^-1 (V' noisy V)^(1/2), so that rounding cannot make a variance negative.
    let v = directions.transpose();
    let middle = SymmetricEigen::new(v.tr_mul(&(scaled(&noisy) * &v)));
    let mut root = middle.eigenvectors;
    for (mut column, value) in root.column_iter_mut().zip(&middle.eigenvalues) {
        column *= value.max(0.0).sqrt();
    }
    for (mut row, s) in root.row_iter_mut().zip(&svd.singular_values) {
        row /= s.max(least);
    }
    let factor = v * root;
    let covariance = scaled(&(&factor * factor.transpose()));
    let unit_variance = (0..n).map(|i| {
        let along = svd.singular_values.iter().enumerate();
        let sum: f64 = along
            .map(|(d, s)| directions[(d, i)].powi(2) / s.max(least))
            .sum();
        sum * scale[i] * scale[i]
    });
    let unit_variance: Vec<f64> = unit_variance.collect();
    let deviation = DVector::from_fn(n, |i, _| covariance[(i, i)].max(0.0).sqrt());
    let weak = (0..n)
        .min_by(|&a, &b| svd.singular_values[a].total_cmp(&svd.singular_values[b]))
        .unwrap_or(0);
    let weakest = if n > 0 {
        directions.row(weak).transpose()
    } else {
        DVector::zeros(0)
    };
    let lost: Vec<bool> = (0..n)
        .map(|i| {
            let mut silent = (0..n).filter(|&d| svd.singular_values[d] <= least);
            silent.any(|d| directions[(d, i)].abs() > 0.1)
        })
        .collect();
    let std_error: Vec<f64> = (0..n)
        .map(|i| deviation[i] * objective.unknowns[i].slope(values[i]).abs())
        .collect();
    let status = (0..n)
        .map(|i| status(objective, i, x[i], values[i], std_error[i], lost[i]))
        .collect();
    let correlation = DMatrix::from_fn(n, n, |i, j| {
        let scale = deviation[i] * deviation[j];
        if scale > 0.0 {
            covariance[(i, j)] / scale
        } else {
            f64::from(u8::from(i == j))
        }
    });
    let mut singular: Vec<f64> = svd
        .singular_values
        .iter()
        .map(|s| (s / largest).max(0.0).sqrt())
        .collect();
    singular.sort_by(|a, b| b.total_cmp(a));
    Uncertainty {
        std_error,
        correlation,
        status,
        singular,
        weakest,
        inflated,
        unit_variance,
    }
}

/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;
/// Degrees of freedom above which the asymptotic expansion of the quantile is accurate to 1e-7; the
/// library loses digits for very long records.
const EXPANDED: usize = 10_000;

/// Half width of a 95 % interval in standard errors, with that many degrees of freedom (Student's t).
pub fn student(freedom: usize) -> f64 {
    if freedom > EXPANDED {
        return NORMAL + (NORMAL.powi(3) + NORMAL) / (4.0 * freedom as f64);
    }
    match StudentsT::new(0.0, 1.0, freedom as f64) {
        Ok(of) => of.inverse_cdf(0.975),
        // No freedom: nothing can be said.
        Err(_) => f64::INFINITY,
    }
}

/// The status of unknown `i` with a standard error; `lost` if an undetermined direction moves it.
pub(crate) fn status(
    objective: &Objective<'_>,
    i: usize,
    x: f64,
    value: f64,
    error: f64,
    lost: bool,
) -> Status {
    let u = &objective.unknowns[i];
    // What belongs to a test may well be zero, and so may a parameter that is sought by differences: its
    // scale counts.
    let size = match u.scale {
        Scale::Linear => value.abs().max(u.typical),
        Scale::Log => value.abs(),
    };
    // Where the start was many times the value, the edge is wide; what is clear of the end is not at it.
    let at_end = at_end(u, x)
        .is_some_and(|end| u.scale == Scale::Log || (value - end).abs() <= error || error == 0.0);
    let nothing = error <= 0.0 && objective.rules.priors.is_empty();
    let by_error = Status::of(error, size);
    if lost || nothing || by_error == Status::Unidentifiable {
        Status::Unidentifiable
    } else if at_end {
        Status::AtBound
    } else if matches!(u.place, Place::Param(_)) {
        by_error.by_interval(interval(u, value, reach(objective) * error))
    } else {
        by_error
    }
}

/// The limit of its range that an unknown is at, in the optimiser's numbers. Those are of order one, while
/// ranges may span a dozen decades.
pub(crate) fn at_end(u: &Unknown, x: f64) -> Option<f64> {
    let edge = 1e-6 * x.abs().max(1.0);
    if x - u.internal(u.min) < edge {
        Some(u.min)
    } else {
        (u.internal(u.max) - x < edge).then_some(u.max)
    }
}

/// Variance of a robust estimate over that of least squares with the same (robust) scale: the mean
/// square of the influence over the square of its mean slope (Huber, P. J., Robust Statistics, 1981,
/// section 7.6), for residuals in units of the knee.
fn robust_factor(loss: Loss, test: &Residuals, scale: Option<&f64>) -> f64 {
    let Some(&scale) = scale else { return 1.0 };
    let n = test.weighted.len().max(1) as f64;
    let (mut square, mut slope) = (0.0, 0.0);
    for r in &test.weighted {
        let (psi, dpsi) = loss.influence(r / scale);
        square += psi * psi;
        slope += dpsi;
    }
    let (square, slope) = (square / n, slope / n);
    let variance = scale * scale * square / (slope * slope).max(1e-12);
    if test.variance > 0.0 {
        (variance / test.variance).max(test.floor / test.variance)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::{EXPANDED, student};

    #[test]
    fn intervals_are_those_of_student() {
        // Tables of the t distribution, two-sided 95 %.
        for (freedom, expected) in [
            (1, 12.7062),
            (2, 4.3027),
            (10, 2.2281),
            (11, 2.2010),
            (30, 2.0423),
            (100, 1.9840),
        ] {
            let found = student(freedom);
            assert!((found - expected).abs() < 5e-5, "{freedom}: {found}");
        }
        assert_eq!(student(0), f64::INFINITY);
        let seam = student(EXPANDED + 1) - student(EXPANDED);
        assert!(seam.abs() < 1e-7, "{seam:e}");
        // Towards the normal distribution, also for the longest of records.
        assert!((student(10_000_000) - 1.959_964).abs() < 1e-6);
    }
}
