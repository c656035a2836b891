//! Parameter sets and motions of the reproduction, in the paper's units: N, mm, s.
//!
//! The paper does not print its parameters. Set B has its figures: the stiffness rises by 4 % and 4.5 % per decade of
//! frequency, and its exponent leaves room for the 7.954-fold one of the paper's Table 4. Set A is a rounder loop.

use masing_model::{Assembly, ModelError, Shape};
use masing_sim::{Motion, Numerics, SimError};

/// k0, kpa, kr, c0, alpha.
pub type Set = [f64; 5];

pub const SET_A: Set = [200.0, 800.0, 3000.0, 20.0, 0.15];
pub const SET_B: Set = [200.0, 800.0, 3000.0, 15.0, 0.075];

/// Cells of the chain.
pub const CELLS: usize = 15;

/// Samples of a record, 1 ms apart: two cycles at 1 Hz.
pub const SAMPLES: usize = 2001;

/// Time between samples (s).
pub const STEP: f64 = 1e-3;

/// So many cells.
pub fn shape(cells: usize) -> Shape {
    let mut shape = Shape::default();
    shape.numbers.insert("cells".to_owned(), cells as f64);
    shape
}

/// A chain, smoothed with `s` (s/mm) if given.
pub fn chain(cells: usize, smoothing: Option<f64>) -> Result<Assembly, ModelError> {
    let mut shape = shape(cells);
    if let Some(s) = smoothing {
        shape.numbers.insert("smoothing".to_owned(), s * 1e3);
    }
    Assembly::from_names("rt", |_| shape.clone())
}

/// A set in SI.
pub fn si([k0, kpa, kr, c0, alpha]: Set) -> Vec<f64> {
    vec![
        k0 * 1e3,
        kpa * 1e3,
        kr * 1e3,
        c0 * 1e3_f64.powf(alpha),
        alpha,
    ]
}

/// Parameters in SI as a set.
pub fn set_of(p: &[f64]) -> Set {
    [
        p[0] / 1e3,
        p[1] / 1e3,
        p[2] / 1e3,
        p[3] / 1e3_f64.powf(p[4]),
        p[4],
    ]
}

/// Derivatives by the parameters in SI as derivatives by a set: alpha at fixed c0 in N (s/mm)^alpha moves c0 in SI.
pub fn by_set(by_si: &[f64], set: Set) -> Set {
    let scale = 1e3_f64.powf(set[4]);
    [
        by_si[0] * 1e3,
        by_si[1] * 1e3,
        by_si[2] * 1e3,
        by_si[3] * scale,
        by_si[4] + by_si[3] * set[3] * scale * 1e3_f64.ln(),
    ]
}

/// A set with every entry multiplied.
pub fn times(set: Set, factors: Set) -> Set {
    std::array::from_fn(|i| set[i] * factors[i])
}

/// Ratios of two sets.
pub fn ratios(set: Set, to: Set) -> Set {
    std::array::from_fn(|i| set[i] / to[i])
}

fn motion(x: impl Fn(f64) -> f64) -> Result<Motion, SimError> {
    let time: Vec<f64> = (0..SAMPLES).map(|i| i as f64 * STEP).collect();
    let x = time.iter().map(|&t| 1e-3 * x(t)).collect();
    Motion::new(time, x, None)
}

/// A sine of 1 mm, 1 Hz, two cycles.
pub fn sine() -> Result<Motion, SimError> {
    motion(|t| (std::f64::consts::TAU * t).sin())
}

/// A triangle of 1 mm, 1 Hz, two cycles.
pub fn triangle() -> Result<Motion, SimError> {
    motion(|t| {
        let phase = (t + 0.25).rem_euclid(1.0);
        if phase < 0.5 {
            4.0 * phase - 1.0
        } else {
            3.0 - 4.0 * phase
        }
    })
}

/// 1 mm in 0.1 s, then held.
pub fn ramp() -> Result<Motion, SimError> {
    motion(|t| (t / 0.1).min(1.0))
}

/// Every interval of a record in `m` steps.
pub fn parts(m: usize) -> Numerics {
    Numerics {
        max_dt: STEP / m as f64 * (1.0 + 1e-9),
        ..Numerics::default()
    }
}

/// Weight of a sample in an integral over time (trapezoids).
pub fn weight(i: usize) -> f64 {
    if i == 0 || i + 1 == SAMPLES {
        0.5 * STEP
    } else {
        STEP
    }
}
