//! Tests made ready: smoothed motion, velocity, turns, branches, the state that sliders begin in.
//!
//! The direction of a branch comes from detected turns, never from the sign of a differenced velocity: one sample per
//! turn with the wrong sign is what spoils the method of the paper.

use super::error::TermsError;
use masing_data::cycles::{Reversal, reversals, threshold};
use masing_data::signal::smooth;
use std::ops::Range;

/// One test as it was measured, SI.
#[derive(Clone, Debug)]
pub struct Test {
    /// Name in reports.
    pub name: String,
    /// Time, growing.
    pub time: Vec<f64>,
    /// Displacement.
    pub displacement: Vec<f64>,
    /// Velocity, where it was measured.
    pub velocity: Option<Vec<f64>>,
    /// Force; NaN is missing.
    pub force: Vec<f64>,
    /// Samples that may be compared; what comes before is history.
    pub window: Range<usize>,
    /// Standard deviation of the force noise, where it is known.
    pub noise: Option<f64>,
    /// What is known about the preload.
    pub preload: Preload,
    /// Columns of the user, by name.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// What the part is under before a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preload {
    /// A displacement.
    Displacement(f64),
    /// A force: one more equation for a displacement that is found.
    Force(f64),
    /// Nothing is known: found from the data.
    Unknown,
}

/// Where the sign of a branch comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// Detected turns.
    #[default]
    Turns,
    /// The sign of the velocity, as in the paper.
    Velocity,
}

/// How the velocity is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slope {
    /// Savitzky-Golay of degree 4 over an eighth of a period.
    #[default]
    SavitzkyGolay,
    /// Difference to the next sample, as in the paper; the displacement is not smoothed.
    Forward,
}

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
    pub preload: Preload,
    /// Preload as a displacement.
    pub y0: f64,
    /// Columns of the user.
    pub columns: Vec<(String, Vec<f64>)>,
    /// Samples on each side of the smoothing window.
    pub half_window: usize,
    /// Whether the record begins in the middle of a motion.
    pub mid_motion: bool,
}

/// Share of a period that the smoothing window spans.
const WINDOW: f64 = 0.125;
/// Smoothing that changes a motion by less than this share of its amplitude finds no noise there.
const NO_NOISE: f64 = 2e-6;
/// Samples below which nothing can be smoothed.
const LEAST: usize = 8;

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
        if n < LEAST {
            return Err(TermsError::TooShort {
                test: test.name.clone(),
                samples: n,
                least: LEAST,
            });
        }
        let raw = &test.displacement;
        let rough = reversals(raw, threshold(raw));
        let half = half_window(&rough, raw);
        let (x, mut v, half) = match slope {
            Slope::SavitzkyGolay => smoothed(&test.time, raw, half),
            Slope::Forward => (raw.clone(), forward(&test.time, raw), 0),
        };
        if let Some(measured) = &test.velocity {
            v.clone_from(measured);
        }
        let turns = reversals(&x, threshold(&x));
        let branch = Branches::of(&x, &turns);
        let sign = match sign {
            Sign::Turns => branch.sign,
            // The paper's convention: 1 for v > 0, else -1.
            Sign::Velocity => v
                .iter()
                .map(|v| if *v > 0.0 { 1.0 } else { -1.0 })
                .collect(),
        };
        let (low, high) = range(&x);
        let amplitude = 0.5 * (high - low);
        let y0 = match test.preload {
            Preload::Displacement(y0) => y0,
            _ => 0.0,
        };
        let mid_motion = y0 == 0.0 && !begins_at_rest(&x, &test.force, amplitude);
        let mut prepared = Self {
            name: test.name.clone(),
            frequency: frequency(&test.time, &turns),
            time: test.time.clone(),
            x,
            v,
            sign,
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
        };
        prepared.choose_rows(&test.window)?;
        prepared.measure();
        Ok(prepared)
    }

    /// Samples after the first turn, or after the first full stroke where the beginning is not known.
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
        self.rows = (first..last)
            .filter(|&i| self.force[i].is_finite())
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

    /// Stretch of sliders that slip at `r`, and the direction of their last slip (0 before the first), sample by
    /// sample. Turns between samples are stepped onto.
    pub fn slider(&self, r: f64) -> (Vec<f64>, Vec<f64>) {
        let n = self.x.len();
        let (mut out, mut slipped) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut z, mut slip) = (0.0_f64, 0.0_f64);
        let mut last = self.x[0];
        let mut turn = 0;
        if self.mid_motion {
            if let [first, second, ..] = self.turns.as_slice() {
                // A settled cycle of this stroke turns with its sliders stretched by half of it at most.
                let reach = 0.5 * (second.value - first.value).abs();
                let side = if first.top { 1.0 } else { -1.0 };
                slip = if r < reach { side } else { 0.0 };
                z = side * r.min(reach) - (first.value - self.x[0]);
                z = z.clamp(-r, r);
            }
        } else {
            z = self.y0.clamp(-r, r);
            slip = if self.y0.abs() >= r {
                self.y0.signum()
            } else {
                0.0
            };
        }
        let mut step = |to: f64, last: &mut f64| {
            let trial = z + (to - *last);
            z = trial.clamp(-r, r);
            if trial > r {
                slip = 1.0;
            } else if trial < -r {
                slip = -1.0;
            }
            *last = to;
            (z, slip)
        };
        for i in 0..n {
            while let Some(next) = self.turns.get(turn) {
                if next.position > i as f64 {
                    break;
                }
                if next.position < i as f64 {
                    step(next.value, &mut last);
                }
                turn += 1;
            }
            let (stretch, direction) = step(self.x[i], &mut last);
            out.push(stretch);
            slipped.push(direction);
        }
        (out, slipped)
    }

    /// Largest speed that was compared.
    pub fn top_speed(&self) -> f64 {
        self.rows.iter().fold(0.0, |m, &i| self.v[i].abs().max(m))
    }
}

