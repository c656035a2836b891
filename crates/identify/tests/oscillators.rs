//! Mass, damping, stiffness and joint found together from excitation and response, without starts.

mod noise;

use masing_identify::search::optimise::{LeastSquares as _, Smooth as _};
use masing_identify::test::{Channel, DrivenMasses, Output};
use masing_identify::{
    FitError, FitOptions, Identified, InitialState, Objective, Place, Rules, Status, Test, Unknown,
    fit, free_parameters, predict_held_out,
};
use masing_model::{Assembly, Masses, Model, Scale, Shape};
use masing_sim::system::{Decimation, Response};
use masing_sim::{Driven, Load, Numerics};
use noise::Noise;
use std::f64::consts::TAU;

const RATE: f64 = 750.0;

/// A model of an oscillator with elements; values of the elements, then m, c, k, x0, v0.
fn oscillator(elements: &str, values: &[f64]) -> Model {
    let assembly = Assembly::from_names(elements, |_| Shape::default()).expect("known");
    Model::new(assembly, Some(Masses::oscillator()), values.to_vec()).expect("sound")
}

/// Random phases between 5 and 100 Hz, periodic after `period` samples.
fn multisine(samples: usize, period: usize, rms: f64, seed: u64) -> Vec<f64> {
    let mut noise = Noise::new(seed);
    let duration = period as f64 / RATE;
    let lines: Vec<(f64, f64)> = (1..)
        .map(|k| f64::from(k) / duration)
        .skip_while(|f| *f < 5.0)
        .take_while(|f| *f <= 100.0)
        .map(|f| (TAU * f, TAU * noise.uniform()))
        .collect();
    let scale = rms * (2.0 / lines.len() as f64).sqrt();
    let value = |i: usize| {
        let t = (i % period) as f64 / RATE;
        scale
            * lines
                .iter()
                .map(|(w, phase)| (w * t + phase).cos())
                .sum::<f64>()
    };
    (0..samples).map(value).collect()
}

fn load(force: Vec<f64>) -> Load {
    let time = (0..force.len()).map(|i| i as f64 / RATE).collect();
    Load::new(time).expect("time").on(1, force).expect("a load")
}

/// The response with steps far finer than a fit would choose.
fn respond(model: &Model, load: &Load) -> Response {
    let masses = model.system().expect("masses");
    let fine = Numerics {
        increment: f64::INFINITY,
        max_dt: 1.0 / (16.0 * RATE),
    };
    let driven = Driven::new(model.assembly(), masses, load, fine).expect("a system");
    driven.run(model.values()).expect("a run")
}

/// A channel with noise of a share of its rms.
fn channel(output: Output, values: &[f64], share: f64, seed: u64) -> Channel {
    let mut noise = Noise::new(seed);
    let mean = values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64;
    let size = share * mean.sqrt();
    Channel {
        output,
        dof: 0,
        measured: values.iter().map(|v| v + size * noise.gaussian()).collect(),
        noise: None,
    }
}

fn found(model: &Model, test: DrivenMasses, options: &FitOptions) -> Identified {
    let test = Test::of("shaker", test);
    fit(model, vec![test], vec![], options, None).expect("a fit")
}

/// The largest relative distance from the truth among values that are not zero.
fn worst(fit: &Identified, truth: &[f64]) -> f64 {
    let pairs = fit.model.values().iter().zip(truth);
    pairs
        .filter(|(_, t)| **t != 0.0)
        .fold(0.0, |m, (v, t)| f64::max(m, (v / t - 1.0).abs()))
}

const BOUC_WEN: [f64; 9] = [5e4, 800.0, -1100.0, 1.0, 2.0, 10.0, 5e4, 0.0, 0.0];
const DAHL: [f64; 8] = [4e4, 25.0, 1.0, 2.0, 12.0, 6e4, 0.0, 0.0];

#[test]
fn any_channel_alone_is_enough() {
    let truth = oscillator("dahl", &DAHL);
    let load = load(multisine(3000, 3000, 60.0, 1));
    let response = respond(&truth, &load);
    for (output, values) in [
        (Output::Displacement, &response.displacement),
        (Output::Velocity, &response.velocity),
        (Output::Acceleration, &response.absolute_acceleration),
    ] {
        let test = DrivenMasses::new(load.clone(), vec![channel(output, values, 0.01, 2)]);
        let found = found(&truth, test, &FitOptions::default());
        println!(
            "{output:?}: off by {:.4}, {} evaluations",
            worst(&found, &DAHL),
            found.search.evaluations
        );
        // Noise of 1 % on 3000 samples; c is the weakest of them.
        assert!(
            found.error.relative < 0.0105,
            "{output:?} {}",
            found.error.relative
        );
        assert!(worst(&found, &DAHL) < 0.03, "{:?}", found.estimates);
    }
}

