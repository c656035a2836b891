//! What the data say about the numbers found: standard errors, correlations, what is not determined.

use crate::objective::Objective;
use crate::optimise::Linearisation;
use crate::target::Target;
use nalgebra::{DMatrix, DVector};

/// How a test turned out.
#[derive(Clone, Debug, PartialEq)]
pub struct TestOutcome {
    /// Name of the test.
    pub name: String,
    /// Samples compared.
    pub samples: usize,
    /// sqrt(sum (F - Fexp)^2 / sum Fexp^2).
    pub relative: f64,
    /// Root mean square of the force difference.
    pub rms: f64,
    /// Correlation of neighbouring residuals.
    pub lag1: f64,
    /// Noise of the force, and whether it was known beforehand.
    pub noise: f64,
    /// True if the noise came from the data, false if from the residual itself.
    pub noise_known: bool,
}

/// Whether a parameter can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Yes.
    Ok,
    /// It sits at the end of its range.
    AtBound,
    /// Its standard error is more than 0.3 of its value.
    PoorlyDetermined,
    /// The tests do not determine it.
    Unidentifiable,
    /// It was given.
    Fixed,
}

impl Status {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::AtBound => "at-bound",
            Status::PoorlyDetermined => "poorly-determined",
            Status::Unidentifiable => "unidentifiable",
            Status::Fixed => "fixed",
        }
    }
}

/// Uncertainty of the unknowns.
#[derive(Clone, Debug)]
pub struct Trust {
    /// Standard errors of the values.
    pub std_error: Vec<f64>,
    /// Correlations of the unknowns.
    pub correlation: DMatrix<f64>,
    /// Status of each unknown.
    pub status: Vec<Status>,
    /// Direction in which the data say least, in the optimiser's numbers, of length one.
    pub weakest: DVector<f64>,
    /// Whether correlated residuals made the errors larger.
    pub inflated: bool,
}

/// Compares model and tests at the given values, rows of `at` in the order of the tests.
pub fn outcomes(objective: &Objective<'_>, at: &Linearisation) -> Vec<TestOutcome> {
    let mut row = 0;
    objective
        .targets
        .iter()
        .enumerate()
        .map(|(k, target)| {
            let n = target.samples().count();
            let weight = objective.weight(k);
            let residual: Vec<f64> = (row..row + n)
                .map(|i| if weight > 0.0 { at.r[i] / weight } else { 0.0 })
                .collect();
            row += n;
            // Every test carries its share of the unknowns.
            let share = objective.unknowns.len() as f64 / objective.targets.len().max(1) as f64;
            outcome(target, &residual, share)
        })
        .collect()
}

/// How a test turned out with the given force differences, `share` of whose freedom was used up.
pub(crate) fn outcome(target: &Target, residual: &[f64], share: f64) -> TestOutcome {
    let n = residual.len();
    let square: f64 = residual.iter().map(|r| r * r).sum();
    let rms = (square / n.max(1) as f64).sqrt();
    let mean = residual.iter().sum::<f64>() / n.max(1) as f64;
    let spread: f64 = residual.iter().map(|r| (r - mean).powi(2)).sum();
    let neighbours: f64 = residual
        .windows(2)
        .map(|w| (w[0] - mean) * (w[1] - mean))
        .sum();
    let own = (square / (n as f64 - share).max(1.0)).sqrt();
    TestOutcome {
        name: target.name.clone(),
        samples: n,
        relative: if target.rms() > 0.0 {
            rms / target.rms()
        } else {
            f64::INFINITY
        },
        rms,
        lag1: if spread > 0.0 {
            neighbours / spread
        } else {
            0.0
        },
        noise: target.noise.unwrap_or(own).max(1e-4 * target.peak()),
        noise_known: target.noise.is_some(),
    }
}

/// Standard errors, correlations and status from the Jacobian at the minimum.
pub fn trust(
    objective: &Objective<'_>,
    x: &[f64],
    at: &Linearisation,
    tests: &[TestOutcome],
) -> Trust {
    let n = x.len();
    let values = objective.values_of(x);
    let mut normal = DMatrix::<f64>::zeros(n, n);
    let mut noisy = DMatrix::<f64>::zeros(n, n);
    let mut row = 0;
    let mut inflated = false;
    for (k, test) in tests.iter().enumerate() {
        let rows = at.j.rows(row, test.samples);
        row += test.samples;
        let square = rows.tr_mul(&rows);
        let mut variance = (objective.weight(k) * test.noise).powi(2);
        if test.lag1 > 3.0 / (test.samples.max(1) as f64).sqrt() {
            // Neighbours that repeat each other count as fewer samples.
            variance *= (1.0 + test.lag1) / (1.0 - test.lag1).max(1e-3);
            inflated = true;
        }
        noisy += &square * variance;
        normal += square;
    }
    let svd = normal.clone().svd(false, true);
    let largest = svd.singular_values.amax();
    let directions = svd.v_t.unwrap_or_else(|| DMatrix::identity(n, n));
    // Directions with a scaled singular value of the Jacobian below 1e-8 say nothing.
    let known = |i: usize| svd.singular_values[i] > 1e-16 * largest;
    let inverse = (0..n)
        .filter(|&i| known(i))
        .fold(DMatrix::zeros(n, n), |sum, i| {
            let v = directions.row(i).transpose();
            sum + &v * v.transpose() / svd.singular_values[i]
        });
    let covariance = &inverse * noisy * &inverse;
    let deviation = DVector::from_fn(n, |i, _| covariance[(i, i)].max(0.0).sqrt());
    let weak = (0..n)
        .min_by(|&a, &b| svd.singular_values[a].total_cmp(&svd.singular_values[b]))
        .unwrap_or(0);
    let weakest = if n > 0 {
        directions.row(weak).transpose()
    } else {
        DVector::zeros(0)
    };
    let status = (0..n)
        .map(|i| {
            let u = &objective.unknowns[i];
            let lost = (0..n).any(|d| !known(d) && directions[(d, i)].abs() > 0.1);
            let error = deviation[i] * u.slope(values[i]).abs();
            let size = if values[i] == 0.0 {
                u.typical
            } else {
                values[i].abs()
            };
            // The optimiser's numbers are of order one; ranges may span a dozen decades.
            let edge = 1e-6 * x[i].abs().max(1.0);
            if lost || error > size {
                Status::Unidentifiable
            } else if x[i] - u.internal(u.min) < edge || u.internal(u.max) - x[i] < edge {
                Status::AtBound
            } else if error > 0.3 * size {
                Status::PoorlyDetermined
            } else {
                Status::Ok
            }
        })
        .collect();
    let std_error = (0..n)
        .map(|i| deviation[i] * objective.unknowns[i].slope(values[i]).abs())
        .collect();
    let correlation = DMatrix::from_fn(n, n, |i, j| {
        let scale = deviation[i] * deviation[j];
        if scale > 0.0 {
            covariance[(i, j)] / scale
        } else {
            f64::from(u8::from(i == j))
        }
    });
    Trust {
        std_error,
        correlation,
        status,
        weakest,
        inflated,
    }
}
