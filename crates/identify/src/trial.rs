//! Records of known models, for tests.

use crate::test::Test;
use masing_model::{Assembly, Model, Rng, Shape};
use masing_sim::{Motion, Numerics, Prescribed};
use std::f64::consts::TAU;

/// The elements of a sum with their defaults.
pub fn model(sum: &str) -> Model {
    let assembly = Assembly::from_names(sum, |_| Shape::default()).expect("known elements");
    Model::with_defaults(assembly, None).expect("defaults")
}

/// Two cycles of a sine of 1 mm and one of a third of it, at 1 Hz, in so many samples.
pub fn motion(samples: usize) -> Motion {
    let time: Vec<f64> = (0..samples)
        .map(|i| 3.0 * i as f64 / (samples - 1) as f64)
        .collect();
    let x = time.iter().map(|&t| {
        let amplitude = if t < 2.0 { 1e-3 } else { 0.33e-3 };
        amplitude * (TAU * t).sin()
    });
    Motion::new(time.clone(), x.collect(), None).expect("a motion")
}

/// A record of the model under [`motion`] with noise of that share of the largest force.
pub fn record(model: &Model, p: &[f64], samples: usize, noise: f64, seed: u64) -> Test {
    let motion = motion(samples);
    let numerics = Numerics::default();
    let run = Prescribed::new(model.assembly(), &motion, numerics).run(p);
    let mut force = run.expect("a run");
    let peak = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    let mut random = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    for f in &mut force {
        *f += noise * peak * random.gaussian();
    }
    Test::new(format!("seed {seed}"), motion, force)
}
