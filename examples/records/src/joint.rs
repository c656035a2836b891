//! A bolted joint on a rig: `examples/joint`.
//!
//! The part is the Bouc-Wen law of `examples/joint/model.toml`; three sines of different amplitude,
//! each from rest. The law is exact between samples, so that the grid only has to hold the turns.

use crate::Made;
use crate::noise::Noise;
use crate::root;
use masing_model::{Model, file};
use masing_sim::{Motion, Numerics, Prescribed, SimError};
use std::f64::consts::TAU;
use std::fmt::Write;

const FOLDER: &str = "examples/joint";

/// Names and amplitudes (um) of the tests.
const TESTS: [(&str, f64); 3] = [("small", 1.5), ("medium", 20.0), ("large", 40.0)];

/// Frequency (Hz), cycles and samples per cycle.
const FREQUENCY: f64 = 2.0;
const CYCLES: usize = 6;
const PER_CYCLE: usize = 200;

/// Standard deviation of the force noise, of the largest force.
const FORCE_NOISE: f64 = 5e-3;

/// Standard deviation of the displacement noise, of the amplitude.
const MOTION_NOISE: f64 = 1e-4;

/// All records.
pub fn files() -> Result<Vec<Made>, String> {
    let model = root().join(FOLDER).join("model.toml");
    let model = file::read(&model).map_err(|error| error.to_string())?;
    let each = TESTS.into_iter().map(|(name, amplitude)| {
        let path = format!("{FOLDER}/{name}.csv");
        let text = record(&model, &path, amplitude).map_err(|error| format!("{path}: {error}"))?;
        Ok((path, text))
    });
    each.collect()
}

/// What the rig writes about one sine.
fn record(model: &Model, path: &str, amplitude: f64) -> Result<String, SimError> {
    let samples = CYCLES * PER_CYCLE + 1;
    let rate = FREQUENCY * PER_CYCLE as f64;
    let time: Vec<f64> = (0..samples).map(|i| i as f64 / rate).collect();
    let x = time
        .iter()
        .map(|t| 1e-6 * amplitude * (TAU * FREQUENCY * t).sin());
    let x = x.collect();
    let motion = Motion::new(time, x, None)?;
    let force =
        Prescribed::new(model.assembly(), &motion, Numerics::default()).run(model.values())?;
    let peak = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    let mut noise = Noise::of(path);
    let mut text = String::from("time [s],displacement [um],force [N]\n");
    for ((t, x), force) in motion.time().iter().zip(motion.x()).zip(force) {
        let x = 1e6 * x + MOTION_NOISE * amplitude * noise.gaussian();
        let force = force + FORCE_NOISE * peak * noise.gaussian();
        let _ = writeln!(text, "{t:.4},{x:.5},{force:.3}");
    }
    Ok(text)
}
