//! Channels that do not follow what was measured: clipped ones and stuck ones.

use super::Inspection;
use crate::cycles;
use crate::record::{Record, range};
use masing_diagnostic::{ChannelKind, Diagnostic, RecordDiagnostic, RecordKind, thresholds};
use std::ops::Range;

pub(super) fn diagnostics(
    record: &Record,
    x: &[f64],
    force: &[f64],
    inspection: &Inspection,
) -> Vec<Diagnostic> {
    let kind = inspection.kind.unwrap_or(RecordKind::Ramp);
    let mut out = Vec::new();
    for (channel, values, other) in [
        (ChannelKind::Force, force, x),
        (ChannelKind::Motion, x, force),
    ] {
        let runs = runs(values);
        for largest in [true, false] {
            out.extend(clipped(
                record,
                (channel, values),
                other,
                &runs,
                largest,
                kind,
            ));
        }
        let stuck = match channel {
            ChannelKind::Motion => stuck_motion(x, force, &runs, kind),
            _ => stuck_force(x, force, &runs),
        };
        if let Some(run) = stuck {
            let seconds = inspection.spacing.map(|s| s.step() * run.len() as f64);
            let (low, high) = range(&other[run.clone()]);
            let stuck = RecordDiagnostic::Stuck {
                channel,
                value: values[run.start],
                samples: run.len(),
                seconds: seconds.filter(|_| record.time.is_some()),
                line: record.line(run.start),
                moved: high - low,
            };
            out.push(stuck.into());
        }
    }
    out
}

/// Stretches of the same value, at least as long as the shortest that is looked at.
fn runs(values: &[f64]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < values.len() {
        let same = values[from..].iter().take_while(|v| **v == values[from]);
        let run = same.count();
        if run >= thresholds::CLIPPED_SAMPLES {
            found.push(from..from + run);
        }
        from += run.max(1);
    }
    found
}

/// A channel that stays at exactly its largest or smallest value while the other moves on.
fn clipped(
    record: &Record,
    (channel, values): (ChannelKind, &[f64]),
    other: &[f64],
    runs: &[Range<usize>],
    largest: bool,
    kind: RecordKind,
) -> Option<Diagnostic> {
    let (low, high) = range(values);
    let span = high - low;
    if !(span > 0.0) {
        return None;
    }
    let (limit, toward) = if largest { (high, -1.0) } else { (low, 1.0) };
    let close = |v: &&f64| (**v - limit) * toward < 0.02 * span;
    let samples = values.iter().filter(|v| **v == limit).count();
    let near = values.iter().filter(|v| **v != limit).filter(close).count();
    let (from, to) = range(other);
    let moves = |run: &&Range<usize>| {
        let own = &other[(*run).clone()];
        if channel == ChannelKind::Force {
            let (a, b) = range(own);
            return b - a > thresholds::CLIPPED_MOVED * (to - from);
        }
        // Where the motion is held the force relaxes, first fast and then slowly; where it is clipped the force turns
        // slowly and leaves fast.
        let fifth = own.len() / 5;
        let mean = |part: &[f64]| -toward * part.iter().sum::<f64>() / part.len() as f64;
        let ends = f64::midpoint(mean(&own[..fifth]), mean(&own[own.len() - fifth..]));
        own.len() >= thresholds::STUCK_SAMPLES
            && mean(&own[2 * fifth..own.len() - 2 * fifth]) - ends
                > thresholds::CLIPPED_MOTION_FORCE * (to - from)
    };
    let at_limit = runs.iter().filter(|run| values[run.start] == limit);
    let places: Vec<&Range<usize>> = at_limit.filter(moves).collect();
    let first = places.first().filter(|_| samples > near)?;
    let clipped = RecordDiagnostic::Clipped {
        channel,
        largest,
        value: limit,
        samples,
        places: places.len(),
        line: record.line(first.start),
        kind,
    };
    Some(clipped.into())
}

/// Whether a channel moves by more than a stuck one could hide.
fn moves(values: &[f64], run: &Range<usize>) -> bool {
    let ((low, high), (from, to)) = (range(&values[run.clone()]), range(values));
    high - low > thresholds::STUCK_MOVED * (to - from)
}

/// The longest stretch over which a force that is none of the extremes stands still while the part moves. Where friction
/// or a gap holds the force, it has the same value again on another way.
fn stuck_force(x: &[f64], force: &[f64], runs: &[Range<usize>]) -> Option<Range<usize>> {
    let (low, high) = range(force);
    let again = |run: &Range<usize>| {
        let same = |other: &&Range<usize>| {
            *other != run && force[other.start] == force[run.start] && 2 * other.len() >= run.len()
        };
        runs.iter().any(|other| same(&other))
    };
    let stuck = runs.iter().filter(|run| {
        run.len() >= thresholds::STUCK_SAMPLES
            && force[run.start] != low
            && force[run.start] != high
            && moves(x, run)
            && !again(run)
    });
    stuck.max_by_key(|run| run.len()).cloned()
}

