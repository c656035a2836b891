//! A rubber bushing on a rig: `examples/bushing`.
//!
//! The part is the chain of `examples/bushing/model.toml`; the tests are the usual ones. The motion
//! is simulated on a grid several times as fine as the samples that are written.

use crate::Made;
use crate::noise::Noise;
use crate::root;
use masing_model::{Model, file};
use masing_sim::{
    Closure, Harmonic, Motion, Prescribed, SimError, choose, sine_cycle, steady_state,
};
use std::f64::consts::TAU;
use std::fmt::Write;

const FOLDER: &str = "examples/bushing";

/// Grid points of the simulation in a sample interval.
const FINER: usize = 8;

/// Accuracy of the simulations, of the largest force; a fit asks for 1e-4.
const ACCURACY: f64 = 1e-6;

/// Standard deviation of the force noise, of the largest force: an amplifier whose range suits the
/// test.
const FORCE_NOISE: f64 = 5e-3;

/// Standard deviation of the displacement noise (mm).
const MOTION_NOISE: f64 = 2e-4;

/// What the load cell showed without load while the stabilised loop was taken (N).
const OFFSET: f64 = 12.0;

/// Amplitudes (mm) of the sines.
const AMPLITUDES: [f64; 3] = [0.1, 0.3, 1.0];

/// Frequency (Hz), cycles and samples per cycle of the sines.
const SINES: [(f64, usize, usize); 3] = [(0.1, 2, 500), (1.0, 5, 400), (10.0, 10, 200)];

/// Amplitudes (mm) and frequencies (Hz) of the table.
const TABLE: ([f64; 3], [f64; 5]) = ([0.05, 0.2, 0.5], [1.0, 3.0, 10.0, 25.0, 50.0]);

/// Noise of the table: stiffness (relative), loss angle (deg).
const TABLE_NOISE: (f64, f64) = (5e-3, 0.3);

/// All records.
pub fn files() -> Result<Vec<Made>, String> {
    let model = root().join(FOLDER).join("model.toml");
    let model = file::read(&model).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let mut add = |name: &str, text: Result<String, SimError>| {
        let text = text.map_err(|error| format!("{name}: {error}"))?;
        out.push((path(name), text));
        Ok::<(), String>(())
    };
    let second = |x: fn(f64) -> f64| Test {
        x: Box::new(x),
        samples: 2001,
        rate: 1e3,
    };
    add("triangle", second(triangle).record(&model, "triangle"))?;
    add("step", second(ramp).record(&model, "step"))?;
    for amplitude in AMPLITUDES {
        for (frequency, cycles, per_cycle) in SINES {
            let name = format!("sine-{amplitude}mm-{frequency}Hz");
            let test = Test {
                x: Box::new(move |t| amplitude * (TAU * frequency * t).sin()),
                samples: cycles * per_cycle + 1,
                rate: frequency * per_cycle as f64,
            };
            add(&name, test.record(&model, &name))?;
        }
    }
    add("stabilised", stabilised(&model))?;
    add("kdyn", table(&model))?;
    Ok(out)
}

fn path(name: &str) -> String {
    format!("{FOLDER}/{name}.csv")
}

/// 1 mm, 1 Hz; zero and rising at t = 0.
fn triangle(t: f64) -> f64 {
    let phase = (t + 0.25).rem_euclid(1.0);
    if phase < 0.5 {
        4.0 * phase - 1.0
    } else {
        3.0 - 4.0 * phase
    }
}

/// 1 mm in 0.1 s, then held.
fn ramp(t: f64) -> f64 {
    (t / 0.1).min(1.0)
}

/// A motion (mm over s) and how it is sampled.
struct Test {
    x: Box<dyn Fn(f64) -> f64>,
    samples: usize,
    /// Samples in a second.
    rate: f64,
}

impl Test {
    /// What the rig writes about it, from rest.
    fn record(&self, model: &Model, name: &str) -> Result<String, SimError> {
        let motion = self.motion()?;
        let (assembly, p) = (model.assembly(), model.values());
        let numerics = choose(assembly, p, &motion, ACCURACY)?;
        let force = Prescribed::new(assembly, &motion, numerics).run(p)?;
        Ok(written(name, &self.sampled(&force), 0.0))
    }

    /// The motion on the fine grid, in SI.
    fn motion(&self) -> Result<Motion, SimError> {
        let fine = (self.samples - 1) * FINER + 1;
        let time: Vec<f64> = (0..fine)
            .map(|i| i as f64 / (self.rate * FINER as f64))
            .collect();
        let x = time.iter().map(|&t| 1e-3 * (self.x)(t)).collect();
        Motion::new(time, x, None)
    }

