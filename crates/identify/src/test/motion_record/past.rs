//! What a part went through before a record that begins neither at rest nor in a closed cycle.
//!
//! The state of one slider is one number, and a fit can find it. A chain of fifteen cells has
//! fifteen, far more than a record determines, and most combinations of them cannot be reached by any
//! motion. Those that can are described by two turning points: from rest to the first, on to the
//! second, and from there to the beginning of the record. Earlier ones are forgotten, because
//! friction wipes out every loop that a larger one encloses.

use super::MotionRecord;
use masing_data::range;
use masing_sim::{Motion, SimError};

/// Turning points that are sought.
pub(crate) const TURNS: usize = 2;
/// Samples of each of the stretches.
const STRETCH: usize = 32;

/// A record with its past before it.
pub(crate) struct WithPast {
    /// Past and record.
    pub(crate) motion: Motion,
    /// Samples of the past.
    pub(crate) before: usize,
    /// d motion/d turning point.
    pub(crate) slopes: [Slope; TURNS],
}

/// How a motion changes with a turning point.
#[derive(Clone, Debug)]
pub(crate) struct Slope {
    pub(crate) x: Vec<f64>,
    pub(crate) v: Vec<f64>,
}

impl MotionRecord {
    /// Likely turning points: the ends of the motion, the last one opposite to the first movement.
    pub(crate) fn likely_turns(&self) -> [f64; TURNS] {
        let x = self.motion.x();
        let (low, high) = range(x);
        let room = 0.01 * (high - low);
        let leaves = x.iter().find(|x| (*x - self.motion.x()[0]).abs() > room);
        let rises = leaves.is_none_or(|leaves| *leaves > x[0]);
        std::array::from_fn(|turn| {
            let last = (TURNS - 1 - turn).is_multiple_of(2);
            if last == rises { low } else { high }
        })
    }

    /// The record, shifted by `by`, preceded by a past with these turning points.
    pub(crate) fn with_past(&self, turns: [f64; TURNS], by: f64) -> Result<WithPast, SimError> {
        let (t, x) = (self.motion.time(), self.motion.x());
        let n = t.len();
        let mut corners = vec![self.rest_position()];
        corners.extend(turns);
        corners.push(x[0]);
        let times = self.times_of_past();
        let before = (TURNS + 1) * STRETCH;
        let begins = t[0] - times.iter().sum::<f64>();
        let (mut time, mut path, mut speed) = (vec![], vec![], vec![]);
        let none = Slope {
            x: vec![0.0; before + n],
            v: vec![0.0; before + n],
        };
        let mut slopes = std::array::from_fn(|_| none.clone());
        let mut from = begins;
        for (i, duration) in times.iter().enumerate() {
            let way = corners[i + 1] - corners[i];
            for s in 0..STRETCH {
                let share = s as f64 / STRETCH as f64;
                let at = time.len();
                time.push(from + duration * share);
                path.push(corners[i] + way * share + by);
                // At a corner the velocity is that of the stretch just finished.
                let last = if s == 0 { i.saturating_sub(1) } else { i };
                speed.push((corners[last + 1] - corners[last]) / times[last]);
                for (turn, slope) in slopes.iter_mut().enumerate() {
                    let share_of = |corner: usize| f64::from(u8::from(corner == turn + 1));
                    slope.x[at] = share_of(i) * (1.0 - share) + share_of(i + 1) * share;
                    slope.v[at] = (share_of(last + 1) - share_of(last)) / times[last];
                }
            }
            from += duration;
        }
        time.extend(t);
        path.extend(x.iter().map(|x| x + by));
        speed.extend(self.motion.v());
        Ok(WithPast {
            motion: Motion::new(time, path, Some(speed))?,
            before,
            slopes,
        })
    }

    /// Duration of the stretches at the mean speed of the record; they do not depend on what
    /// is sought, so that the motion is linear in it.
    fn times_of_past(&self) -> [f64; TURNS + 1] {
        let (t, x) = (self.motion.time(), self.motion.x());
        let whole = t[t.len() - 1] - t[0];
        let way: f64 = x.windows(2).map(|w| (w[1] - w[0]).abs()).sum();
        let quarter = if way > 0.0 {
            whole * self.amplitude() / way
        } else {
            whole
        };
        std::array::from_fn(|i| if i == 0 { quarter } else { 2.0 * quarter })
    }
}