/// The longest stretch over which the motion stands still while the force swings to and fro, or goes on in the direction
/// of the motion. One that is held lets the force relax, and is held again elsewhere.
fn stuck_motion(
    x: &[f64],
    force: &[f64],
    runs: &[Range<usize>],
    kind: RecordKind,
) -> Option<Range<usize>> {
    let (low, high) = range(force);
    let least = thresholds::STUCK_MOVED * (high - low);
    let stuck = runs.iter().filter(|run| {
        if run.len() < thresholds::STUCK_SAMPLES || !moves(force, run) {
            return false;
        }
        let own = &force[(*run).clone()];
        if cycles::reversals(own, least).len() >= 2 {
            return true;
        }
        let inside = run.start > 0 && run.end < x.len();
        let alone = || {
            let others = runs.iter().filter(|other| other != run);
            others.map(Range::len).max().unwrap_or(0) * 2 < run.len()
        };
        inside && kind != RecordKind::Holds && alone() && {
            let direction = (x[run.start] - x[run.start - 1]).signum();
            direction * (own[own.len() - 1] - own[0]) > least
        }
    });
    stuck.max_by_key(|run| run.len()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn found(x: &[f64], force: &[f64]) -> Vec<RecordDiagnostic> {
        let table = |name: &str, v: &[f64]| crate::Channel::new(name, None, v.to_vec());
        let time: Vec<f64> = (0..x.len()).map(|i| i as f64 * 1e-3).collect();
        let source = crate::Source::new(std::path::Path::new("x.csv"), "text", 2);
        let channels = vec![table("t", &time), table("x", x), table("F", force)];
        let test = crate::experiment(
            crate::Table::new("", channels, source),
            &crate::ReadOptions::default(),
        );
        let all = crate::inspect(&test.unwrap())
            .unwrap()
            .diagnostics
            .into_iter();
        let faults = all.filter_map(|d| match d {
            Diagnostic::Record(
                own @ (RecordDiagnostic::Clipped { .. } | RecordDiagnostic::Stuck { .. }),
            ) => Some(own),
            _ => None,
        });
        faults.collect()
    }

    /// Six cycles of a spring beside a dashpot.
    fn cycles() -> (Vec<f64>, Vec<f64>) {
        let phase = (0..3000).map(|i| TAU * f64::from(i) / 500.0);
        phase
            .map(|p| (1e-3 * p.sin(), 100.0 * p.sin() + 40.0 * p.cos()))
            .unzip()
    }

    #[test]
    fn a_clipped_force_is_counted() {
        let (x, force) = cycles();
        let cut: Vec<f64> = force.iter().map(|f| f.min(90.0)).collect();
        let expected = force.iter().filter(|f| **f >= 90.0).count();
        let found = found(&x, &cut);
        assert!(
            matches!(&found[..], [RecordDiagnostic::Clipped { channel: ChannelKind::Force, value, samples, places: 6, .. }]
                if *value == 90.0 && *samples == expected),
            "{found:?}"
        );
    }

    #[test]
    fn a_clipped_motion_is_told_from_a_held_one() {
        let (x, force) = cycles();
        let cut: Vec<f64> = x.iter().map(|x| x.max(-0.8e-3)).collect();
        let told = found(&cut, &force);
        assert!(
            matches!(
                &told[..],
                [RecordDiagnostic::Clipped {
                    channel: ChannelKind::Motion,
                    largest: false,
                    ..
                }]
            ),
            "{told:?}"
        );
        // The same motion as a drive: the force relaxes while it is held.
        let mut z = 0.0;
        let mut before = cut[0];
        let relaxing: Vec<f64> = cut
            .iter()
            .map(|x| {
                z = 0.99 * (z + 1e5 * (x - before));
                before = *x;
                z + 1e5 * x
            })
            .collect();
        assert_eq!(found(&cut, &relaxing), []);
    }

    #[test]
    fn a_stuck_channel_is_found_with_its_place() {
        let (x, mut force) = cycles();
        let held = force[1200];
        force[1200..1330].fill(held);
        let told = found(&x, &force);
        assert!(
            matches!(
                &told[..],
                [RecordDiagnostic::Stuck {
                    channel: ChannelKind::Force,
                    samples: 130,
                    line: 1202,
                    ..
                }]
            ),
            "{told:?}"
        );
        // Less than a quarter of a cycle, and more than a cycle.
        for end in [1100, 1700] {
            let (mut x, force) = cycles();
            let held = x[1030];
            x[1030..end].fill(held);
            let told = found(&x, &force);
            assert!(
                matches!(
                    &told[..],
                    [RecordDiagnostic::Stuck {
                        channel: ChannelKind::Motion,
                        line: 1032,
                        ..
                    }]
                ),
                "{told:?}"
            );
        }
    }

    #[test]
    fn forces_that_a_part_holds_are_not_stuck() {
        // A gap of 0.6 mm, and dry friction alone.
        let (x, _) = cycles();
        let gap: Vec<f64> = x.iter().map(|x| 1e5 * (x - x.clamp(-3e-4, 3e-4))).collect();
        assert_eq!(found(&x, &gap), []);
        // A relaxation test: up, held, further up, held.
        let step = |i: usize| {
            if i < 100 {
                0.0
            } else if i < 1500 {
                1e-3
            } else {
                2e-3
            }
        };
        let x: Vec<f64> = (0..3000).map(step).collect();
        let relaxed = |i: usize| (-((i % 1500) as f64) / 300.0).exp();
        let force: Vec<f64> = (0..3000).map(|i| 1e5 * x[i] * (1.0 + relaxed(i))).collect();
        assert_eq!(found(&x, &force), []);
    }
}
