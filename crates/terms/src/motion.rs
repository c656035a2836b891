//! Prepared tests: smoothed motion, velocity, turns, branches, initial state of the sliders.
//!
//! The direction of a branch comes from detected turns, never from the sign of a differenced velocity: one sample per
//! turn with the wrong sign is what spoils the method of the paper.

use super::branches::Branches;
use super::error::TermsError;
use super::smoothing::{Smoothed, forward, half_window, smoothed};
use super::test::{Sign, Slope, Test};
use masing_data::cycles::{Reversal, reversals, threshold};
use masing_data::{Preload, range};
use std::ops::Range;

/// A test ready for columns.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Name in reports.
    pub name: String,
    /// Time.
    pub time: Vec<f64>,
    /// Smoothed displacement.
    pub x: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Direction of the branch that a sample lies on.
    pub sign: Vec<f64>,
    /// The turn that the branch of a sample began with: displacement there.
    pub from: Vec<f64>,
    /// Measured force.
    pub force: Vec<f64>,
    /// Samples that are compared.
    pub rows: Vec<usize>,
    /// Turning points.
    pub turns: Vec<Reversal>,
    /// Half the range of the motion.
    pub amplitude: f64,
    /// Frequency of the cycles.
    pub frequency: f64,
    /// Force noise, where it is known.
    pub noise: Option<f64>,
    /// Preload as it was given.
    pub preload: Option<Preload>,
    /// Preload as a displacement.
    pub y0: f64,
    /// Columns of the user.
    pub columns: Vec<(String, Vec<f64>)>,
    /// Samples on each side of the smoothing window.
    pub half_window: usize,
    /// Whether the record begins in the middle of a motion.
    pub mid_motion: bool,
    /// Whether the motion has corners, next to which its velocity is not known.
    pub corners: bool,
}

/// Fewest samples that can be smoothed.
const FEWEST_SAMPLES: usize = 8;

impl Prepared {
    /// Smooths a test and finds its turns.
    pub fn of(test: &Test, sign: Sign, slope: Slope) -> Result<Self, TermsError> {
        let n = test.time.len();
        let channels = [
            ("displacement", test.displacement.len()),
            ("force", test.force.len()),
            ("velocity", test.velocity.as_ref().map_or(n, Vec::len)),
        ];
        for (channel, found) in channels {
            if found != n {
                return Err(TermsError::Length {
                    test: test.name.clone(),
                    channel,
                    found,
                    expected: n,
                });
            }
        }
        if n < FEWEST_SAMPLES {
            return Err(TermsError::TooShort {
                test: test.name.clone(),
                samples: n,
                least: FEWEST_SAMPLES,
            });
        }
        let raw = &test.displacement;
        let rough = reversals(raw, threshold(raw));
        let half = half_window(&rough, raw);
        let motion = match slope {
            Slope::SavitzkyGolay => smoothed(&test.time, raw, half),
            Slope::Forward => Smoothed {
                values: raw.clone(),
                slopes: forward(&test.time, raw),
                half: 0,
                corners: false,
            },
        };
        let (x, mut v, half) = (motion.values, motion.slopes, motion.half);
        if let Some(measured) = &test.velocity {
            v.clone_from(measured);
        }
        let turns = reversals(&x, threshold(&x));
        let branch = match sign {
            Sign::Turns => Branches::of(&x, &turns),
            Sign::Velocity => Branches::by_velocity(&x, &v, &turns),
        };
        let (low, high) = range(&x);
        let amplitude = 0.5 * (high - low);
        let y0 = match test.preload {
            Some(Preload::Motion(y0)) => y0,
            _ => 0.0,
        };
        let mid_motion = y0 == 0.0 && !begins_at_rest(&x, &test.force, amplitude);
        let mut prepared = Self {
            name: test.name.clone(),
            frequency: frequency(&test.time, &turns),
            time: test.time.clone(),
            x,
            v,
            sign: branch.sign,
            from: branch.from,
            force: test.force.clone(),
            rows: Vec::new(),
            turns,
            amplitude,
            noise: test.noise,
            preload: test.preload,
            y0,
            columns: test.columns.clone(),
            half_window: half,
            mid_motion,
            corners: motion.corners && test.velocity.is_none(),
        };
        prepared.choose_rows(&test.window)?;
        prepared.measure();
        Ok(prepared)
    }

