//! Noise on the displacement: taken as measured, and as a Fourier series.

use super::monte_carlo::quantile;
use super::{Loop, alone};
use masing_identify::loops::Law;
use masing_identify::{Fit, FitOptions, Target, fit};

/// What the middle of many fits says about one parameter, relative to its value.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    /// Bias with the displacement as it was measured.
    pub raw: f64,
    /// Bias with its series.
    pub series: f64,
    /// Standard error of one fit with the series.
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
    let run = |target: Target| {
        let found = fit(&model, vec![target], vec![], &FitOptions::default(), None);
        found.expect("a fit")
    };
    let (mut raw, mut series) = (Vec::new(), Vec::new());
    for draw in 0..runs {
        let noisy = clean
            .noisy(noise, seed + draw)
            .shaken(2e-3, seed + 600 + draw);
        raw.push(run(noisy.target()));
        let (target, harmonics) = noisy.fourier_target();
        assert!((3..40).contains(&harmonics), "{harmonics}");
        series.push(run(target));
    }
    let of = |(i, truth): (usize, &f64)| {
        let middle = |fits: &[Fit]| {
            let values = fits.iter().map(|f| f.model.values()[i] / truth - 1.0);
            quantile(values.collect(), 0.5)
        };
        let errors = series.iter().filter_map(|f| f.parameters[i].std_error);
        Middle {
            raw: middle(&raw),
            series: middle(&series),
            error: quantile(errors.map(|e| e / truth.abs()).collect(), 0.5),
        }
    };
    truth.iter().enumerate().map(of).collect()
}