#[test]
fn hardening_loops_from_the_automatic_start() {
    let truth = oscillator("bouc-wen", &BOUC_WEN);
    let load = load(multisine(4000, 4000, 50.0, 11));
    let response = respond(&truth, &load);
    let test = DrivenMasses::new(
        load,
        vec![channel(
            Output::Displacement,
            &response.displacement,
            0.005,
            12,
        )],
    );
    let found = found(&truth, test, &FitOptions::default());
    assert!(found.error.relative < 0.0055, "{}", found.error.relative);
    let v = found.model.values();
    for (i, tolerance) in [(0, 0.02), (4, 0.005), (5, 0.05), (6, 0.02)] {
        assert!((v[i] / BOUC_WEN[i] - 1.0).abs() < tolerance, "{v:?}");
    }
    // beta and gamma follow n; at 50 N they do not.
    let at = |b: f64| b * 50_f64.powf(v[3] - 1.0);
    assert!((at(v[1]) / 800.0 - 1.0).abs() < 0.03, "{v:?}");
    assert!((at(v[2]) / -1100.0 - 1.0).abs() < 0.03, "{v:?}");
}

#[test]
fn one_period_of_a_steady_response() {
    let truth = oscillator("dahl", &DAHL);
    let period = 1500;
    let whole = load(multisine(6 * period, period, 60.0, 21));
    let response = respond(&truth, &whole);
    let last = &response.displacement[5 * period..];
    let one = load(multisine(period, period, 60.0, 21));
    let test = DrivenMasses::new(one, vec![channel(Output::Displacement, last, 0.005, 22)]);
    let found = found(
        &truth,
        test.periodic().expect("a period"),
        &FitOptions::default(),
    );
    assert!(found.error.relative < 0.0055, "{}", found.error.relative);
    assert!(worst(&found, &DAHL) < 0.03, "{:?}", found.estimates);
}

/// One period of the steady response of a mass of 2 kg on a spring of 60 N/mm with a damper, by the formula, under
/// straight lines between samples that are too short to matter.
fn steady_period(c: f64) -> DrivenMasses {
    let (m, k, period) = (2.0, 6e4, 1500);
    let lines = [(3.0, 0.4), (7.0, 2.0), (11.0, 5.1)];
    let time = |i: usize| i as f64 / (10.0 * RATE);
    let duration = time(period);
    let sum = |i: usize, answer: &dyn Fn(f64) -> (f64, f64)| -> f64 {
        let each = lines.iter().map(|(line, phase)| {
            let w = TAU * line / duration;
            let (size, lag) = answer(w);
            40.0 * size * (w * time(i) + phase - lag).cos()
        });
        each.sum()
    };
    let compliance = |w: f64| {
        let (real, imaginary) = (k - m * w * w, c * w);
        (1.0 / real.hypot(imaginary), imaginary.atan2(real))
    };
    let force = (0..period).map(|i| sum(i, &|_| (1.0, 0.0))).collect();
    let x: Vec<f64> = (0..period).map(|i| sum(i, &compliance)).collect();
    let load = Load::new((0..period).map(time).collect()).expect("time");
    let load = load.on(1, force).expect("a load");
    let own = channel(Output::Displacement, &x, 0.001, 25);
    let test = DrivenMasses::new(load, vec![own]);
    test.periodic().expect("a period")
}

fn told(found: &Identified) -> bool {
    let mut codes = found.diagnostics.iter().map(|d| d.code().as_str());
    codes.any(|code| code == "unsteady")
}

#[test]
fn a_period_that_never_closes_has_its_initial_state_estimated() {
    let truth = oscillator("spring", &[6e4, 2.0, 0.0, 0.0, 0.0, 0.0]);
    let held = |parameter: &str| (format!("oscillator.{parameter}"), 0.0);
    let options = FitOptions {
        fixed: vec![held("c"), held("k")],
        ..FitOptions::default()
    };
    let undamped = found(&truth, steady_period(0.0), &options);
    assert!(told(&undamped), "{:?}", undamped.diagnostics);
    let state = undamped.comparisons[0].initial_state;
    assert_eq!(state, Some(InitialState::Estimated));
    // 0.1 % of noise.
    assert!(
        undamped.error.relative < 1.1e-3,
        "{}",
        undamped.error.relative
    );
    assert!(
        worst(&undamped, truth.values()) < 1e-3,
        "{:?}",
        undamped.estimates
    );
    // Held out, it is predicted as well.
    let mut held = Test::of("held out", steady_period(0.0));
    let (outcome, _) = predict_held_out(&truth, &mut held).expect("a prediction");
    assert!(outcome.relative < 1.1e-3, "{}", outcome.relative);
    assert!(held.diagnostic().is_some());
}

