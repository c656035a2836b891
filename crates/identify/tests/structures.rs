//! Structures with one joint: its parameters and those of the structure from noisy responses.

mod noise;

use masing_identify::target::{Channel, DrivenTest, Output};
use masing_identify::{Content, Fit, FitOptions, Target, fit};
use masing_model::{Masses, Model, file};
use masing_sim::system::Response;
use masing_sim::{Driven, Load, Numerics};
use noise::Noise;
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::path::Path;

const RATE: f64 = 1000.0;
/// Everything that can be measured of a mass.
const ALL: [Output; 3] = [Output::Displacement, Output::Velocity, Output::Acceleration];

/// A chain of equal masses between springs and dampers, the first one to ground, with a Dahl joint
/// between two of them; as a file, because that is how structures come.
fn chain(dofs: usize, between: [usize; 2]) -> Model {
    let tridiagonal = |middle: f64, beside: f64, last: f64| {
        let rows = (0..dofs).map(|i| {
            let cells = (0..dofs).map(|j| match i.abs_diff(j) {
                0 if i + 1 == dofs => last,
                0 => middle,
                1 => beside,
                _ => 0.0,
            });
            let cells: Vec<String> = cells.map(|v| format!("{v:?}")).collect();
            format!("[{}]", cells.join(", "))
        });
        format!("[{}]", rows.collect::<Vec<_>>().join(", "))
    };
    let mut text = "schema = \"masing.model/1\"\n".to_owned();
    let _ = write!(
        text,
        "[[element]]\ntype = \"dahl\"\nbetween = {between:?}\nsigma = 3e4\nfc = 12.0\nalpha = 1.0\n\
         [system]\ntype = \"structure\"\nm = {}\nc = {}\nk = {}\n",
        tridiagonal(1.0, 0.0, 1.0),
        tridiagonal(8.0, -4.0, 4.0),
        tridiagonal(8e4, -4e4, 4e4),
    );
    file::parse(Path::new("chain.toml"), &text).expect("sound")
}

/// Random phases from 2 to 60 Hz on the last mass for three seconds; what was measured of all masses,
/// with 1 % noise.
fn shaken(model: &Model, measured: &[Output], seed: u64) -> Target {
    let dofs = model.system().map_or(0, Masses::dofs);
    let mut noise = Noise::new(seed);
    let lines: Vec<(f64, f64)> = (4..=120)
        .map(|k| (TAU * 0.5 * f64::from(k), TAU * noise.uniform()))
        .collect();
    let time: Vec<f64> = (0..3000).map(|i| f64::from(i) / RATE).collect();
    let force = time.iter().map(|t| {
        4.0 * lines
            .iter()
            .map(|(w, phase)| (w * t + phase).cos())
            .sum::<f64>()
    });
    let force: Vec<f64> = force.collect();
    let load = Load::new(time)
        .expect("time")
        .on(dofs, force)
        .expect("a load");
    let fine = Numerics {
        increment: f64::INFINITY,
        max_dt: 1.0 / (8.0 * RATE),
    };
    let masses = model.system().expect("masses");
    let driven = Driven::new(model.assembly(), masses, &load, fine).expect("a system");
    let response = driven.run(model.values()).expect("a run");
    let mut channels = Vec::new();
    for &output in measured {
        let rows = match output {
            Output::Displacement => &response.displacement,
            Output::Velocity => &response.velocity,
            _ => &response.absolute_acceleration,
        };
        for dof in 0..dofs {
            let own = Response::history(rows, dofs, dof);
            let size = 0.01 * (own.iter().map(|x| x * x).sum::<f64>() / own.len() as f64).sqrt();
            channels.push(Channel {
                output,
                dof,
                measured: own.iter().map(|x| x + size * noise.gaussian()).collect(),
                noise: None,
            });
        }
    }
    let test = DrivenTest::new(load, channels);
    Target::of("shaken", Content::Driven(test))
}

fn found(model: &Model, test: Target, free: &[&str]) -> Fit {
    let options = FitOptions {
        free: free.iter().map(|a| (*a).to_owned()).collect(),
        ..FitOptions::default()
    };
    fit(model, vec![test], vec![], &options, None).expect("a fit")
}

/// The same structure with every entry of its matrices off by up to a fifth, as somebody may have
/// drawn it up; those of the joint do not matter.
fn drawn_up(truth: &Model, seed: u64) -> Model {
    let (mut values, mut noise) = (truth.values().to_vec(), Noise::new(seed));
    let dofs = truth.system().map_or(0, Masses::dofs);
    let at = truth.assembly().param_count();
    for matrix in 0..3 {
        for i in 0..dofs {
            for j in i..dofs {
                let factor = 1.0 + 0.2 * (2.0 * noise.uniform() - 1.0);
                values[at + (matrix * dofs + i) * dofs + j] *= factor;
                values[at + (matrix * dofs + j) * dofs + i] =
                    values[at + (matrix * dofs + i) * dofs + j];
            }
        }
    }
    truth.with(values).expect("sound")
}

/// Everything that was sought within a share of the truth, damping within another.
#[track_caller]
fn recovered(fit: &Fit, truth: &Model, (share, damping): (f64, f64)) {
    assert!(fit.relative < 0.0105, "{}", fit.relative);
    for (p, t) in fit.parameters.iter().zip(truth.values()) {
        let Some(error) = p.std_error else { continue };
        let (off, error) = (p.value / t - 1.0, (error / t).abs());
        println!("{}: off by {off:.5} +- {error:.5}", p.address);
        let weak = p.address.starts_with("structure.c");
        let share = if weak { damping } else { share };
        assert!(off.abs() < share, "{}: {}", p.address, p.value);
    }
}

fn sought(fit: &Fit) -> usize {
    fit.parameters
        .iter()
        .filter(|p| p.std_error.is_some())
        .count()
}

const MATRICES: [&str; 3] = ["structure.m", "structure.c", "structure.k"];

/// Matrices known from a modal model, the joint not: two accelerometers beside it are enough.
#[test]
fn a_joint_among_ten_known_masses() {
    let truth = chain(10, [4, 5]);
    let mut test = shaken(&truth, &[Output::Acceleration], 3);
    if let Content::Driven(test) = &mut test.content {
        test.channels.retain(|c| [3, 4].contains(&c.dof));
    }
    let fit = found(&truth, test, &[]);
    assert_eq!(sought(&fit), 3);
    recovered(&fit, &truth, (0.005, 0.0));
}

/// Two masses, three dampers, three springs and the joint.
#[test]
fn two_masses_and_all_about_them() {
    let truth = chain(2, [1, 2]);
    let fit = found(&drawn_up(&truth, 105), shaken(&truth, &ALL, 5), &MATRICES);
    assert_eq!(sought(&fit), 3 + 2 + 3 + 3);
    recovered(&fit, &truth, (0.005, 0.005));
    let (v, of) = (fit.model.values(), |address| {
        truth.find(address).expect("known")[0]
    });
    assert_eq!(v[of("structure.k[1,2]")], v[of("structure.k[2,1]")]);
}

/// Ten of each, from ten accelerometers.
#[test]
fn ten_masses_and_all_about_them() {
    let truth = chain(10, [4, 5]);
    let test = shaken(&truth, &[Output::Acceleration], 6);
    let fit = found(&drawn_up(&truth, 106), test, &MATRICES);
    assert_eq!(sought(&fit), 3 + 10 + 19 + 19);
    // Light damping (1 %) is known to 0.2 to 0.6 % from three seconds, by the standard errors; three
    // of them are allowed for.
    recovered(&fit, &truth, (0.005, 0.018));
}
