//! How the motion of a record goes: cycles, random, as in an earthquake, holds, one way.

use crate::cycles::{self, Reversal};
use crate::record::range;
use masing_diagnostic::{RecordKind, thresholds};

/// Turns from which swings can be compared with the next in the same direction often enough.
const ENOUGH_TURNS: usize = 5;

/// The kind of a record by its motion.
pub fn record_kind(x: &[f64]) -> RecordKind {
    of(x, &cycles::reversals(x, cycles::threshold(x)))
}

/// The same, where the turns are known.
pub(crate) fn of(x: &[f64], turns: &[Reversal]) -> RecordKind {
    let enough = turns.len() >= ENOUGH_TURNS;
    if enough && regular(turns) >= thresholds::CYCLIC_SHARE {
        RecordKind::Cycles
    } else if held(x) >= thresholds::HELD_SHARE {
        RecordKind::Holds
    } else if turns.len() < 2 {
        RecordKind::Ramp
    } else if !enough {
        RecordKind::Cycles
    } else if strong_phase(x) >= thresholds::STRONG_PHASE {
        RecordKind::Random
    } else {
        RecordKind::Earthquake
    }
}

/// Samples in a cycle: in the shortest one, or where there are no cycles as often as not from a turn to the next but one.
pub fn samples_per_cycle(
    kind: RecordKind,
    found: &[cycles::Cycle],
    turns: &[Reversal],
) -> Option<usize> {
    if kind == RecordKind::Cycles {
        return found.iter().map(|c| c.end - c.start).min();
    }
    let mut lengths: Vec<usize> = turns.windows(3).map(|w| w[2].index - w[0].index).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied()
}

/// Share of the groups of four swings that are regular: each as long as the next in the same direction, whatever the middle
/// does meanwhile, or steadily growing or shrinking.
fn regular(turns: &[Reversal]) -> f64 {
    let swings: Vec<f64> = turns
        .windows(2)
        .map(|w| (w[1].value - w[0].value).abs())
        .collect();
    let alike = |a: f64, b: f64| a.min(b) >= thresholds::ALIKE_SWINGS * a.max(b);
    let grows = |a: f64, b: f64| b >= thresholds::STEADY_SWINGS * a;
    let is_regular = |w: &&[f64]| {
        (alike(w[0], w[2]) && alike(w[1], w[3]))
            || w.windows(2).all(|w| grows(w[0], w[1]))
            || w.windows(2).all(|w| grows(w[1], w[0]))
    };
    let groups = swings.windows(4);
    groups.clone().filter(is_regular).count() as f64 / groups.len().max(1) as f64
}

/// Share of the samples at which the motion is held away from where it began.
fn held(x: &[f64]) -> f64 {
    let (low, high) = range(x);
    let span = high - low;
    let Some(start) = x.iter().copied().find(|v| v.is_finite()) else {
        return 0.0;
    };
    let mut held = 0;
    let mut from = 0;
    while from < x.len() {
        let near = |v: &&f64| (**v - x[from]).abs() <= thresholds::HELD_WITHIN * span;
        let run = x[from..].iter().take_while(near).count();
        let away = (x[from] - start).abs() > 10.0 * thresholds::HELD_WITHIN * span;
        if run as f64 >= thresholds::HOLD_LENGTH * x.len() as f64 && away {
            held += run;
        }
        from += run.max(1);
    }
    held as f64 / x.len() as f64
}

/// Share of the samples between which the squared speed grows from 5 to 95 % of its sum.
fn strong_phase(x: &[f64]) -> f64 {
    let squares = x.windows(2).map(|w| (w[1] - w[0]).powi(2));
    let sums: Vec<f64> = squares
        .filter(|s| s.is_finite())
        .scan(0.0, |sum, s| {
            *sum += s;
            Some(*sum)
        })
        .collect();
    let whole = sums.last().copied().unwrap_or(0.0);
    let at = |share: f64| sums.partition_point(|s| *s < share * whole);
    (at(0.95) - at(0.05)) as f64 / sums.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// A sum of sines without a common period, as stationary as a random motion.
    fn random(t: f64) -> f64 {
        let parts = [0.31, 0.57, 0.83, 1.13, 1.47, 1.91, 2.3];
        let all = parts.iter().enumerate();
        all.map(|(k, f)| (TAU * f * t + (k * k) as f64).sin()).sum()
    }

    fn kind(of: impl Fn(f64) -> f64) -> RecordKind {
        let x: Vec<f64> = (0..8000).map(|i| of(f64::from(i) * 0.005)).collect();
        record_kind(&x)
    }

    #[test]
    fn records_are_told_apart() {
        assert_eq!(kind(|t| (TAU * t).sin()), RecordKind::Cycles);
        // Blocks of growing amplitude, a moving middle, a sweep.
        let growing = |t: f64| (1.0 + (t / 8.0).floor()) * (TAU * t).sin();
        assert_eq!(kind(growing), RecordKind::Cycles);
        let every_cycle = |t: f64| t * (40.0 - t) * (TAU * t / 3.0).sin();
        assert_eq!(kind(every_cycle), RecordKind::Cycles);
        assert_eq!(kind(|t| (TAU * t).sin() + 0.3 * t), RecordKind::Cycles);
        assert_eq!(kind(|t| (0.3 * t * t).sin()), RecordKind::Cycles);
        // Cycles with a rest at both ends of the stroke.
        let trapezoid = |t: f64| (1.5 * (TAU * t).sin()).clamp(-1.0, 1.0);
        assert_eq!(kind(trapezoid), RecordKind::Cycles);
        // One loop, and one way.
        assert_eq!(kind(|t| (TAU * t / 40.0).sin()), RecordKind::Cycles);
        assert_eq!(kind(|t| t), RecordKind::Ramp);

        assert_eq!(kind(random), RecordKind::Random);
        let strong = |t: f64| random(t) * (-(t - 12.0).powi(2) / 30.0).exp();
        assert_eq!(kind(strong), RecordKind::Earthquake);
        // A long rest behind it makes no hold: the motion is where it began.
        let quiet = |t: f64| random(t) * (-(t - 6.0).powi(2) / 8.0).exp();
        assert_eq!(kind(quiet), RecordKind::Earthquake);

        assert_eq!(kind(|t| (t / 0.2).min(1.0)), RecordKind::Holds);
        let stairs = |t: f64| (t / 5.0).floor().min(10.0 - (t / 5.0).floor());
        assert_eq!(kind(stairs), RecordKind::Holds);
    }

    #[test]
    fn empty_records_have_a_kind() {
        assert_eq!(record_kind(&[]), RecordKind::Ramp);
        assert_eq!(record_kind(&[f64::NAN; 4]), RecordKind::Ramp);
    }
}
