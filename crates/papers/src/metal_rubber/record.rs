//! The paper's part and the records that are made from it.

use masing_data::Preload;
use masing_model::Rng;
use masing_terms::{Slider, Term, Test};
use std::f64::consts::TAU;

/// Stiffness of the first, third and fifth power, as printed.
pub const STIFFNESS: [f64; 3] = [2.4801e4, -2.0261e9, 2.9216e14];
/// Damping of the first power, as printed.
pub const C1: f64 = 107.79;
/// Damping of the fifth power, as printed.
pub const C5: f64 = -6.1e6;
/// Damping of the fifth power that is passive at 1.5 mm.
pub const PASSIVE_C5: f64 = -6.1e4;
/// The slider, as printed.
pub const SLIDER: Slider = Slider {
    ks: 6.8695e4,
    ys: 20.587 / 6.8695e4,
};
/// Preload.
pub const Y0: f64 = 2.2e-3;
/// Frequency of the drive.
pub const FREQUENCY: f64 = 20.0;
/// Sampling rate.
const RATE: f64 = 5000.0;
/// Samples of half a second.
const SAMPLES: usize = 2501;
/// Steps of the slider in a sample interval.
const FINER: u32 = 20;

/// Displacement and velocity of a sine that grows to `amplitude` from a share of it.
pub fn drive(amplitude: f64, first: f64, t: f64) -> (f64, f64) {
    let w = TAU * FREQUENCY;
    let decay = (1.0 - first) * (-t / 0.15).exp();
    let (sin, cos) = (w * t).sin_cos();
    (
        amplitude * (1.0 - decay) * sin,
        amplitude * ((1.0 - decay) * w * cos + decay / 0.15 * sin),
    )
}

/// What a rig would have written.
pub fn record(amplitude: f64, first: f64, c5: f64) -> Test {
    let mut noise = Rng::new(20_100_601);
    let time: Vec<f64> = (0..SAMPLES).map(|i| i as f64 / RATE).collect();
    // The preload has the slider slip already.
    let (mut z, mut last) = (SLIDER.ys, 0.0);
    let (mut x, mut force) = (Vec::new(), Vec::new());
    for (i, t) in time.iter().enumerate() {
        for part in 1..=FINER {
            let at = (i as f64 - 1.0 + f64::from(part) / f64::from(FINER)) / RATE;
            let to = drive(amplitude, first, at.max(0.0)).0;
            z = (z + to - last).clamp(-SLIDER.ys, SLIDER.ys);
            last = to;
        }
        let (y, v) = drive(amplitude, first, *t);
        let s = y + Y0;
        let powers = [s, s.powi(3), s.powi(5)];
        let elastic: f64 = STIFFNESS.iter().zip(powers).map(|(k, p)| k * p).sum();
        x.push(y);
        force.push(elastic + C1 * v + c5 * v.powi(5) + SLIDER.ks * z);
    }
    let n = force.len() as f64;
    let mean = force.iter().sum::<f64>() / n;
    let spread = (force.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / n).sqrt();
    for (x, f) in x.iter_mut().zip(&mut force) {
        *f += 0.01 * spread * noise.gaussian();
        *x += 0.3e-6 * noise.gaussian();
    }
    Test {
        name: format!("{} mm", 1e3 * amplitude),
        window: 0..time.len(),
        time,
        displacement: x,
        velocity: None,
        force,
        noise: None,
        preload: Some(Preload::Motion(Y0)),
        columns: Vec::new(),
    }
}

/// The value that a term was given.
pub fn truth(term: &Term, c5: f64) -> f64 {
    match term {
        Term::Stiffness(1) => STIFFNESS[0],
        Term::Stiffness(3) => STIFFNESS[1],
        Term::Stiffness(5) => STIFFNESS[2],
        Term::Damping(1) => C1,
        Term::Damping(5) => c5,
        _ => 0.0,
    }
}