/// Whether a response closes is known only when its damping is: where the search begins does not matter.
#[test]
fn whether_a_period_closes_is_said_of_the_values_found() {
    let model = oscillator("spring", &[6e4, 2.0, 1.0, 0.0, 0.0, 0.0]);
    let stiffness = ("oscillator.k".to_owned(), 0.0);
    for (c, steady) in [(0.5, false), (60.0, true)] {
        for start in [0.1, 100.0] {
            let options = FitOptions {
                fixed: vec![stiffness.clone()],
                starts: vec![("oscillator.c".to_owned(), start)],
                ..FitOptions::default()
            };
            let found = found(&model, steady_period(c), &options);
            assert_eq!(told(&found), !steady, "{c} from {start}");
            assert!(found.error.relative < 1.1e-3, "{c} from {start}");
            assert!(
                (found.model.values()[2] / c - 1.0).abs() < 0.1,
                "{c} from {start}"
            );
        }
    }
}

#[test]
fn a_filter_on_the_channel_is_one_on_the_model() {
    let truth = oscillator("dahl", &DAHL);
    let coarse = load(multisine(1200, 1200, 60.0, 31));
    let stages = Decimation::new(&[2, 5]);
    let fine = coarse.finer(10).expect("a load");
    let kept = stages.apply(respond(&truth, &fine).displacement);
    let exact = channel(Output::Displacement, &kept, 0.0, 0);
    let test = DrivenMasses::new(coarse, vec![exact]);
    let with = test.clone().decimated(stages).expect("a load");
    let mut held = Test::of("filtered", with.clone());
    let (outcome, _) = predict_held_out(&truth, &mut held).expect("a prediction");
    assert!(outcome.relative < 1e-5, "{}", outcome.relative);
    // Straight lines between the samples of the load, and no filter: not the same record.
    let mut held = Test::of("plain", test);
    let (outcome, _) = predict_held_out(&truth, &mut held).expect("a prediction");
    assert!(outcome.relative > 3e-3, "{}", outcome.relative);
    let found = found(&truth, with, &FitOptions::default());
    assert!(worst(&found, &DAHL) < 1e-3, "{:?}", found.estimates);
}

#[test]
fn a_given_stiffness_stays_and_the_joint_takes_the_rest() {
    let mut values = DAHL;
    values[5] = 0.0;
    let truth = oscillator("spring+dahl", &[&[6e4], &values[..]].concat());
    let load = load(multisine(3000, 3000, 60.0, 41));
    let response = respond(&truth, &load);
    let test = DrivenMasses::new(
        load,
        vec![channel(
            Output::Displacement,
            &response.displacement,
            0.005,
            42,
        )],
    );
    let options = FitOptions {
        fixed: vec![("oscillator.k".to_owned(), 0.0)],
        ..FitOptions::default()
    };
    let found = found(&truth, test, &options);
    assert!(found.error.relative < 0.0055, "{}", found.error.relative);
    assert!(
        worst(&found, truth.values()) < 0.03,
        "{:?}",
        found.estimates
    );
    let k = found.estimates.iter().find(|p| p.address == "oscillator.k");
    assert_eq!(k.map(|k| k.status), Some(Status::Fixed));
}

/// A base that moves, and what an accelerometer on the mass shows.
#[test]
fn base_acceleration_and_a_known_mass() {
    let truth = oscillator("dahl", &DAHL);
    let base = multisine(3000, 3000, 30.0, 51);
    let time: Vec<f64> = (0..base.len()).map(|i| i as f64 / RATE).collect();
    let load = Load::new(time).expect("time").base(base).expect("a base");
    let response = respond(&truth, &load);
    let own = channel(
        Output::Acceleration,
        &response.absolute_acceleration,
        0.005,
        52,
    );
    let test = DrivenMasses::new(load, vec![own]);
    let target = Test::of("base", test.clone());
    let refused = fit(&truth, vec![target], vec![], &FitOptions::default(), None);
    assert!(
        matches!(refused, Err(FitError::MassNeeded { .. })),
        "{refused:?}"
    );
    let options = FitOptions {
        fixed: vec![("oscillator.m".to_owned(), 2.0)],
        ..FitOptions::default()
    };
    let found = found(&truth, test, &options);
    assert!(found.error.relative < 0.0055, "{}", found.error.relative);
    assert!(worst(&found, &DAHL) < 0.03, "{:?}", found.estimates);
}

