//! Parameters that follow conditions: derivatives, recovery, choice of the form, bad input.

mod condition_laws;

use condition_laws::{Law, laws};
use masing_identify::search::optimise::{LeastSquares as _, Smooth as _};
use masing_identify::{
    FitError, FitOptions, Follow, FormChoice, Identified, Objective, Place, Rules, Status, Test,
    Unknown, fit,
};
use masing_model::{Form, ModelError, Scale};

fn options(law: &Law, form: FormChoice) -> FitOptions {
    FitOptions {
        follow: law.follow(form),
        ..FitOptions::default()
    }
}

fn given(law: &Law) -> FitOptions {
    options(law, FormChoice::Given(vec![law.form.clone()]))
}

fn fitted(law: &Law, tests: Vec<Test>, options: &FitOptions) -> Result<Identified, FitError> {
    let [plain, _] = law.models();
    fit(&plain, tests, vec![], options, None)
}

#[test]
fn columns_of_coefficients_are_those_of_differences_and_of_the_adjoint() {
    for law in laws() {
        let [_, truth] = law.models();
        let tests = law.tests(0.01, 1);
        let param = truth.following()[0].param;
        let linear = |name: String, place: Place, value: f64| Unknown {
            name,
            place,
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            scale: Scale::Linear,
            typical: value.abs(),
        };
        let mut unknowns = Vec::new();
        let mut values = Vec::new();
        for (i, value) in truth
            .values()
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != param)
        {
            unknowns.push(linear(format!("p{i}"), Place::Param(i), *value));
            values.push(1.02 * value);
        }
        for (k, value) in law.coefficients.iter().enumerate() {
            unknowns.push(linear(
                format!("c{k}"),
                Place::Coefficient { param, k },
                *value,
            ));
            values.push(1.001 * value);
        }
        let objective = Objective::new(&truth, &tests, &unknowns, Rules::default());
        let x = objective.internal(&values);
        let at = objective.linearise(&x).expect("a linearisation");
        let (cost, gradient) = objective.slope(&x).expect("a gradient");
        assert!((cost / (0.5 * at.r.norm_squared()) - 1.0).abs() < 1e-12);
        let by_tangent = at.j.tr_mul(&at.r);
        for c in 0..x.len() {
            // Sums in another order.
            let scale = 1e-9 * by_tangent.amax();
            assert!(
                (gradient[c] - by_tangent[c]).abs() < scale,
                "{} {c}",
                law.address
            );
            let moved = |h: f64| {
                let mut x = x.clone();
                x[c] += h;
                objective.linearise(&x).expect("a linearisation").r
            };
            let h = 1e-6;
            let differences = (moved(h) - moved(-h)) / (2.0 * h);
            let off = (differences - at.j.column(c)).norm() / at.j.column(c).norm();
            // Kinks of the laws with friction lie between the two differences at a few samples.
            assert!(off < 1e-3, "{} {c}: {off}", law.address);
        }
    }
}

#[test]
fn noise_free_coefficients_are_found() {
    for law in laws() {
        let found = fitted(&law, law.tests(0.0, 1), &given(&law)).expect("a fit");
        let own = &found.model.following()[0];
        for (c, truth) in own.coefficients.iter().zip(&law.coefficients) {
            // Steps of the fit against those of the record.
            assert!((c / truth - 1.0).abs() < 2e-3, "{}: {own:?}", law.address);
        }
        assert_eq!(
            found.model.conditions()[0].range,
            [law.levels[0], law.levels[4]]
        );
        let told = &found.followed[0];
        for level in &told.levels {
            assert!((level.value / level.law - 1.0).abs() < 5e-3, "{level:?}");
        }
    }
}

/// `cargo xtask study conditions` makes 100 draws.
#[test]
fn intervals_hold_the_true_coefficients() {
    let (mut inside, mut all) = (0, 0);
    for law in laws() {
        for seed in 1..=4 {
            let found = fitted(&law, law.tests(0.01, seed), &given(&law)).expect("a fit");
            let (own, count) = law.covered(&found);
            (inside, all) = (inside + own, all + count);
            assert!(
                found.estimates.iter().all(|e| e.status == Status::Ok),
                "{:?}",
                found.estimates
            );
        }
    }
    println!("{inside} of {all}");
    // 95 % of 36 are 34; fewer than 31 have a probability below 2 %.
    assert!(inside >= 31, "{inside} of {all}");
}

#[test]
fn a_held_out_test_is_predicted_at_its_own_level() {
    let law = &laws()[0];
    let [plain, _] = law.models();
    let mut held_out = vec![law.test(0.6, 0.01, 77), law.test(1.4, 0.01, 78)];
    held_out[1].name = "beyond".to_owned();
    let found = fit(&plain, law.tests(0.01, 3), held_out, &given(law), None).expect("a fit");
    let errors: Vec<f64> = found.held_out().map(|c| c.error).collect();
    // The noise is 1 % of the peak, 1.3 to 1.5 % of the rms.
    assert!(errors[0] < 0.02, "{errors:?}");
    let codes: Vec<&str> = found
        .diagnostics
        .iter()
        .map(|d| d.code().as_str())
        .collect();
    assert_eq!(
        codes.iter().filter(|c| **c == "level-outside").count(),
        1,
        "{codes:?}"
    );
    let mut nowhere = law.test(0.6, 0.01, 77);
    nowhere.conditions.clear();
    let refused = fit(&plain, law.tests(0.01, 3), vec![nowhere], &given(law), None);
    assert!(matches!(refused, Err(FitError::NoLevel { .. })));
}

