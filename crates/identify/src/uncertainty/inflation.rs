//! How much correlated residuals inflate standard errors.
//!
//! Samples with correlated residuals count as fewer: of a first-order process with correlation rho
//! between neighbours, n samples are worth n (1 - rho)/(1 + rho) independent ones.

/// Smallest distance of the correlation from one: a smoother residual only says that the model
/// misses something. It limits the factor on the variance to 2000.
const FROM_ONE: f64 = 1e-3;

/// Correlation of neighbours.
pub fn lag1(residual: &[f64]) -> f64 {
    let mean = residual.iter().sum::<f64>() / residual.len().max(1) as f64;
    let spread: f64 = residual.iter().map(|r| (r - mean).powi(2)).sum();
    let neighbours = residual.windows(2);
    let product: f64 = neighbours.map(|w| (w[0] - mean) * (w[1] - mean)).sum();
    if spread > 0.0 { product / spread } else { 0.0 }
}

pub use masing_diagnostic::thresholds::correlated;

/// The factor on the variance of an estimate from that many samples.
pub fn inflation(lag1: f64, samples: usize) -> f64 {
    if correlated(lag1, samples) {
        (1.0 + lag1) / (1.0 - lag1).max(FROM_ONE)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_model::Rng;

    /// A first-order process: noise that remembers its last value.
    fn process(rho: f64, n: usize, seed: u64) -> Vec<f64> {
        let mut random = Rng::new(seed);
        let mut last = 0.0;
        let mut step = || {
            last = rho * last + random.uniform() - 0.5;
            last
        };
        (0..n).map(|_| step()).collect()
    }

    #[test]
    fn white_noise_is_hardly_ever_called_correlated() {
        // Three standard errors, one side: 1.3 of 1000 by chance. Two would be 23.
        let called = (0..1000).filter(|&seed| {
            let noise = process(0.0, 100, seed);
            correlated(lag1(&noise), noise.len())
        });
        let called = called.count();
        assert!(called <= 5, "{called}");
    }

    #[test]
    fn a_mean_of_correlated_samples_scatters_by_the_factor() {
        let (rho, n) = (0.8, 400);
        let means = (0..500).map(|seed| process(rho, n, seed).iter().sum::<f64>() / n as f64);
        let scatter = means.map(|m| m * m).sum::<f64>() / 500.0;
        // Variance of one sample: that of the noise, 1/12, over 1 - rho^2.
        let alone = 1.0 / 12.0 / (1.0 - rho * rho) / n as f64;
        let factor = scatter / alone;
        // A variance from 500 draws is known to 6 %.
        assert!((factor / inflation(rho, n) - 1.0).abs() < 0.2, "{factor}");
    }

    #[test]
    fn the_factor_begins_at_one_and_ends() {
        assert_eq!(inflation(0.2, 100), 1.0);
        assert_eq!(inflation(-0.9, 100), 1.0);
        assert_eq!(inflation(0.5, 100), 3.0);
        assert_eq!(inflation(1.0, 100), 2000.0);
        assert_eq!(lag1(&[]), 0.0);
        assert_eq!(lag1(&[2.0, 2.0]), 0.0);
    }
}
