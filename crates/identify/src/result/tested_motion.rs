//! Whether a test that was held out moves as the fitted ones do, or where nothing is known: further, faster, or far less and
//! far slower.

use super::{Comparison, Curves, Role};
use crate::test::Test;
use masing_data::{cycles, range};
use masing_diagnostic::thresholds::{EXTRAPOLATED, HARDLY_MOVES};
use masing_diagnostic::{Diagnostic, ResultDiagnostic};

/// How a test moves. Speeds are those of whole swings from turn to turn, which noise of the displacement does not raise.
#[derive(Clone, Copy, Debug)]
struct Motion {
    /// Smallest and largest displacement.
    reach: (f64, f64),
    /// Half the median swing, and the mean speed.
    usual: (f64, f64),
    /// Speed of the fastest swing.
    fastest: f64,
}

impl Motion {
    fn of_record(time: &[f64], x: &[f64]) -> Option<Self> {
        let turns = cycles::reversals(x, cycles::threshold(x));
        let mut swings: Vec<(f64, f64)> = turns
            .windows(2)
            .map(|w| {
                let seconds = time[w[1].index] - time[w[0].index];
                ((w[1].value - w[0].value).abs(), seconds)
            })
            .filter(|(_, seconds)| *seconds > 0.0)
            .collect();
        swings.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (median, _) = *swings.get(swings.len() / 2)?;
        let way: f64 = swings.iter().map(|(way, _)| way).sum();
        let seconds: f64 = swings.iter().map(|(_, seconds)| seconds).sum();
        let speeds = swings.iter().map(|(way, seconds)| way / seconds);
        Some(Self {
            reach: range(x),
            usual: (0.5 * median, way / seconds),
            fastest: speeds.fold(0.0, f64::max),
        })
    }

    fn of_sine(amplitude: f64, frequency: f64) -> Self {
        let speed = 4.0 * amplitude * frequency;
        Self {
            reach: (-amplitude, amplitude),
            usual: (amplitude, speed),
            fastest: speed,
        }
    }

    /// All motions of a test; none where masses move by themselves.
    fn of(test: &Comparison) -> Vec<Self> {
        match &test.curves {
            Curves::Record(own) => Self::of_record(&own.time, &own.x).into_iter().collect(),
            Curves::Sines(points) => points
                .iter()
                .map(|point| Self::of_sine(point.amplitude, point.frequency))
                .collect(),
            Curves::Masses(_) => Vec::new(),
        }
    }
}

/// Whether a motion hardly enters that of the tests: its size and that of the smallest or slowest test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beside {
    /// Half its median swing, far below that of all tests.
    pub smaller: Option<(f64, f64)>,
    /// Its mean speed, far below that of all tests.
    pub slower: Option<(f64, f64)>,
}

impl Beside {
    fn of(motion: &Motion, tests: &[Motion], by_speed: bool) -> Self {
        let least = |of: fn(&Motion) -> f64| tests.iter().map(of).fold(f64::INFINITY, f64::min);
        let told = |own: f64, least: f64| (own < HARDLY_MOVES * least).then_some((own, least));
        let tested = !tests.is_empty();
        let smaller = || told(motion.usual.0, least(|m| m.usual.0));
        let slower = || told(motion.usual.1, least(|m| m.usual.1));
        Self {
            smaller: tested.then(smaller).flatten(),
            slower: (tested && by_speed).then(slower).flatten(),
        }
    }
}

/// Whether a motion hardly enters that of tests.
pub(crate) fn beside_tests(tests: &[Test], motion: &masing_sim::Motion, by_speed: bool) -> Beside {
    let records = tests.iter().filter_map(|t| t.motion_record());
    let records = records.filter_map(|r| Motion::of_record(r.motion.time(), r.motion.x()));
    let tables = tests.iter().filter_map(|t| t.stiffness_table());
    let points = tables.flat_map(|t| &t.points);
    let points = points.map(|p| Motion::of_sine(p.amplitude, p.frequency));
    let tests: Vec<Motion> = records.chain(points).collect();
    let own = Motion::of_record(motion.time(), motion.x());
    own.map_or_else(Beside::default, |own| Beside::of(&own, &tests, by_speed))
}

