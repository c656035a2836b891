//! What the measurement adds to the force of a part: inertia of a moving mass, a lag of the channel,
//! an offset; in the order in which they act on the signal.

use super::{InitialState, MotionRecord};
use crate::objective::predict::{Prediction, Question};
use crate::problem::unknown::Place;

/// The disturbances of one record.
pub(super) struct Disturbance {
    /// Mass, and its column if it is sought.
    mass: Option<(f64, Option<usize>)>,
    /// Acceleration, if there is a mass.
    acceleration: Vec<f64>,
    delay: Option<(usize, f64)>,
    lag: Vec<Lagged>,
    offset: Option<(usize, f64)>,
}

/// Where a delayed sample reads the signal: between sample `from` and the next.
struct Lagged {
    from: usize,
    share: f64,
    /// 1 over the length of that interval; 0 beyond the ends of a record, where the signal is
    /// constant. A cycle wraps around.
    slope: f64,
}

impl Disturbance {
    pub(super) fn new(question: &Question<'_>, rig: &MotionRecord) -> Self {
        let k = question.index;
        let known = rig.nuisance.moving_mass.filter(|m| *m > 0.0);
        let mass = match question.sought(Place::MovingMass(k)) {
            Some((column, value)) => Some((value, Some(column))),
            None => known.map(|m| (m, None)),
        };
        let delay = question.sought(Place::Delay(k));
        Self {
            acceleration: mass.map_or_else(Vec::new, |_| rig.acceleration()),
            mass,
            lag: delay.map_or_else(Vec::new, |(_, by)| {
                lag(rig.motion.time(), by, rig.initial == InitialState::Periodic)
            }),
            delay,
            offset: question.sought(Place::ForceOffset(k)),
        }
    }

    /// Disturbs a predicted force; returns it as it was before the lag.
    pub(super) fn apply(&self, columns: usize, out: &mut Prediction) -> Vec<f64> {
        if let Some((m, column)) = self.mass {
            for (i, a) in self.acceleration.iter().enumerate() {
                out.values[i] += m * a;
                if let Some(c) = column.filter(|_| columns > 0) {
                    out.jacobian[i * columns + c] = *a;
                }
            }
        }
        let clean = out.values.clone();
        if let Some((column, _)) = self.delay {
            let jacobian = out.jacobian.clone();
            for (i, at) in self.lag.iter().enumerate() {
                let (a, b) = (at.from, at.from + 1);
                out.values[i] = clean[a] + at.share * (clean[b] - clean[a]);
                for c in 0..columns {
                    let (p, q) = (jacobian[a * columns + c], jacobian[b * columns + c]);
                    out.jacobian[i * columns + c] = p + at.share * (q - p);
                }
                if columns > 0 {
                    out.jacobian[i * columns + column] = -(clean[b] - clean[a]) * at.slope;
                }
            }
        }
        if let Some((column, value)) = self.offset {
            for i in 0..out.values.len() {
                out.values[i] += value;
                if columns > 0 {
                    out.jacobian[i * columns + column] = 1.0;
                }
            }
        }
        clean
    }

    /// Turns sensitivities to the disturbed force into those to the force of the part, and adds those
    /// to the disturbances themselves; `clean` is what [`Self::apply`] returned.
    pub(super) fn pull_back(&self, bar: &mut Vec<f64>, clean: &[f64], gradient: &mut [f64]) {
        if let Some((column, _)) = self.offset {
            gradient[column] += bar.iter().sum::<f64>();
        }
        if let Some((column, _)) = self.delay {
            let mut before = vec![0.0; bar.len()];
            for (at, bar) in self.lag.iter().zip(bar.iter()) {
                let (a, b) = (at.from, at.from + 1);
                before[a] += (1.0 - at.share) * bar;
                before[b] += at.share * bar;
                gradient[column] -= (clean[b] - clean[a]) * at.slope * bar;
            }
            *bar = before;
        }
        if let Some((_, Some(column))) = self.mass {
            let sum: f64 = bar.iter().zip(&self.acceleration).map(|(b, a)| b * a).sum();
            gradient[column] += sum;
        }
    }
}

fn lag(time: &[f64], by: f64, cycle: bool) -> Vec<Lagged> {
    let n = time.len();
    let (begin, end) = (time[0], time[n - 1]);
    let mut from = 0;
    time.iter()
        .map(|now| {
            let mut t = now - by;
            if cycle && !(begin..=end).contains(&t) {
                t = begin + (t - begin).rem_euclid(end - begin);
            }
            while from + 2 < n && time[from + 1] <= t {
                from += 1;
            }
            while from > 0 && time[from] > t {
                from -= 1;
            }
            let length = time[from + 1] - time[from];
            let inside = (begin..=end).contains(&t);
            Lagged {
                from,
                share: ((t - time[from]) / length).clamp(0.0, 1.0),
                slope: if inside { 1.0 / length } else { 0.0 },
            }
        })
        .collect()
}