#[test]
fn free_decay_from_an_unknown_beginning() {
    let mut values = DAHL;
    (values[6], values[7]) = (2e-3, -0.1);
    let truth = oscillator("dahl", &values);
    let load = load(vec![0.0; 750]);
    let response = respond(&truth, &load);
    let own = channel(Output::Displacement, &response.displacement, 0.005, 62);
    let fixed = vec![("oscillator.m".to_owned(), 2.0)];
    // As a state of the test, and as parameters of the model.
    let of_test = FitOptions {
        fixed: fixed.clone(),
        ..FitOptions::default()
    };
    let of_model = FitOptions {
        fixed,
        free: vec!["oscillator.x0".to_owned(), "oscillator.v0".to_owned()],
        ..FitOptions::default()
    };
    let test = DrivenMasses::new(load, vec![own]);
    let by_test = found(&truth, test.clone().estimated(), &of_test);
    let by_model = found(&truth, test, &of_model);
    for fit in [&by_test, &by_model] {
        assert!(fit.error.relative < 0.006, "{}", fit.error.relative);
        // Sigma and the shape of the approach to the friction force are weak in a decay.
        for i in [1, 3, 5] {
            let off = (fit.model.values()[i] / values[i] - 1.0).abs();
            assert!(off < 0.05, "{:?}", fit.estimates);
        }
    }
    let v = by_model.model.values();
    assert!(
        (v[6] / 2e-3 - 1.0).abs() < 0.01 && (v[7] / -0.1 - 1.0).abs() < 0.05,
        "{v:?}"
    );
}

/// Jacobian against central differences and gradient against Jacobian, through filter, run-in and beginning.
#[test]
fn derivatives_go_through_filters_and_beginnings() {
    let truth = oscillator("dahl", &DAHL);
    let values = multisine(120, 120, 60.0, 71);
    // Any record of the right size will do.
    let measured: Vec<f64> = values.iter().map(|f| 1e-5 * f).collect();
    let own = || channel(Output::Displacement, &measured, 0.0, 0);
    let plain = || DrivenMasses::new(load(values.clone()), vec![own()]);
    let stages = || Decimation::new(&[2, 3]);
    let tests = [
        plain().decimated(stages()).expect("a load"),
        plain().periodic().expect("a period"),
        plain()
            .periodic()
            .and_then(|t| t.decimated(stages()))
            .expect("a period"),
        plain().estimated(),
    ];
    for mut test in tests {
        test.numerics.max_dt = 1.0 / (5.0 * RATE);
        let mut unknowns = free_parameters(&truth, &[], &[]).expect("known");
        let mut at: Vec<f64> = DAHL[..6].to_vec();
        if test.initial() == InitialState::Estimated {
            for (state, value) in [(0, 1e-4), (1, -0.02)] {
                unknowns.push(Unknown {
                    name: "beginning".to_owned(),
                    place: Place::Start { target: 0, state },
                    min: f64::NEG_INFINITY,
                    max: f64::INFINITY,
                    scale: Scale::Linear,
                    typical: value,
                });
                at.push(value);
            }
        }
        let targets = [Test::of("t", test)];
        let objective = Objective::new(&truth, &targets, &unknowns, Rules::default());
        let x = objective.internal(&at);
        let exact = objective.linearise(&x).expect("a run");
        let gradient = exact.j.tr_mul(&exact.r);
        let (_, adjoint) = objective.slope(&x).expect("a run");
        for i in 0..x.len() {
            let size = gradient.amax();
            assert!((adjoint[i] - gradient[i]).abs() < 1e-9 * size, "{i}");
            let moved = |by: f64| {
                let mut x = x.clone();
                x[i] += by;
                objective.linearise(&x).expect("a run").r
            };
            let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            let off = (&difference - exact.j.column(i)).amax();
            // Central differences; kinks fall into other steps within them.
            assert!(off < 1e-5 * exact.j.column(i).amax(), "{i}: {off}");
        }
    }
}
