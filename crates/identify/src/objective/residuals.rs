//! The residuals of one test.

use crate::objective::Objective;
use crate::test::{Row, Test};
use crate::uncertainty::inflation::lag1;

/// The residuals of one test: their size, their correlation, and what the noise explains.
#[derive(Clone, Debug, PartialEq)]
pub struct Residuals {
    /// Name of the test.
    pub name: String,
    /// Values compared.
    pub samples: usize,
    /// sqrt(sum (F - Fexp)^2 / sum Fexp^2); for tables the rms of relative stiffness and angle.
    pub relative: f64,
    /// Root mean square of the force difference; of the relative difference for a table.
    pub rms: f64,
    /// Correlation of neighbouring residuals.
    pub lag1: f64,
    /// Noise, in the units of `rms`.
    pub noise: f64,
    /// True if the noise came from the data, false if from the residual itself.
    pub noise_known: bool,
    /// Variance of a weighted residual that the noise explains.
    pub variance: f64,
    /// The same for the smallest noise that is believed.
    pub floor: f64,
    /// The weighted residuals.
    pub weighted: Vec<f64>,
}

/// Compares predicted values with a test; the fit used up the `share` of its degrees of freedom.
pub fn compare(target: &Test, rows: &[(Row, f64)], predicted: &[f64], share: f64) -> Residuals {
    let n = rows.len();
    let count = n.max(1) as f64;
    let history = target.is_history();
    let unit = |row: &Row| if history { 1.0 } else { row.size };
    let difference = |row: &Row| predicted[row.entry] - row.measured;
    let weighted: Vec<f64> = rows.iter().map(|(row, f)| f * difference(row)).collect();
    let mut relative = 0.0;
    let mut square = 0.0;
    let mut known = n > 0 && !target.noise_guessed;
    let mut noise = 0.0;
    let mut floor = 0.0;
    let (mut variance, mut scatter, mut least_variance) = (0.0_f64, 0.0, 0.0);
    let freedom = (count / (count - share).max(1.0)).max(1.0);
    for (row, factor) in rows {
        let r = difference(row);
        relative += (r / row.size).powi(2);
        square += (r / unit(row)).powi(2);
        known &= row.noise.is_some();
        let least = (row.floor / unit(row)).powi(2);
        floor += least;
        noise += row
            .noise
            .map_or(0.0, |n| (n / unit(row)).powi(2))
            .max(least);
        variance += row.noise.map_or(0.0, |noise| (factor * noise).powi(2));
        scatter += (factor * r).powi(2) * freedom;
        least_variance += (factor * row.floor).powi(2);
    }
    let residual = (square * freedom).max(floor);
    Residuals {
        name: target.name.clone(),
        samples: n,
        relative: (relative / target.share(n)).sqrt(),
        rms: (square / count).sqrt(),
        lag1: if history { lag1(&weighted) } else { 0.0 },
        noise: ((if known { noise } else { residual }) / count).sqrt(),
        noise_known: known,
        // Differences beyond the noise are errors of the model, and count as well.
        variance: variance.max(scatter).max(least_variance) / count,
        floor: least_variance / count,
        weighted,
    }
}

/// All tests of an objective, compared at the values of its unknowns.
pub(crate) fn outcomes(objective: &Objective<'_>, predicted: &[Vec<f64>]) -> Vec<Residuals> {
    // Every test carries its share of the unknowns.
    let share = objective.unknowns.len() as f64 / objective.tests.len().max(1) as f64;
    let each = objective.tests.iter().zip(predicted).enumerate();
    each.map(|(k, (target, predicted))| compare(target, objective.rows(k), predicted, share))
        .collect()
}
