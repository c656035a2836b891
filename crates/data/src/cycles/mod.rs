//! Cycles of a record: from one rising crossing of the offset to the next.
//!
//! amplitude = half the peak-to-peak motion, energy = closed integral of F dx,
//! secant stiffness = peak-to-peak force / peak-to-peak motion,
//! damping ratio = energy / (2 pi secant stiffness amplitude^2),
//! K* = F1 / X1 with the first harmonics over the cycle.

use serde::Serialize;

use crate::error::DataError;
use crate::options::Window;
use crate::record::{Record, range};
use crate::timing;

mod block;
mod phasor;
mod reversal;

pub use block::{Block, blocks};
pub use phasor::{Phasor, first_harmonic};
pub use reversal::{Reversal, branches, reversals, threshold};

/// One full cycle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cycle {
    /// Sample at or before the first crossing.
    pub start: usize,
    /// Sample at or after the last crossing.
    pub end: usize,
    /// First crossing, in samples.
    #[serde(skip)]
    pub from: f64,
    /// Last crossing, in samples.
    #[serde(skip)]
    pub to: f64,
    /// Half the peak-to-peak motion, m or rad.
    pub amplitude: f64,
    /// Middle of the motion, m or rad.
    #[serde(skip)]
    pub offset: f64,
    /// Frequency, Hz, if there is time.
    pub frequency: Option<f64>,
    /// Dissipated energy, J, if there is force.
    pub energy: Option<f64>,
    /// Peak-to-peak force over peak-to-peak motion.
    pub secant_stiffness: Option<f64>,
    /// |K*| of the first harmonic, if there is time.
    pub dynamic_stiffness: Option<f64>,
    /// Angle of K*, rad, if there is time.
    pub loss_angle: Option<f64>,
    /// Equivalent damping ratio.
    pub damping_ratio: Option<f64>,
    /// Smallest and largest force.
    #[serde(skip)]
    pub force_range: Option<(f64, f64)>,
}

/// The middle of a motion: mid-range of all samples.
pub fn offset(x: &[f64]) -> f64 {
    let (low, high) = range(x);
    if low <= high {
        f64::midpoint(low, high)
    } else {
        0.0
    }
}

/// Full cycles of a motion with force and time where they exist. A cycle with a gap in time is left out: nobody knows
/// what happened in the gap.
pub fn cycles(x: &[f64], force: Option<&[f64]>, time: Option<&[f64]>) -> Vec<Cycle> {
    with_gaps(x, force, time).0
}

/// The same, and how many cycles were left out.
pub(crate) fn with_gaps(
    x: &[f64],
    force: Option<&[f64]>,
    time: Option<&[f64]>,
) -> (Vec<Cycle>, usize) {
    let turns = reversals(x, threshold(x));
    let crossings = rising_crossings(x, &turns, offset(x));
    let gaps = time.map(timing::gaps).unwrap_or_default();
    let broken = |from: f64, to: f64| {
        // A short gap in a finely sampled cycle hides nothing.
        let least = time.map_or(0.0, |t| LONG * (between(t, to) - between(t, from)));
        let first = gaps.partition_point(|g| (g.before + 1) as f64 <= from);
        gaps[first..]
            .iter()
            .take_while(|g| (g.before as f64) < to)
            .any(|g| g.duration > least)
    };
    let pairs = crossings.windows(2);
    let (whole, left_out): (Vec<_>, Vec<_>) = pairs.partition(|w| !broken(w[0], w[1]));
    let cycles = whole
        .into_iter()
        .map(|w| cycle(x, force, time, w[0], w[1]))
        .collect();
    (cycles, left_out.len())
}

/// Share of a cycle from which on a gap hides something.
const LONG: f64 = 0.02;

/// Where each rising branch crosses `level`, in samples. A record that starts on the level, rising, starts with a crossing.
fn rising_crossings(x: &[f64], turns: &[Reversal], level: f64) -> Vec<f64> {
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let last = x.len().saturating_sub(1);
    let mut bottom = match turns.first() {
        Some(r) if r.top => Some(0),
        _ => None,
    };
    for turn in turns {
        if turn.top {
            if let Some(from) = bottom.take() {
                ends.push((from, turn.index));
            }
        } else {
            bottom = Some(turn.index);
        }
    }
    if let Some(from) = bottom {
        ends.push((from, last));
    }
    let (low, high) = range(x);
    let mut found = Vec::new();
    for (from, to) in ends {
        let crossing = crossing(x, from, to, level);
        let start = from == 0 && x[0] >= level && x[0] - level < 0.02 * (high - low);
        // A record may start or end on the level itself.
        if start {
            found.push(leaving(x, to, 0.005 * (high - low)));
        } else if let Some(position) = crossing {
            found.push(position);
        } else if to == last && level - x[last] < 0.005 * (high - low) && x[last] < level {
            found.push(last as f64);
        }
    }
    found
}

/// First crossing of a rising branch.
fn crossing(x: &[f64], from: usize, to: usize, level: f64) -> Option<f64> {
    let mut previous: Option<(usize, f64)> = None;
    for i in from..=to {
        let value = x[i];
        if !value.is_finite() {
            continue;
        }
        if let Some((j, before)) = previous
            && before < level
            && value >= level
        {
            let share = (level - before) / (value - before);
            return Some(j as f64 + share * (i - j) as f64);
        }
        previous = Some((i, value));
    }
    None
}

/// Last sample of a rest at the start of a branch.
fn leaving(x: &[f64], to: usize, tolerance: f64) -> f64 {
    let Some(moving) = (1..=to).find(|&i| x[i] - x[0] > tolerance) else {
        return 0.0;
    };
    // Back down the rise to where it began; noise on a rest rises much less per sample.
    let rise = x[moving] - x[moving - 1];
    let mut start = moving - 1;
    while start > 0 && x[start] - x[start - 1] > 0.5 * rise {
        start -= 1;
    }
    start as f64
}

