//! The overlap of both paths of a slow record: the shared range, the reversal of friction, whether they
//! close.

use super::paths::{Path, ends};

/// Share of the range without samples that counts as a gap; sparse records have wider ones.
const GAP: f64 = 0.02;
const SAMPLES_APART: f64 = 6.0;
/// Samples of the other path in it, relative to even spacing: under torque control both paths pass soft stages quickly,
/// and neither has many samples there.
const OF_THE_OTHER: f64 = 0.25;

/// The longest stretch of angles that both paths cover.
pub(super) fn shared(up: &Path, down: &Path, range: f64) -> [f64; 2] {
    let ends_of = |path: &Path| match (path.angle.first(), path.angle.last()) {
        (Some(first), Some(last)) => [*first, *last],
        _ => [0.0, 0.0],
    };
    let ([a, b], [c, d]) = (ends_of(up), ends_of(down));
    let (low, high) = (a.max(c), b.min(d));
    let mut gaps: Vec<[f64; 2]> = Vec::new();
    for (path, other) in [(up, down), (down, up)] {
        let usual = range / path.angle.len().max(1) as f64;
        let wide = (GAP * range).max(SAMPLES_APART * usual);
        let pairs = path.angle.windows(2).filter(|w| w[1] - w[0] > wide);
        let missed = pairs.filter(|w| {
            let from = other.angle.partition_point(|a| *a <= w[0]);
            let to = other.angle.partition_point(|a| *a < w[1]);
            let even = other.angle.len() as f64 * (w[1] - w[0]) / range;
            to.saturating_sub(from) as f64 > OF_THE_OTHER * even
        });
        gaps.extend(missed.map(|w| [w[0], w[1]]));
    }
    gaps.sort_by(|a, b| a[0].total_cmp(&b[0]));
    gaps.push([high, high]);
    let (mut from, mut longest) = (low, [low, low]);
    for [gap, end] in gaps {
        if gap.min(high) - from > longest[1] - longest[0] {
            longest = [from, gap.min(high)];
        }
        from = from.max(end);
    }
    longest
}

/// Stretches at either end in which the distance of the paths is looked at, and their width, of the range.
const STRETCHES: usize = 12;
const WIDTH: f64 = 0.005;
/// Friction counts as reversed two stretches after the distance of the paths has reached this share of that
/// further in.
const TURNED: f64 = 0.9;

/// How far from the lower and from the upper end the friction has not reversed yet: after a turn it builds up over some
/// distance, and until then half the distance of the paths is not the friction.
pub(super) fn turn_round(up: &Path, down: &Path, whole: [f64; 2]) -> [f64; 2] {
    let width = WIDTH * (whole[1] - whole[0]);
    let distance = |end: f64, inwards: f64, k: usize| -> Option<f64> {
        let (near, far) = (
            end + inwards * width * k as f64,
            end + inwards * width * (k + 1) as f64,
        );
        let own = [near.min(far), near.max(far)];
        let middle = 0.5 * (near + far);
        let at = |path: &Path| path.within(own).line_at(middle);
        Some(at(up)? - at(down)?)
    };
    [(whole[0], 1.0), (whole[1], -1.0)].map(|(end, inwards)| {
        let half = STRETCHES / 2;
        let inner: Vec<f64> = (half..STRETCHES)
            .filter_map(|k| distance(end, inwards, k))
            .collect();
        let n = inner.len() as f64;
        let mean = inner.iter().sum::<f64>() / n;
        let spread = (inner.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / n).sqrt();
        if inner.len() < half || mean <= 3.0 * spread {
            return 0.0;
        }
        let turning = |k: &usize| {
            distance(end, inwards, *k).is_some_and(|d| d < TURNED * mean - 2.0 * spread)
        };
        let last = (0..half).rev().find(turning);
        last.map_or(0.0, |k| width * (k + 3) as f64)
    })
}

