//! A slow record as two paths: torque over angle while the angle grows, and while it falls.

use super::closing::{drift, shared, turn_round};
use super::error::StagesError;

/// Samples of one direction, sorted by angle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Angles.
    pub angle: Vec<f64>,
    /// Torques.
    pub torque: Vec<f64>,
}

/// Both directions, over the angles that both cover.
#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    /// While the angle grows.
    pub up: Path,
    /// While the angle falls.
    pub down: Path,
    /// Smallest and largest angle that both cover.
    pub range: [f64; 2],
    /// Smallest and largest angle of the record.
    pub whole: [f64; 2],
    /// How far after a turn the friction has not reversed yet; that part is left out.
    pub turn_round: f64,
    /// Drift: the torque at the end less that at the start, at the same angle.
    pub drift: Option<f64>,
    /// Direction of every sample that has angle and torque: 1, -1, or 0 just after a turn.
    pub direction: Vec<i8>,
}

/// One sample of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Angle.
    pub angle: f64,
    /// Torque.
    pub torque: f64,
    /// Sign of the friction in it: 1 upwards, -1 downwards.
    pub sense: f64,
}

/// Fewest samples.
const FEWEST_SAMPLES: usize = 40;
/// Fewest samples of one path.
const LEAST_OF_PATH: usize = 15;
/// A turn counts once the angle has come back by this share of its range.
const TURN: f64 = 0.01;
/// Just after a turn the friction has not reversed yet; this share of the range is left out.
const AFTER_TURN: f64 = 0.005;
/// Share of the range that both paths must cover.
const SHARED: f64 = 0.2;
/// Above this number of samples per path, neighbours are averaged, which reduces noise without losing detail.
const MOST_OF_PATH: usize = 10_000;

impl Paths {
    /// Splits a record into paths. Samples without torque are left out.
    pub fn of(angle: &[f64], torque: &[f64]) -> Result<Self, StagesError> {
        let kept: Vec<usize> = (0..angle.len().min(torque.len()))
            .filter(|&i| angle[i].is_finite() && torque[i].is_finite())
            .collect();
        if kept.len() < FEWEST_SAMPLES {
            return Err(StagesError::TooFewSamples {
                found: kept.len(),
                expected: FEWEST_SAMPLES,
            });
        }
        let pick = |values: &[f64]| kept.iter().map(|&i| values[i]).collect::<Vec<f64>>();
        let (angle, torque) = (pick(angle), pick(torque));
        let whole = ends(&angle);
        if whole[1] <= whole[0] {
            return Err(StagesError::Constant { what: "angle" });
        }
        let load = ends(&torque);
        if load[1] <= load[0] {
            return Err(StagesError::Constant { what: "torque" });
        }
        let mut direction = directions(&angle, whole[1] - whole[0]);
        let path = |direction: &[i8], wanted: i8| {
            let own = (0..angle.len()).filter(|&i| direction[i] == wanted);
            Path::sorted(own.map(|i| (angle[i], torque[i])).collect())
        };
        let turning = turn_round(&path(&direction, 1), &path(&direction, -1), whole);
        for (sense, angle) in direction.iter_mut().zip(&angle) {
            let after = match sense {
                1 => *angle < whole[0] + turning[0],
                _ => *angle > whole[1] - turning[1],
            };
            if after {
                *sense = 0;
            }
        }
        let (mut up, mut down) = (path(&direction, 1), path(&direction, -1));
        let range = shared(&up, &down, whole[1] - whole[0]);
        let range = to_ends(range, whole, turning);
        let share = (range[1] - range[0]) / (whole[1] - whole[0]);
        let few = up.angle.len().min(down.angle.len()) < LEAST_OF_PATH;
        if few || share < SHARED {
            return Err(StagesError::OneDirection {
                up: up.angle.len(),
                down: down.angle.len(),
                shared: if few { 0.0 } else { 100.0 * share.max(0.0) },
            });
        }
        up = up.within(range).averaged(MOST_OF_PATH);
        down = down.within(range).averaged(MOST_OF_PATH);
        let paths = Self {
            up,
            down,
            range,
            whole,
            turn_round: turning[0].max(turning[1]),
            drift: drift(&angle, &torque, &direction),
            direction,
        };
        paths.check_sense(&angle, &torque)?;
        Ok(paths)
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.up.angle.len() + self.down.angle.len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All points, path after path.
    pub fn points(&self) -> Vec<Point> {
        let each = |path: &Path, sense: f64| -> Vec<Point> {
            let pairs = path.angle.iter().zip(&path.torque);
            pairs
                .map(|(&angle, &torque)| Point {
                    angle,
                    torque,
                    sense,
                })
                .collect()
        };
        [each(&self.up, 1.0), each(&self.down, -1.0)].concat()
    }

    /// Rejects torque that falls with the angle, and loops that generate energy.
    fn check_sense(&self, angle: &[f64], torque: &[f64]) -> Result<(), StagesError> {
        let n = angle.len() as f64;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
        let (x, y) = (mean(angle), mean(torque));
        let together: f64 = angle
            .iter()
            .zip(torque)
            .map(|(a, t)| (a - x) * (t - y))
            .sum();
        if together <= 0.0 {
            return Err(StagesError::WrongSign);
        }
        // Area between the paths, each as straight lines through means of equal stretches.
        let width = self.range[1] - self.range[0];
        let stretches = 50;
        let mut area = 0.0;
        for k in 0..stretches {
            let from = self.range[0] + width * f64::from(k) / f64::from(stretches);
            let to = from + width / f64::from(stretches);
            let line = |path: &Path| path.within([from, to]).line_at(0.5 * (from + to));
            if let (Some(upper), Some(lower)) = (line(&self.up), line(&self.down)) {
                area += (upper - lower) * (to - from);
            }
        }
        // Noise may turn a loop without friction a little; a share of the rectangle around it may not.
        let size = ends(torque);
        if area < -1e-4 * width * (size[1] - size[0]) {
            return Err(StagesError::Swapped { energy: -area });
        }
        Ok(())
    }
}

impl Path {
    fn sorted(mut samples: Vec<(f64, f64)>) -> Self {
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (angle, torque) = samples.into_iter().unzip();
        Self { angle, torque }
    }

