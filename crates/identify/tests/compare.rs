//! Models found from records without a hint.

mod drawn;

use drawn::{compared, draw, judged};
use masing_identify::compare::{BUDGET, CompareOptions, Compared, Rung, Watching, compare};
use masing_identify::test::TestSpec;
use masing_identify::test::reading::{Subject, Tests};
use masing_identify::{FitError, Test};
use masing_model::MotionKind;
use std::path::Path;

/// Small version of `cargo xtask study compare`.
#[test]
fn structures_are_found_again() {
    for index in [1, 3, 4, 13] {
        let own = judged(index, 60, 2);
        println!(
            "{} -> {} ({:?}): {:.3}, {} tried",
            own.truth, own.chosen, own.added, own.ratio, own.tried
        );
        assert!(own.sound(), "{} -> {}", own.truth, own.chosen);
    }
}

#[test]
fn the_ladder_is_the_same_for_any_number_of_threads() {
    let tests = draw(3).tests;
    let ladder = |workers: usize| {
        let found = compared(&tests, 12, workers);
        let each = found.ladder.iter();
        each.map(|r| (r.trial.candidate.text(), r.trial.left_out_rms().to_bits()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ladder(1), ladder(3));
}

/// Models that were given up are behind when they are followed to the end, by at least what was said.
#[test]
fn who_is_given_up_would_not_have_tied() {
    let mut followed = 0;
    for index in [6, 10, 12] {
        let tests = draw(index).tests;
        let found = compared(&tests, 40, 2);
        let best = found.ladder[0].trial.left_out_rms();
        let given_up: Vec<_> = found.ladder.iter().filter(|r| r.trial.at_least).collect();
        if given_up.is_empty() {
            continue;
        }
        let asked = CompareOptions {
            models: given_up.iter().map(|r| r.trial.candidate.clone()).collect(),
            ..options(60)
        };
        let to_the_end = compare(&tests, &[], &asked, &watching()).expect("a ladder");
        for rung in given_up {
            let same = |r: &&Rung| r.trial.candidate == rung.trial.candidate;
            let whole = to_the_end.ladder.iter().find(same).expect("tried");
            let (bound, error) = (rung.trial.left_out_rms(), whole.trial.left_out_rms());
            let text = rung.trial.candidate.text();
            assert!(error > 1.5 * best, "{text}: {error} beside {best}");
            // A model that was grown began elsewhere, and may end in another minimum.
            let grown = rung.trial.candidate.terms.len() > 1;
            assert!(
                grown || bound <= 1.001 * error,
                "{text}: {bound} and {error}"
            );
            followed += 1;
        }
    }
    assert!(followed > 5, "{followed}");
}

fn watching() -> Watching<'static> {
    Watching {
        stop: &|| false,
        tell: &|_, _, _| (),
        clock: &|| 0.0,
    }
}

fn options(budget: usize) -> CompareOptions {
    CompareOptions {
        models: Vec::new(),
        budget,
        seed: 0,
        workers: 2,
        timed: true,
        target: None,
        motion: MotionKind::Translation,
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let tests = draw(0).tests;
    let none = compare(&tests, &[], &options(0), &watching());
    assert!(matches!(none, Err(FitError::NothingTried)));
    let none = compare(&[], &[], &options(5), &watching());
    assert!(matches!(none, Err(FitError::NoTests)));
    let mut one = tests[0].clone();
    one.motion_record_mut().expect("a record").window = 0..280;
    let none = compare(&[one], &[], &options(5), &watching());
    assert!(matches!(none, Err(FitError::NothingLeftOut)));
    // A single test with several cycles is cut into blocks.
    let blocks = compare(&tests[..1], &[], &options(3), &watching()).expect("a ladder");
    assert!(blocks.folds.len() >= 2, "{:?}", blocks.folds);
}

#[test]
fn who_stops_keeps_the_ladder_so_far() {
    let tests = draw(3).tests;
    let tried = std::sync::atomic::AtomicUsize::new(0);
    let stop = || tried.load(std::sync::atomic::Ordering::Relaxed) >= 4;
    let tell = |n: usize, _: &str, _: f64| tried.store(n, std::sync::atomic::Ordering::Relaxed);
    let watching = Watching {
        stop: &stop,
        tell: &tell,
        clock: &|| 0.0,
    };
    let found = compare(&tests, &[], &options(60), &watching).expect("a ladder");
    assert!(found.stopped && !found.ladder.is_empty() && found.ladder.len() <= 6);
    assert!(found.chosen().is_some());
}

fn records(folder: &str, names: &[&str], zero: Option<&str>) -> Vec<Test> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(folder);
    let mut tests = Tests::default();
    let mut motion = None;
    for name in names {
        let mut spec = TestSpec::plain(folder.join(name), masing_data::ReadOptions::default());
        if let Some(zero) = zero {
            spec.options.parse_zero(zero).expect("an offset");
        }
        let subject = Subject::default();
        tests.add(&spec, &subject, &mut motion).expect("a record");
    }
    tests.list
}

fn print(found: &Compared, seconds: f64) {
    for rung in &found.ladder {
        println!(
            "{:8} {:60} {:?} {:2} fitted {:5.2} % left out {:6.2} % {:4.1} s {}",
            rung.standing.word(),
            rung.trial.candidate.text(),
            rung.trial.candidate.added.words(),
            rung.trial.parameters,
            100.0 * rung.trial.fitted(),
            100.0 * rung.trial.left_out_rms(),
            rung.trial.seconds,
            rung.explodes.as_ref().map_or("", |_| "explodes"),
        );
    }
    for own in &found.failed {
        println!("failed {}: {}", own.candidate.text(), own.error);
    }
    println!("{:?} noise {:?} {seconds:.1} s", found.signs, found.noise);
}

/// A banded rotary friction damper with backlash: three sines.
#[test]
#[ignore = "needs ../shared/data"]
fn the_friction_damper_has_a_gap_and_a_slider() {
    let names = [
        "0.5Hz_36lb_0.5in.csv",
        "0.5Hz_36lb_1in.csv",
        "0.5Hz_36lb_1.5in.csv",
    ];
    let begun = std::time::Instant::now();
    let found = compared(&records("friction-damper", &names, None), BUDGET, 2);
    print(&found, begun.elapsed().as_secs_f64());
    let trial = &found.chosen().expect("a choice").trial;
    let chosen = trial.candidate.text();
    assert!(
        chosen.contains("gap") && chosen.contains("slider"),
        "{chosen}"
    );
    // 9.3 % fitted and 9.9 % left out.
    assert!(trial.candidate.added.moving_mass);
    assert!(trial.fitted() < 0.115, "{}", trial.fitted());
    assert!(trial.left_out_rms() < 0.14, "{}", trial.left_out_rms());
}

/// All sines of the damper at one current.
#[test]
#[ignore = "study mr-damper"]
fn the_damper_at_one_current_is_predicted() {
    let names = [
        "10mm_2Hz_1A.csv",
        "25mm_0.25Hz_1A.csv",
        "25mm_0.5Hz_1A.csv",
        "2mm_5Hz_1A.csv",
        "5mm_3Hz_1A.csv",
        "5mm_4Hz_1A.csv",
    ];
    let zero = Some("displacement=midrange");
    let begun = std::time::Instant::now();
    let found = compared(&records("mr-damper", &names, zero), 60, 2);
    print(&found, begun.elapsed().as_secs_f64());
    // A saturating dashpot behind a spring alone predicts to 15.8 %, the best law of the path to 25 %.
    let best = found.ladder[0].trial.left_out_rms();
    assert!(best < 0.165, "{best}");
}
