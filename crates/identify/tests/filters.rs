//! Forces that went through filters, and records on different levels.

use masing_data::ReadOptions;
use masing_data::signal::Filter;
use masing_diagnostic::{Diagnostic, FitDiagnostic, ResultDiagnostic, TestDiagnostic};
use masing_identify::search::optimise::{LeastSquares, Smooth};
use masing_identify::test::reading::{ReadError, Subject, Tests};
use masing_identify::test::{ForceFilter, TestSpec};
use masing_identify::{
    FitOptions, Identified, InitialState, Nuisance, Objective, Rules, Test, fit, free_parameters,
};
use masing_model::{Assembly, Model, Shape};
use masing_sim::Motion;
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::path::Path;

fn model(sum: &str, values: &[f64]) -> Model {
    let assembly = Assembly::from_names(sum, |_| Shape::default()).expect("known laws");
    Model::new(assembly, None, values.to_vec()).expect("values in range")
}

const FILTERS: [Filter; 2] = [
    Filter::MovingAverage { samples: 12 },
    Filter::LowPass {
        frequency: 12.0,
        order: 2,
    },
];

fn found(tests: Vec<Test>, model: &Model, held_out: Vec<Test>) -> Identified {
    fit(model, tests, held_out, &FitOptions::default(), None).expect("a fit")
}

/// The record that SciPy filtered.
fn golden(filters: &[Filter], initial: Option<InitialState>) -> Result<Vec<Test>, ReadError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/filters/record.csv");
    let spec = TestSpec {
        filters: filters.to_vec(),
        initial,
        ..TestSpec::plain(path, ReadOptions::default())
    };
    let mut tests = Tests::default();
    let subject = Subject::of(&model("jenkins+dashpot", &[1e5, 100.0, 1e3]));
    tests.add(&spec, &subject, &mut None)?;
    Ok(tests.list)
}

#[test]
fn parameters_are_found_through_the_filters_and_not_without() {
    let model = model("jenkins+dashpot", &[1e5, 100.0, 1e3]);
    let truth = [2e5, 120.0, 900.0];
    let off = |filters: &[Filter]| {
        let fit = found(golden(filters, None).expect("a record"), &model, vec![]);
        let pairs = fit.model.values().iter().zip(truth);
        let worst = pairs.map(|(p, t)| (p / t - 1.0).abs()).fold(0.0, f64::max);
        (worst, fit.error.relative)
    };
    let (with, error) = off(&FILTERS);
    // Noise of 0.3 N in 1500 samples of some 100 N; the noise is all that is left.
    assert!(with < 0.01 && error < 5e-3, "{with} {error}");
    let (without, error) = off(&[]);
    assert!(without > 0.2 && error > 0.05, "{without} {error}");
}

#[test]
fn what_came_before_a_record_in_motion_is_not_compared() {
    let estimated = Some(InitialState::Estimated);
    let tests = golden(&FILTERS, estimated).expect("a record");
    let record = tests[0].motion_record().expect("a record");
    let settles = record.filter.as_ref().expect("filters").settles();
    assert_eq!(record.window.start, settles);
    let slow = Filter::LowPass {
        frequency: 0.2,
        order: 4,
    };
    let refused = golden(&[slow], estimated);
    assert!(matches!(refused, Err(ReadError::NeverSettles { .. })));
    for (filter, words) in [
        (
            Filter::MovingAverage { samples: 1500 },
            "fewer than the record has",
        ),
        (
            Filter::LowPass {
                frequency: 250.0,
                order: 2,
            },
            "half the sampling rate",
        ),
    ] {
        let said = golden(&[filter], None)
            .expect_err("no such filter")
            .to_string();
        assert!(
            said.contains(words) && said.contains("record.csv"),
            "{said}"
        );
    }
}

/// A sine over `n` samples with the force of a model, times a factor.
fn record(model: &Model, frequency: f64, n: usize, factor: f64) -> Test {
    let time: Vec<f64> = (0..n).map(|i| i as f64 * 2e-3).collect();
    let x: Vec<f64> = time
        .iter()
        .map(|t| 1e-3 * (TAU * frequency * t).sin())
        .collect();
    let motion = Motion::new(time, x, None).expect("a motion");
    let run =
        masing_sim::Prescribed::new(model.assembly(), &motion, masing_sim::Numerics::default());
    let force = run.run(model.values()).expect("a run");
    let noise = |i: usize| 0.2 * (TAU * 0.618_034 * i as f64).sin();
    let force = force
        .iter()
        .enumerate()
        .map(|(i, f)| factor * f + noise(i))
        .collect();
    Test::new(format!("{frequency} Hz"), motion, force)
}

