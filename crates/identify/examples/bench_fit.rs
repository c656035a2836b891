//! Speed of fits: `cargo xtask bench`.

#[path = "../tests/bushing/mod.rs"]
mod bushing;

use bushing::{B, Wave, disturb, motion, peak, rt, target};
use masing_identify::search::optimise::{LeastSquares as _, Smooth as _};
use masing_identify::{FitOptions, Objective, Rules, Test, fit, free_parameters};
use masing_model::{Assembly, Model, Shape};
use std::time::Instant;

fn main() {
    many_unknowns();
    println!();
    whole_fits();
}

/// Shortest of several runs, in seconds.
fn shortest(runs: usize, mut work: impl FnMut()) -> f64 {
    let timed = (0..runs).map(|_| {
        let started = Instant::now();
        work();
        started.elapsed().as_secs_f64()
    });
    timed.fold(f64::INFINITY, f64::min)
}

/// A chain whose cells all have their own stiffness and friction.
fn many_unknowns() {
    let mut shape = Shape::default();
    shape.lists.insert("kr".to_owned(), 15);
    shape.lists.insert("c0".to_owned(), 15);
    let assembly = Assembly::from_names("rt", |_| shape.clone()).expect("a chain");
    let model = Model::with_defaults(assembly, None).expect("defaults are sound");
    let values: Vec<f64> = model
        .params()
        .iter()
        .map(|(_, p)| match p.base() {
            "k0" => 2e5,
            "kpa" => 8e5,
            "kr" => 3e6,
            "c0" => 25.18,
            _ => 0.075,
        })
        .collect();
    let mut tests = Vec::new();
    for (amplitude, frequency) in [
        (1e-3, 1.0),
        (3e-4, 1.0),
        (1e-4, 1.0),
        (1e-3, 10.0),
        (5e-4, 0.1),
    ] {
        let drive = motion(Wave::Sine, amplitude, frequency);
        let force = drive.x().iter().map(|x| 4e5 * x).collect();
        tests.push(Test::new("test", drive, force));
    }
    let unknowns = free_parameters(&model, &[], &[]).expect("known addresses");
    let objective = Objective::new(&model, &tests, &unknowns, Rules::default());
    let x = objective.internal(&values);
    let forward = shortest(7, || {
        let _ = objective.cost(&values);
    });
    let gradient = shortest(7, || drop(objective.slope(&x)));
    let jacobian = shortest(3, || drop(objective.linearise(&x)));
    println!(
        "| `rt`, every cell its own: 33 unknowns, 5 tests of 2001 samples | ms | ratio to forward |"
    );
    println!("|---|---|---|");
    println!("| forward | {:.1} | 1.00 |", 1e3 * forward);
    for (name, time) in [
        ("gradient (adjoint)", gradient),
        ("Jacobian (tangent)", jacobian),
    ] {
        println!("| {name} | {:.1} | {:.2} |", 1e3 * time, time / forward);
    }
}

/// Whole fits from the automatic start, on one core.
fn whole_fits() {
    let noisy = |wave, amplitude, frequency, seed| {
        let mut test = target(B, wave, amplitude, frequency, 16.0);
        let deviation = 0.005 * peak(&test);
        disturb(&mut test, deviation, seed);
        test
    };
    let mut all = vec![noisy(Wave::Step, 1e-3, 1.0, 99)];
    for (k, amplitude) in [1e-4, 3e-4, 1e-3].into_iter().enumerate() {
        for (l, frequency) in [0.1, 1.0, 10.0].into_iter().enumerate() {
            all.push(noisy(Wave::Sine, amplitude, frequency, (10 * k + l) as u64));
        }
    }
    let cases = [
        ("triangle", vec![noisy(Wave::Triangle, 1e-3, 1.0, 7)]),
        ("sine", vec![noisy(Wave::Sine, 1e-3, 1.0, 8)]),
        ("nine sines and a step, each left out once", all),
    ];
    println!(
        "| fit, 2001 samples a test, 0.5 % noise, one core | without the scan, s | with it, s |"
    );
    println!("|---|---|---|");
    for (name, tests) in cases {
        let timed = |valley: bool| {
            let mut options = FitOptions {
                leave_one_out: true,
                ..FitOptions::default()
            };
            options.effort.valley = valley;
            let runs = if tests.len() > 1 { 1 } else { 3 };
            shortest(runs, || {
                drop(fit(&rt(), tests.clone(), vec![], &options, None));
            })
        };
        println!("| {name} | {:.2} | {:.2} |", timed(false), timed(true));
    }
}