/// Distance, as a share of the range, within which first and last samples are compared.
const NEAR: f64 = 0.02;
/// Differences of torque that count: this many standard errors, and this share of the range of torque.
const STANDARD_ERRORS: f64 = 6.0;
const COUNTS: f64 = 2e-3;

/// Drift of the torque from the start to the end of a record, at the same angle and in the same direction; none
/// where they do not overlap or agree.
pub(super) fn drift(angle: &[f64], torque: &[f64], direction: &[i8]) -> Option<f64> {
    let n = angle.len();
    let [low, high] = ends(angle);
    let near = NEAR * (high - low);
    let (first, last) = (angle[0], angle[n - 1]);
    let sense = *direction.first()?;
    if sense == 0 || direction.last() != Some(&sense) || (first - last).abs() > near {
        return None;
    }
    let gather = |indices: &mut dyn Iterator<Item = usize>, from: f64| -> Path {
        let own = indices.take_while(|&i| direction[i] == sense && (angle[i] - from).abs() <= near);
        let (angle, torque) = own.map(|i| (angle[i], torque[i])).unzip();
        Path { angle, torque }
    };
    let begun = gather(&mut (0..n), first);
    let ended = gather(&mut (0..n).rev(), last);
    if begun.angle.len() < 8 || ended.angle.len() < 8 {
        return None;
    }
    let at = 0.5 * (first + last);
    let difference = ended.line_at(at)? - begun.line_at(at)?;
    // The line is read off at one end of its stretch, where its error is twice that of a mean.
    let error = 2.0 * begun.error_of_mean().hypot(ended.error_of_mean());
    let size = ends(torque);
    let counts = (STANDARD_ERRORS * error).max(COUNTS * (size[1] - size[0]));
    (difference.abs() > counts).then_some(difference)
}

impl Path {
    /// The standard error of a mean of the samples about their line.
    fn error_of_mean(&self) -> f64 {
        let n = self.angle.len() as f64;
        let squares = self.angle.iter().zip(&self.torque).map(|(a, t)| {
            let line = self.line_at(*a).unwrap_or(*t);
            (t - line).powi(2)
        });
        (squares.sum::<f64>() / (n - 2.0).max(1.0) / n).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(angle: impl Iterator<Item = f64>, torque: impl Fn(f64) -> f64) -> Path {
        let angle: Vec<f64> = angle.collect();
        Path {
            torque: angle.iter().map(|x| torque(*x)).collect(),
            angle,
        }
    }

    #[test]
    fn a_gap_of_one_path_is_not_shared() {
        let down = path((0..=1000).map(|i| f64::from(i) * 1e-3), |x| x);
        let up = path(
            (0..=200).chain(450..=1000).map(|i| f64::from(i) * 1e-3),
            |x| x + 1.0,
        );
        assert_eq!(shared(&up, &down, 1.0), [0.45, 1.0]);
        assert_eq!(shared(&down, &down, 1.0), [0.0, 1.0]);
        // A rig that controls the torque: both paths jump over the same soft stretch.
        let jumps = path(
            (0..=200)
                .chain([300, 390])
                .chain(450..=1000)
                .map(|i| f64::from(i) * 1e-3),
            |x| x - 1.0,
        );
        assert_eq!(shared(&up, &jumps, 1.0), [0.0, 1.0]);
    }

    #[test]
    fn friction_that_builds_up_is_seen() {
        let grid = || (0..=2000).map(|i| f64::from(i) * 5e-4);
        let up = path(grid(), |x| 10.0 * x + 1.0);
        let sudden = path(grid(), |x| 10.0 * x - 1.0);
        assert_eq!(turn_round(&up, &sudden, [0.0, 1.0]), [0.0, 0.0]);
        // Over 0.02 below the upper end.
        let slow = path(grid(), |x| {
            10.0 * x + 1.0 - 2.0 * ((1.0 - x) / 0.02).min(1.0)
        });
        let [low, high] = turn_round(&up, &slow, [0.0, 1.0]);
        assert!(low == 0.0 && (0.02..0.036).contains(&high), "{high}");
    }
}