#[test]
fn adjoint_is_the_tangent_through_filters_to_rounding() {
    let model = model("jenkins+dashpot", &[1.8e5, 100.0, 1e3]);
    let low_pass = |order| Filter::LowPass {
        frequency: 20.0,
        order,
    };
    let sets =
        [1, 2, 3, 4].map(|order| vec![Filter::MovingAverage { samples: 9 }, low_pass(order)]);
    for (filters, initial) in sets.iter().flat_map(|filters| {
        [InitialState::AtRest, InitialState::Estimated].map(|initial| (filters, initial))
    }) {
        let mut test = record(&model, 2.0, 400, 1.1);
        let rig = test.motion_record_mut().expect("a record");
        rig.filter = Some(ForceFilter::new(filters.clone(), 2e-3, 400));
        rig.initial = initial;
        rig.nuisance = Nuisance {
            force_offset: true,
            level: true,
            ..Nuisance::default()
        };
        let mut unknowns = free_parameters(&model, &[], &[]).expect("known addresses");
        unknowns.extend(test.nuisance(&model, "test", 0));
        let mut values = vec![1.5e5, 130.0, 700.0, 3.0, 0.04];
        values.resize(unknowns.len(), 5.0);
        let tests = [test];
        let objective = Objective::new(&model, &tests, &unknowns, Rules::default());
        let x = objective.internal(&values);
        let at = objective.linearise(&x).expect("a run");
        let by_tangent = at.j.tr_mul(&at.r);
        let (_, by_adjoint) = objective.slope(&x).expect("a run");
        for (tangent, adjoint) in by_tangent.iter().zip(&by_adjoint) {
            let gap = (tangent - adjoint).abs();
            assert!(gap <= 1e-12 * by_tangent.amax(), "{filters:?}: {gap:e}");
        }
    }
}

#[test]
fn levels_are_found_and_add_up_to_zero() {
    let truth = model("jenkins+dashpot", &[2e5, 120.0, 900.0]);
    let factors = [(1.0, 1.06), (2.0, 0.95), (3.0, 0.99)];
    let tests = |level: bool| {
        factors.map(|(frequency, factor)| {
            let mut test = record(&truth, frequency, 1500, factor);
            test.motion_record_mut().expect("a record").nuisance.level = level;
            test
        })
    };
    let start = truth.with(vec![1e5, 80.0, 500.0]).expect("values");
    let with = found(tests(true).to_vec(), &start, vec![]);
    for (value, truth) in with.model.values().iter().zip(truth.values()) {
        // The factors add up to three.
        assert!((value / truth - 1.0).abs() < 2e-3, "{value} {truth}");
    }
    let levels: Vec<f64> = with.nuisance.iter().map(|e| e.value).collect();
    assert_eq!(levels.len(), 3);
    for (level, (_, factor)) in levels.iter().zip(factors) {
        assert!((1.0 + level - factor).abs() < 2e-3, "{levels:?}");
    }
    assert!(levels.iter().sum::<f64>().abs() < 1e-12);
    let scatter = with.diagnostics.iter().find_map(|d| match d.about() {
        Diagnostic::Fit(FitDiagnostic::Levels { scatter, .. }) => Some(*scatter),
        _ => None,
    });
    // Standard deviation of 0.06, -0.05 and -0.01.
    assert!((scatter.expect("told") - 0.0557).abs() < 2e-3);

    // Without them the error is that of the levels, and a level is suggested.
    let without = found(tests(false).to_vec(), &start, vec![]);
    assert!(with.error.relative < 5e-3 && without.error.relative > 0.03);
    let suggested = |d: &Diagnostic| {
        matches!(
            d,
            Diagnostic::Result(ResultDiagnostic::Disturbed {
                nuisance: masing_diagnostic::Nuisance::Level,
                ..
            })
        )
    };
    assert!(
        without.diagnostics.iter().any(suggested),
        "{:?}",
        without.diagnostics
    );
    assert!(!with.diagnostics.iter().any(suggested));
    // One test alone: its level is the model's.
    let alone = found(vec![tests(true)[0].clone()], &start, vec![]);
    assert!(alone.nuisance.is_empty() && !alone.diagnostics.iter().any(suggested));
}

