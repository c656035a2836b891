//! Structures with one joint: its parameters and chosen entries of the matrices from noisy responses.

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

/// Random phases from 2 to 60 Hz on the last mass; what was measured of all, with 1 % noise.
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

#[track_caller]
fn recovered(fit: &Fit, truth: &Model, share: f64) {
    for (p, t) in fit.parameters.iter().zip(truth.values()) {
        if p.std_error.is_some() {
            println!(
                "{}: {} (truth {t}, +- {:?})",
                p.address, p.value, p.std_error
            );
            assert!(
                (p.value / t - 1.0).abs() < share,
                "{}: {}",
                p.address,
                p.value
            );
        }
    }
}

#[test]
fn two_masses_and_a_joint() {
    let truth = chain(2, [1, 2]);
    let fit = found(&truth, shaken(&truth, &ALL, 1), &[]);
    assert!(fit.relative < 0.0105, "{}", fit.relative);
    recovered(&fit, &truth, 0.005);
}

#[test]
fn two_masses_a_joint_and_entries_of_the_matrices() {
    let truth = chain(2, [1, 2]);
    let mut values = truth.values().to_vec();
    let of = |address: &str| truth.find(address).expect("known");
    // The matrices as somebody would have measured them.
    for (address, factor) in [("structure.k[1,1]", 1.2), ("structure.k[1,2]", 0.9)] {
        values[of(address)[0]] *= factor;
    }
    values[of("structure.k[2,1]")[0]] *= 0.9;
    let wrong = truth.with(values).expect("sound");
    let free = ["structure.k[1,1]", "structure.k[1,2]", "structure.c[2,2]"];
    let fit = found(&wrong, shaken(&truth, &ALL, 2), &free);
    assert!(fit.relative < 0.0105, "{}", fit.relative);
    let v = fit.model.values();
    assert_eq!(v[of("structure.k[1,2]")[0]], v[of("structure.k[2,1]")[0]]);
    for (p, t) in fit.parameters.iter().zip(truth.values()).take(3) {
        assert!(
            (p.value / t - 1.0).abs() < 0.02,
            "{}: {}",
            p.address,
            p.value
        );
    }
    for address in free {
        let i = of(address)[0];
        let off = (v[i] / truth.values()[i] - 1.0).abs();
        println!("{address}: {} off by {off:.4}", v[i]);
        assert!(off < 0.01, "{address}: {}", v[i]);
    }
}

#[test]
fn ten_masses_and_a_joint() {
    let truth = chain(10, [4, 5]);
    let fit = found(&truth, shaken(&truth, &ALL, 3), &[]);
    assert!(fit.relative < 0.0105, "{}", fit.relative);
    recovered(&fit, &truth, 0.005);
}

/// Addresses of the entries of the matrices that are not zero, each once.
fn entries(dofs: usize) -> Vec<String> {
    let mut out = Vec::new();
    for i in 1..=dofs {
        out.push(format!("structure.m[{i},{i}]"));
        for name in ["c", "k"] {
            out.push(format!("structure.{name}[{i},{i}]"));
            if i < dofs {
                out.push(format!("structure.{name}[{i},{}]", i + 1));
            }
        }
    }
    out
}

fn everything(dofs: usize, between: [usize; 2], measured: &[Output], seed: u64) {
    let begun = std::time::Instant::now();
    let truth = chain(dofs, between);
    let mut values = truth.values().to_vec();
    let free = entries(dofs);
    let mut noise = Noise::new(seed + 100);
    for address in &free {
        let factor = 1.0 + 0.2 * (2.0 * noise.uniform() - 1.0);
        for index in truth.find(address).expect("known") {
            values[index] *= factor;
            // Its mirror.
            let n = dofs;
            let inside = index - 3;
            let (matrix, entry) = (inside / (n * n), inside % (n * n));
            let other = 3 + matrix * n * n + (entry % n) * n + entry / n;
            values[other] = values[index];
        }
    }
    let wrong = truth.with(values).expect("sound");
    let free: Vec<&str> = free.iter().map(String::as_str).collect();
    let fit = found(&wrong, shaken(&truth, measured, seed), &free);
    println!("{:?}", begun.elapsed());
    println!("{} {}", fit.relative, fit.evaluations);
    for (p, t) in fit.parameters.iter().zip(truth.values()) {
        if let Some(e) = p.std_error {
            println!("{}: off {:.5} +- {:.5}", p.address, p.value / t - 1.0, (e / t).abs());
        }
    }
}

#[test]
fn two_all() {
    everything(2, [1, 2], &ALL, 5);
}

#[test]
fn ten_all() {
    everything(10, [4, 5], &ALL[2..], 6);
}

#[test]
fn ten_all_x() {
    everything(10, [4, 5], &ALL[..1], 6);
}
