//! Slopes, crossings and tips of a sampled loop.

use super::Crossing;
use masing_model::law::{AtZero, HalfLoop};

/// A sampled loop.
pub(super) struct Curve {
    crossing: Crossing,
    x: Vec<f64>,
    z: Vec<f64>,
    /// Samples (nearest) or points between samples (interpolated): x, z, slope, direction.
    points: Vec<Point>,
}

#[derive(Clone, Copy)]
struct Point {
    x: f64,
    z: f64,
    slope: f64,
    direction: f64,
}

impl Curve {
    pub(super) fn new(x: &[f64], z: &[f64], crossing: Crossing) -> Option<Self> {
        if x.len() < 8 || x.len() != z.len() {
            return None;
        }
        let (x, z) = match crossing {
            Crossing::Interpolated => wrapped(x, z),
            Crossing::Nearest => (x.to_vec(), z.to_vec()),
        };
        let points = match crossing {
            Crossing::Interpolated => between(&x, &z),
            Crossing::Nearest => at_samples(&x, &z),
        };
        let curve = Self {
            crossing,
            x,
            z,
            points,
        };
        let both = [1.0, -1.0]
            .iter()
            .all(|e| curve.points.iter().any(|p| p.direction == *e));
        let [xm, zm] = curve.tip();
        (both && xm > 0.0 && zm > 0.0 && curve.energy() > 0.0).then_some(curve)
    }

    /// The features from which a law computes its parameters.
    pub(super) fn half(&self, e: f64) -> HalfLoop {
        HalfLoop {
            direction: e,
            at_zero: self.crossing(e),
            middle: self.force_in_the_middle(e),
            stiffness: self.stiffness(e),
            tip: self.tip(),
            peak: self.peak(),
            slopes: self.slopes(e).collect(),
        }
    }

    /// Largest force.
    fn peak(&self) -> f64 {
        self.z.iter().fold(0.0, |m, z| m.max(z.abs()))
    }

    /// Half the distance of the two tips: displacement and force.
    pub(super) fn tip(&self) -> [f64; 2] {
        let last = self.x.len() - 1;
        let by_x = |a: &&usize, b: &&usize| self.x[**a].total_cmp(&self.x[**b]);
        let samples: Vec<usize> = (0..=last).collect();
        let (Some(&high), Some(&low)) = (samples.iter().max_by(by_x), samples.iter().min_by(by_x))
        else {
            return [0.0; 2];
        };
        let [top, bottom] = [high, low].map(|i| match self.crossing {
            Crossing::Interpolated if i > 0 && i < last => self.vertex(i),
            _ => [self.x[i], self.z[i]],
        });
        [0.5 * (top[0] - bottom[0]), 0.5 * (top[1] - bottom[1])]
    }

    /// The turn near sample `i`: the vertex of the parabola through the (evenly spaced) samples,
    /// and the force there, extrapolated from the side of approach.
    fn vertex(&self, i: usize) -> [f64; 2] {
        let (before, after) = (self.x[i] - self.x[i - 1], self.x[i + 1] - self.x[i]);
        let bend = after - before;
        if bend == 0.0 {
            return [self.x[i], self.z[i]];
        }
        let at = (-0.5 * (before + after) / bend).clamp(-0.5, 0.5);
        let x = self.x[i] + 0.5 * at * (before + after) + 0.5 * at * at * bend;
        // Where the turn comes after the sample, the loop goes on as it came; else it had turned.
        let slope = if at > 0.0 {
            (self.z[i] - self.z[i - 1]) / before
        } else {
            (self.z[i + 1] - self.z[i]) / after
        };
        let z = self.z[i] + if slope.is_finite() { slope } else { 0.0 } * (x - self.x[i]);
        [x, z]
    }