#[test]
fn a_held_out_test_has_a_level_only_where_asked() {
    let truth = model("jenkins+dashpot", &[2e5, 120.0, 900.0]);
    let start = truth.with(vec![1e5, 80.0, 500.0]).expect("values");
    let fitted = vec![
        record(&truth, 1.0, 1500, 1.0),
        record(&truth, 3.0, 1500, 1.0),
    ];
    let error = |level: bool| {
        let mut held_out = record(&truth, 2.0, 1500, 1.1);
        held_out
            .motion_record_mut()
            .expect("a record")
            .nuisance
            .level = level;
        found(fitted.clone(), &start, vec![held_out])
            .held_out()
            .next()
            .expect("a test")
            .error
    };
    // A tenth more force is an error of a tenth over 1.1.
    assert!((error(false) - 0.091).abs() < 2e-3 && error(true) < 5e-3);
}

/// A displacement in steps of a hundredth of its amplitude, written and read.
fn stepped(truth: &Model, velocity: bool) -> Tests {
    let step = 1e-5;
    let smooth = record(truth, 2.0, 2000, 1.0);
    let smooth = smooth.motion_record().expect("a record");
    let (t, x, v) = (smooth.motion.time(), smooth.motion.x(), smooth.motion.v());
    let mut text = "time [s],displacement [m],force [N]".to_owned();
    text.push_str(if velocity { ",velocity [m/s]\n" } else { "\n" });
    for i in 0..t.len() {
        let (x, f) = ((x[i] / step).round() * step, smooth.force[i]);
        let speed = if velocity {
            format!(",{:.8}", v[i])
        } else {
            String::new()
        };
        writeln!(text, "{:.4},{x:.6},{f:.3}{speed}", t[i]).expect("a line");
    }
    let name = format!("masing-stepped-{velocity}-{}.csv", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("a file");
    let mut tests = Tests::default();
    let spec = TestSpec::plain(path.clone(), ReadOptions::default());
    tests
        .add(&spec, &Subject::of(truth), &mut None)
        .expect("a record");
    std::fs::remove_file(&path).expect("removed");
    tests
}

#[test]
fn steps_of_a_displacement_bias_a_rate_law_unless_smoothed() {
    let truth = model("eyring-dashpot+spring", &[60.0, 1e-3, 5e4]);
    let smoothed = |d: &Diagnostic| matches!(d.about(), Diagnostic::Test(TestDiagnostic::QuantisedSmoothed { step, .. }) if (step / 1e-5 - 1.0).abs() < 1e-3);
    let tests = stepped(&truth, false);
    assert!(
        tests.diagnostics.iter().any(smoothed),
        "{:?}",
        tests.diagnostics
    );
    let start = truth.with(vec![50.0, 2e-3, 4e4]).expect("values");
    let off = |tests: Vec<Test>| {
        let fit = found(tests, &start, vec![]);
        let pairs = fit.model.values().iter().zip(truth.values());
        pairs.map(|(p, t)| (p / t - 1.0).abs()).fold(0.0, f64::max)
    };
    let with = off(tests.list.clone());
    // 2.5 % of v0, the speed that the steps blur most; 15 % as it is.
    assert!(with < 0.04, "{with}");
    let mut raw = tests.list;
    let rig = raw[0].motion_record_mut().expect("a record");
    let step = |x: &f64| (x / 1e-5).round() * 1e-5;
    let x = rig.motion.x().iter().map(step).collect();
    rig.motion = Motion::new(rig.motion.time().to_vec(), x, None).expect("a motion");
    let without = off(raw);
    println!("bias {with:.4} smoothed, {without:.4} as it is");
    assert!(without > 4.0 * with && without > 0.1, "{with} {without}");
    // A measured velocity is used as it is.
    let measured = stepped(&truth, true);
    assert!(!measured.diagnostics.iter().any(smoothed));
}
