//! Motions and parameter sets shared by the tests.
#![allow(dead_code, reason = "each test binary uses its own share")]

use masing_model::{Assembly, Shape};
use masing_sim::Motion;

/// A chain of 15 cells.
pub fn rt() -> Assembly {
    Assembly::from_names("rt", |_| Shape::default()).expect("rt is in the registry")
}

/// Parameters given in N, mm, s, in SI.
pub fn si([k0, kpa, kr, c0, alpha]: [f64; 5]) -> Vec<f64> {
    vec![
        k0 * 1e3,
        kpa * 1e3,
        kr * 1e3,
        c0 * 1e3_f64.powf(alpha),
        alpha,
    ]
}

pub const SET_A: [f64; 5] = [200.0, 800.0, 3000.0, 20.0, 0.15];
pub const SET_B: [f64; 5] = [200.0, 800.0, 3000.0, 15.0, 0.075];

pub fn motion(samples: usize, dt: f64, x: impl Fn(f64) -> f64) -> Motion {
    let time: Vec<f64> = (0..samples).map(|i| i as f64 * dt).collect();
    let x = time.iter().map(|&t| x(t)).collect();
    Motion::new(time, x, None).expect("a sound motion")
}

pub fn sine(amplitude: f64, frequency: f64, cycles: usize, per_cycle: usize) -> Motion {
    let dt = 1.0 / (frequency * per_cycle as f64);
    motion(cycles * per_cycle + 1, dt, |t| {
        amplitude * (std::f64::consts::TAU * frequency * t).sin()
    })
}

pub fn triangle(amplitude: f64, t: f64) -> f64 {
    let phase = (t + 0.25).rem_euclid(1.0);
    amplitude
        * if phase < 0.5 {
            4.0 * phase - 1.0
        } else {
            3.0 - 4.0 * phase
        }
}

/// The named motion of the golden forces.
pub fn golden_motion(name: &str) -> Motion {
    match name {
        "sine" => sine(1e-3, 1.0, 2, 1000),
        "triangle" => motion(2001, 1e-3, |t| triangle(1e-3, t)),
        "step" => motion(2001, 1e-3, |t| 1e-3 * (t / 0.1).min(1.0)),
        other => panic!("no golden motion {other}"),
    }
}

/// Largest absolute value.
pub fn peak(f: &[f64]) -> f64 {
    f.iter().fold(0.0, |m, f| m.max(f.abs()))
}