    /// Dissipated energy.
    pub(super) fn energy(&self) -> f64 {
        let n = self.x.len();
        // The loop closed by a straight line.
        let each = (0..n).map(|i| {
            let j = (i + 1) % n;
            0.5 * (self.z[i] + self.z[j]) * (self.x[j] - self.x[i])
        });
        each.sum()
    }

    /// Forces and slopes of the half in one direction.
    fn slopes(&self, e: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let half = self.points.iter().filter(move |p| p.direction == e);
        half.map(|p| (p.z, p.slope))
    }

    /// The half in one direction at zero force.
    fn crossing(&self, e: f64) -> Option<AtZero> {
        let found = match self.crossing {
            Crossing::Nearest => {
                let own = (1..self.points.len() - 1).filter(|&i| self.points[i].direction == e);
                let i = own.min_by(|&a, &b| {
                    let (a, b) = (self.points[a].z.abs(), self.points[b].z.abs());
                    a.total_cmp(&b)
                })?;
                let near = [i - 1, i, i + 1].map(|k| self.points[k]);
                let logs = near.map(|p| p.slope.ln());
                AtZero {
                    x: near[1].x,
                    slope: near[1].slope,
                    bend: gradient(near.map(|p| p.z), logs),
                }
            }
            Crossing::Interpolated => {
                let pair = self.points.windows(2).find(|w| {
                    w.iter().all(|p| p.direction == e) && e * w[0].z < 0.0 && e * w[1].z >= 0.0
                })?;
                let (a, b) = (pair[0], pair[1]);
                let share = -a.z / (b.z - a.z);
                // The force between samples is known there only up to its curvature; the samples
                // themselves are on the loop.
                let samples =
                    self.x.windows(2).zip(self.z.windows(2)).find(|(x, z)| {
                        e * (x[1] - x[0]) > 0.0 && e * z[0] < 0.0 && e * z[1] >= 0.0
                    })?;
                let (x, z) = samples;
                let log = a.slope.ln() + share * (b.slope / a.slope).ln();
                let bend = self
                    .bend(e)
                    .unwrap_or((b.slope / a.slope).ln() / (b.z - a.z));
                AtZero {
                    x: x[0] - z[0] * (x[1] - x[0]) / (z[1] - z[0]),
                    slope: log.exp(),
                    bend,
                }
            }
        };
        let sound = found.slope > 0.0 && found.bend.is_finite() && found.x.is_finite();
        sound.then_some(found)
    }

    /// d ln(slope)/dz at zero force, from the parabola through the three nearest points.
    fn bend(&self, e: f64) -> Option<f64> {
        let three = self.points.windows(3).find(|w| {
            let middle = |i: usize| 0.5 * e * (w[i].z + w[i + 1].z);
            w.iter().all(|p| p.direction == e) && middle(0) < 0.0 && middle(1) >= 0.0
        })?;
        let [a, b, c] = [0, 1, 2].map(|i| (three[i].z, three[i].slope.ln()));
        let first = (b.1 - a.1) / (b.0 - a.0);
        let second = (c.1 - b.1) / (c.0 - b.0);
        Some(first - (second - first) / (c.0 - a.0) * (a.0 + b.0))
    }

    /// The slope at zero force, which may jump there: the mean of both sides, each extrapolated to zero force by a
    /// straight line.
    fn stiffness(&self, e: f64) -> Option<f64> {
        let at = self.crossing(e)?.slope;
        if self.crossing == Crossing::Nearest {
            return Some(at);
        }
        let mut around = self.points.windows(4);
        let four = around
            .find(|w| w.iter().all(|p| p.direction == e) && e * w[1].z < 0.0 && e * w[2].z >= 0.0);
        let Some(four) = four else { return Some(at) };
        // From two points of a side, unless one of them all but touches zero.
        let side = |far: Point, near: Point| {
            far.slope - far.z * (near.slope - far.slope) / (near.z - far.z)
        };
        let mean = 0.5 * (side(four[0], four[1]) + side(four[3], four[2]));
        Some(if mean > 0.0 { mean } else { at })
    }

