//! The motion that a model is for: errors on tests left out count as often as that motion has their speed and
//! amplitude.
//!
//! Samples are sorted into bins of speed and amplitude. In a bin that holds the share q of the target motion and the
//! share p of the tests, an error counts q/p times, but at most ten times; what that cuts off counts for all samples
//! alike. Rules and reasons: `docs/math/compare.md`.

mod bins;
mod outlook;

pub use outlook::{Disagreement, Largest, Outlook, Outside};

use super::trial::LeftOutError;
use crate::test::Test;
use bins::{Bins, SPEEDS};
use masing_data::cycles::{reversals, threshold};
use masing_model::Levels;
use masing_sim::Motion;
use std::f64::consts::TAU;

/// Most that a sample counts against the mean of all: slow pieces of a sine are a twentieth of it, and may count for
/// half.
const MOST: f64 = 10.0;
/// Phases of a sine at which its speed is looked at.
const PHASES: usize = 16;

/// The motion that a model is for.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// The motion.
    pub motion: Motion,
    /// Levels of the conditions it takes place at, where they are told.
    pub levels: Levels,
}

/// Where a sample of a motion is: its speed, and half the swing that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    speed: f64,
    amplitude: f64,
}

/// How much errors count, by speed and amplitude.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    bins: Bins,
    /// Bin by bin.
    weights: Vec<f64>,
    /// Share of the target motion that has its like in the tests.
    pub(super) alike: f64,
}

impl Aim {
    /// How much errors on the tests count for a target; speeds do not count where the tests have no time.
    pub(super) fn new(target: &Target, tests: &[Test], timed: bool) -> Self {
        let mut tested = Vec::new();
        for test in tests {
            let own: Vec<Place> = places(test).into_iter().flat_map(|(_, p)| p).collect();
            let share = 1.0 / own.len().max(1) as f64;
            tested.extend(own.into_iter().map(|place| (place, share)));
        }
        let most = |of: fn(&Place) -> f64| tested.iter().map(|(p, _)| of(p)).fold(0.0, f64::max);
        let speeds = if timed { SPEEDS } else { 1 };
        let bins = Bins::new(most(|p| p.speed), most(|p| p.amplitude), speeds);
        let motion = &target.motion;
        let sought = || of_motion(motion).into_iter().zip(durations(motion.time()));
        let within = sought().filter(|(place, _)| !bins.beyond(place));
        let seconds: f64 = sought().map(|(_, duration)| duration).sum();
        let tests = bins.shares(tested.into_iter(), tests.len() as f64);
        let within = bins.shares(within, seconds);
        let alike = within.iter().zip(&tests).map(|(q, p)| q.min(MOST * p));
        let alike = alike.sum();
        let moved = bins.to_nearest(&bins.shares(sought(), seconds), &tests);
        let ratio = |(q, p): (&f64, &f64)| if *p > 0.0 { (q / p).min(MOST) } else { 0.0 };
        let ratios: Vec<f64> = moved.iter().zip(&tests).map(ratio).collect();
        let kept: f64 = ratios.iter().zip(&tests).map(|(r, p)| r * p).sum();
        Self {
            weights: ratios.iter().map(|r| r + (1.0 - kept).max(0.0)).collect(),
            bins,
            alike,
        }
    }

    fn weight(&self, places: &[Place]) -> f64 {
        let each = places.iter().map(|p| self.weights[self.bins.of(p)]);
        each.sum::<f64>() / places.len().max(1) as f64
    }

    /// The error on a test beside predicted values, and how much the test counts.
    fn error(&self, test: &Test, predicted: &[f64]) -> (f64, f64) {
        let rows = test.rows();
        let places = places(test);
        let (mut squares, mut sum) = (0.0, 0.0);
        for row in &rows {
            let own = places.binary_search_by_key(&row.entry, |(entry, _)| *entry);
            let weight = own.map_or(1.0, |at| self.weight(&places[at].1));
            squares += weight * ((predicted[row.entry] - row.measured) / row.size).powi(2);
            sum += weight;
        }
        // The divisor of a test for its mean of squares, as for errors that are not weighted.
        let count = rows.len().max(1) as f64;
        let mean = squares / sum.max(f64::MIN_POSITIVE) * count / test.share(rows.len());
        (mean.sqrt(), sum / count)
    }
}

/// The error on tests that were left out together, with what was predicted of each; without an aim all count alike.
pub(super) fn error_on(
    aim: Option<&Aim>,
    name: &str,
    left: &[(Test, f64, Vec<f64>)],
) -> LeftOutError {
    let of = |(test, relative, predicted): &(Test, f64, Vec<f64>)| match aim {
        Some(aim) => aim.error(test, predicted),
        None => (*relative, 1.0),
    };
    let each: Vec<(f64, f64)> = left.iter().map(of).collect();
    let weight: f64 = each.iter().map(|(_, weight)| weight).sum();
    let squares: f64 = each.iter().map(|(e, weight)| weight * e * e).sum();
    LeftOutError {
        name: name.to_owned(),
        error: (squares / weight.max(f64::MIN_POSITIVE)).sqrt(),
        weight: weight / left.len().max(1) as f64,
    }
}

