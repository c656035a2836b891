//! Stages beside SciPy: simulation, nodes of a slow record, linearisation, energy balance and refinement of a damper by the
//! script in `tests/golden/staged-device`, which shares no code with the program.

mod dampers;

use dampers::{Damper, four_stages};
use masing_stages::{
    Bench, Energy, Extra, FastRecord, Freedom, Motion, SlowOptions, characterise, cumulative,
    formulations, linearise, refine,
};
use std::collections::HashMap;

/// Rows of a golden file without its header.
fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!(
        "{}/../../tests/golden/staged-device/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).expect("a golden file");
    let lines = text.lines().skip(1);
    lines
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

/// A column of numbers.
fn column(rows: &[Vec<String>], k: usize) -> Vec<f64> {
    rows.iter().map(|row| number(&row[k])).collect()
}

/// The record that the script measured, on the true slow device.
fn measured(damper: &Damper) -> Motion {
    let record = FastRecord {
        time: damper.times(),
        torque: damper.load(),
        velocity: Some(column(&rows("fast.csv"), 0)),
        ..FastRecord::default()
    };
    Motion::of(&record, &damper.slow, damper.inertia).expect("a motion")
}

fn balance() -> HashMap<String, f64> {
    let rows = rows("balance.csv");
    rows.iter()
        .map(|row| (row[0].clone(), number(&row[1])))
        .collect()
}

#[track_caller]
fn near(found: f64, expected: f64, share: f64, what: &str) {
    assert!(
        (found - expected).abs() <= share * expected.abs().max(1e-9),
        "{what}: {found}, expected {expected}"
    );
}

/// DOP853 with located events and a relative tolerance of 1e-12.
#[test]
fn the_motion_is_that_of_solve_ivp() {
    let damper = four_stages();
    let motion = measured(&damper);
    let bench = Bench::of(&motion, &damper.slow, damper.eta).expect("a bench");
    let run = bench
        .run_once(&motion, &damper.fast(), &damper.viscous)
        .expect("a run");
    let golden = rows("motion.csv");
    let largest = |k: usize, own: &[f64]| {
        let pairs = golden.iter().enumerate();
        pairs.fold(0.0_f64, |m, (i, row)| {
            m.max((number(&row[k]) - own[10 * i]).abs())
        })
    };
    let off = [
        largest(1, &run.angle),
        largest(2, &run.velocity),
        largest(3, &run.acceleration),
    ];
    println!("{off:?}");
    // The steps are chosen for an angle within 1e-7 of its largest value; stiffness over inertia carries that to the others.
    assert!(off[0] < 1e-7 && off[1] < 2e-5 && off[2] < 2e-3, "{off:?}");
}

/// All unknowns together by `least_squares`, where the program projects out the linear ones.
#[test]
fn nodes_are_those_of_least_squares() {
    let record = rows("slow.csv");
    let (angle, torque) = (column(&record, 0), column(&record, 1));
    let found = characterise(&angle, &torque, &SlowOptions::default()).expect("a device");
    let golden = rows("nodes.csv");
    assert_eq!(found.device.len(), golden.len());
    for (i, row) in golden.iter().enumerate() {
        assert_eq!(found.device.name(i), row[0]);
        let own = [
            found.device.angles[i],
            found.device.torques[i],
            found.device.friction[i],
        ];
        for k in 0..3 {
            let (value, error) = (number(&row[k + 1]), number(&row[k + 4]));
            // The squares have a kink wherever a node passes a sample: searches stop within a part of an error.
            let room = (0.2 * error).max(1e-9 * value.abs());
            assert!(
                (own[k] - value).abs() <= room,
                "{} {k}: {}, expected {value} +- {error}",
                row[0],
                own[k]
            );
            if let (Some(own), true) = (found.std_error[i][k], error > 0.0) {
                near(own, error, 0.05, &row[0]);
            }
        }
    }
}

/// Equations 10 to 17, and the Savitzky-Golay slopes of SciPy.
#[test]
fn linearisation_is_that_of_the_equations() {
    let damper = four_stages();
    let motion = measured(&damper);
    let golden = rows("linearised.csv");
    let [short, long] = [0.05, 0.4].map(|width| {
        linearise(&motion, &damper.slow, damper.eta, width * damper.time_scale).torque
    });
    for (i, row) in golden.iter().enumerate() {
        let own = [
            motion.angle[10 * i],
            motion.acceleration[10 * i],
            short[10 * i],
            long[10 * i],
        ];
        for k in 0..4 {
            let expected = number(&row[k + 1]);
            assert!(
                (own[k] - expected).abs() <= 1e-7 * (1.0 + expected.abs()),
                "row {i}, {k}: {}, expected {expected}",
                own[k]
            );
        }
    }
}

/// Equations 18 to 43 with Table 2 as printed and the corrections, and the energy over time by `nnls`.
#[test]
fn the_balance_is_that_of_the_equations() {
    let damper = four_stages();
    let motion = measured(&damper);
    let energy = Energy::of(&motion, &damper.slow, damper.eta);
    let golden = balance();
    near(energy.dissipated, golden["dissipated"], 1e-9, "dissipated");
    near(energy.slow, golden["slow"], 1e-9, "slow");
    let all = formulations(&damper.slow, &energy);
    for (k, name) in [(1, "D1.1.c"), (2, "D1.2.h"), (3, "D2.1.c"), (4, "D2.2.h")] {
        near(all[k].parameters[0].1, golden[name], 1e-8, name);
    }
    let mut compared = 0;
    for stage in &energy.stages {
        let name = damper.slow.name(stage.stage.outer);
        let values = [
            ("energy", stage.energy),
            ("gain.h", stage.gain[0]),
            ("gain.c", stage.gain[1]),
            ("h", stage.friction),
            ("c", stage.viscous),
        ];
        for (what, own) in values {
            if let Some(expected) = golden.get(&format!("{name}.{what}")) {
                near(own, *expected, 1e-8, &format!("{name}.{what}"));
                compared += 1;
            }
        }
    }
    // Six stages with energy and gains, five of them accepted.
    assert_eq!(compared, 6 * 3 + 5 * 2);
    let found = cumulative(&motion, &damper.slow, damper.eta, &energy, Extra::default());
    for (node, own) in found.friction.iter().enumerate() {
        let name = damper.slow.name(node);
        if let Some(expected) = golden.get(&format!("{name}.cumulative")) {
            near(*own, *expected, 1e-5, &name);
        }
    }
}

/// `least_squares` with its own simulator and differences.
#[test]
fn refined_friction_is_that_of_least_squares() {
    let damper = four_stages();
    let motion = measured(&damper);
    let energy = Energy::of(&motion, &damper.slow, damper.eta);
    let bench = Bench::of(&motion, &damper.slow, damper.eta).expect("a bench");
    let freedom = Freedom {
        clearance_friction: false,
        more_than_friction: false,
    };
    let found = refine(
        &motion,
        &damper.slow,
        &energy,
        &bench,
        &damper.slow.friction,
        freedom,
        None,
    )
    .expect("a refinement");
    let golden = balance();
    near(found.chi2_dof, golden["refined.chi2"], 1e-3, "chi2");
    for node in [2, 3, 6, 7, 8] {
        let name = damper.slow.name(node);
        let (value, error) = (
            golden[&format!("{name}.refined")],
            golden[&format!("{name}.error")],
        );
        let own = found.device.friction[node];
        assert!(
            (own - value).abs() < 0.1 * error,
            "{name}: {own}, expected {value} +- {error}"
        );
        near(
            found.friction_error[node].expect("sought"),
            error,
            0.1,
            &name,
        );
    }
}
