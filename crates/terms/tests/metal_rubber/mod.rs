//! Records of a metal-rubber part, made from its law alone.

#[path = "../../../identify/tests/noise/mod.rs"]
mod noise;
mod trial;

use masing_data::Preload;
use masing_terms::{Slider, Term, Test};
pub use noise::Noise;
use std::f64::consts::TAU;
pub use trial::{Trial, find, trial};

/// The law: odd powers of displacement and velocity, and spring-sliders.
#[derive(Clone)]
pub struct Part {
    pub k: [f64; 3],
    pub c1: f64,
    pub c5: f64,
    pub sliders: Vec<Slider>,
    pub y0: f64,
}

/// Printed values of the paper, with the damping of fifth power given.
pub fn printed(c5: f64) -> Part {
    Part {
        k: [2.4801e4, -2.0261e9, 2.9216e14],
        c1: 107.79,
        c5,
        sliders: vec![Slider {
            ks: 6.8695e4,
            ys: 20.587 / 6.8695e4,
        }],
        y0: 2.2e-3,
    }
}

/// Five sliders instead of one.
pub fn five(c5: f64) -> Part {
    let radii = [0.08e-3, 0.16e-3, 0.3e-3, 0.5e-3, 0.8e-3];
    let weights = [0.35, 0.25, 0.2, 0.12, 0.08];
    let each = radii.iter().zip(weights);
    Part {
        sliders: each
            .map(|(ys, w)| Slider {
                ks: w * 9.6e4,
                ys: *ys,
            })
            .collect(),
        ..printed(c5)
    }
}

/// A motion: displacement and velocity.
pub type Drive = dyn Fn(f64) -> (f64, f64);

/// The growing sine of the transient tests.
pub fn transient(amplitude: f64, first: f64) -> impl Fn(f64) -> (f64, f64) {
    move |t: f64| {
        let w = TAU * 20.0;
        let decay = (1.0 - first) * (-t / 0.15).exp();
        let (sin, cos) = (w * t).sin_cos();
        (
            amplitude * (1.0 - decay) * sin,
            amplitude * ((1.0 - decay) * w * cos + decay / 0.15 * sin),
        )
    }
}

/// A sine that grows over its first cycle.
pub fn ramped(amplitude: f64, frequency: f64) -> impl Fn(f64) -> (f64, f64) {
    move |t: f64| {
        let w = TAU * frequency;
        let (sin, cos) = (w * t).sin_cos();
        let cycles = frequency * t;
        if cycles < 1.0 {
            (
                amplitude * cycles * sin,
                amplitude * (frequency * sin + cycles * w * cos),
            )
        } else {
            (amplitude * sin, amplitude * w * cos)
        }
    }
}

/// A plain sine.
pub fn sine(amplitude: f64, frequency: f64) -> impl Fn(f64) -> (f64, f64) {
    move |t: f64| {
        let w = TAU * frequency;
        let (sin, cos) = (w * t).sin_cos();
        (amplitude * sin, amplitude * w * cos)
    }
}

/// A triangle.
pub fn triangle(amplitude: f64, frequency: f64) -> impl Fn(f64) -> (f64, f64) {
    move |t: f64| {
        let phase = (frequency * t + 0.25).rem_euclid(1.0);
        let speed = 4.0 * amplitude * frequency;
        if phase < 0.5 {
            (amplitude * (4.0 * phase - 1.0), speed)
        } else {
            (amplitude * (3.0 - 4.0 * phase), -speed)
        }
    }
}

