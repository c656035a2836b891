//! The loops of the paper on joints (Proc. ISMA2018 and USD2018, Damping, to p. 1046): an oscillator under a sine, m x'' + k x + z = F sin, from rest for 8 s; of
//! the last period the displacement and the force z of the law.

#![allow(dead_code, reason = "every test file uses its own share")]

pub mod discrimination;
pub mod fresh;
pub mod monte_carlo;
pub mod series;

use masing_identify::loops::fourier;
use masing_identify::{InitialState, MotionRecord, Test};
use masing_model::{Assembly, Masses, Model, Rng, Shape};
use masing_sim::system::choose;
use masing_sim::{Driven, Load, Motion};
use std::f64::consts::TAU;

/// The two laws of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    Dahl,
    BoucWen,
}

impl Law {
    /// Name in the registry.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Dahl => "dahl",
            Self::BoucWen => "bouc-wen",
        }
    }

    pub fn other(self) -> Self {
        match self {
            Self::Dahl => Self::BoucWen,
            Self::BoucWen => Self::Dahl,
        }
    }
}

/// An element alone.
pub fn alone(kind: &str) -> Model {
    let assembly = Assembly::from_names(kind, |_| Shape::default()).expect("known elements");
    Model::with_defaults(assembly, None).expect("defaults")
}

/// Time, displacement and force of one period.
#[derive(Clone)]
pub struct Loop {
    pub time: Vec<f64>,
    pub x: Vec<f64>,
    pub z: Vec<f64>,
}

/// Section 6.1: k = 1e5 N/m, 1 N at 2 Hz.
pub fn dahl(sigma: f64, fc: f64, alpha: f64, dt: f64) -> Loop {
    last_period("dahl", &[sigma, fc, alpha], (1e5, 1.0, 2.0), dt)
}

/// Section 6.2: k = 200 N/m, 10 N at 5 Hz; the gain of 200 is part of the parameters here.
pub fn bouc_wen([a, beta, gamma, n]: [f64; 4], dt: f64) -> Loop {
    let p = [200.0 * a, 200.0 * beta, 200.0 * gamma, n];
    last_period("bouc-wen", &p, (200.0, 10.0, 5.0), dt)
}

fn last_period(kind: &str, p: &[f64], (k, force, frequency): (f64, f64, f64), dt: f64) -> Loop {
    let samples = (8.0 / dt).round() as usize;
    let time: Vec<f64> = (0..=samples).map(|i| i as f64 * dt).collect();
    let load = time.iter().map(|t| force * (TAU * frequency * t).sin());
    let load = Load::new(time.clone()).and_then(|l| l.on(1, load.collect()));
    let load = load.expect("a load");
    let (model, masses) = (alone(kind), Masses::oscillator());
    // m, c, k, x0, v0.
    let p: Vec<f64> = p.iter().copied().chain([1.0, 0.0, k, 0.0, 0.0]).collect();
    // Two digits beyond what a fit is asked to find.
    let numerics = choose(model.assembly(), &masses, &load, &p, Some(1e-9)).expect("steps");
    let driven = Driven::new(model.assembly(), &masses, &load, numerics).expect("a system");
    let run = driven.run(&p).expect("a run");
    let from = samples - (1.0 / (frequency * dt)).round() as usize;
    Loop {
        time: time[from..].to_vec(),
        x: run.displacement[from..].to_vec(),
        z: run.force[from..].to_vec(),
    }
}

impl Loop {
    /// A test of it as `masing fit` makes it: free start, turns refined.
    pub fn target(&self) -> Test {
        let motion = Motion::new(self.time.clone(), self.x.clone(), None).expect("a motion");
        let mut rig = MotionRecord::new(motion, self.z.clone());
        rig.initial = InitialState::Estimated;
        Test::of("loop", rig.with_reversals().expect("turns"))
    }

    /// The same with the displacement as a Fourier series.
    pub fn fourier_target(&self) -> Test {
        let motion = Motion::new(self.time.clone(), self.x.clone(), None).expect("a motion");
        let mut rig = MotionRecord::new(motion, self.z.clone());
        rig.initial = InitialState::Estimated;
        let found = fourier(&rig).expect("a motion").expect("a period");
        let rig = found.record.with_reversals().expect("turns");
        Test::of("loop", rig)
    }

    /// The same with Gaussian noise on the displacement, of so much of its largest value.
    pub fn shaken(&self, share: f64, seed: u64) -> Self {
        let mut noise = Noise::new(seed);
        let size = share * self.x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let x = self.x.iter().map(|x| x + size * noise.gaussian()).collect();
        Self { x, ..self.clone() }
    }

    /// Largest force.
    pub fn peak(&self) -> f64 {
        self.z.iter().fold(0.0, |m, z| m.max(z.abs()))
    }

    /// The same with Gaussian noise on the force, of so much of the largest force.
    pub fn noisy(&self, share: f64, seed: u64) -> Self {
        let mut noise = Noise::new(seed);
        let size = share * self.peak();
        let z = self.z.iter().map(|z| z + size * noise.gaussian()).collect();
        Self { z, ..self.clone() }
    }
}

/// Gaussian numbers from a seed.
pub struct Noise(Rng);

impl Noise {
    pub fn new(seed: u64) -> Self {
        let seed = seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(99);
        Self(Rng::new(seed))
    }

    pub fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }

    pub fn gaussian(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }
}
