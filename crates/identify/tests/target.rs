//! Models chosen for the motion they are for.

use masing_identify::compare::{Candidate, CompareOptions, Compared, Target, Watching, compare};
use masing_identify::{MotionRecord, Test};
use masing_model::{Assembly, Levels, Model, MotionKind, Rng, Shape};
use masing_sim::{ACCURACY, Motion, Prescribed, choose};
use std::f64::consts::TAU;

fn sine(amplitude: f64, frequency: f64) -> Motion {
    let at = |i: i32| 3.0 * f64::from(i) / 900.0;
    let time = (0..=900).map(|i| at(i) / frequency).collect();
    let x = (0..=900).map(|i| amplitude * (TAU * at(i)).sin()).collect();
    Motion::new(time, x, None).expect("a motion")
}

/// A saturating dashpot with one that grows: slow motion sees only the first.
fn truth() -> Model {
    let text = "eyring-dashpot + power-dashpot";
    let assembly = Assembly::from_names(text, |_| Shape::default()).expect("a network");
    Model::new(assembly, None, vec![60.0, 5e-3, 3000.0, 2.0]).expect("values")
}

fn force(model: &Model, motion: &Motion) -> Vec<f64> {
    let numerics = choose(model.assembly(), model.values(), motion, ACCURACY).expect("steps");
    let run = Prescribed::new(model.assembly(), motion, numerics);
    run.run(model.values()).expect("a run")
}

fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0_f64), |(s, n), v| (s + v * v, n + 1.0));
    (sum / count).sqrt()
}

/// Fast sines with 1 % noise.
fn tests() -> Vec<Test> {
    let mut random = Rng::new(7);
    let each = [(10e-3, 5.0), (8e-3, 4.0), (10e-3, 3.0), (6e-3, 5.0)];
    let each = each.into_iter().enumerate();
    let each = each.map(|(k, (amplitude, frequency))| {
        let motion = sine(amplitude, frequency);
        let mut measured = force(&truth(), &motion);
        let noise = 0.01 * rms(measured.iter().copied());
        for f in &mut measured {
            *f += noise * random.gaussian();
        }
        let mut rig = MotionRecord::new(motion, measured);
        rig.noise = Some(noise);
        Test::of(format!("test {}", k + 1), rig)
    });
    each.collect()
}

fn compared(models: &[&str], target: Option<Motion>) -> Compared {
    compared_by(2, models, target)
}

fn compared_by(workers: usize, models: &[&str], target: Option<Motion>) -> Compared {
    let models = models
        .iter()
        .map(|text| Candidate::new(text).expect("a model"));
    let options = CompareOptions {
        models: models.collect(),
        budget: 20,
        seed: 0,
        workers,
        timed: true,
        motion: MotionKind::Translation,
        target: target.map(|motion| Target {
            name: "slow".to_owned(),
            motion,
            levels: Levels::new(),
        }),
    };
    let watching = Watching {
        stop: &|| false,
        tell: &|_, _, _| (),
        clock: &|| 0.0,
    };
    compare(&tests(), &[], &options, &watching).expect("a ladder")
}

/// Relative error of the chosen model on a motion that no test has.
fn error_on(found: &Compared, motion: &Motion) -> f64 {
    let own = force(&truth(), motion);
    let model = &found.chosen().expect("a choice").trial.model;
    let away = force(model, motion).into_iter().zip(&own);
    rms(away.map(|(a, b)| a - b)) / rms(own.iter().copied())
}

fn chosen(found: &Compared) -> String {
    found.chosen().expect("a choice").trial.candidate.text()
}

#[test]
fn a_slow_target_changes_the_winner_for_the_better() {
    let models = ["jenkins + dashpot", "power-dashpot"];
    let slow = sine(8e-3, 0.05);
    let (plain, aimed) = (
        compared(&models, None),
        compared(&models, Some(slow.clone())),
    );
    // Friction suits fast sines and is several times too large for slow motion.
    assert_eq!(chosen(&plain), "jenkins + dashpot");
    assert_eq!(chosen(&aimed), "power-dashpot");
    let (before, after) = (error_on(&plain, &slow), error_on(&aimed, &slow));
    assert!(before > 2.0 && after < 0.2, "{before} {after}");
    let outlook = aimed.outlook.expect("an outlook");
    // Less than half of it has its like in the tests, none of it lies outside.
    assert!(outlook.alike < 0.6 && outlook.outside.expect("shares").any == 0.0);
    assert!(outlook.beside.slower.is_some() && outlook.beside.smaller.is_none());
    assert!(plain.outlook.is_none());
}

#[test]
fn tied_models_are_compared_on_the_target() {
    let models = ["power-dashpot", "jenkins + power-dashpot"];
    let found = compared(&models, Some(sine(12e-3, 4.0)));
    let outlook = found.outlook.as_ref().expect("an outlook");
    // A sine of 12 mm is beyond 10 mm for 1 - 2 asin(10/12)/pi of the time; of 300 samples a
    // cycle one at each of the four crossings may be missed.
    let outside = outlook.outside.expect("shares");
    let expected = 1.0 - 2.0 * (10.0_f64 / 12.0).asin() / std::f64::consts::PI;
    assert!(
        (outside.displacement - expected).abs() < 4.0 / 300.0,
        "{outside:?}"
    );
    assert_eq!((outside.speed, outside.both), (Some(0.0), 0.0));
    let found = outlook.disagreement.as_ref().expect("two models");
    assert_eq!(outlook.forces.len(), 2);
    // What they were tied by, not far from it.
    assert!(found.spread > 0.005 && found.spread < 0.1, "{found:?}");
    assert_eq!(found.from_chosen[0], 0.0);
    // They differ most where the motion turns and a dashpot forgets friction.
    let [low, high] = found.largest.force;
    assert!(high > low && found.largest.v.abs() < 0.1, "{found:?}");
}

#[test]
fn the_same_for_any_number_of_threads_and_without_models() {
    let aimed = compared_by(1, &[], Some(sine(8e-3, 0.05)));
    let again = compared_by(3, &[], Some(sine(8e-3, 0.05)));
    let errors = |found: &Compared| {
        let each = found.ladder.iter();
        let each = each.map(|r| (r.trial.candidate.text(), r.trial.left_out_rms().to_bits()));
        each.collect::<Vec<_>>()
    };
    assert_eq!(errors(&aimed), errors(&again));
    assert!(error_on(&aimed, &sine(8e-3, 0.05)) < 0.5);
}
