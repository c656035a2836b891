//! The clutch damper of the notes: ten nodes, clearance, pre-load, staged friction, released from
//! 108.6 to 25 N m, against an independent integration.

mod system_reference;

use masing_model::{Assembly, Masses, Shape};
use masing_sim::Numerics;
use masing_sim::system::{Column, Driven, Load, Outputs, choose};
use system_reference::{Piecewise, difference, integrate, interpolate};

const ANGLES: [f64; 10] = [
    -0.32, -0.25, -0.11, -0.05, -0.01, 0.01, 0.07, 0.13, 0.30, 0.40,
];
const TORQUES: [f64; 10] = [
    -168.4, -98.4, -42.4, -0.4, 0.0, 0.0, 0.6, 60.6, 128.6, 278.6,
];
const FRICTION: [f64; 10] = [8.0, 4.5, 2.4, 1.0, 0.0, 0.0, 1.3, 3.0, 5.5, 9.0];
const ETA: f64 = 50.0;
const INERTIA: f64 = 0.25;
const START: f64 = 0.25;
const DT: f64 = 0.7e-3;

fn assembly() -> Assembly {
    let mut shape = Shape::default();
    for list in ["angles", "torques", "friction", "viscous"] {
        shape.lists.insert(list.to_owned(), ANGLES.len());
    }
    Assembly::from_names("staged", |_| shape.clone()).expect("staged")
}

fn values() -> Vec<f64> {
    let mut p = [ANGLES, TORQUES, FRICTION, [0.0; 10]].concat();
    p.extend([ETA, INERTIA, 0.0, 0.0, START, 0.0]);
    p
}

fn times(duration: f64) -> Vec<f64> {
    let count = (duration / DT).round() as usize;
    (0..=count).map(|i| i as f64 * DT).collect()
}

/// A raised cosine from 108.6 to 25 N m within 5 ms.
fn torques(times: &[f64]) -> Vec<f64> {
    let share = |t: &f64| 0.5 * (1.0 + (std::f64::consts::PI * (t / 5e-3).min(1.0)).cos());
    times.iter().map(|t| 25.0 + 83.6 * share(t)).collect()
}

fn load(duration: f64) -> Load {
    let times = times(duration);
    let torques = torques(&times);
    Load::new(times)
        .and_then(|l| l.on(1, torques))
        .expect("a load")
}

struct Clutch {
    times: Vec<f64>,
    torques: Vec<f64>,
}

impl Piecewise for Clutch {
    fn rates(&self, t: f64, y: &[f64], b: &[i32], dy: &mut [f64]) {
        let i = b[0].clamp(1, 9) as usize;
        let line = |list: &[f64; 10]| {
            let share = (y[0] - ANGLES[i - 1]) / (ANGLES[i] - ANGLES[i - 1]);
            list[i - 1] + share * (list[i] - list[i - 1])
        };
        let torque = line(&TORQUES) + line(&FRICTION) * (ETA * y[1]).tanh();
        dy[0] = y[1];
        dy[1] = (interpolate(&self.times, &self.torques, t) - torque) / INERTIA;
    }

    fn branch(&self, _: f64, y: &[f64]) -> Vec<i32> {
        vec![ANGLES.iter().filter(|a| **a <= y[0]).count() as i32]
    }
}

#[test]
fn angle_within_1e_7_of_an_independent_integration() {
    let (assembly, masses, load, p) = (assembly(), Masses::oscillator(), load(2.0), values());
    let times = load.time().to_vec();
    let clutch = Clutch {
        torques: torques(&times),
        times: times.clone(),
    };
    let reference = integrate(&clutch, &times, vec![START, 0.0], &[0.1, 5.0], 2);
    let error_with = |numerics| {
        let driven = Driven::new(&assembly, &masses, &load, numerics).expect("a system");
        let response = driven.run(&p).expect("a run");
        let angle = difference(&response.displacement, reference.iter().map(|y| y[0]));
        let speed = difference(&response.velocity, reference.iter().map(|y| y[1]));
        (angle, speed, response)
    };
    // What the prototype reached with eight sub-steps.
    let (angle, ..) = error_with(Numerics {
        increment: f64::INFINITY,
        max_dt: DT / 8.0 * (1.0 + 1e-9),
    });
    assert!(angle < 1e-7, "{angle:e}");
    let numerics = choose(&assembly, &masses, &load, &p, None).expect("sub-steps");
    assert_eq!((DT / numerics.max_dt).round(), 16.0);
    let (angle, speed, response) = error_with(numerics);
    assert!(angle < 3e-9 && speed < 2e-7, "{angle:e} {speed:e}");
    // 2857 intervals, 73 kinks, each approached once and crossed once.
    assert_eq!(response.micro_steps, 2857 * 16 + 2 * 73);
}

