//! Choosing how finely to step under prescribed motion.

use crate::error::SimError;
use crate::motion::Motion;
use crate::numerics::{MOST_PARTS, Numerics};
use crate::prescribed::Prescribed;
use masing_model::Assembly;

/// Default accuracy under prescribed motion, relative to the largest force.
pub const ACCURACY: f64 = 1e-4;

/// State steps (about a minute of work) above which a run is rejected instead of refined further.
pub const MOST_WORK: usize = 1 << 29;

/// The coarsest steps, on a grid of halvings of a first guess, whose halving changes the force by
/// less than `accuracy` of the largest force.
///
/// Elements that are exact for straight motion need no cutting; without any other the answer is one
/// step per sample interval.
pub fn choose(
    assembly: &Assembly,
    p: &[f64],
    motion: &Motion,
    accuracy: f64,
) -> Result<Numerics, SimError> {
    choose_within(assembly, p, motion, accuracy, MOST_WORK)
}

/// The same with at most `work` steps times states in a run; an error if that is not enough.
pub fn choose_within(
    assembly: &Assembly,
    p: &[f64],
    motion: &Motion,
    accuracy: f64,
    work: usize,
) -> Result<Numerics, SimError> {
    if assembly.parts().iter().all(|part| part.element.exact()) {
        return Ok(Numerics::default());
    }
    let states = state_count(assembly);
    let affordable = |numerics: &Numerics| {
        let (steps, most) = steps(motion, numerics);
        steps.saturating_mul(states) <= work && most < MOST_PARTS
    };
    let mut numerics = guess(assembly, p, motion);
    while !affordable(&numerics) && steps(motion, &numerics).1 > 1 {
        // A guess that no run can afford: begin coarser and see.
        numerics = numerics.finer(0.25);
    }
    let mut change = f64::INFINITY;
    let mut force = Prescribed::new(assembly, motion, numerics).run(p)?;
    loop {
        let finer = numerics.finer(2.0);
        if !affordable(&finer) {
            return Err(SimError::Accuracy {
                change,
                accuracy,
                max_dt: finer.max_dt,
            });
        }
        let refined = Prescribed::new(assembly, motion, finer).run(p)?;
        change = largest_change(&force, &refined);
        if change <= accuracy {
            return Ok(numerics);
        }
        (numerics, force) = (finer, refined);
    }
}

/// States of the elements that are stepped finely, and one more for each of these.
pub(crate) fn state_count(assembly: &Assembly) -> usize {
    let parts = assembly.parts().iter();
    parts
        .filter(|part| !part.element.exact())
        .map(|part| 1 + part.states.len())
        .sum()
}

/// One step per longest sample interval, and the elements' own guesses at the mean speed.
pub(crate) fn guess(assembly: &Assembly, p: &[f64], motion: &Motion) -> Numerics {
    let (t, x) = (motion.time(), motion.x());
    let path: f64 = x.windows(2).map(|w| (w[1] - w[0]).abs()).sum();
    let moving: f64 = (1..t.len())
        .filter(|&i| x[i] != x[i - 1])
        .map(|i| t[i] - t[i - 1])
        .sum();
    let speed = if moving > 0.0 { path / moving } else { 0.0 };
    let increment = assembly
        .parts()
        .iter()
        .map(|part| part.element.increment(&p[part.params.clone()], speed))
        .fold(f64::INFINITY, f64::min);
    let max_dt = t.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
    // Never more than 2^10 parts to begin with: a guess that bad is better found by halving.
    let longest = x
        .windows(2)
        .map(|w| (w[1] - w[0]).abs())
        .fold(0.0, f64::max);
    Numerics {
        increment: increment.max(longest / 1024.0),
        max_dt,
    }
}

/// Number of steps over the record, and the largest number in one interval.
fn steps(motion: &Motion, numerics: &Numerics) -> (usize, usize) {
    let (t, x) = (motion.time(), motion.x());
    (1..t.len())
        .map(|i| numerics.parts(x[i] - x[i - 1], t[i] - t[i - 1]))
        .fold((0, 0), |(sum, most), parts| (sum + parts, most.max(parts)))
}

/// Largest difference of two histories relative to the largest value of the second.
pub(crate) fn largest_change(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    let change = a
        .iter()
        .zip(b)
        .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    if scale > 0.0 { change / scale } else { change }
}
