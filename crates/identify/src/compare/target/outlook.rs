//! What the tied models make of the motion that a model is for, and how much of it the tests cover.

use super::{Aim, Target, durations};
use crate::compare::ladder::{Rung, Standing};
use crate::objective::Workers;
use crate::result::tested_motion::{Beside, beside_tests};
use crate::test::Test;
use masing_model::{Levels, Model, Validity};
use masing_sim::{MOST_WORK, Motion, Prescribed, choose_steps, rate_independent};

/// Models that are simulated over the motion: the chosen one and those tied with it that predict best.
const MOST_MODELS: usize = 8;
/// Accuracy of the steps: far below what tied models differ by.
const ACCURACY: f64 = 1e-3;

/// The motion that a model is for, beside the tests and under the tied models.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// Its name.
    pub name: String,
    /// Share of it that has its like in the tests: a speed with an amplitude that they have often enough to count as
    /// much as it should.
    pub alike: f64,
    /// What lies outside the tests; none where no test says what it covered.
    pub outside: Option<Outside>,
    /// Whether it moves far less or far slower than the tests do.
    pub beside: Beside,
    /// The motion.
    pub motion: Motion,
    /// Levels of conditions at which the forces are given.
    pub levels: Levels,
    /// Forces over the motion: place of the model in the ladder, the chosen one first.
    pub forces: Vec<(usize, Vec<f64>)>,
    /// Places of tied models that could not be simulated over it.
    pub failed: Vec<usize>,
    /// What they differ by; none with a single model.
    pub disagreement: Option<Disagreement>,
}

/// Shares of a motion, by time, outside what the tests covered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// Displacements beyond those of all tests.
    pub displacement: f64,
    /// Faster than all tests; none where the tests have no time.
    pub speed: Option<f64>,
    /// Both at once.
    pub both: f64,
    /// One or the other.
    pub any: f64,
}

/// What models differ by over a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// Root mean square of the deviations from their mean, over models and time, relative to the rms of that mean.
    pub spread: f64,
    /// Deviation of each model from the chosen one, relative to the rms force of that one, in the order of the forces.
    pub from_chosen: Vec<f64>,
    /// Where they differ most.
    pub largest: Largest,
}

/// Where models differ most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Largest {
    /// Time.
    pub time: f64,
    /// Displacement there.
    pub x: f64,
    /// Velocity there.
    pub v: f64,
    /// Smallest and largest force there.
    pub force: [f64; 2],
    /// Places in the ladder of the models that give them.
    pub models: [usize; 2],
}

/// Forces of models, none where one cannot be simulated.
type Forces = Vec<Option<Vec<f64>>>;

impl Outlook {
    /// What the tied models of a ladder make of a target, and how much of it the tests cover.
    pub(in crate::compare) fn new(
        target: &Target,
        aim: &Aim,
        ladder: &[Rung],
        tests: &[Test],
        timed: bool,
        workers: &Workers,
    ) -> Self {
        let chosen = ladder.iter().position(|r| r.standing == Standing::Chosen);
        let tied = (0..ladder.len()).filter(|i| ladder[*i].standing == Standing::Tied);
        let shown: Vec<usize> = chosen.into_iter().chain(tied).take(MOST_MODELS).collect();
        let mut best: Option<(f64, Levels, Forces)> = None;
        for levels in levels(target, &shown, ladder, tests) {
            let forces: Forces = workers.map(shown.len(), |i| {
                force(&ladder[shown[i]].trial.model, &levels, &target.motion)
            });
            let found: Vec<&Vec<f64>> = forces.iter().flatten().collect();
            let spread = spread(&found);
            // Where the levels are not told, those count at which the models differ most.
            if best.as_ref().is_none_or(|(most, ..)| spread > *most) {
                best = Some((spread, levels, forces));
            }
        }
        let (_, levels, forces) = best.unwrap_or_default();
        let each = || shown.iter().copied().zip(&forces);
        let failed = each()
            .filter(|(_, f)| f.is_none())
            .map(|(i, _)| i)
            .collect();
        let forces: Vec<(usize, Vec<f64>)> =
            each().filter_map(|(i, f)| Some((i, f.clone()?))).collect();
        let leader = chosen.map(|i| &ladder[i].trial.model);
        let by_speed = timed
            && leader.is_some_and(|m| {
                rate_independent(m.assembly(), m.element_values()).is_ok_and(|path| !path)
            });
        Self {
            name: target.name.clone(),
            alike: aim.alike,
            outside: leader.and_then(|model| outside(target, tests, model, timed)),
            beside: beside_tests(tests, &target.motion, by_speed),
            disagreement: disagreement(&forces, &target.motion),
            motion: target.motion.clone(),
            levels,
            forces,
            failed,
        }
    }
}

/// The levels at which models are simulated: those of the target, or where it does not tell them those of the tests.
fn levels(target: &Target, shown: &[usize], ladder: &[Rung], tests: &[Test]) -> Vec<Levels> {
    let conditions = shown
        .iter()
        .flat_map(|i| ladder[*i].trial.model.conditions());
    let known = conditions
        .map(|c| &c.name)
        .all(|name| target.levels.contains_key(name));
    if known {
        return vec![target.levels.clone()];
    }
    let mut out: Vec<Levels> = Vec::new();
    for test in tests {
        let mut own = test.conditions.clone();
        own.extend(target.levels.clone());
        if !out.contains(&own) {
            out.push(own);
        }
    }
    out
}

