//! A mass on a friction joint: `examples/oscillator`.
//!
//! The oscillator of `examples/oscillator/model.toml` under a random load and a sweep, on a moving base,
//! and let go; simulated with 16 steps a sample, which leaves less than the digits that are written.

use crate::Made;
use crate::noise::Noise;
use crate::root;
use masing_model::{Model, file};
use masing_sim::{Driven, Load, Numerics, SimError};
use std::f64::consts::TAU;
use std::fmt::Write;

const FOLDER: &str = "examples/oscillator";

/// Samples per second, and in a record.
const RATE: f64 = 1000.0;
const SAMPLES: usize = 2001;

/// Standard deviation of the noise, of the rms of its channel.
const NOISE: f64 = 1e-2;

/// Where the mass is let go from (m).
const LET_GO: f64 = 2e-3;

/// All records.
pub fn files() -> Result<Vec<Made>, String> {
    let model = root().join(FOLDER).join("model.toml");
    let model = file::read(&model).map_err(|error| error.to_string())?;
    let time: Vec<f64> = (0..SAMPLES).map(|i| i as f64 / RATE).collect();
    let random = random(&time);
    let sweep: Vec<f64> = time.iter().map(|&t| 60.0 * sweep(t)).collect();
    let shaken: Vec<f64> = random.iter().map(|f| 0.5 * f).collect();
    let drives = [
        ("random", Drive::Load(random)),
        ("sweep", Drive::Load(sweep)),
        ("base", Drive::Base(shaken)),
        ("decay", Drive::None),
    ];
    let each = drives.into_iter().map(|(name, drive)| {
        let path = format!("{FOLDER}/{name}.csv");
        let text = record(&model, &path, &time, drive);
        Ok((
            path.clone(),
            text.map_err(|error| format!("{path}: {error}"))?,
        ))
    });
    each.collect()
}

/// What moves the mass.
enum Drive {
    Load(Vec<f64>),
    Base(Vec<f64>),
    /// Nothing: it is let go from where it is not at rest.
    None,
}

/// Sines of random phases from 4 to 80 Hz, faded in over the first tenth of a second.
fn random(time: &[f64]) -> Vec<f64> {
    let mut noise = Noise::of(FOLDER);
    let lines: Vec<(f64, f64)> = (8..=160)
        .map(|k| (TAU * 0.5 * f64::from(k), TAU * noise.gaussian()))
        .collect();
    let value = |&t: &f64| {
        let sum: f64 = lines.iter().map(|(w, phase)| (w * t + phase).cos()).sum();
        (10.0 * t).min(1.0) * 6.0 * sum
    };
    time.iter().map(value).collect()
}

/// From 10 to 60 Hz in two seconds.
fn sweep(t: f64) -> f64 {
    (TAU * (10.0 + 12.5 * t) * t).sin()
}

/// What the rig writes about one test.
fn record(model: &Model, path: &str, time: &[f64], drive: Drive) -> Result<String, SimError> {
    let mut values = model.values().to_vec();
    let masses = model.system().ok_or(SimError::SingularMass)?;
    let load = Load::new(time.to_vec())?;
    let (load, header, driving) = match drive {
        Drive::Load(force) => (
            load.on(1, force.clone())?,
            "load [N],acceleration [m/s^2]",
            force,
        ),
        Drive::Base(base) => (
            load.base(base.clone())?,
            "base_acceleration [m/s^2],acceleration [m/s^2]",
            base,
        ),
        Drive::None => {
            values[model.assembly().param_count() + masses.x0().start] = LET_GO;
            (load, "displacement [mm]", Vec::new())
        }
    };
    let steps = Numerics {
        increment: f64::INFINITY,
        max_dt: 1.0 / (16.0 * RATE),
    };
    let response = Driven::new(model.assembly(), masses, &load, steps)?.run(&values)?;
    let measured: Vec<f64> = if driving.is_empty() {
        response.displacement.iter().map(|x| 1e3 * x).collect()
    } else {
        response.absolute_acceleration
    };
    let size = measured.iter().map(|v| v * v).sum::<f64>() / measured.len() as f64;
    let size = NOISE * size.sqrt();
    let mut noise = Noise::of(path);
    let mut text = format!("time [s],{header}\n");
    for (i, (t, own)) in time.iter().zip(&measured).enumerate() {
        let own = own + size * noise.gaussian();
        let _ = match driving.get(i) {
            Some(drive) => writeln!(text, "{t:.3},{drive:.4},{own:.5}"),
            None => writeln!(text, "{t:.3},{own:.6}"),
        };
    }
    Ok(text)
}
