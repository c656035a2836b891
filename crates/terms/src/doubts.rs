//! Gates on what was given: preloads, sampling, strokes; and on what the model file can hold.

use super::algebra::axpy;
use super::dictionary::Term;
use super::found::{Coefficient, Found, Outcome};
use super::gates::listed;
use super::motion::Prepared;
use super::set::Set;
use super::words::Words;
use masing_data::Preload;

/// Error beyond which a model does not describe the tests.
const POOR: f64 = 0.2;
/// Amplitudes beyond which a preload is taken for a slip of the unit.
const FAR: f64 = 50.0;
/// Amplitudes beyond which a preload leaves most of the characteristic untested.
const NARROW: f64 = 10.0;
/// Samples in a cycle below which velocities are not to be trusted.
const FEW_SAMPLES_PER_CYCLE: f64 = 40.0;

/// A model that leaves most of the force unexplained.
pub fn poor(found: &Found, set: &Set, words: Words, add: &mut impl FnMut(&'static str, String)) {
    if found.relative <= POOR {
        return;
    }
    let given = set.tests.iter().find_map(|t| match t.preload {
        Some(Preload::Motion(y0)) => Some(y0),
        _ => None,
    });
    let doubt = given.map_or(String::new(), |y0| {
        format!(
            " Is the preload of {} right? Left out (--preload), it is found from the data.",
            words.length(y0)
        )
    });
    add(
        "poor-fit",
        format!(
            "the candidates do not describe the tests: error {:.0} %; look for other terms (--terms), a zero of the force that is off (the term `one`), or wrong columns.{doubt}",
            100.0 * found.relative
        ),
    );
}

/// Records whose velocity is hardly known because few samples make a cycle, or is one and the same.
pub fn coarse(found: &Found, set: &Set, add: &mut impl FnMut(&'static str, String)) {
    let damped = found
        .terms
        .iter()
        .any(|c| matches!(c.term, Term::Damping(_)));
    if damped && set.one_speed() {
        add(
            "one-speed",
            "nearly all samples have the same speed: damping cannot be told from dry friction that does not give way, nor its powers from each other; add a test at another speed"
                .to_owned(),
        );
    }
    let few = set
        .tests
        .iter()
        .filter(|t| t.samples_per_cycle() < FEW_SAMPLES_PER_CYCLE);
    let least = few.min_by(|a, b| a.samples_per_cycle().total_cmp(&b.samples_per_cycle()));
    if let Some(test) = least.filter(|_| damped) {
        add(
            "coarse",
            format!(
                "test `{}` has {:.0} samples in a cycle; velocities from so few are off by more than the error bars of the damping terms say. Sample faster, {FEW_SAMPLES_PER_CYCLE:.0} a cycle or more, or give a velocity column",
                test.name,
                test.samples_per_cycle()
            ),
        );
    }
}

/// Terms that no element holds, and what the model file is worth without them.
pub fn outside_model(found: &Found, set: &Set, add: &mut impl FnMut(&'static str, String)) {
    let outside: Vec<&Coefficient> = found
        .terms
        .iter()
        .filter(|c| !matches!(c.term, Term::Stiffness(_) | Term::Damping(_)))
        .collect();
    if outside.is_empty() {
        return;
    }
    let without = |(test, outcome): (&Prepared, &Outcome)| -> f64 {
        let mut predicted = outcome.predicted.clone();
        for c in &outside {
            axpy(-c.value, &c.term.column(test, set.span), &mut predicted);
        }
        let (mut rest, mut whole) = (0.0, 0.0);
        for &i in &outcome.rows {
            rest += (predicted[i] - test.force[i]).powi(2);
            whole += test.force[i].powi(2);
        }
        rest / whole
    };
    let each = set.tests.iter().zip(&found.tests).map(without);
    let error = (each.sum::<f64>() / set.tests.len().max(1) as f64).sqrt();
    let names: Vec<String> = outside.iter().map(|c| c.term.to_string()).collect();
    add(
        "outside-model",
        format!(
            "{} cannot be written to model.toml, which holds powers of displacement and velocity and spring-sliders: the file alone has an error of {:.1} % against {:.1} % with everything that was found",
            listed(&names),
            100.0 * error,
            100.0 * found.relative
        ),
    );
}

/// Sliders that a test is too short to slip keep the force that they began with, which no record of this test tells.
pub fn locked_in(found: &Found, words: Words, add: &mut impl FnMut(&'static str, String)) {
    for test in &found.tests {
        let each = found.friction.sliders.iter();
        let locked: f64 = each
            .map(|s| s.ks.value * (s.ys.value - test.amplitude).max(0.0))
            .sum();
        if locked > 3.0 * test.noise {
            add(
                "locked-in",
                format!(
                    "test `{}` moves too little for all spring-sliders to slip: they are taken to begin as the preload left them, and another history shifts the force by up to {}",
                    test.name,
                    words.force(locked)
                ),
            );
        }
    }
}

/// Preloads that cannot be right: far beyond the motion, or a force that the curve does not have there.
pub fn preloads(
    found: &Found,
    set: &Set,
    words: Words,
    add: &mut impl FnMut(&'static str, String),
) {
    for (test, sigma) in set.tests.iter().zip(&set.sigma) {
        if test.y0.abs() > FAR * test.amplitude {
            add(
                "far-preload",
                format!(
                    "the preload of test `{}` is {}, its amplitude {}; is the unit of the preload right?",
                    test.name,
                    words.length(test.y0),
                    words.length(test.amplitude)
                ),
            );
        }
        if test.y0.abs() > NARROW * test.amplitude && test.y0.abs() <= FAR * test.amplitude {
            let ends = [test.y0 - test.amplitude, test.y0 + test.amplitude];
            let [low, high] = ends.map(|y| words.length(y));
            add(
                "narrow-range",
                format!(
                    "test `{}` covers {low} to {high} of the characteristic: powers mean something there only, and friction that never slips in it counts as stiffness",
                    test.name
                ),
            );
        }
        let Some(Preload::Force(given)) = test.preload else {
            continue;
        };
        let elastic: f64 = found
            .terms
            .iter()
            .map(|c| match c.term {
                Term::Stiffness(power) => c.value * test.y0.powi(power as i32),
                Term::One => c.value,
                _ => 0.0,
            })
            .sum();
        let band = found.friction.zs.value;
        if (elastic - given).abs() > band + 3.0 * sigma {
            add(
                "preload-differs",
                format!(
                    "the curve that was found has {} at the preload of test `{}` ({}), not the {} that were given; friction explains a difference of {} at most. Is the force zeroed, and is the preload meant as the force on the part?",
                    words.force(elastic),
                    test.name,
                    words.length(test.y0),
                    words.force(given),
                    words.force(band)
                ),
            );
        }
    }
}