    /// The force of the half in one direction at zero displacement.
    fn force_in_the_middle(&self, e: f64) -> Option<f64> {
        match self.crossing {
            Crossing::Nearest => {
                let own = self.points.iter().filter(|p| p.direction == e);
                own.min_by(|a, b| a.x.abs().total_cmp(&b.x.abs()))
                    .map(|p| p.z)
            }
            Crossing::Interpolated => {
                let mut pairs = self.x.windows(2).zip(self.z.windows(2));
                let (x, z) = pairs
                    .find(|(x, _)| e * (x[1] - x[0]) > 0.0 && e * x[0] < 0.0 && e * x[1] >= 0.0)?;
                Some(z[0] - x[0] * (z[1] - z[0]) / (x[1] - x[0]))
            }
        }
    }
}

/// A closed record, extended at both ends by a few samples from the other end so that crossings
/// there are found; an open one unchanged.
fn wrapped(x: &[f64], z: &[f64]) -> (Vec<f64>, Vec<f64>) {
    // A crossing is found between two samples, its slope from one more on either side.
    const SEAM: usize = 4;
    let n = x.len();
    let longest = |values: &[f64]| {
        let steps = values.windows(2).map(|w| (w[1] - w[0]).abs());
        steps.fold(0.0, f64::max)
    };
    let closes = |values: &[f64]| (values[n - 1] - values[0]).abs() <= 1.01 * longest(values);
    if !(closes(x) && closes(z)) {
        return (x.to_vec(), z.to_vec());
    }
    // The last sample may repeat the first.
    let repeats = (x[n - 1] - x[0]).abs() < 0.1 * (x[1] - x[0]).abs();
    let end = n - usize::from(repeats);
    let wrap = |values: &[f64]| -> Vec<f64> {
        let ring = &values[..end];
        let (before, after) = (&ring[end - SEAM..], &ring[..SEAM]);
        [before, ring, after].concat()
    };
    (wrap(x), wrap(z))
}

/// Slopes between neighbours; intervals that contain or touch a turn are left out.
fn between(x: &[f64], z: &[f64]) -> Vec<Point> {
    let direction = |i: usize| match x.get(i + 1) {
        Some(next) => (next - x[i]).signum(),
        None => 0.0,
    };
    let last = x.len() - 2;
    let clear = |i: usize| {
        let own = direction(i);
        x[i + 1] != x[i]
            && (i == 0 || direction(i - 1) == own)
            && (i == last || direction(i + 1) == own)
    };
    let each = (0..=last).filter(|&i| clear(i)).map(|i| Point {
        x: 0.5 * (x[i] + x[i + 1]),
        z: 0.5 * (z[i] + z[i + 1]),
        slope: (z[i + 1] - z[i]) / (x[i + 1] - x[i]),
        direction: direction(i),
    });
    each.collect()
}

/// Central differences at the samples, of second order also for uneven spacing.
fn at_samples(x: &[f64], z: &[f64]) -> Vec<Point> {
    let n = x.len();
    let each = (0..n).map(|i| {
        let i0 = i.clamp(1, n - 2);
        let near = [i0 - 1, i0, i0 + 1];
        let slope = if i == i0 {
            gradient(near.map(|k| x[k]), near.map(|k| z[k]))
        } else {
            let j = if i == 0 { 1 } else { n - 2 };
            (z[j] - z[i]) / (x[j] - x[i])
        };
        Point {
            x: x[i],
            z: z[i],
            slope,
            direction: (x[i0 + 1] - x[i0 - 1]).signum(),
        }
    });
    each.collect()
}

/// Slope of the parabola through three points at the middle one.
fn gradient(x: [f64; 3], y: [f64; 3]) -> f64 {
    let (before, after) = (x[1] - x[0], x[2] - x[1]);
    let rise = (before * before * (y[2] - y[1])) + (after * after * (y[1] - y[0]));
    rise / (before * after * (before + after))
}
