//! Motions and parameter sets shared by the tests.
#![allow(dead_code, reason = "each test binary uses its own share")]

pub mod laws;

use masing_model::{Assembly, Rated, Shape, Solved, registry};
use masing_sim::Motion;
use std::sync::Arc;

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

/// A named assembly with values that make it work.
pub struct Sample {
    pub name: String,
    pub assembly: Assembly,
    pub p: Vec<f64>,
    /// Amplitude at which its nonlinearities show.
    pub amplitude: f64,
}

fn sample(name: &str, assembly: Assembly) -> Sample {
    // Off the lower end of a range, where a law may be clipped and has no two-sided derivative.
    let p = assembly
        .params()
        .map(|(_, p)| {
            if p.default == 0.0 && p.min == 0.0 {
                0.02
            } else {
                p.default
            }
        })
        .collect();
    let amplitude = if assembly.motion == masing_model::MotionKind::Rotation {
        0.25
    } else {
        1e-3
    };
    Sample {
        name: name.to_owned(),
        assembly,
        p,
        amplitude,
    }
}

/// Networks of every kind: without and with dashpots, sliders that hold and slip, springs that share a
/// displacement, three in a row, branches side by side, a series in a series.
pub const NETWORKS: &[&str] = &[
    "series(spring, spring)",
    "series(spring, slider)",
    "series(gap, slider)",
    "series(slider[sides=2], gap[sides=2, curved=1, off-centre=1])",
    "series(gap, slider[stribeck=1]) + dashpot",
    "series(spring, dashpot)",
    "series(spring, power-dashpot)",
    "series(eyring-dashpot, gap + eyring-dashpot) + spring",
    "series(dashpot, spring + jenkins)",
    "series(spring, polynomial-spring, dashpot + spring)",
    "series(maxwell, curve-spring)",
    "series(jenkins, spring + dashpot)",
    "series(spring, gap + series(slider, spring))",
    "series(iwan, bouc-wen)",
    "series(spring + slider, dahl)",
    "series(dashpot + spring, eyring-dashpot + spring)",
    "series(sts[cells=4], spring)",
    "series(rt[cells=3], spring)",
    "iwan[spread=5]",
    "iwan[spread=5, weights=1, growing=1]",
    "iwan[growing=1]",
    "softening(polynomial-spring)",
    "softening[lag=1, cycles=1](spring + gap) + dashpot",
    "softening[strokes=0, cycles=1](iwan[spread=4, growing=1])",
    "softening[sides=2, lag=1](series(spring, slider))",
    "softening(dahl + dashpot)",
    "bouc-wen-degrading[pinching=1]",
];

fn network(text: &str) -> Sample {
    let assembly = Assembly::from_names(text, |_| Shape::default()).expect("a network");
    let mut sample = sample(text, assembly);
    // Children that share a stiffness or a stroke, and none of two alike.
    let addresses: Vec<String> = sample.assembly.params().map(|(a, _)| a).collect();
    for (i, (p, address)) in sample.p.iter_mut().zip(addresses).enumerate() {
        *p *= 1.0 + 0.03 * i as f64;
        let (_, name) = address.rsplit_once('.').expect("an address");
        match name {
            "width" => *p = 2.7e-4,
            "centre" => *p = 3e-5,
            "v0" => *p *= 0.5,
            name if name.starts_with("power") => *p = 1.3,
            name if name.starts_with("k[") => *p = 2e6 * (1.0 + 0.1 * i as f64),
            _ => {}
        }
    }
    sample
}

/// Every element of the registry, the presets, a few assemblies and laws of a user's own.
pub fn samples() -> Vec<Sample> {
    let mut out: Vec<Sample> = Vec::new();
    for kind in registry::KINDS {
        let assembly =
            Assembly::from_names(kind.name, |_| Shape::default()).expect("a registry element");
        out.push(sample(kind.name, assembly));
    }
    for (name, ..) in masing_model::PRESETS {
        out.push(sample(
            name,
            Assembly::from_names(name, |_| Shape::default()).expect("a preset"),
        ));
    }
    for sum in [
        "bouc-wen+dashpot+spring",
        "dahl+polynomial-spring",
        "rt+maxwell+coulomb",
        "sts+power-dashpot",
    ] {
        out.push(sample(
            sum,
            Assembly::from_names(sum, |_| Shape::default()).expect("a sum"),
        ));
    }
    out.extend(NETWORKS.iter().map(|text| network(text)));
    for (kind, lists) in [("rt", ["kr", "c0"]), ("sts", ["kr", "ff"])] {
        let mut shape = Shape::default();
        for list in lists {
            shape.lists.insert(list.to_owned(), 6);
        }
        let assembly = Assembly::from_names(kind, |_| shape.clone()).expect("a chain");
        let mut per_cell = sample(&format!("{kind} per cell"), assembly);
        for (i, p) in per_cell.p.iter_mut().enumerate().skip(2).take(12) {
            *p *= 1.0 + 0.05 * i as f64;
        }
        out.push(per_cell);
    }
    let sided = Assembly::from_names("bouc-wen-asymmetric", |_| Shape::default());
    let mut sided = sample(
        "bouc-wen with two sides",
        sided.expect("a registry element"),
    );
    sided.p[4] = -0.3 * sided.p[1];
    out.push(sided);
    let mut smooth = Shape::default();
    smooth.numbers.insert("smoothing".to_owned(), 1e4);
    out.push(sample(
        "rt smoothed",
        Assembly::from_names("rt", |_| smooth.clone()).expect("a chain"),
    ));
    let mut own = Assembly::new();
    own.push("relaxing", Arc::new(Rated(laws::Relaxing::new())), None)
        .expect("a new label");
    out.push(sample("rate law", own));
    let mut own = Assembly::new();
    own.push("implicit", Arc::new(Solved(laws::Implicit::new())), None)
        .expect("a new label");
    out.push(sample("implicit law", own));
    out
}

/// Uniform numbers in -1..1 from a seed.
pub fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(2) + 1;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }
}

/// A smooth but irregular motion of two tones that starts at rest position zero.
pub fn irregular(amplitude: f64, samples: usize) -> Motion {
    motion(samples, 2.0 / samples as f64, |t| {
        amplitude * (0.7 * (7.3 * t).sin() + 0.45 * (17.9 * t + 0.4).sin() - 0.45 * 0.4_f64.sin())
    })
}