#[test]
fn the_form_is_chosen_by_levels_left_out() {
    for law in laws() {
        let options = options(&law, FormChoice::Auto);
        let found = fitted(&law, law.tests(0.002, 5), &options).expect("a fit");
        let told = &found.followed[0];
        println!("{:?} {:?}", told.law, told.ranked);
        assert_eq!(told.law.of[0].1.name(), law.form.name());
        assert!(told.ranked.len() > 2);
        let codes: Vec<&str> = found
            .diagnostics
            .iter()
            .map(|d| d.code().as_str())
            .collect();
        assert!(codes.contains(&"form-chosen"), "{codes:?}");
    }
}

#[test]
fn a_piecewise_law_has_a_value_at_every_level() {
    let law = &laws()[1];
    let piecewise = FormChoice::Given(vec![Form::Piecewise(Vec::new())]);
    let found = fitted(law, law.tests(0.01, 2), &options(law, piecewise)).expect("a fit");
    let own = &found.model.following()[0];
    assert_eq!(own.of[0].1, Form::Piecewise(law.levels.to_vec()));
    for (value, level) in own.coefficients.iter().zip(law.levels) {
        let truth = 8.0 + 0.05 * level;
        assert!((value / truth - 1.0).abs() < 0.03, "{own:?}");
    }
}

#[test]
fn two_conditions_make_a_product() {
    let law = &laws()[0];
    let [plain, _] = law.models();
    let mut tests = Vec::new();
    for (i, heat) in [280.0, 310.0, 340.0].into_iter().enumerate() {
        for level in [0.0, 0.5, 1.0] {
            let factor = 1.0 - 2e-3 * (heat - 280.0_f64);
            // exp(c1) carries the factor.
            let mut warm = laws().into_iter().next().expect("a law");
            let first = 2.3 + f64::ln(factor);
            warm.coefficients = vec![first, 3.1, -1.2];
            let mut test = warm.test(level, 0.01, 40 + i as u64);
            test.name = format!("{level} A, {heat} K");
            test.conditions.insert("heat".to_owned(), heat);
            tests.push(test);
        }
    }
    let follow = Follow {
        of: vec!["current".to_owned(), "heat".to_owned()],
        form: FormChoice::Given(vec![Form::ExpQuadratic, Form::Linear]),
    };
    let options = FitOptions {
        follow: vec![(law.address.to_owned(), follow)],
        ..FitOptions::default()
    };
    let found = fit(&plain, tests, vec![], &options, None).expect("a fit");
    let addresses: Vec<&str> = found.estimates.iter().map(|e| e.address.as_str()).collect();
    assert_eq!(
        addresses[..4],
        [
            "eyring-dashpot.f.current[1]",
            "eyring-dashpot.f.current[2]",
            "eyring-dashpot.f.current[3]",
            "eyring-dashpot.f.heat[2]"
        ]
    );
    let own = &found.model.following()[0];
    for (current, heat) in [(0.2_f64, 290.0), (0.8, 330.0)] {
        let levels = [("current".to_owned(), current), ("heat".to_owned(), heat)].into();
        let value = own.value(&levels).expect("a value").0;
        let truth = (2.3 + 3.1 * current - 1.2 * current * current).exp();
        let truth = truth * (1.0 - 2e-3 * (heat - 280.0));
        // 1 % noise in nine records.
        assert!((value / truth - 1.0).abs() < 0.02, "{value} {truth}");
    }
}

#[test]
fn bad_input_is_refused() {
    let law = &laws()[0];
    let tests = || law.tests(0.01, 1);
    let refused = |tests: Vec<Test>, options: &FitOptions| {
        let error = fitted(law, tests, options).expect_err("an error");
        (error.to_string(), error)
    };
    let mut one_without = tests();
    one_without[3].conditions.clear();
    let (said, _) = refused(one_without, &given(law));
    assert!(
        said.contains("test `0.75` has no level of `current`"),
        "{said}"
    );
    let (said, _) = refused(tests()[..2].to_vec(), &given(law));
    assert!(
        said.contains("needs tests at 3 different levels or more; found 2"),
        "{said}"
    );
    let (said, _) = refused(tests()[..2].to_vec(), &options(law, FormChoice::Auto));
    assert!(said.contains("`auto` needs tests at 3"), "{said}");
    let arrhenius = FormChoice::Given(vec![Form::Arrhenius]);
    let (said, error) = refused(tests(), &options(law, arrhenius));
    assert!(said.contains("above 0 K"), "{said}");
    assert!(matches!(error, FitError::Model(ModelError::Level { .. })));
    let mut unknown = given(law);
    unknown.follow[0].1.of = vec!["curent".to_owned()];
    let (said, _) = refused(tests(), &unknown);
    assert!(
        said.contains("no test has the condition `curent`; the tests have current"),
        "{said}"
    );
    let mut held = given(law);
    held.fixed = vec![(law.address.to_owned(), 3.0)];
    let (said, _) = refused(tests(), &held);
    assert!(
        said.contains("follows current; it cannot be held"),
        "{said}"
    );
    let mut nowhere = given(law);
    nowhere.follow[0].0 = "eyring-dashpot.g".to_owned();
    assert!(matches!(
        refused(tests(), &nowhere).1,
        FitError::Model(ModelError::UnknownParameter { .. })
    ));
    let mut two = given(law);
    two.follow[0].1.of.push("heat".to_owned());
    assert!(matches!(refused(tests(), &two).1, FitError::Follow { .. }));
}
