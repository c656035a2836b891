//! A clutch damper on two rigs: `examples/clutch`.
//!
//! Slowly: up to the drive end, down to the coast end, back to zero, in two minutes. Fast: the inertia on the damper is held by
//! a torque that is then let go within 5 ms. The damper is that of `examples/clutch/slow.toml` and `step.toml`.

use crate::Made;
use crate::noise::Noise;
use crate::root;
use masing_model::{Model, file};
use masing_sim::system::{Driven, Load};
use masing_sim::{Motion, Numerics, Prescribed, SimError};
use std::f64::consts::PI;
use std::fmt::Write;

const FOLDER: &str = "examples/clutch";

/// Slow: ends (rad), duration (s), samples, standard deviation of the torque noise (N m).
const ENDS: [f64; 2] = [-0.32, 0.40];
const DURATION: f64 = 120.0;
const SAMPLES: usize = 6001;
const TORQUE_NOISE: f64 = 0.15;

/// Fast: torques (N m), duration of the release (s), step (s), samples, standard deviation of the velocity noise (rad/s).
const TORQUES: [f64; 2] = [108.6, 25.0];
const RELEASE: f64 = 5e-3;
const STEP: f64 = 0.7e-3;
const STEPS: usize = 2857;
const VELOCITY_NOISE: f64 = 0.01;

/// All records.
pub fn files() -> Result<Vec<Made>, String> {
    let made = |name: &str, record: fn(&Model, &str) -> Result<String, SimError>| {
        let path = root().join(FOLDER).join(format!("{name}.toml"));
        let model = file::read(&path).map_err(|error| error.to_string())?;
        let path = format!("{FOLDER}/{name}.csv");
        let text = record(&model, &path).map_err(|error| format!("{path}: {error}"))?;
        Ok::<Made, String>((path, text))
    };
    Ok(vec![made("slow", slow)?, made("step", step)?])
}

/// Angle and torque while the angle goes once around.
fn slow(model: &Model, path: &str) -> Result<String, SimError> {
    let [low, high] = ENDS;
    let way = 2.0 * (high - low);
    let time: Vec<f64> = (0..SAMPLES)
        .map(|i| DURATION * i as f64 / (SAMPLES - 1) as f64)
        .collect();
    let angle = time.iter().map(|t| {
        let gone = way * t / DURATION;
        if gone <= high {
            gone
        } else if gone <= 2.0 * high - low {
            2.0 * high - gone
        } else {
            gone - way
        }
    });
    let motion = Motion::new(time.clone(), angle.collect(), None)?;
    let torque =
        Prescribed::new(model.assembly(), &motion, Numerics::default()).run(model.values())?;
    let mut noise = Noise::of(path);
    let mut text = String::from("time [s],angle [deg],torque [Nm]\n");
    for ((t, x), torque) in time.iter().zip(motion.x()).zip(torque) {
        let torque = torque + TORQUE_NOISE * noise.gaussian();
        let _ = writeln!(text, "{t:.3},{:.4},{torque:.3}", x.to_degrees());
    }
    Ok(text)
}

/// Torque and velocity of the inertia.
fn step(model: &Model, path: &str) -> Result<String, SimError> {
    let time: Vec<f64> = (0..=STEPS).map(|i| STEP * i as f64).collect();
    let [held, left] = TORQUES;
    let share = |t: &f64| 0.5 * (1.0 + (PI * (t / RELEASE).min(1.0)).cos());
    let torque: Vec<f64> = time
        .iter()
        .map(|t| left + (held - left) * share(t))
        .collect();
    let load = Load::new(time.clone())?.on(1, torque.clone())?;
    let numerics = Numerics {
        increment: f64::INFINITY,
        max_dt: STEP / 16.0 * (1.0 + 1e-9),
    };
    let masses = model.system().ok_or(SimError::SingularMass)?;
    let response = Driven::new(model.assembly(), masses, &load, numerics)?.run(model.values())?;
    let mut noise = Noise::of(path);
    let mut text = String::from("time [s],torque [Nm],velocity [rad/s]\n");
    for ((t, torque), v) in time.iter().zip(torque).zip(response.velocity) {
        let v = v + VELOCITY_NOISE * noise.gaussian();
        let _ = writeln!(text, "{t:.4},{torque:.4},{v:.5}");
    }
    Ok(text)
}
