//! Structures with one joint, and what is measured of them.

#[path = "../noise/mod.rs"]
mod noise;

use masing_identify::test::{Channel, DrivenMasses, Output};
use masing_identify::{FitOptions, Identified, Test, fit};
use masing_model::{Masses, Model, file};
use masing_sim::system::Response;
use masing_sim::{Driven, Load, Numerics};
use noise::Noise;
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::path::Path;

const RATE: f64 = 1000.0;
/// Everything that can be measured of a mass.
pub const ALL: [Output; 3] = [Output::Displacement, Output::Velocity, Output::Acceleration];

pub const MATRICES: [&str; 3] = ["structure.m", "structure.c", "structure.k"];

/// A chain of equal masses between springs and dampers, the first one to ground, with a Dahl joint
/// between two of them; as a file, because that is how structures come.
pub fn chain(dofs: usize, between: [usize; 2]) -> Model {
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

/// Random phases from 2 to 60 Hz on the last mass for some seconds; what was measured of all masses,
/// with 1 % noise.
pub fn shaken(model: &Model, measured: &[Output], seconds: u32, seed: u64) -> Test {
    let dofs = model.system().map_or(0, Masses::dofs);
    let mut noise = Noise::new(seed);
    let lines: Vec<(f64, f64)> = (4..=120)
        .map(|k| (TAU * 0.5 * f64::from(k), TAU * noise.uniform()))
        .collect();
    let time: Vec<f64> = (0..1000 * seconds).map(|i| f64::from(i) / RATE).collect();
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
    let test = DrivenMasses::new(load, channels);
    Test::of("shaken", test)
}

/// Fits what is free.
pub fn found(model: &Model, test: Test, free: &[&str]) -> Identified {
    let options = FitOptions {
        free: free.iter().map(|a| (*a).to_owned()).collect(),
        ..FitOptions::default()
    };
    fit(model, vec![test], vec![], &options, None).expect("a fit")
}

/// The same structure with every entry of its matrices off by up to a fifth, as somebody may have
/// drawn it up; those of the joint do not matter.
pub fn drawn_up(truth: &Model, seed: u64) -> Model {
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
