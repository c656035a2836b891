//! Loops nobody looked at before: parameters drawn around those of the paper.

use super::{Law, Loop, Noise, alone, bouc_wen, dahl};
use masing_identify::{FitOptions, fit};

/// A loop with parameters drawn from a seed, sampled every `dt`, and the parameters of its element.
pub fn drawn(law: Law, seed: u64, dt: f64) -> (Loop, Vec<f64>) {
    let mut noise = Noise::new(seed);
    let mut between = |low: f64, high: f64| low + (high - low) * noise.uniform();
    match law {
        Law::Dahl => {
            let p = [between(1e5, 4e5), between(0.7, 1.5), between(0.8, 2.5)];
            (dahl(p[0], p[1], p[2], dt), p.to_vec())
        }
        Law::BoucWen => {
            let beta = between(0.15, 0.6);
            let gamma = beta * between(-0.8, 0.95);
            let p = [between(0.7, 1.5), beta, gamma, between(1.0, 3.0)];
            let of_element = vec![200.0 * p[0], 200.0 * p[1], 200.0 * p[2], p[3]];
            (bouc_wen(p, dt), of_element)
        }
    }
}

/// The largest error of the parameters of a fit without noise; of gamma, which may be zero, over beta.
pub fn worst(law: Law, record: &Loop, truth: &[f64]) -> f64 {
    let found = fit(
        &alone(law.kind()),
        vec![record.target()],
        vec![],
        &FitOptions::default(),
        None,
    );
    let found = found.expect("a fit");
    let truth_of_width = truth[1];
    let errors = found.model.values().iter().zip(truth).enumerate();
    let relative = errors.map(|(i, (value, truth))| {
        let size = match (law, i) {
            (Law::BoucWen, 2) => truth_of_width,
            _ => truth.abs(),
        };
        (value - truth).abs() / size
    });
    relative.fold(0.0, f64::max)
}