/// Where the predicted values of a test are: by entry, one place for a sample and several for a point of a table.
fn places(test: &Test) -> Vec<(usize, Vec<Place>)> {
    if let Some(rig) = test.motion_record() {
        let all = of_motion(&rig.motion);
        return rig.samples().map(|i| (i, vec![all[i]])).collect();
    }
    let Some(table) = test.stiffness_table() else {
        return vec![];
    };
    let points = table.points.iter().enumerate();
    let of = points.flat_map(|(i, point)| {
        let peak = TAU * point.frequency * point.amplitude;
        let place = |k: usize| Place {
            speed: peak * (TAU * (k as f64 + 0.5) / PHASES as f64).cos().abs(),
            amplitude: point.amplitude,
        };
        let places: Vec<Place> = (0..PHASES).map(place).collect();
        // Stiffness and angle of a point follow each other.
        [(2 * i, places.clone()), (2 * i + 1, places)]
    });
    of.collect()
}

/// Speed and amplitude of every sample. What comes before the first turn and after the last belongs to the swing
/// next to it.
fn of_motion(motion: &Motion) -> Vec<Place> {
    let x = motion.x();
    let turns = reversals(x, threshold(x));
    let swings: Vec<f64> = turns
        .windows(2)
        .map(|w| 0.5 * (w[1].value - w[0].value).abs())
        .collect();
    let (low, high) = masing_data::range(x);
    let amplitude = |i: usize| {
        let after = turns.partition_point(|turn| turn.index <= i);
        let swing = after.saturating_sub(1).min(swings.len().saturating_sub(1));
        swings.get(swing).copied().unwrap_or(0.5 * (high - low))
    };
    let each = motion.v().iter().enumerate();
    each.map(|(i, v)| Place {
        speed: v.abs(),
        amplitude: amplitude(i),
    })
    .collect()
}

/// How long each sample stands for.
fn durations(time: &[f64]) -> Vec<f64> {
    let last = time.len().saturating_sub(1);
    let of = |i: usize| 0.5 * (time[(i + 1).min(last)] - time[i.saturating_sub(1)]);
    (0..time.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::MotionRecord;

    fn sine(amplitude: f64, frequency: f64) -> Motion {
        let time: Vec<f64> = (0..=800)
            .map(|i| 0.005 * f64::from(i) / frequency)
            .collect();
        let x = time
            .iter()
            .map(|t| amplitude * (TAU * frequency * t).sin())
            .collect();
        Motion::new(time, x, None).expect("a motion")
    }

    fn test(amplitude: f64, frequency: f64) -> Test {
        let motion = sine(amplitude, frequency);
        let force = motion.x().to_vec();
        Test::of("sine", MotionRecord::new(motion, force))
    }

    fn aim(target: Motion, tests: &[Test]) -> Aim {
        let target = Target {
            name: "target".to_owned(),
            motion: target,
            levels: Levels::new(),
        };
        Aim::new(&target, tests, true)
    }

    fn mean(aim: &Aim, test: &Test) -> f64 {
        aim.error(test, &vec![0.0; 801]).1
    }

    #[test]
    fn amplitudes_are_those_of_swings() {
        let places = of_motion(&sine(2.0, 0.5));
        assert!(places.iter().all(|p| (p.amplitude - 2.0).abs() < 1e-3));
        // 2e-4: between samples the fastest one is missed.
        let fastest = places.iter().map(|p| p.speed).fold(0.0, f64::max);
        assert!((fastest / TAU - 1.0).abs() < 1e-3, "{fastest}");
        let straight = Motion::new(vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 4.0], None).unwrap();
        assert!(of_motion(&straight).iter().all(|p| p.amplitude == 2.0));
        assert_eq!(durations(&[0.0, 1.0, 3.0]), [0.5, 1.5, 1.0]);
    }

    #[test]
    fn tests_that_move_as_the_target_does_count_most() {
        let tests = [test(1.0, 1.0), test(8.0, 1.0)];
        // The tests themselves, half each: everything counts alike.
        let mut both = sine(1.0, 1.0).x().to_vec();
        both.extend(sine(8.0, 1.0).x());
        let time = (0..both.len()).map(|i| 0.005 * i as f64).collect();
        let alike = aim(Motion::new(time, both, None).unwrap(), &tests);
        for own in &tests {
            // The seam between the two sines, 6 % of the motion, is a swing of its own.
            assert!((mean(&alike, own) - 1.0).abs() < 0.07, "{alike:?}");
        }
        let small = aim(sine(1.0, 1.0), &tests);
        assert!((small.alike - 1.0).abs() < 1e-9);
        assert!(mean(&small, &tests[0]) > 1.9 && mean(&small, &tests[1]) < 0.1);
        // Slow pieces of fast tests count for a slow target, but not more than ten times.
        let slow = aim(sine(1.0, 0.05), &tests);
        let most = slow.weights.iter().copied().fold(0.0, f64::max);
        assert!(most > 5.0 && most <= MOST, "{most}");
        // Fewer than a tenth of the samples are that slow: what they cannot stand for, all do alike.
        let slower = aim(sine(8.0, 0.01), &tests);
        let least = slower.weights.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(slower.alike < 0.2 && (least - 1.0 + slower.alike).abs() < 1e-9);
        // What no test has counts for the nearest that one has.
        let far = aim(sine(40.0, 0.2), &tests);
        assert!(far.alike < 1e-9 && mean(&far, &tests[1]) > mean(&far, &tests[0]));
    }

    #[test]
    fn weights_have_a_mean_of_one() {
        let tests = [test(1.0, 1.0), test(2.0, 3.0), test(8.0, 0.3)];
        for target in [sine(1.0, 0.05), sine(3.0, 2.0), sine(100.0, 9.0)] {
            let aim = aim(target, &tests);
            let sum: f64 = tests.iter().map(|t| mean(&aim, t)).sum();
            // To rounding.
            assert!((sum / 3.0 - 1.0).abs() < 1e-9, "{sum}");
        }
    }
}