/// Directions and beginnings of branches, sample by sample.
struct Branches {
    sign: Vec<f64>,
    from: Vec<f64>,
}

impl Branches {
    fn of(x: &[f64], turns: &[Reversal]) -> Self {
        let n = x.len();
        let (mut sign, mut from) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let rises = turns.first().map_or(x[n - 1] >= x[0], |turn| turn.top);
        let mut direction = if rises { 1.0 } else { -1.0 };
        let (mut beginning, mut next) = (x[0], 0);
        for i in 0..n {
            while let Some(turn) = turns.get(next) {
                // A sample on the turn still belongs to the branch that ends there.
                if turn.position >= i as f64 {
                    break;
                }
                direction = if turn.top { -1.0 } else { 1.0 };
                beginning = turn.value;
                next += 1;
            }
            sign.push(direction);
            from.push(beginning);
        }
        Self { sign, from }
    }
}

/// Half the smoothing window in samples, from the distance of turns.
fn half_window(turns: &[Reversal], x: &[f64]) -> usize {
    let mut strokes: Vec<f64> = turns
        .windows(2)
        .map(|w| w[1].position - w[0].position)
        .collect();
    strokes.sort_by(f64::total_cmp);
    let period = match strokes.get(strokes.len() / 2) {
        Some(half) => 2.0 * half,
        None => x.len() as f64,
    };
    let most = x.len().saturating_sub(1) / 4;
    ((0.5 * WINDOW * period) as usize).clamp(2, most.max(2))
}

/// The motion smoothed over the window, or over a narrower one where the wide one changes it by more than its noise.
fn smoothed(time: &[f64], raw: &[f64], half: usize) -> (Vec<f64>, Vec<f64>, usize) {
    let (low, high) = range(raw);
    let amplitude = 0.5 * (high - low);
    let noise = masing_data::signal::noise::from_differences(raw);
    let mut half = half;
    loop {
        let degree = if half >= 3 { 4 } else { 2 };
        let Ok(found) = smooth(time, raw, half, degree) else {
            return (raw.to_vec(), forward(time, raw), 0);
        };
        let off: Vec<f64> = found.values.iter().zip(raw).map(|(a, b)| a - b).collect();
        let size = (off.iter().map(|d| d * d).sum::<f64>() / off.len() as f64).sqrt();
        if half > 2 && size < NO_NOISE * amplitude {
            // Nothing to smooth: the polynomial through five samples is the better derivative.
            if let Ok(found) = smooth(time, raw, 2, 4) {
                return (raw.to_vec(), found.slopes, 2);
            }
        }
        let worst = off.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        // Corners that smoothing rounds off stand out of the noise, whose largest of many is five deviations.
        if half <= 2 || worst <= (8.0 * noise).max(1e-3 * amplitude) {
            return (found.values, found.slopes, half);
        }
        half = (half / 2).max(2);
    }
}

fn forward(time: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n)
        .map(|i| {
            let i = i.min(n.saturating_sub(2));
            (x[i + 1] - x[i]) / (time[i + 1] - time[i])
        })
        .collect()
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

fn range(x: &[f64]) -> (f64, f64) {
    x.iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| {
            (a.min(x), b.max(x))
        })
}
