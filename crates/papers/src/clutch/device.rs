//! The synthetic device and its two tests.

use masing_model::Rng;
use masing_report::Plot;
use masing_stages::{
    Bench, Course, Device, Dynamics, FastOptions, FastRecord, Motion, QuasiStatic, SlowOptions,
    StagesError, analyse, characterise,
};
use std::f64::consts::PI;

/// Angles (rad), torques and friction (N m) of the nodes.
const ANGLES: [f64; 10] = [
    -0.32, -0.25, -0.11, -0.05, -0.01, 0.01, 0.07, 0.13, 0.30, 0.40,
];
const TORQUES: [f64; 10] = [
    -168.4, -98.4, -42.4, -0.4, 0.0, 0.0, 0.6, 60.6, 128.6, 278.6,
];
const SLOW: [f64; 10] = [3.5, 2.0, 1.0, 0.4, 0.0, 0.0, 0.5, 1.25, 2.5, 4.0];
const FAST: [f64; 10] = [8.0, 4.5, 2.4, 1.0, 0.0, 0.0, 1.3, 3.0, 5.5, 9.0];

/// Sharpness of the friction (s/rad), inertia (kg m^2), unit of time (s).
pub const ETA: f64 = 50.0;
pub const INERTIA: f64 = 0.25;
pub const TIME_SCALE: f64 = 0.1;

/// Step (s), samples and noise of the fast test, and of the slow one.
const STEP: f64 = 0.7e-3;
const SAMPLES: usize = 2858;
pub const VELOCITY_NOISE: f64 = 0.01;
const SLOW_SAMPLES: usize = 6000;
/// Two minutes.
const SLOW_STEP: f64 = 0.02;
const TORQUE_NOISE: f64 = 0.15;

/// Both tests and what was found in them.
pub struct Tests {
    /// The device under slow loading.
    pub truth: Device,
    /// Friction under fast loading.
    pub fast_friction: Vec<f64>,
    pub found: QuasiStatic,
    /// The slow test over time.
    pub course: Course,
    /// The fast motion without noise.
    pub exact: FastRecord,
    pub motion: Motion,
    pub dynamics: Dynamics,
}

impl Tests {
    pub fn new() -> Result<Self, StagesError> {
        let truth = device(&SLOW);
        let (angle, torque) = slow_record(&truth, 1);
        let found = characterise(&angle, &torque, &SlowOptions::default())?;
        let time: Vec<f64> = (0..angle.len()).map(|i| SLOW_STEP * i as f64).collect();
        let course = Course::of(&time, &angle, &torque, &found).unwrap_or_default();
        let exact = release(&device(&FAST), &[0.0; 10])?;
        let motion = Motion::of(&measured(&exact, 2), &found.device, INERTIA)?;
        let options = FastOptions {
            eta: Some(ETA),
            time_scale: Some(TIME_SCALE),
            clearance_friction: false,
        };
        Ok(Self {
            dynamics: analyse(&motion, &found.device, &options)?,
            truth,
            fast_friction: FAST.to_vec(),
            found,
            course,
            exact,
            motion,
        })
    }
}

fn device(friction: &[f64]) -> Device {
    Device {
        angles: ANGLES.to_vec(),
        torques: TORQUES.to_vec(),
        friction: friction.to_vec(),
        minus: 4,
        plus: 5,
    }
}

/// Up to the drive end, down to the coast end, back to zero.
fn slow_record(device: &Device, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let (low, high) = (ANGLES[0], ANGLES[9]);
    let way = 2.0 * (high - low);
    let mut noise = Rng::new(seed);
    let each = (0..SLOW_SAMPLES).map(|i| {
        let gone = way * i as f64 / (SLOW_SAMPLES - 1) as f64;
        let (angle, sense) = if gone <= high {
            (gone, 1.0)
        } else if gone <= 2.0 * high - low {
            (2.0 * high - gone, -1.0)
        } else {
            (gone - way, 1.0)
        };
        let torque = device.elastic().at(angle) + sense * device.friction_at(angle);
        (angle, torque + TORQUE_NOISE * noise.gaussian())
    });
    each.unzip()
}

/// The inertia let go, without noise.
pub fn release(device: &Device, viscous: &[f64]) -> Result<FastRecord, StagesError> {
    let time: Vec<f64> = (0..SAMPLES).map(|i| STEP * i as f64).collect();
    let share = |t: &f64| 0.5 * (1.0 + (PI * (t / 5e-3).min(1.0)).cos());
    let torque: Vec<f64> = time.iter().map(|t| 25.0 + 83.6 * share(t)).collect();
    // The bench wants a motion; only its load and its start matter.
    let at_first = FastRecord {
        velocity: Some(torque.iter().map(|t| t - 200.0).collect()),
        time,
        torque,
        ..FastRecord::default()
    };
    let motion = Motion::of(&at_first, device, INERTIA)?;
    let bench = Bench::of(&motion, device, ETA)?;
    let run = bench.run_once(&motion, device, viscous)?;
    Ok(FastRecord {
        angle: Some(run.angle),
        velocity: Some(run.velocity),
        acceleration: Some(run.acceleration),
        ..at_first
    })
}

/// What the rig gives of a motion: a noisy velocity.
pub fn measured(exact: &FastRecord, seed: u64) -> FastRecord {
    let mut noise = Rng::new(seed);
    let velocity = exact.velocity.iter().flatten();
    let velocity = velocity
        .map(|v| v + VELOCITY_NOISE * noise.gaussian())
        .collect();
    FastRecord {
        time: exact.time.clone(),
        torque: exact.torque.clone(),
        velocity: Some(velocity),
        ..FastRecord::default()
    }
}

/// Marks the nodes of a device on the abscissa.
pub fn mark_nodes(plot: &mut Plot, device: &Device) {
    for (i, angle) in device.angles.iter().enumerate() {
        plot.mark_x(*angle, device.name(i));
    }
}