/// What is to be said of the motion of tests that were held out. `by_speed`: whether the force depends on speed; `leaving`:
/// whether tests that go further than the fitted ones are told, too.
pub fn untested_motion(
    comparisons: &[Comparison],
    by_speed: bool,
    leaving: bool,
) -> Vec<Diagnostic> {
    let fitted = comparisons.iter().filter(|c| c.role == Role::Fitted);
    let fitted: Vec<Motion> = fitted.flat_map(Motion::of).collect();
    if fitted.is_empty() {
        return Vec::new();
    }
    let least = |of: fn(&Motion) -> f64| fitted.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&Motion) -> f64| fitted.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = (least(|m| m.reach.0), most(|m| m.reach.1));
    let margin = 0.5 * (EXTRAPOLATED - 1.0) * (high - low);
    let fastest = most(|m| m.fastest);
    let held_out = comparisons.iter().filter(|c| c.role == Role::HeldOut);
    let mut out = Vec::new();
    for test in held_out {
        let Some(motion) = Motion::of(test).into_iter().next() else {
            continue;
        };
        let told = |is: bool, pair: (f64, f64)| is.then_some(pair);
        let (left, right) = motion.reach;
        let beyond = if right - high > low - left {
            right
        } else {
            left
        };
        let far = left < low - margin || right > high + margin;
        let faster = by_speed && motion.fastest > EXTRAPOLATED * fastest;
        let Beside { smaller, slower } = Beside::of(&motion, &fitted, by_speed);
        if (leaving && (far || faster)) || smaller.is_some() || slower.is_some() {
            let untested = ResultDiagnostic::UntestedMotion {
                test: test.name.clone(),
                reach: (leaving && far).then_some((beyond, [low, high])),
                faster: told(leaving && faster, (motion.fastest, fastest)),
                smaller,
                slower,
            };
            out.push(untested.into());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Pair, RecordCurves};
    use std::f64::consts::TAU;

    fn test(name: &str, role: Role, motion: impl Fn(f64) -> f64) -> Comparison {
        let time: Vec<f64> = (0..8000).map(|i| f64::from(i) * 0.005).collect();
        let x: Vec<f64> = time.iter().map(|t| motion(*t)).collect();
        Comparison {
            curves: Curves::Record(RecordCurves {
                force: Pair {
                    measured: x.clone(),
                    model: x.clone(),
                },
                time,
                x,
                preload: masing_data::Preload::default(),
                outside: 0,
            }),
            ..Comparison::of_error(name, role, 0.1)
        }
    }

    fn sine(name: &str, role: Role, amplitude: f64, frequency: f64) -> Comparison {
        test(name, role, move |t| amplitude * (TAU * frequency * t).sin())
    }

    fn told(held_out: Comparison, by_speed: bool) -> Vec<String> {
        let fitted = [
            sine("slow", Role::Fitted, 20e-3, 0.25),
            sine("fast", Role::Fitted, 2e-3, 5.0),
            held_out,
        ];
        let found = untested_motion(&fitted, by_speed, true);
        found
            .iter()
            .map(|d| d.text(masing_diagnostic::Units::Translation))
            .collect()
    }

    #[test]
    fn motion_beside_what_was_fitted_is_told_with_numbers() {
        let inside = sine("inside", Role::HeldOut, 10e-3, 0.5);
        assert!(told(inside, true).is_empty());
        let large = told(sine("large", Role::HeldOut, 30e-3, 0.25), true);
        assert!(
            large[0].contains("30 mm (fitted -20 mm to 20 mm)"),
            "{large:?}"
        );
        let fast = told(sine("fast", Role::HeldOut, 10e-3, 3.0), true);
        assert!(fast[0].contains("(fitted up to 40"), "{fast:?}");
        // As an earthquake: its peak is among the amplitudes of the sines, most of it is far smaller and slower.
        let parts = [0.11, 0.23, 0.37, 0.61];
        let quake = move |t: f64| {
            let all: f64 = parts.iter().map(|f| (TAU * f * t + 9.0 * f).sin()).sum();
            2e-3 * all * (-(t - 10.0).powi(2) / 20.0).exp()
        };
        let small = told(test("quake", Role::HeldOut, quake), true);
        assert!(
            small[0].contains("`quake`") && small[0].contains("slowest fitted test"),
            "{small:?}"
        );
    }

    #[test]
    fn speed_counts_only_where_the_force_depends_on_it() {
        let slow = || sine("slow", Role::HeldOut, 10e-3, 0.025);
        assert_eq!(told(slow(), true).len(), 1);
        assert!(told(slow(), false).is_empty());
        let small = told(sine("small", Role::HeldOut, 0.5e-3, 0.25), false);
        assert!(
            small[0].contains("0.5 mm") && small[0].contains("2 mm"),
            "{small:?}"
        );
    }
}