    /// Time (s), displacement (mm) and force (N) at the samples.
    fn sampled(&self, fine: &[f64]) -> Vec<[f64; 3]> {
        let forces = fine.iter().step_by(FINER);
        forces
            .enumerate()
            .map(|(i, &force)| {
                let t = i as f64 / self.rate;
                [t, (self.x)(t), force]
            })
            .collect()
    }
}

/// One settled cycle of 0.5 mm and 2.5 Hz with a little on both sides, by a load cell that was not
/// zeroed.
fn stabilised(model: &Model) -> Result<String, SimError> {
    const PER_CYCLE: usize = 400;
    const FREQUENCY: f64 = 2.5;
    // The recorder was started somewhere in a cycle.
    const BEFORE: usize = 30;
    let test = Test {
        x: Box::new(|t| 0.5 * (TAU * FREQUENCY * t).sin()),
        samples: PER_CYCLE + 1,
        rate: FREQUENCY * PER_CYCLE as f64,
    };
    let cycle = test.motion()?;
    let (assembly, p) = (model.assembly(), model.values());
    let numerics = choose(assembly, p, &cycle, ACCURACY)?;
    let steady = steady_state(assembly, p, &cycle, numerics, Closure::default())?;
    let settled = test.sampled(&steady.force);
    let rows: Vec<[f64; 3]> = (0..PER_CYCLE + 2 * BEFORE)
        .map(|i| {
            let [_, x, force] = settled[(i + PER_CYCLE - BEFORE) % PER_CYCLE];
            [i as f64 / test.rate, x, force]
        })
        .collect();
    Ok(written("stabilised", &rows, OFFSET))
}

/// Rows with noise, in the digits of a rig.
fn written(name: &str, rows: &[[f64; 3]], offset: f64) -> String {
    let mut noise = Noise::of(&path(name));
    let peak = rows.iter().fold(0.0_f64, |m, [_, _, f]| m.max(f.abs()));
    // A microsecond, less the zeros that all stamps share.
    let step = rows.get(1).map_or(1.0, |[t, ..]| *t);
    let places = (0..6)
        .find(|&d| {
            let scaled = step * 10_f64.powi(d);
            (scaled - scaled.round()).abs() < 1e-9 && scaled > 0.5
        })
        .unwrap_or(6) as usize;
    let mut text = String::from("time [s],displacement [mm],force [N]\n");
    for [t, x, force] in rows {
        let x = x + MOTION_NOISE * noise.gaussian();
        let force = force + offset + FORCE_NOISE * peak * noise.gaussian();
        let _ = writeln!(text, "{t:.places$},{x:.5},{force:.2}");
    }
    text
}

/// Dynamic stiffness over amplitude and frequency.
fn table(model: &Model) -> Result<String, SimError> {
    let mut noise = Noise::of(&path("kdyn"));
    let mut text =
        String::from("frequency [Hz],amplitude [mm],stiffness [N/mm],loss angle [deg]\n");
    for amplitude in TABLE.0 {
        for frequency in TABLE.1 {
            let found = settled(model, 1e-3 * amplitude, frequency)?;
            let stiffness =
                1e-3 * found.dynamic_stiffness() * (1.0 + TABLE_NOISE.0 * noise.gaussian());
            let angle = found.loss_angle().to_degrees() + TABLE_NOISE.1 * noise.gaussian();
            let _ = writeln!(text, "{frequency},{amplitude},{stiffness:.1},{angle:.2}");
        }
    }
    Ok(text)
}

/// First harmonic of a settled sine: as `masing_sim::harmonic`, finer, but not waiting for ten
/// digits of a response that creeps.
fn settled(model: &Model, amplitude: f64, frequency: f64) -> Result<Harmonic, SimError> {
    let (assembly, p) = (model.assembly(), model.values());
    let cycle = sine_cycle(amplitude, frequency, 0.0, 512)?;
    let numerics = choose(assembly, p, &cycle, ACCURACY)?;
    let closure = Closure {
        tolerance: 1e-7,
        ..Closure::default()
    };
    let steady = steady_state(assembly, p, &cycle, numerics, closure)?;
    Ok(Harmonic::of_cycle(
        amplitude,
        frequency,
        &steady.force,
        steady.cycles,
    ))
}