    /// Samples after the first turn, or after the first full stroke where the beginning is not known; none next to
    /// corners, where smoothing invents velocities.
    fn choose_rows(&mut self, window: &Range<usize>) -> Result<(), TermsError> {
        let least = if self.mid_motion { 2 } else { 1 };
        let Some(turn) = self.turns.get(least - 1) else {
            return Err(TermsError::NoReversal {
                test: self.name.clone(),
                turns: self.turns.len(),
                least,
            });
        };
        let first = window.start.max(turn.position.ceil() as usize);
        let last = window.end.min(self.x.len());
        let mut next = 0;
        let beside_corner = |i: usize, next: &mut usize| {
            let reach = (self.half_window + 1) as f64;
            while self
                .turns
                .get(*next)
                .is_some_and(|t| t.position + reach < i as f64)
            {
                *next += 1;
            }
            let near = self.turns.get(*next);
            self.corners && near.is_some_and(|t| (t.position - i as f64).abs() <= reach)
        };
        self.rows = (first..last)
            .filter(|&i| self.force[i].is_finite() && !beside_corner(i, &mut next))
            .collect();
        Ok(())
    }

    /// Amplitude and frequency of the part that counts.
    fn measure(&mut self) {
        let counted: Vec<f64> = self.rows.iter().map(|&i| self.x[i]).collect();
        let (low, high) = range(&counted);
        if high > low {
            self.amplitude = 0.5 * (high - low);
        }
        let turns = self.counted_turns();
        if turns.len() > 2 {
            self.frequency = frequency(&self.time, turns);
        }
    }

    /// The turns of the part that counts, with the one that it begins with.
    fn counted_turns(&self) -> &[Reversal] {
        let (Some(&first), Some(&last)) = (self.rows.first(), self.rows.last()) else {
            return &self.turns;
        };
        let before = |turn: &Reversal| turn.position < first as f64 - 1.0;
        let start = self.turns.partition_point(before);
        let end = self
            .turns
            .partition_point(|turn| turn.position <= last as f64);
        self.turns.get(start..end).unwrap_or_default()
    }

    /// The largest stroke between turns that counts.
    pub fn longest_stroke(&self) -> f64 {
        self.strokes().fold(0.0, f64::max)
    }

    /// Strokes between successive turns.
    pub fn strokes(&self) -> impl Iterator<Item = f64> + '_ {
        self.counted_turns()
            .windows(2)
            .map(|w| (w[1].value - w[0].value).abs())
    }

    /// Samples in a cycle.
    pub fn samples_per_cycle(&self) -> f64 {
        let last = self.time.len().saturating_sub(1);
        let step = (self.time[last] - self.time[0]) / last.max(1) as f64;
        1.0 / (self.frequency * step)
    }

    /// Largest speed that was compared.
    pub fn top_speed(&self) -> f64 {
        self.rows.iter().fold(0.0, |m, &i| self.v[i].abs().max(m))
    }
}

/// Whether a record begins with a hold, or without force in the middle of what follows.
fn begins_at_rest(x: &[f64], force: &[f64], amplitude: f64) -> bool {
    let few = x.len().min(5);
    let holds = x[..few]
        .iter()
        .all(|q| (q - x[0]).abs() <= 1e-3 * amplitude);
    let (low, high) = range(x);
    let peak = force.iter().filter(|f| f.is_finite());
    let peak = peak.fold(0.0_f64, |m, f| m.max(f.abs()));
    let middle = (x[0] - 0.5 * (low + high)).abs() <= 0.02 * amplitude;
    // A settled loop passes its middle with the force of its friction.
    holds || (middle && force[0].abs() <= 0.02 * peak)
}

fn frequency(time: &[f64], turns: &[Reversal]) -> f64 {
    let (Some(first), Some(last)) = (turns.first(), turns.last()) else {
        return f64::NAN;
    };
    if turns.len() < 2 {
        return f64::NAN;
    }
    let at = |p: f64| {
        let i = (p as usize).min(time.len() - 2);
        time[i] + (p - i as f64) * (time[i + 1] - time[i])
    };
    0.5 * (turns.len() - 1) as f64 / (at(last.position) - at(first.position))
}
