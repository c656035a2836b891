//! Conditions that vary in time: whole histories, the stepper, and a closed form.

use masing_model::{Levels, Model, file};
use masing_sim::{Motion, Numerics, Stepper, VaryingLevels, choose_varying, run_varying};
use std::f64::consts::TAU;
use std::path::Path;

/// A model text over coil currents of 0 to 1 A.
fn model(elements: &str) -> Model {
    let text = format!(
        "schema = \"masing.model/1\"\n{elements}\n[conditions.current]\nunit = \"A\"\nrange = [0.0, 1.0]\n"
    );
    file::parse(Path::new("model.toml"), &text).expect("a model")
}

const SLIDER: &str = "[[element]]\ntype = \"jenkins\"\nks = 1e5\nzs = { of = \"current\", form = \"linear\", coefficients = [20.0, 60.0] }";

const DAMPER: &str = "[[element]]\ntype = \"series\"\n[[element.element]]\ntype = \"eyring-dashpot\"\nf = { of = \"current\", form = \"exp-quadratic\", coefficients = [3.363, 4.066, -1.983] }\nv0 = 2.6e-4\n[[element.element]]\ntype = \"gap\"\nk = 9.5e6\nwidth = 1.7e-4\ncentre = 0.0\n[[element]]\ntype = \"bouc-wen\"\na = 2e5\nbeta = { of = \"current\", form = \"exp-linear\", coefficients = [6.0, -0.5] }\ngamma = 100.0\nn = 1.2";

/// Two seconds of a sine that stops for a while, and a current that swings meanwhile.
fn drive() -> (Motion, VaryingLevels) {
    let time: Vec<f64> = (0..800).map(|i| f64::from(i) / 400.0).collect();
    let x = time.iter().map(|&t| 2e-3 * (TAU * 1.5 * t.min(1.3)).sin());
    let current: Vec<f64> = time
        .iter()
        .map(|&t| 0.5 + 0.5 * (TAU * 0.8 * t).cos())
        .collect();
    let motion = Motion::new(time.clone(), x.collect(), None).expect("a motion");
    let levels = VaryingLevels {
        constant: Levels::new(),
        varying: vec![("current".to_owned(), current)],
    };
    (motion, levels)
}

#[test]
fn a_slider_is_clipped_at_its_limit_of_the_moment_also_at_rest() {
    let (motion, levels) = drive();
    let law = model(SLIDER);
    let (force, _) = run_varying(&law, &motion, &levels, Numerics::default(), None).expect("a run");
    let mut z = 0.0_f64;
    let mut before = motion.x()[0];
    for (i, (&x, found)) in motion.x().iter().zip(&force).enumerate() {
        let limit = 20.0 + 60.0 * levels.at(i)["current"];
        z = (z + 1e5 * (x - before)).clamp(-limit, limit);
        before = x;
        // Rounding of the sums.
        assert!((z - found).abs() < 1e-9 * 80.0, "{i}: {z} {found}");
    }
}

#[test]
fn the_stepper_gives_the_same_history() {
    for text in [SLIDER, DAMPER] {
        let (motion, levels) = drive();
        let law = model(text);
        let numerics = choose_varying(&law, &motion, &levels, 1e-4).expect("steps");
        let (force, end) = run_varying(&law, &motion, &levels, numerics, None).expect("a run");
        let mut same = law.clone();
        same.numerics = Some(masing_model::StepLimits {
            increment: numerics.increment,
            max_dt: numerics.max_dt,
        });
        let mut stepper = Stepper::at_levels(same, &levels.at(0)).expect("a stepper");
        let (time, x, v) = (motion.time(), motion.x(), motion.v());
        let largest = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
        let first = stepper.rest_at(x[0], v[0]).expect("a start");
        assert!((first - force[0]).abs() <= 1e-12 * largest);
        for i in 1..motion.len() {
            stepper.set_levels(&levels.at(i)).expect("a level");
            let found = stepper.step(time[i] - time[i - 1], x[i], Some(v[i]));
            let found = found.expect("a step");
            assert!(
                (found - force[i]).abs() <= 1e-12 * largest,
                "{i}: {found} {}",
                force[i]
            );
        }
        assert_eq!(stepper.now().z, end);
    }
}

#[test]
fn a_constant_column_is_a_constant_level() {
    let (motion, _) = drive();
    let law = model(DAMPER);
    let half = [("current".to_owned(), 0.5)].into();
    let column = VaryingLevels {
        constant: Levels::new(),
        varying: vec![("current".to_owned(), vec![0.5; motion.len()])],
    };
    let numerics = choose_varying(&law, &motion, &column, 1e-3).expect("steps");
    let (force, _) = run_varying(&law, &motion, &column, numerics, None).expect("a run");
    let plain = law.at(&half).expect("a level");
    let run = masing_sim::Prescribed::new(plain.assembly(), &motion, numerics);
    assert_eq!(force, run.run(plain.element_values()).expect("a run"));
}

#[test]
fn levels_that_are_missing_unknown_or_outside_are_told() {
    let law = model(SLIDER);
    let said = Stepper::new(law.clone()).unwrap_err().to_string();
    assert!(
        said.contains("follows `current`, but its level is not given"),
        "{said}"
    );
    let mut stepper =
        Stepper::at_levels(law, &[("current".to_owned(), 0.5)].into()).expect("a stepper");
    let said = stepper.set_levels(&[("curent".to_owned(), 0.5)].into());
    let said = said.unwrap_err().to_string();
    assert!(said.contains("did you mean `current`?"), "{said}");
    assert!(!stepper.outside_validity());
    stepper
        .set_levels(&[("current".to_owned(), 1.5)].into())
        .expect("a level");
    assert!(stepper.outside_validity());
    // A limit below zero is no limit; the level before stays.
    assert!(
        stepper
            .set_levels(&[("current".to_owned(), -1.0)].into())
            .is_err()
    );
    assert!(stepper.step(0.1, 1e-4, None).is_ok());
}
