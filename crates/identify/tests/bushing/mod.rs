//! Records of the bushing of the notes: parameter sets in N, mm, s.

use masing_identify::Test;
use masing_model::{Assembly, Model, Rng, Shape};
use masing_sim::{Motion, Numerics, Prescribed};
use std::f64::consts::TAU;

#[allow(dead_code, reason = "every test file uses some of it")]
pub const A: [f64; 5] = [200.0, 800.0, 3000.0, 20.0, 0.15];
pub const B: [f64; 5] = [200.0, 800.0, 3000.0, 15.0, 0.075];

#[allow(dead_code, reason = "every test file uses some of it")]
pub const NAMES: [&str; 5] = ["rt.k0", "rt.kpa", "rt.kr", "rt.c0", "rt.alpha"];

pub fn si([k0, kpa, kr, c0, alpha]: [f64; 5]) -> Vec<f64> {
    let c0 = c0 * 1e3_f64.powf(alpha);
    vec![k0 * 1e3, kpa * 1e3, kr * 1e3, c0, alpha]
}

pub fn rt() -> Model {
    let assembly = Assembly::from_names("rt", |_| Shape::default()).expect("rt is in the registry");
    Model::with_defaults(assembly, None).expect("defaults are sound")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "every test file uses some of it")]
pub enum Wave {
    Sine,
    Triangle,
    Step,
}

/// 2001 samples of a motion; `cycles` over the record, steps in a twentieth of it.
pub fn motion(wave: Wave, amplitude: f64, frequency: f64) -> Motion {
    let duration = 2.0 / frequency;
    let time: Vec<f64> = (0..2001)
        .map(|i| f64::from(i) * duration / 2000.0)
        .collect();
    let x = time.iter().map(|t| {
        let cycles = t * frequency;
        amplitude
            * match wave {
                Wave::Sine => (TAU * cycles).sin(),
                Wave::Triangle => {
                    let phase = (cycles + 0.25).rem_euclid(1.0);
                    if phase < 0.5 {
                        4.0 * phase - 1.0
                    } else {
                        3.0 - 4.0 * phase
                    }
                }
                Wave::Step => (t / (0.05 * duration)).min(1.0),
            }
    });
    let x = x.collect();
    Motion::new(time, x, None).expect("a motion")
}

/// Forces of a parameter set, stepped `finer` times per sample.
pub fn target(set: [f64; 5], wave: Wave, amplitude: f64, frequency: f64, finer: f64) -> Test {
    let model = rt();
    let motion = motion(wave, amplitude, frequency);
    let numerics = Numerics {
        max_dt: motion.time()[1] / finer * 1.000_001,
        increment: f64::INFINITY,
    };
    let force = Prescribed::new(model.assembly(), &motion, numerics)
        .run(&si(set))
        .expect("a run");
    let name = format!("{wave:?} {amplitude} {frequency}").to_lowercase();
    Test::new(name, motion, force)
}

/// The largest force of a record.
#[allow(dead_code, reason = "every test file uses some of it")]
pub fn peak(target: &Test) -> f64 {
    target.motion_record().expect("a record").peak()
}

/// Each parameter of a set times or divided by up to five, alpha at most 0.7 (SI).
#[allow(dead_code, reason = "every test file uses some of it")]
pub fn random_start(set: [f64; 5], seed: u64) -> Vec<f64> {
    let mut uniform = uniform(seed.wrapping_add(77));
    let mut start = si(set);
    for value in &mut start {
        *value *= 5_f64.powf(2.0 * uniform() - 1.0);
    }
    start[4] = start[4].min(0.7);
    start
}

/// Numbers between 0 and 1 from a seed.
fn uniform(seed: u64) -> impl FnMut() -> f64 {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0;
    let mut random = Rng::new(seed);
    move || ((random.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

/// Noise of a given standard deviation, from a seed.
#[allow(dead_code, reason = "every test file uses some of it")]
pub fn disturb(target: &mut Test, deviation: f64, seed: u64) {
    let mut uniform = uniform(seed);
    let Some(rig) = target.motion_record_mut() else {
        return;
    };
    for force in &mut rig.force {
        let (a, b) = (uniform(), uniform());
        *force += deviation * (-2.0 * a.ln()).sqrt() * (TAU * b).cos();
    }
}