impl Part {
    /// What an ideal rig writes; sliders are stepped twenty times a sample, from where the preload left them.
    pub fn record(&self, name: &str, drive: &Drive, seconds: f64, rate: f64) -> Test {
        let n = (seconds * rate).round() as usize + 1;
        let time: Vec<f64> = (0..n).map(|i| i as f64 / rate).collect();
        let mut z: Vec<f64> = self
            .sliders
            .iter()
            .map(|s| self.y0.clamp(-s.ys, s.ys))
            .collect();
        let mut last = drive(0.0).0;
        let (mut x, mut force) = (Vec::new(), Vec::new());
        for i in 0..n {
            for part in 1..=20 {
                let t = (i as f64 - 1.0 + f64::from(part) / 20.0) / rate;
                let to = if t < 0.0 { last } else { drive(t).0 };
                for (z, s) in z.iter_mut().zip(&self.sliders) {
                    *z = (*z + to - last).clamp(-s.ys, s.ys);
                }
                last = to;
            }
            let (y, v) = drive(time[i]);
            let s = y + self.y0;
            let own = self.k[0] * s + self.k[1] * s.powi(3) + self.k[2] * s.powi(5);
            let friction: f64 = z.iter().zip(&self.sliders).map(|(z, s)| s.ks * z).sum();
            force.push(own + self.c1 * v + self.c5 * v.powi(5) + friction);
            x.push(y);
        }
        Test {
            name: name.to_owned(),
            window: 0..n,
            time,
            displacement: x,
            velocity: None,
            force,
            noise: None,
            preload: Some(Preload::Motion(self.y0)),
            columns: Vec::new(),
        }
    }

    /// The true coefficient of a term.
    pub fn value(&self, term: &Term) -> f64 {
        match term {
            Term::Stiffness(1) => self.k[0],
            Term::Stiffness(3) => self.k[1],
            Term::Stiffness(5) => self.k[2],
            Term::Damping(1) => self.c1,
            Term::Damping(5) => self.c5,
            _ => 0.0,
        }
    }
}

/// The five terms of the law.
pub const TRUE_TERMS: [Term; 5] = [
    Term::Stiffness(1),
    Term::Stiffness(3),
    Term::Stiffness(5),
    Term::Damping(1),
    Term::Damping(5),
];

/// The same with noise: a share of the force's standard deviation, and metres.
pub fn noisy(clean: &Test, share: f64, metres: f64, seed: u64) -> Test {
    let n = clean.force.len() as f64;
    let mean = clean.force.iter().sum::<f64>() / n;
    let square: f64 = clean.force.iter().map(|f| (f - mean).powi(2)).sum();
    let deviation = (square / n).sqrt();
    let mut noise = Noise::new(seed);
    let mut test = clean.clone();
    for (x, f) in test.displacement.iter_mut().zip(&mut test.force) {
        *f += share * deviation * noise.gaussian();
        *x += metres * noise.gaussian();
    }
    test
}

/// Standard deviation of a test's force.
pub fn deviation(test: &Test) -> f64 {
    let n = test.force.len() as f64;
    let mean = test.force.iter().sum::<f64>() / n;
    (test.force.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / n).sqrt()
}

/// Case M: 1.5 mm, passive damping of fifth power.
pub fn case_m() -> (Part, Test) {
    let part = printed(-6.1e4);
    let test = part.record("M", &transient(1.5e-3, 0.25), 0.5, 5000.0);
    (part, test)
}

/// Case P: as printed, 0.516 mm.
pub fn case_p() -> (Part, Test) {
    let part = printed(-6.1e6);
    let test = part.record("P", &transient(0.516e-3, 0.65), 0.5, 5000.0);
    (part, test)
}

/// Nine ramped sines.
pub fn nine() -> (Part, Vec<Test>) {
    let part = printed(-1.5e3);
    let mut tests = Vec::new();
    for amplitude in [0.5e-3, 1e-3, 1.5e-3] {
        for frequency in [5.0, 20.0, 50.0] {
            let name = format!("{} mm {frequency} Hz", 1e3 * amplitude);
            let drive = ramped(amplitude, frequency);
            tests.push(part.record(&name, &drive, 11.0 / frequency, 5000.0));
        }
    }
    (part, tests)
}

/// The value that nine in ten do not exceed.
pub fn p90(values: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = values.iter().map(|v| v.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let at = 0.9 * (sizes.len() as f64 - 1.0);
    let low = at.floor() as usize;
    let high = (low + 1).min(sizes.len() - 1);
    sizes[low] + (at - low as f64) * (sizes[high] - sizes[low])
}