/// Value between two samples.
pub(crate) fn between(values: &[f64], position: f64) -> f64 {
    let i = position.floor() as usize;
    let share = position - i as f64;
    match (values.get(i), values.get(i + 1)) {
        (Some(a), _) if share == 0.0 => *a,
        (Some(a), Some(b)) => a + share * (b - a),
        (Some(a), None) => *a,
        _ => f64::NAN,
    }
}

/// The samples of a piece with interpolated ends: positions, in samples.
pub(crate) fn positions(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let first = from.floor() as usize + 1;
    let last = to.ceil() as usize;
    std::iter::once(from)
        .chain((first..last).map(|i| i as f64))
        .chain(std::iter::once(to))
}

fn cycle(x: &[f64], force: Option<&[f64]>, time: Option<&[f64]>, from: f64, to: f64) -> Cycle {
    let (start, end) = (from.floor() as usize, to.ceil() as usize);
    let (low, high) = range(&x[start..(end + 1).min(x.len())]);
    let amplitude = 0.5 * (high - low);
    let duration = time
        .map(|t| between(t, to) - between(t, from))
        .filter(|d| *d > 0.0);
    let loop_ = force.and_then(|f| Loop::new(x, f, from, to));
    let secant = loop_
        .as_ref()
        .map(|l| (l.high - l.low) / (high - low))
        .filter(|s| s.is_finite());
    let energy = loop_.as_ref().map(|l| l.energy);
    let damping = match (energy, secant) {
        (Some(e), Some(k)) if k > 0.0 && amplitude > 0.0 => {
            Some(e / (std::f64::consts::TAU * k * amplitude * amplitude))
        }
        _ => None,
    };
    let stiffness = match (force, time, duration) {
        (Some(f), Some(t), Some(_)) => phasor::complex_stiffness(t, x, f, from, to),
        _ => None,
    };
    // A force that does not change has no phase; what rounding leaves is not a stiffness.
    let still = loop_.as_ref().is_some_and(Loop::still);
    let zero = |value: Option<f64>| value.map(|v| if still { 0.0 } else { v });
    Cycle {
        start,
        end,
        from,
        to,
        amplitude,
        offset: f64::midpoint(low, high),
        frequency: duration.map(f64::recip),
        energy: zero(energy),
        secant_stiffness: zero(secant),
        dynamic_stiffness: zero(stiffness.map(phasor::Phasor::size)),
        loss_angle: stiffness.map(phasor::Phasor::angle).filter(|_| !still),
        damping_ratio: damping.filter(|_| !still),
        force_range: loop_.map(|l| (l.low, l.high)),
    }
}

/// Force over one cycle.
struct Loop {
    energy: f64,
    low: f64,
    high: f64,
}

impl Loop {
    /// Whether the force is constant but for rounding.
    fn still(&self) -> bool {
        is_constant((self.low, self.high))
    }

    /// Trapezoid over the samples that have both values; `None` if more than a tenth are missing.
    fn new(x: &[f64], force: &[f64], from: f64, to: f64) -> Option<Loop> {
        let mut out = Loop {
            energy: 0.0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
        };
        let mut previous: Option<(f64, f64)> = None;
        let mut first: Option<(f64, f64)> = None;
        let (mut used, mut missing) = (0_usize, 0_usize);
        for position in positions(from, to) {
            let (u, f) = (between(x, position), between(force, position));
            if !(u.is_finite() && f.is_finite()) {
                missing += 1;
                continue;
            }
            used += 1;
            out.low = out.low.min(f);
            out.high = out.high.max(f);
            if let Some((u0, f0)) = previous {
                out.energy += 0.5 * (f + f0) * (u - u0);
            }
            first = first.or(Some((u, f)));
            previous = Some((u, f));
        }
        if let (Some((u0, f0)), Some((u, f))) = (first, previous) {
            // A cycle that begins or ends beside the level leaves a gap, over which a static force
            // would count as energy.
            out.energy += 0.5 * (f + f0) * (u0 - u);
        }
        (used >= 3 && 10 * missing <= used).then_some(out)
    }
}

/// Whether a range is no more than rounding leaves of a constant.
pub(crate) fn is_constant((low, high): (f64, f64)) -> bool {
    high - low <= 1e-12 * low.abs().max(high.abs())
}

/// Cuts a record to one cycle, whole samples.
pub(crate) fn cut(record: &Record, window: Window) -> Result<Record, DataError> {
    let found = cycles(
        record.need_motion()?,
        record.force(),
        record.time.as_deref(),
    );
    let chosen = match window {
        Window::Cycle(number) => number.checked_sub(1).and_then(|i| found.get(i)),
        _ => stabilised(&found).map(|i| &found[i]),
    };
    let Some(cycle) = chosen else {
        let asked = match window {
            Window::Cycle(number) => number.to_string(),
            _ => "stabilised".into(),
        };
        return Err(DataError::NoCycle {
            file: record.source.file.clone(),
            asked,
            found: found.len(),
        });
    };
    Ok(record.slice(cycle.start, cycle.end + 1))
}

/// The stabilised cycle: the last of the block with the largest amplitude at the end of the record, so that a cycle of
/// switching off does not count.
pub fn stabilised(cycles: &[Cycle]) -> Option<usize> {
    let last = cycles.len().checked_sub(1)?;
    let groups = blocks(cycles);
    let group = groups.iter().rev().find(|b| b.cycles.len() >= 2);
    Some(group.map_or(last, |b| b.cycles.end - 1))
}

#[cfg(test)]
mod tests;