/// The force of a model over a motion, from rest; none where it cannot be simulated.
fn force(model: &Model, levels: &Levels, motion: &Motion) -> Option<Vec<f64>> {
    let model = model.at(levels).ok()?;
    let (assembly, p) = (model.assembly(), model.element_values());
    let mut motion = motion.clone();
    let numerics = choose_steps(assembly, p, &mut motion, ACCURACY, MOST_WORK).ok()?;
    let force = Prescribed::new(assembly, &motion, numerics).run(p).ok()?;
    force.iter().all(|f| f.is_finite()).then_some(force)
}

fn mean_square(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(s, n), v| (s + v * v, n + 1));
    sum / count.max(1) as f64
}

/// Root mean square of the deviations from the mean of all, relative to that of the mean.
fn spread(forces: &[&Vec<f64>]) -> f64 {
    let n = forces.first().map_or(0, |f| f.len());
    let count = forces.len().max(1) as f64;
    let mean: Vec<f64> = (0..n)
        .map(|i| forces.iter().map(|f| f[i]).sum::<f64>() / count)
        .collect();
    let away = forces
        .iter()
        .flat_map(|f| f.iter().zip(&mean).map(|(f, m)| f - m));
    (mean_square(away) / mean_square(mean.iter().copied()).max(f64::MIN_POSITIVE)).sqrt()
}

fn disagreement(forces: &[(usize, Vec<f64>)], motion: &Motion) -> Option<Disagreement> {
    let (_, first) = forces.first().filter(|_| forces.len() > 1)?;
    let all: Vec<&Vec<f64>> = forces.iter().map(|(_, f)| f).collect();
    let size = mean_square(first.iter().copied()).max(f64::MIN_POSITIVE);
    let from_chosen = |own: &&Vec<f64>| {
        let away = own.iter().zip(first).map(|(f, c)| f - c);
        (mean_square(away) / size).sqrt()
    };
    let ends = |i: usize| {
        let by_force = |a: &&(usize, Vec<f64>), b: &&(usize, Vec<f64>)| a.1[i].total_cmp(&b.1[i]);
        let low = forces.iter().min_by(by_force)?;
        let high = forces.iter().max_by(by_force)?;
        Some((high.1[i] - low.1[i], i, [low, high]))
    };
    let places = (0..motion.len()).filter_map(ends);
    let (_, i, two) = places.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
    Some(Disagreement {
        spread: spread(&all),
        from_chosen: all.iter().map(from_chosen).collect(),
        largest: Largest {
            time: motion.time()[i],
            x: motion.x()[i],
            v: motion.v()[i],
            force: two.map(|(_, force)| force[i]),
            models: two.map(|(place, _)| *place),
        },
    })
}

fn outside(target: &Target, tests: &[Test], model: &Model, timed: bool) -> Option<Outside> {
    let covered = tests.iter().filter_map(|t| t.covers(&at_test(model, t)?));
    let covered = covered.reduce(Validity::and)?;
    let motion = &target.motion;
    let all: f64 = durations(motion.time()).iter().sum();
    let share = |is: &dyn Fn(f64, f64) -> bool| {
        let each = motion
            .x()
            .iter()
            .zip(motion.v())
            .zip(durations(motion.time()));
        let own = each.filter(|((x, v), _)| is(**x, **v)).map(|(_, d)| d);
        // Not by `sum`, whose zero is a negative one.
        own.fold(0.0, |sum, d| sum + d) / all.max(f64::MIN_POSITIVE)
    };
    let fast = |v: f64| timed && covered.speed_outside(v);
    let far = |x: f64| covered.displacement_outside(x);
    Some(Outside {
        displacement: share(&|x, _| far(x)),
        speed: timed.then(|| share(&|_, v| fast(v))),
        both: share(&|x, v| far(x) && fast(v)),
        any: share(&|x, v| far(x) || fast(v)),
    })
}

/// The model at the levels of a test: a preload given as a force is a displacement there.
fn at_test(model: &Model, test: &Test) -> Option<Model> {
    model.at(&test.conditions).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion() -> Motion {
        Motion::new(vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 2.0], None).unwrap()
    }

    #[test]
    fn the_place_of_largest_disagreement_is_named() {
        let forces = [(3, vec![1.0, 2.0, 3.0]), (0, vec![1.0, 5.0, 3.0])];
        let found = disagreement(&forces, &motion()).unwrap();
        assert_eq!(found.largest.time, 1.0);
        assert_eq!(found.largest.force, [2.0, 5.0]);
        assert_eq!(found.largest.models, [3, 0]);
        // Means 1, 3.5, 3; deviations of 1.5 twice.
        let expected = (4.5_f64 / 6.0).sqrt() / (22.25_f64 / 3.0).sqrt();
        assert!((found.spread - expected).abs() < 1e-12);
        assert_eq!(found.from_chosen[0], 0.0);
        assert!((found.from_chosen[1] - (9.0_f64 / 14.0).sqrt()).abs() < 1e-12);
        assert!(disagreement(&forces[..1], &motion()).is_none());
    }
}
