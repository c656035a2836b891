//! Double-sided impacts, single-sided impacts, none: how long each lasts.
//!
//! A motion that settles on the drive side swings past both edges of the soft zone at first, then only past the drive
//! one, then past none. Each regime ends when the envelope of the minima rises through an edge. The last crossing of an
//! edge gives nearly the same time, but jumps by a whole period when a minimum just touches the edge.

use super::paths::turns;

/// Two ways to tell when a regime ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The envelope of the turning points passes the edge.
    Envelope,
    /// The motion crosses the edge for the last time.
    LastCrossing,
}

/// Ends of the first two regimes (s); none where the motion does not reach them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regimes {
    /// When impacts are no longer double-sided.
    pub double_ends: Option<f64>,
    /// When there are no more impacts.
    pub single_ends: Option<f64>,
}

/// Where the motion settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Coast,
    Between,
    Drive,
}

/// Swings smaller than this share of the range are not followed.
const SWING: f64 = 0.005;

/// The regimes of a motion between the edges of the soft zone.
pub(super) fn regimes(
    time: &[f64],
    angle: &[f64],
    edges: [f64; 2],
    rest: Rest,
    rule: Rule,
) -> Regimes {
    let [coast, drive] = edges;
    let mirrored: Vec<f64> = angle.iter().map(|a| -a).collect();
    let low = |edge: f64| leaves(time, angle, edge, rule);
    let high = |edge: f64| leaves(time, &mirrored, -edge, rule);
    match rest {
        Rest::Drive => Regimes {
            double_ends: low(coast),
            single_ends: low(drive),
        },
        Rest::Coast => Regimes {
            double_ends: high(drive),
            single_ends: high(coast),
        },
        Rest::Between => {
            let (a, b) = (low(coast), high(drive));
            Regimes {
                double_ends: earlier(a, b),
                single_ends: a.zip(b).map(|(a, b)| a.max(b)),
            }
        }
    }
}

fn earlier(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

/// When the minima of a motion no longer reach below an edge.
fn leaves(time: &[f64], angle: &[f64], edge: f64, rule: Rule) -> Option<f64> {
    match rule {
        Rule::LastCrossing => {
            let last = (1..angle.len())
                .rev()
                .find(|&i| (angle[i - 1] < edge) != (angle[i] < edge));
            let Some(i) = last else {
                return (angle.last().is_some_and(|a| *a >= edge)).then_some(time[0]);
            };
            if angle[i] < edge {
                return None;
            }
            let share = (edge - angle[i - 1]) / (angle[i] - angle[i - 1]);
            Some(time[i - 1] + share * (time[i] - time[i - 1]))
        }
        Rule::Envelope => {
            let minima = minima(time, angle);
            let Some(below) = minima.iter().rposition(|m| m.1 < edge) else {
                return Some(time[0]);
            };
            let ((t0, a0), (t1, a1)) = (minima[below], *minima.get(below + 1)?);
            Some(t0 + (edge - a0) / (a1 - a0) * (t1 - t0))
        }
    }
}

/// Turning points below, with the parabola through three samples.
fn minima(time: &[f64], angle: &[f64]) -> Vec<(f64, f64)> {
    let [low, high] = super::paths::ends(angle);
    let turns = turns(angle, SWING * (high - low));
    let inner = turns
        .windows(3)
        .filter(|w| angle[w[1]] < angle[w[0]] && angle[w[1]] < angle[w[2]]);
    inner
        .map(|w| {
            let i = w[1];
            if i == 0 || i + 1 >= angle.len() {
                return (time[i], angle[i]);
            }
            let (a, b, c) = (angle[i - 1], angle[i], angle[i + 1]);
            let bend = a - 2.0 * b + c;
            let shift = if bend > 0.0 {
                (0.5 * (a - c) / bend).clamp(-1.0, 1.0)
            } else {
                0.0
            };
            let dt = 0.5 * (time[i + 1] - time[i - 1]);
            (time[i] + shift * dt, b - 0.25 * (a - c) * shift)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decay_leaves_both_edges_in_turn() {
        let time: Vec<f64> = (0..20_000).map(|i| f64::from(i) * 1e-3).collect();
        // Minima at odd multiples of pi / 2 below: 1 - 3 exp(-0.2 t).
        let angle: Vec<f64> = time
            .iter()
            .map(|t| 1.0 + 3.0 * (-0.2 * t).exp() * (10.0 * t).cos())
            .collect();
        let of = |rule| regimes(&time, &angle, [-0.5, 0.5], Rest::Drive, rule);
        let (envelope, last) = (of(Rule::Envelope), of(Rule::LastCrossing));
        for (found, truth) in [
            (envelope.double_ends, 0.5_f64.ln() / -0.2),
            (envelope.single_ends, (1.0 / 6.0_f64).ln() / -0.2),
        ] {
            let found = found.expect("an end");
            assert!((found - truth).abs() < 0.03, "{found} {truth}");
        }
        // Within a period of the envelope.
        let both = [
            (envelope.double_ends, last.double_ends),
            (envelope.single_ends, last.single_ends),
        ];
        for (a, b) in both {
            assert!((a.expect("an end") - b.expect("an end")).abs() < 0.7);
        }
        let mirrored: Vec<f64> = angle.iter().map(|a| -a).collect();
        assert_eq!(
            regimes(&time, &mirrored, [-0.5, 0.5], Rest::Coast, Rule::Envelope),
            envelope
        );
        let short = regimes(
            &time[..4400],
            &angle[..4400],
            [-0.5, 0.5],
            Rest::Drive,
            Rule::Envelope,
        );
        assert!(short.double_ends.is_some() && short.single_ends.is_none());
    }
}