    /// The part between two angles.
    pub fn within(&self, [from, to]: [f64; 2]) -> Self {
        let first = self.angle.partition_point(|x| *x < from);
        let end = self.angle.partition_point(|x| *x <= to).max(first);
        Self {
            angle: self.angle[first..end].to_vec(),
            torque: self.torque[first..end].to_vec(),
        }
    }

    /// Means of neighbours, so that about `most` samples remain.
    fn averaged(self, most: usize) -> Self {
        let group = self.angle.len().div_ceil(most).max(1);
        if group == 1 {
            return self;
        }
        let mean = |values: &[f64]| {
            let groups = values.chunks(group);
            groups
                .map(|g| g.iter().sum::<f64>() / g.len() as f64)
                .collect()
        };
        Self {
            angle: mean(&self.angle),
            torque: mean(&self.torque),
        }
    }

    /// The straight line through the samples, at an angle.
    pub(super) fn line_at(&self, x: f64) -> Option<f64> {
        let n = self.angle.len();
        if n == 0 {
            return None;
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n as f64;
        let (cx, cy) = (mean(&self.angle), mean(&self.torque));
        let (mut xx, mut xy) = (0.0, 0.0);
        for (a, t) in self.angle.iter().zip(&self.torque) {
            xx += (a - cx).powi(2);
            xy += (a - cx) * (t - cy);
        }
        Some(cy + if xx > 0.0 { xy / xx * (x - cx) } else { 0.0 })
    }
}

/// Smallest and largest value.
pub(super) fn ends(values: &[f64]) -> [f64; 2] {
    values
        .iter()
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| {
            [low.min(*v), high.max(*v)]
        })
}

/// The ends of the shared range, moved to the ends of the record where only the samples after a turn are
/// missing.
fn to_ends(shared: [f64; 2], whole: [f64; 2], turning: [f64; 2]) -> [f64; 2] {
    let near = 3.0 * AFTER_TURN * (whole[1] - whole[0]);
    [0, 1].map(|k| {
        if (shared[k] - whole[k]).abs() <= near.max(turning[k] + near) {
            whole[k]
        } else {
            shared[k]
        }
    })
}

/// Turning points of a history, counted once it has come back by `least`; first and last sample included.
pub(super) fn turns(values: &[f64], least: f64) -> Vec<usize> {
    let mut out = vec![0];
    let (mut low, mut high) = (0, 0);
    // 1 while rising, -1 while falling, 0 before that is known.
    let mut sense = 0;
    for i in 1..values.len() {
        if values[i] > values[high] {
            high = i;
        }
        if values[i] < values[low] {
            low = i;
        }
        if sense >= 0 && values[high] - values[i] > least {
            if sense > 0 || high > 0 {
                out.push(high);
            }
            (sense, low, high) = (-1, i, i);
        } else if sense <= 0 && values[i] - values[low] > least {
            if sense < 0 || low > 0 {
                out.push(low);
            }
            (sense, low, high) = (1, i, i);
        }
    }
    if values.len() > 1 && out.last() != Some(&(values.len() - 1)) {
        out.push(values.len() - 1);
    }
    out.dedup();
    out
}

/// Direction of every sample.
fn directions(angle: &[f64], range: f64) -> Vec<i8> {
    let mut out = vec![0; angle.len()];
    let turns = turns(angle, TURN * range);
    let last = turns.len().saturating_sub(2);
    for (k, pair) in turns.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let sense = if angle[to] >= angle[from] { 1 } else { -1 };
        for i in from..=to {
            // A record neither begins nor ends at a turn; the sample at a turn may belong to either side.
            let begun = k == 0 || (angle[i] - angle[from]).abs() > AFTER_TURN * range;
            if begun && (k == last || i < to) {
                out[i] = sense;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_told_from_noise() {
        let values = [0.0, 1.0, 0.95, 2.0, 3.0, 2.96, 1.0, -2.0, -1.98, -2.02, 0.0];
        assert_eq!(turns(&values, 0.5), [0, 4, 9, 10]);
        assert_eq!(turns(&[1.0, 1.0], 0.5), [0, 1]);
        assert_eq!(turns(&[1.0], 0.5), [0]);
    }

    fn record(friction: f64, scale: f64) -> (Vec<f64>, Vec<f64>) {
        let angle: Vec<f64> = (0..400).map(|i| (f64::from(i) * 0.0157).sin()).collect();
        let speed = (0..400).map(|i| (f64::from(i) * 0.0157).cos());
        let torque = angle
            .iter()
            .zip(speed)
            .map(|(a, v)| scale * a + friction * v.signum());
        let torque = torque.collect();
        (angle, torque)
    }

    #[test]
    fn wrong_records_are_refused() {
        let (angle, torque) = record(1.0, 10.0);
        let paths = Paths::of(&angle, &torque).unwrap();
        assert!(
            paths
                .up
                .torque
                .iter()
                .zip(&paths.up.angle)
                .all(|(t, a)| (t - 10.0 * a - 1.0).abs() < 1e-9)
        );
        assert!(matches!(
            Paths::of(&torque, &angle),
            Err(StagesError::Swapped { .. })
        ));
        let flipped: Vec<f64> = torque.iter().map(|t| -t).collect();
        assert_eq!(
            Paths::of(&angle, &flipped).unwrap_err(),
            StagesError::WrongSign
        );
        assert!(matches!(
            Paths::of(&angle[..90], &torque[..90]),
            Err(StagesError::OneDirection { .. })
        ));
        assert!(matches!(
            Paths::of(&angle[..9], &torque[..9]),
            Err(StagesError::TooFewSamples { .. })
        ));
        assert!(matches!(
            Paths::of(&[1.0; 90], &torque[..90]),
            Err(StagesError::Constant { .. })
        ));
    }
}
