//! What the measurement does to the force of a part: inertia of a moving mass, a level, filters, a lag of
//! the channel, an offset; in the order in which they act on the signal.

use super::filter::Operator;
use super::{InitialState, MotionRecord};
use crate::objective::predict::{Prediction, Question};
use crate::problem::unknown::Place;

/// The disturbances of one record.
pub(super) struct Disturbance<'a> {
    /// Mass, and its column if it is sought.
    mass: Option<(f64, Option<usize>)>,
    /// Acceleration, if there is a mass.
    acceleration: Vec<f64>,
    level: Option<Level>,
    filter: Option<Operator<'a>>,
    delay: Option<(usize, f64)>,
    lag: Vec<Lagged>,
    offset: Option<(usize, f64)>,
}

/// The level of a force.
struct Level {
    value: f64,
    /// The unknowns that it is the sum of, with their signs.
    of: Vec<(usize, f64)>,
}

impl Level {
    /// Its own, if it is sought; the opposite of all others where they add up to zero, see
    /// [`crate::fit::levels`].
    fn of(question: &Question<'_>, rig: &MotionRecord) -> Option<Self> {
        if let Some((column, value)) = question.sought(Place::Level(question.index)) {
            let of = vec![(column, 1.0)];
            return Some(Self { value, of });
        }
        let unknowns = question.unknowns.iter().enumerate();
        let others = unknowns.filter(|(_, u)| matches!(u.place, Place::Level(_)));
        let of: Vec<(usize, f64)> = others.map(|(column, _)| (column, -1.0)).collect();
        let value = -of.iter().map(|(c, _)| question.values[*c]).sum::<f64>();
        (rig.nuisance.level && !of.is_empty()).then_some(Self { value, of })
    }
}

/// A predicted force on its way through the measurement.
pub(super) struct Stages {
    /// Before the level; empty without one.
    unscaled: Vec<f64>,
    /// Before the lag; empty without one.
    punctual: Vec<f64>,
}

/// Where a delayed sample reads the signal: between sample `from` and the next.
struct Lagged {
    from: usize,
    share: f64,
    /// 1 over the length of that interval; 0 beyond the ends of a record, where the signal is
    /// constant. A cycle wraps around.
    slope: f64,
}

impl<'a> Disturbance<'a> {
    pub(super) fn new(question: &Question<'_>, rig: &'a MotionRecord) -> Self {
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
            level: Level::of(question, rig),
            filter: rig.filter.as_ref().map(|own| Operator::new(own, rig)),
            lag: delay.map_or_else(Vec::new, |(_, by)| {
                lag(rig.motion.time(), by, rig.initial == InitialState::Periodic)
            }),
            delay,
            offset: question.sought(Place::ForceOffset(k)),
        }
    }

    /// Disturbs a predicted force; returns what it was on the way.
    pub(super) fn apply(&self, columns: usize, out: &mut Prediction) -> Stages {
        let mut stages = Stages {
            unscaled: vec![],
            punctual: vec![],
        };
        if let Some((m, column)) = self.mass {
            for (i, a) in self.acceleration.iter().enumerate() {
                out.values[i] += m * a;
                if let Some(c) = column.filter(|_| columns > 0) {
                    out.jacobian[i * columns + c] = *a;
                }
            }
        }
        if let Some(Level { value: level, of }) = &self.level {
            stages.unscaled.clone_from(&out.values);
            let scaled = out.values.iter_mut().chain(&mut out.jacobian);
            for value in scaled {
                *value *= 1.0 + level;
            }
            for (i, own) in stages.unscaled.iter().enumerate() {
                for (column, sign) in of.iter().filter(|_| columns > 0) {
                    out.jacobian[i * columns + column] = sign * own;
                }
            }
        }
        if let Some(filter) = &self.filter {
            filter.apply(&mut out.values, 1, 0);
            for c in 0..columns {
                filter.apply(&mut out.jacobian, columns, c);
            }
        }
        if let Some((column, _)) = self.delay {
            let clean = out.values.clone();
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
            stages.punctual = clean;
        }
        if let Some((column, value)) = self.offset {
            for i in 0..out.values.len() {
                out.values[i] += value;
                if columns > 0 {
                    out.jacobian[i * columns + column] = 1.0;
                }
            }
        }
        stages
    }

    /// Turns sensitivities to the disturbed force into those to the force of the part, and adds those
    /// to the disturbances themselves; `stages` is what [`Self::apply`] returned.
    pub(super) fn pull_back(&self, bar: &mut Vec<f64>, stages: &Stages, gradient: &mut [f64]) {
        if let Some((column, _)) = self.offset {
            gradient[column] += bar.iter().sum::<f64>();
        }
        if let Some((column, _)) = self.delay {
            let clean = &stages.punctual;
            let mut before = vec![0.0; bar.len()];
            for (at, bar) in self.lag.iter().zip(bar.iter()) {
                let (a, b) = (at.from, at.from + 1);
                before[a] += (1.0 - at.share) * bar;
                before[b] += at.share * bar;
                gradient[column] -= (clean[b] - clean[a]) * at.slope * bar;
            }
            *bar = before;
        }
        if let Some(filter) = &self.filter {
            filter.transpose(bar);
        }
        if let Some(Level { value: level, of }) = &self.level {
            let sum: f64 = bar.iter().zip(&stages.unscaled).map(|(b, f)| b * f).sum();
            for (column, sign) in of {
                gradient[*column] += sign * sum;
            }
            for bar in bar.iter_mut() {
                *bar *= 1.0 + level;
            }
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
