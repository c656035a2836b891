//! Noise on the displacement: taken as measured, and as a Fourier series.

use super::monte_carlo::quantile;
use super::{Law, Loop, alone};
use masing_identify::{FitOptions, Identified, Test, fit};

/// What the middle of many fits says about one parameter, relative to its value.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    /// Bias with the displacement as it was measured.
    pub raw: f64,
    /// Bias with its series.
    pub series: f64,
    /// Spread of the fits with the series, by their middle half.
    pub spread: f64,
    /// Standard error of one fit with the series, which knows of the force noise only.
    pub error: f64,
}

/// Fits `runs` draws of noise: of so much of the largest force on the force, and 0.2 % on the displacement.
pub fn middles(
    law: Law,
    clean: &Loop,
    truth: &[f64],
    noise: f64,
    runs: u64,
    seed: u64,
) -> Vec<Middle> {
    let model = alone(law.kind());
    let run = |target: Test| {
        let found = fit(&model, vec![target], vec![], &FitOptions::default(), None);
        found.expect("a fit")
    };
    let (mut raw, mut series) = (Vec::new(), Vec::new());
    for draw in 0..runs {
        let noisy = clean
            .noisy(noise, seed + draw)
            .shaken(2e-3, seed + 600 + draw);
        raw.push(run(noisy.target()));
        series.push(run(noisy.fourier_target()));
    }
    let of = |(i, truth): (usize, &f64)| {
        let at = |fits: &[Identified], share: f64| {
            let values = fits.iter().map(|f| f.model.values()[i] / truth - 1.0);
            quantile(values.collect(), share)
        };
        let errors = series.iter().filter_map(|f| f.estimates[i].std_error);
        Middle {
            raw: at(&raw, 0.5),
            series: at(&series, 0.5),
            // 1.349: the middle half of a normal distribution over its standard deviation.
            spread: (at(&series, 0.75) - at(&series, 0.25)) / 1.349,
            error: quantile(errors.map(|e| e / truth.abs()).collect(), 0.5),
        }
    };
    truth.iter().enumerate().map(of).collect()
}
