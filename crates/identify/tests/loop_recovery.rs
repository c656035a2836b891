//! Dahl and Bouc-Wen from one loop, automatic start: the tables of the paper without noise, its failing records,
//! sums with linear parts.

mod paper_loops;

use masing_identify::{FitOptions, Identified, Test, fit};
use masing_sim::{Motion, Numerics, Prescribed};
use paper_loops::{Law, Loop, alone, bouc_wen, dahl, fresh};
use std::f64::consts::TAU;

fn fitted(kind: &str, record: &Loop) -> Identified {
    let model = alone(kind);
    let found = fit(
        &model,
        vec![record.target()],
        vec![],
        &FitOptions::default(),
        None,
    );
    found.expect("a fit")
}

/// Relative errors of the parameters.
fn errors(fit: &Identified, truth: &[f64]) -> Vec<f64> {
    let pairs = fit.model.values().iter().zip(truth);
    let errors: Vec<f64> = pairs.map(|(v, t)| (v / t - 1.0).abs()).collect();
    println!(
        "{truth:?}: {errors:?}, error {:.1e}, {} evaluations",
        fit.error.relative, fit.search.evaluations
    );
    errors
}

#[test]
fn table_1_without_noise() {
    for alpha in [1.0, 1.5, 2.5] {
        let found = fitted("dahl", &dahl(2e5, 1.0, alpha, 1e-3));
        for error in errors(&found, &[2e5, 1.0, alpha]) {
            // A3; what is left is the parabola through the turns.
            assert!(error < 2e-5, "{alpha}: {error}");
        }
    }
}

#[test]
fn table_3_without_noise() {
    for set in [
        [1.0, 0.5, 0.2, 1.0],
        [1.0, 0.5, 0.2, 3.0],
        [1.0, 0.5, -0.2, 1.0],
        [1.0, 0.2, 0.2, 1.0],
    ] {
        let [a, beta, gamma, n] = set;
        let found = fitted("bouc-wen", &bouc_wen(set, 1e-3));
        let truth = [200.0 * a, 200.0 * beta, 200.0 * gamma, n];
        for error in errors(&found, &truth) {
            assert!(error < 2e-5, "{set:?}: {error}");
        }
    }
}

#[test]
fn loops_nobody_looked_at_before() {
    // What is left is the parabola through the turns: where a drawn motion rings at a turn, it is less
    // than a parabola there, and more samples show it.
    for (law, dt, within, draws) in [
        (Law::Dahl, 1e-3, 2e-4, 3),
        (Law::Dahl, 2.5e-4, 2e-5, 1),
        (Law::BoucWen, 1e-3, 2e-5, 3),
    ] {
        for seed in 51_000..51_000 + draws {
            let (record, truth) = fresh::drawn(law, seed, dt);
            let error = fresh::worst(law, &record, &truth);
            println!("{law:?} {dt} {truth:?}: {error:.1e}");
            assert!(error < within, "{law:?} {truth:?}: {error:e}");
        }
    }
}

#[test]
fn records_on_which_the_method_of_the_paper_fails() {
    let found = fitted("bouc-wen", &bouc_wen([1.0, 0.005, 0.001, 1.0], 1e-3));
    for error in errors(&found, &[200.0, 1.0, 0.2, 1.0]) {
        assert!(error < 1e-4, "Bouc-Wen: {error}");
    }
    // The motion rings at 87 Hz: 12 turns in the period, 11 samples in each ringing cycle.
    let found = fitted("dahl", &dahl(2e5, 10.0, 1.0, 1e-3));
    errors(&found, &[2e5, 10.0, 1.0]);
    let p = found.model.values();
    assert!((p[2] / p[1] / 0.1 - 1.0).abs() < 1e-3, "alpha/FC: {p:?}");
    let found = fitted("dahl", &dahl(2e5, 10.0, 1.0, 2.5e-4));
    let error = errors(&found, &[2e5, 10.0, 1.0]);
    assert!(error[1] < 1e-4, "FC, finer samples: {error:?}");
}

/// Force of a sum under growing sines, from rest, with 0.5 % noise.
fn of_sum(sum: &str, truth: &[f64], seed: u64) -> Test {
    let n = 900_u32;
    let time: Vec<f64> = (0..n).map(|i| f64::from(i) / 300.0).collect();
    let x = time.iter().map(|t| 2e-3 * (t + 1.0) * (TAU * t).sin());
    let motion = Motion::new(time.clone(), x.collect(), None).expect("a motion");
    let model = alone(sum);
    let run = Prescribed::new(model.assembly(), &motion, Numerics::default());
    let z = run.run(truth).expect("a run");
    let x = motion.x().to_vec();
    Loop { time, x, z }.noisy(5e-3, seed).target()
}

#[test]
fn sums_with_linear_parts_from_the_automatic_start() {
    let cases: [(&str, &[f64]); 5] = [
        ("dahl+dashpot+spring", &[4e5, 300.0, 1.2, 5e3, 3e4]),
        ("dahl+dashpot+spring", &[2e5, 80.0, 0.8, 2e4, 0.5e4]),
        ("bouc-wen+dashpot+spring", &[4e5, 1.0e3, 3e2, 1.0, 5e3, 3e4]),
        ("bouc-wen+dashpot+spring", &[2e5, 4.0, -1.0, 2.0, 8e3, 8e4]),
        (
            "bouc-wen+polynomial-spring",
            &[3e5, 700.0, 200.0, 1.0, 4e4, 1e9, 0.0, 0.0],
        ),
    ];
    for (seed, (sum, truth)) in cases.into_iter().enumerate() {
        let test = of_sum(sum, truth, seed as u64);
        let model = alone(sum);
        let automatic = FitOptions::default();
        let mut near = automatic.clone();
        let addresses = model.params().into_iter().map(|(address, _)| address);
        near.starts = addresses.zip(truth.iter().copied()).collect();
        let [automatic, near] = [automatic, near].map(|mut options| {
            if sum.contains("polynomial") {
                options.fixed.push(("polynomial-spring.x0".to_owned(), 0.0));
                options.starts.retain(|(address, _)| {
                    address.split_once(".x").is_none_or(|(_, rest)| rest != "0")
                });
            }
            fit(&model, vec![test.clone()], vec![], &options, None).expect("a fit")
        });
        println!(
            "{sum}: {:.6} against {:.6}, {} evaluations",
            automatic.error.relative, near.error.relative, automatic.search.evaluations
        );
        // The same minimum as from the truth.
        assert!(
            automatic.error.relative < near.error.relative * (1.0 + 1e-4),
            "{sum}"
        );
        for (found, truth) in automatic.estimates.iter().zip(truth) {
            let Some(error) = found.std_error else {
                continue;
            };
            // Every parameter of one draw of noise within four standard errors.
            assert!(
                (found.value - truth).abs() < 4.0 * error,
                "{sum} {}: {} +- {error}, truth {truth}",
                found.address,
                found.value
            );
        }
    }
}
