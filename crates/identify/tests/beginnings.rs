//! Records that begin neither at rest nor in a closed cycle.

mod bushing;

use bushing::{B, Wave, disturb, motion, peak, rt, si, target};
use masing_identify::{FitOptions, InitialState, Status, Test, fit, predict_held_out};
use masing_sim::{Motion, Numerics, Prescribed};

/// A beating sine of which only the part after sample `from` was recorded.
fn cut(from: usize) -> Test {
    let model = rt();
    let plain = motion(Wave::Sine, 1e-3, 1.0);
    let beat = |t: f64| 1.0 + 0.4 * (2.3 * t).sin();
    let pairs = plain.time().iter().zip(plain.x());
    let x: Vec<f64> = pairs.map(|(t, x)| x * beat(*t)).collect();
    let whole = Motion::new(plain.time().to_vec(), x, None).expect("a motion");
    let numerics = Numerics {
        max_dt: 1.2e-4,
        increment: f64::INFINITY,
    };
    let force = Prescribed::new(model.assembly(), &whole, numerics)
        .run(&si(B))
        .expect("a run");
    let (time, x) = (&whole.time()[from..], &whole.x()[from..]);
    let rest = Motion::new(time.to_vec(), x.to_vec(), None).expect("a motion");
    let mut target = Test::new("cut", rest, force[from..].to_vec());
    let Some(rig) = target.motion_record_mut() else {
        unreachable!("a record")
    };
    rig.initial = InitialState::Estimated;
    target
}

#[test]
fn a_chain_is_found_from_the_middle_of_a_record() {
    for (from, seed) in [(420, 1), (650, 2)] {
        let mut test = cut(from);
        let noise = 0.005 * peak(&test);
        disturb(&mut test, noise, seed);
        let found = fit(&rt(), vec![test], vec![], &FitOptions::default(), None).expect("a fit");
        assert!(found.search.stop.converged(), "{:?}", found.search.stop);
        // Fifteen free states took up what belongs to the parameters: kr came out three times too
        // small, with error bars of 2 %.
        for (p, truth) in found.estimates.iter().zip(si(B)) {
            assert_eq!(p.status, Status::Ok, "{from} {p:?}");
            let error = p.std_error.expect("a standard error");
            assert!(
                (p.value - truth).abs() < 4.0 * error,
                "{from} {p:?} {truth}"
            );
            assert!((p.value / truth - 1.0).abs() < 0.08, "{from} {p:?} {truth}");
        }
    }
}

#[test]
fn a_held_out_record_may_begin_anywhere_too() {
    let model = rt().with(si(B)).expect("values in range");
    let mut test = cut(650);
    let (outcome, _) = predict_held_out(&model, &mut test).expect("a prediction");
    // From rest the first stretch would be off by half the force.
    assert!(outcome.relative < 2e-3, "{}", outcome.relative);
}

#[test]
fn a_profile_agrees_with_the_error_bars_of_tests_that_differ_in_noise() {
    let mut loud = target(B, Wave::Sine, 1e-3, 1.0, 8.0);
    let mut quiet = target(B, Wave::Sine, 1e-4, 10.0, 8.0);
    let noise = 0.01 * peak(&loud);
    disturb(&mut loud, noise, 3);
    let noise = 0.0005 * peak(&quiet);
    disturb(&mut quiet, noise, 4);
    let options = FitOptions {
        profiles: vec!["rt.k0".to_owned(), "rt.alpha".to_owned()],
        ..FitOptions::default()
    };
    let found = fit(&rt(), vec![loud, quiet], vec![], &options, None).expect("a fit");
    for profile in &found.profiles {
        let p = found
            .estimates
            .iter()
            .find(|p| p.address == profile.address);
        let [low, high] = p.and_then(|p| p.interval).expect("an interval");
        let [Some(a), Some(b)] = profile.ci95 else {
            panic!("{profile:?}")
        };
        let ratio = (b - a) / (high - low);
        assert!((0.7..1.4).contains(&ratio), "{ratio} {profile:?}");
    }
}
