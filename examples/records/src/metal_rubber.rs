//! Metal rubber on a rig: `examples/metal-rubber`.
//!
//! The part is that of `examples/metal-rubber/model.toml`, compressed by 2.2 mm before every test, so that its slider slips
//! when the record begins. The motion is simulated on a grid twenty times as fine as the samples that are written.

use crate::Made;
use crate::noise::Noise;
use crate::root;
use masing_model::{Model, file};
use masing_sim::{Motion, Numerics, Prescribed, SimError};
use std::f64::consts::TAU;
use std::fmt::Write;

const FOLDER: &str = "examples/metal-rubber";

/// Grid points of the simulation in a sample interval.
const FINER: usize = 20;

/// Preload (m), and how long it takes to apply (s).
const PRELOAD: f64 = 2.2e-3;
const LOADING: f64 = 1.0;

/// Standard deviation of the force noise, of the force's own.
const FORCE_NOISE: f64 = 1e-2;

/// Standard deviation of the displacement noise (mm).
const MOTION_NOISE: f64 = 3e-4;

/// Amplitude (mm), frequency (Hz) and name of the sines.
const SINES: [(f64, f64, &str); 5] = [
    (0.5, 5.0, "sine-0.5mm-5Hz"),
    (0.5, 30.0, "sine-0.5mm-30Hz"),
    (1.0, 20.0, "sine-1mm-20Hz"),
    (1.5, 5.0, "sine-1.5mm-5Hz"),
    (1.0, 10.0, "sine-1mm-10Hz"),
];

/// Displacement (m) and velocity over time.
type Drive = dyn Fn(f64) -> (f64, f64);

/// All records.
pub fn files() -> Result<Vec<Made>, String> {
    let model = root().join(FOLDER).join("model.toml");
    let model = file::read(&model).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let mut add = |name: &str, drive: &Drive, rate: f64, samples: usize, first: usize| {
        let path = format!("{FOLDER}/{name}.csv");
        let text = record(&model, &path, drive, rate, samples, first);
        out.push((
            path.clone(),
            text.map_err(|error| format!("{path}: {error}"))?,
        ));
        Ok::<(), String>(())
    };
    let growing = |t: f64| {
        let w = TAU * 20.0;
        let decay = 0.75 * (-t / 0.15).exp();
        let (sin, cos) = (w * t).sin_cos();
        let slope = (1.0 - decay) * w * cos + decay / 0.15 * sin;
        (1.5e-3 * (1.0 - decay) * sin, 1.5e-3 * slope)
    };
    add("transient", &growing, 5000.0, 2501, 0)?;
    // Only the settled part of it was kept.
    add("steady", &ramped(1.5, 20.0), 5000.0, 1501, 580)?;
    for (amplitude, frequency, name) in SINES {
        add(
            name,
            &ramped(amplitude, frequency),
            200.0 * frequency,
            1401,
            0,
        )?;
    }
    Ok(out)
}

/// A sine that grows over its first cycle.
fn ramped(millimetres: f64, frequency: f64) -> impl Fn(f64) -> (f64, f64) {
    move |t: f64| {
        let (amplitude, w) = (1e-3 * millimetres, TAU * frequency);
        let (sin, cos) = (w * t).sin_cos();
        let cycles = frequency * t;
        if cycles < 1.0 {
            let slope = frequency * sin + cycles * w * cos;
            (amplitude * cycles * sin, amplitude * slope)
        } else {
            (amplitude * sin, amplitude * w * cos)
        }
    }
}

/// What the rig writes: the samples from `first` on.
fn record(
    model: &Model,
    path: &str,
    drive: &Drive,
    rate: f64,
    samples: usize,
    first: usize,
) -> Result<String, SimError> {
    // The preload is applied along half a cosine, then the drive begins.
    let loading = 2000;
    let (mut time, mut x, mut v) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..loading {
        let share = f64::from(i) / f64::from(loading);
        let (sin, cos) = (0.5 * TAU * share).sin_cos();
        time.push((share - 1.0) * LOADING);
        x.push(-0.5 * PRELOAD * (1.0 + cos));
        v.push(0.25 * TAU * PRELOAD / LOADING * sin);
    }
    for i in 0..=(first + samples - 1) * FINER {
        let t = i as f64 / (FINER as f64 * rate);
        let (displacement, velocity) = drive(t);
        time.push(t);
        x.push(displacement);
        v.push(velocity);
    }
    let motion = Motion::new(time, x, Some(v))?;
    let force =
        Prescribed::new(model.assembly(), &motion, Numerics::default()).run(model.values())?;
    let kept: Vec<usize> = (0..samples)
        .map(|i| loading as usize + (first + i) * FINER)
        .collect();
    let count = kept.len() as f64;
    let mean = kept.iter().map(|&i| force[i]).sum::<f64>() / count;
    let square: f64 = kept.iter().map(|&i| (force[i] - mean).powi(2)).sum();
    let spread = (square / count).sqrt();
    let mut noise = Noise::of(path);
    let mut text = String::from("time [s],displacement [mm],force [N]\n");
    for (row, i) in kept.into_iter().enumerate() {
        let t = row as f64 / rate;
        let x = 1e3 * motion.x()[i] + MOTION_NOISE * noise.gaussian();
        let force = force[i] + FORCE_NOISE * spread * noise.gaussian();
        let _ = writeln!(text, "{t:.6},{x:.5},{force:.3}");
    }
    Ok(text)
}