#[test]
fn motion_is_that_of_the_notes() {
    let (assembly, masses, load, p) = (assembly(), Masses::oscillator(), load(2.0), values());
    let numerics = choose(&assembly, &masses, &load, &p, None).expect("sub-steps");
    let driven = Driven::new(&assembly, &masses, &load, numerics).expect("a system");
    let response = driven.run(&p).expect("a run");
    let range = |values: &[f64]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    };
    // The notes' motion has the smooth torque; straight lines between samples 0.7 ms apart differ by
    // a few units of the last digit they print.
    let near = |(low, high): (f64, f64), expected: (f64, f64), digit: f64| {
        assert!(
            (low - expected.0).abs() < digit && (high - expected.1).abs() < digit,
            "{low} {high}"
        );
    };
    near(range(&response.displacement), (-0.12302, 0.25), 3e-5);
    near(range(&response.velocity), (-7.599, 7.349), 3e-3);
    near(range(&response.acceleration), (-322.0, 301.0), 1.0);
    assert_eq!(response.acceleration, response.absolute_acceleration);
    let turning: Vec<(f64, f64)> = (1..response.samples())
        .filter(|&i| response.velocity[i - 1] * response.velocity[i] < 0.0)
        .map(|i| (load.time()[i] / 0.1, response.displacement[i]))
        .collect();
    for (found, listed) in turning.iter().zip([
        (0.81, -0.1230),
        (1.59, 0.2312),
        (2.39, -0.1032),
        (3.18, 0.2142),
        (4.00, -0.0831),
    ]) {
        assert!((found.0 - listed.0).abs() < 0.011 && (found.1 - listed.1).abs() < 2e-4);
    }
}

#[test]
fn sensitivities_pass_through_events() {
    // Up to 0.6 s: 37 kinks, and every stage but the outermost was entered.
    let (assembly, masses, load, p) = (assembly(), Masses::oscillator(), load(0.6), values());
    let numerics = Numerics {
        increment: f64::INFINITY,
        max_dt: DT / 16.0 * (1.0 + 1e-9),
    };
    let driven = Driven::new(&assembly, &masses, &load, numerics).expect("a system");
    let columns: Vec<Column> = (0..p.len()).map(Column::Param).collect();
    let tangent = driven.tangent(&p, &columns).expect("a tangent");
    let mut inner = 0;
    for (c, value) in p.iter().enumerate() {
        // Relative to the value, or to the angles and torques at hand.
        let scale = if *value == 0.0 { 0.1 } else { value.abs() };
        let at = |k: f64| {
            let mut p = p.clone();
            p[c] += k * scale;
            driven.run(&p).expect("a run").displacement
        };
        let exact: Vec<f64> = tangent
            .displacement
            .iter()
            .skip(c)
            .step_by(p.len())
            .copied()
            .collect();
        let size = exact.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        inner += usize::from(size > 0.0);
        if size == 0.0 {
            continue;
        }
        // A clearance opened by a torque, friction and damping below zero: no two-sided derivative.
        if *value == 0.0 && c < 4 * ANGLES.len() {
            continue;
        }
        let error = [1e-5, 1e-6]
            .map(|h| {
                let (a, b, d, e) = (at(-2.0 * h), at(-h), at(h), at(2.0 * h));
                (0..exact.len()).fold(0.0_f64, |m, i| {
                    let slope = (a[i] - 8.0 * b[i] + 8.0 * d[i] - e[i]) / (12.0 * h * scale);
                    m.max((slope - exact[i]).abs())
                })
            })
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        assert!(error <= 1e-6 * size, "column {c}: {error:e} of {size:e}");
    }
    assert!(inner > 30, "{inner} columns matter");
    let bar: Vec<f64> = (0..load.len()).map(|i| (0.37 * i as f64).sin()).collect();
    let recorded = driven.record(&p).expect("a record");
    let gradient = recorded
        .pull_back(&Outputs {
            displacement: bar.clone(),
            ..Outputs::default()
        })
        .expect("an adjoint");
    for c in 0..p.len() {
        let terms = (0..bar.len()).map(|i| bar[i] * tangent.displacement[i * p.len() + c]);
        let (sum, size) = terms.fold((0.0, 0.0), |(s, a), t| (s + t, a + f64::abs(t)));
        assert!(
            (sum - gradient.params[c]).abs() <= 1e-11 * size,
            "column {c}"
        );
    }
}
