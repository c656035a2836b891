//! Synthetic dampers and the records a rig would make of them.

#![allow(dead_code, reason = "every test uses a part of it")]

#[path = "../../../identify/tests/noise/mod.rs"]
mod noise;

use masing_model::{Masses, MotionKind};
use masing_sim::Numerics;
use masing_sim::system::{Driven, Load};
use masing_stages::Device;
pub use noise::Noise;
use std::f64::consts::PI;

/// A device with its friction under slow and under fast loading, and a release test.
#[derive(Clone)]
pub struct Damper {
    pub slow: Device,
    pub fast_friction: Vec<f64>,
    pub viscous: Vec<f64>,
    pub eta: f64,
    pub inertia: f64,
    /// Torque before and after the release.
    pub torque: [f64; 2],
    /// Torque that friction carries before the release.
    pub carried: f64,
    /// Duration of the release (s).
    pub ramp: f64,
    pub dt: f64,
    pub samples: usize,
    /// Unit of the periods of regimes (s).
    pub time_scale: f64,
}

/// The damper of the notes: four stages a side, clearance, pre-load.
pub fn four_stages() -> Damper {
    let slow = Device {
        angles: vec![
            -0.32, -0.25, -0.11, -0.05, -0.01, 0.01, 0.07, 0.13, 0.30, 0.40,
        ],
        torques: vec![
            -168.4, -98.4, -42.4, -0.4, 0.0, 0.0, 0.6, 60.6, 128.6, 278.6,
        ],
        friction: vec![3.5, 2.0, 1.0, 0.4, 0.0, 0.0, 0.5, 1.25, 2.5, 4.0],
        minus: 4,
        plus: 5,
    };
    Damper {
        fast_friction: vec![8.0, 4.5, 2.4, 1.0, 0.0, 0.0, 1.3, 3.0, 5.5, 9.0],
        viscous: vec![0.0; slow.len()],
        slow,
        eta: 50.0,
        inertia: 0.25,
        torque: [108.6, 25.0],
        carried: 0.0,
        ramp: 5e-3,
        dt: 0.7e-3,
        samples: 2858,
        time_scale: 0.1,
    }
}

/// A smaller damper of another make: three stages a side, wider clearance, no pre-load, hard last stages.
pub fn three_stages() -> Damper {
    let angles = vec![-0.22, -0.15, -0.06, -0.02, 0.03, 0.09, 0.20, 0.26];
    // Stiffness outwards: coast 6, 280, 900; drive 9, 350, 1200.
    let coast_1 = -6.0 * 0.04;
    let coast_2 = coast_1 - 280.0 * 0.09;
    let drive_1 = 9.0 * 0.06;
    let drive_2 = drive_1 + 350.0 * 0.11;
    let slow = Device {
        torques: vec![
            coast_2 - 900.0 * 0.07,
            coast_2,
            coast_1,
            0.0,
            0.0,
            drive_1,
            drive_2,
            drive_2 + 1200.0 * 0.06,
        ],
        friction: vec![3.0, 1.4, 0.35, 0.0, 0.0, 0.3, 1.1, 2.6],
        angles,
        minus: 3,
        plus: 4,
    };
    Damper {
        fast_friction: vec![4.0, 2.2, 0.6, 0.0, 0.0, 0.7, 1.9, 3.6],
        viscous: vec![0.0; slow.len()],
        slow,
        eta: 60.0,
        inertia: 0.1,
        torque: [95.0, 12.0],
        carried: 0.0,
        ramp: 4e-3,
        dt: 0.5e-3,
        samples: 3000,
        time_scale: 0.1,
    }
}

/// A record as the rig gives it.
pub struct Fast {
    pub time: Vec<f64>,
    pub torque: Vec<f64>,
    pub angle: Vec<f64>,
    pub velocity: Vec<f64>,
    pub acceleration: Vec<f64>,
}

impl Damper {
    /// Up to the end of the drive side, down to the end of the coast side, back to zero.
    pub fn slow_record(&self, samples: usize, noise: f64, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut random = Noise::new(seed);
        let (low, high) = (self.slow.angles[0], self.slow.angles[self.slow.len() - 1]);
        let whole = 2.0 * (high - low);
        let mut record = (Vec::new(), Vec::new());
        for i in 0..samples {
            let way = whole * i as f64 / (samples - 1) as f64;
            let (angle, sense) = if way <= high {
                (way, 1.0)
            } else if way <= 2.0 * high - low {
                (2.0 * high - way, -1.0)
            } else {
                (way - 2.0 * (high - low), 1.0)
            };
            let torque = self.slow.elastic().at(angle) + sense * self.slow.friction_at(angle);
            record.0.push(angle);
            record.1.push(torque + noise * random.gaussian());
        }
        record
    }

    /// The device under fast loading.
    pub fn fast(&self) -> Device {
        self.slow.with_friction(self.fast_friction.clone())
    }

    pub fn times(&self) -> Vec<f64> {
        (0..self.samples).map(|i| i as f64 * self.dt).collect()
    }

    /// A raised cosine from the first to the second torque.
    pub fn load(&self) -> Vec<f64> {
        let [from, to] = self.torque;
        let share = |t: f64| 0.5 * (1.0 + (PI * (t / self.ramp).min(1.0)).cos());
        self.times()
            .iter()
            .map(|t| to + (from - to) * share(*t))
            .collect()
    }

    /// The release without noise.
    pub fn release(&self) -> Fast {
        let device = self.fast();
        let (time, torque) = (self.times(), self.load());
        let assembly = device.assembly(MotionKind::Rotation).expect("a device");
        let masses = Masses::oscillator();
        let held = torque[0] + self.carried;
        let start = device.elastic().inverse(held).expect("a start");
        let mut p = device.values(&self.viscous, self.eta);
        p.extend([self.inertia, 0.0, 0.0, start, 0.0]);
        let load = Load::new(time.clone())
            .and_then(|l| l.on(1, torque.clone()))
            .expect("a load");
        let numerics = Numerics {
            increment: f64::INFINITY,
            max_dt: self.dt / 16.0 * (1.0 + 1e-9),
        };
        let driven = Driven::new(&assembly, &masses, &load, numerics).expect("a system");
        let response = driven.run(&p).expect("a run");
        Fast {
            time,
            torque,
            angle: response.displacement,
            velocity: response.velocity,
            acceleration: response.acceleration,
        }
    }
}

impl Fast {
    /// The velocity as measured.
    pub fn noisy_velocity(&self, noise: f64, seed: u64) -> Vec<f64> {
        let mut random = Noise::new(seed);
        self.velocity
            .iter()
            .map(|v| v + noise * random.gaussian())
            .collect()
    }
}
