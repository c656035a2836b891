//! Steps cut where a record asks for them.

mod support;

use masing_model::{Assembly, Shape};
use masing_sim::{
    ACCURACY, Column, MOST_WORK, Motion, Numerics, Prescribed, SimError, TAPE_BUDGET, choose,
    choose_steps,
};
use support::{noise, peak};

const DAMPER: &str = "series(a: eyring-dashpot, gap + b: eyring-dashpot) + spring";
/// A damper that saturates at once, with play.
const P: [f64; 7] = [231.0, 0.261e-3, 9550e3, 0.171e-3, 294.0, 5.2e-3, 970.0];

fn network(text: &str) -> Assembly {
    Assembly::from_names(text, |_| Shape::default()).unwrap()
}

/// A sine every 5 ms, rounded to 3 um: the speed jumps at every sample.
fn rounded() -> Motion {
    let time: Vec<f64> = (0..400).map(|i| f64::from(i) * 5e-3).collect();
    let sine = |t: &f64| 2e-3 * (10.0 * std::f64::consts::PI * t).sin();
    let x = time.iter().map(|t| (sine(t) / 3e-6).round() * 3e-6);
    let x = x.collect();
    Motion::new(time, x, None).unwrap()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max) / peak(b)
}

fn fine(assembly: &Assembly, p: &[f64], motion: &Motion) -> Vec<f64> {
    let even = Numerics {
        increment: f64::INFINITY,
        max_dt: 5e-3 / 500.0,
    };
    let mut motion = motion.clone();
    motion.cut(None);
    Prescribed::new(assembly, &motion, even).run(p).unwrap()
}

#[test]
fn few_steps_reach_the_accuracy_that_even_ones_need_many_for() {
    let assembly = network(DAMPER);
    let known = fine(&assembly, &P, &rounded());
    for accuracy in [1e-2, 1e-3, ACCURACY] {
        let mut motion = rounded();
        let numerics = choose_steps(&assembly, &P, &mut motion, accuracy, MOST_WORK).unwrap();
        let force = Prescribed::new(&assembly, &motion, numerics)
            .run(&P)
            .unwrap();
        let error = largest_difference(&force, &known);
        // Differences of runs bound the error but for what both runs miss.
        assert!(error < 1.5 * accuracy, "{accuracy:e}: {error:e}");
        let even = choose(&assembly, &P, &rounded(), accuracy).unwrap();
        let (own, all) = (motion.steps(&numerics), rounded().steps(&even));
        assert!(3 * own <= 2 * all, "{accuracy:e}: {own} of {all}");
        // As fine everywhere as the finest interval: for a stepper that knows no record.
        let uniform = Prescribed::new(&assembly, &rounded(), numerics)
            .run(&P)
            .unwrap();
        assert!(largest_difference(&uniform, &known) < 1.5 * accuracy);
    }
}

/// The errors of the split while a gap is open show only when it closes: cut by forces alone, no number
/// of steps is enough.
#[test]
fn errors_that_no_force_shows_yet_are_cut_as_well() {
    let assembly = network("series(eyring-dashpot, gap + dashpot)");
    let p = [231.0, 0.261e-3, 9550e3, 0.4e-3, 1e3];
    let mut motion = rounded();
    let numerics = choose_steps(&assembly, &p, &mut motion, ACCURACY, MOST_WORK).unwrap();
    let force = Prescribed::new(&assembly, &motion, numerics)
        .run(&p)
        .unwrap();
    let error = largest_difference(&force, &fine(&assembly, &p, &motion));
    assert!(error < 1.5 * ACCURACY, "{error:e}");
    // About 2600 are found.
    assert!(motion.steps(&numerics) < 4000);
}

#[test]
fn a_pattern_is_kept_while_it_holds_and_refined_when_it_does_not() {
    let assembly = network(DAMPER);
    let mut motion = rounded();
    choose_steps(&assembly, &P, &mut motion, 1e-3, MOST_WORK).unwrap();
    let first = motion.pattern().cloned();
    let near = P.map(|p| 1.0001 * p);
    choose_steps(&assembly, &near, &mut motion, 1e-3, MOST_WORK).unwrap();
    assert_eq!(motion.pattern().cloned(), first);
    let mut stiff = P;
    stiff[2] *= 30.0;
    stiff[3] *= 2.0;
    choose_steps(&assembly, &stiff, &mut motion, 1e-3, MOST_WORK).unwrap();
    let (before, after) = (first.unwrap(), motion.pattern().unwrap());
    assert!(after.steps() > before.steps());
    assert!((0..motion.len()).all(|i| after.parts(i) >= before.parts(i)));
}

#[test]
fn other_laws_are_cut_evenly_as_before() {
    for text in ["rt", "spring", "bouc-wen + series(spring, slider)"] {
        let assembly = network(text);
        let p = assembly.defaults();
        let mut motion = support::sine(1e-3, 1.0, 1, 50);
        let numerics = choose_steps(&assembly, &p, &mut motion, ACCURACY, MOST_WORK).unwrap();
        assert!(motion.pattern().is_none(), "{text}");
        assert_eq!(numerics, choose(&assembly, &p, &motion, ACCURACY).unwrap());
    }
}

#[test]
fn what_cannot_be_afforded_is_an_error() {
    let assembly = network(DAMPER);
    let found = choose_steps(&assembly, &P, &mut rounded(), 1e-9, 10_000);
    assert!(matches!(found, Err(SimError::Accuracy { .. })), "{found:?}");
}

#[test]
fn derivatives_are_those_of_the_pattern() {
    let assembly = network(DAMPER);
    let mut motion = rounded();
    let numerics = choose_steps(&assembly, &P, &mut motion, 1e-3, MOST_WORK).unwrap();
    let run = Prescribed::new(&assembly, &motion, numerics);
    let columns: Vec<Column<'_>> = (0..P.len()).map(Column::Param).collect();
    let tangent = run.tangent(&P, &columns).unwrap();
    let mut random = noise(3);
    let bar: Vec<f64> = (0..motion.len()).map(|_| random()).collect();
    // A budget that holds the tape, and one that repeats stretches of the pattern.
    for budget in [TAPE_BUDGET, 1 << 14] {
        let recorded = run.record(&P, budget).unwrap();
        assert_eq!(recorded.force(), tangent.force);
        let gradient = recorded.pull_back(&bar).unwrap();
        for (c, adjoint) in gradient.params.iter().enumerate() {
            let terms = (0..motion.len()).map(|i| bar[i] * tangent.jacobian[i * P.len() + c]);
            let (sum, size) = terms.fold((0.0, 0.0), |(s, a), t| (s + t, a + t.abs()));
            assert!((sum - adjoint).abs() <= 1e-12 * size, "{c}");
        }
    }
    for c in 0..P.len() {
        let at = |k: f64| {
            let mut p = P;
            p[c] *= 1.0 + k * 1e-6;
            run.run(&p).unwrap()
        };
        let (a, b) = (at(-1.0), at(1.0));
        let slopes: Vec<f64> = a
            .iter()
            .zip(b)
            .map(|(a, b)| (b - a) / (2e-6 * P[c]))
            .collect();
        let exact: Vec<f64> = (0..a.len())
            .map(|i| tangent.jacobian[i * P.len() + c])
            .collect();
        let size = peak(&exact);
        let near = slopes
            .iter()
            .zip(&exact)
            .filter(|(a, b)| (*a - *b).abs() < 1e-6 * size);
        // All but the samples whose contact opens or closes within the difference.
        assert!(near.count() * 10 >= 9 * a.len(), "column {c}");
    }
}
