//! The initial state of a record of motion and force.

use super::Subject;
use crate::test::{InitialState, MotionRecord};
use masing_data::signal::noise::from_differences;
use masing_data::{Preload, range};

/// At rest if the record begins with negligible force, periodic if it closes after two reversals, else
/// estimated. The single state of a loop law costs one unknown and is estimated unless the record
/// begins with a hold: a fit sees deviations from rest far below a hundredth of the force.
pub(super) fn initial_state(rig: &MotionRecord, subject: &Subject) -> InitialState {
    let (x, f) = (rig.motion.x(), &rig.force);
    let n = f.len();
    if subject.loop_law && !rests(x, rig.amplitude()) {
        return InitialState::Estimated;
    }
    let noise = rig.noise.unwrap_or_else(|| from_differences(f));
    let near = (3.0 * noise).max(0.01 * rig.peak());
    let first = f.iter().copied().find(|f| f.is_finite()).unwrap_or(0.0);
    let last = f.iter().rev().copied().find(|f| f.is_finite());
    let room = 0.02 * rig.amplitude();
    let offset = match rig.preload {
        Preload::Motion(x) => x,
        Preload::Force(_) => 0.0,
    };
    let (low, high) = range(x);
    // A part at rest is at no displacement, in the middle or at one end of what follows, or stands
    // still for a moment; a loop that passes through no force elsewhere is a settled one.
    let places = [-offset, 0.0, 0.5 * (low + high), low, high];
    let neutral = places.iter().any(|place| (x[0] - place).abs() <= room);
    let holds = rests(x, rig.amplitude());
    let at_zero = (x[0] + offset).abs() <= room || x[0].abs() <= room;
    if (first.abs() <= near && (neutral || holds)) || (at_zero && holds) {
        InitialState::AtRest
    } else if last.is_some_and(|last| (last - first).abs() <= near)
        && (x[n - 1] - x[0]).abs() <= room
        && turns(x) >= 2
    {
        InitialState::Periodic
    } else {
        InitialState::Estimated
    }
}

/// Whether the first samples stand still.
fn rests(x: &[f64], amplitude: f64) -> bool {
    let few = x.len().min(5);
    x[..few]
        .iter()
        .all(|q| (q - x[0]).abs() <= 1e-3 * amplitude)
}

/// Changes of direction larger than a twentieth of the range.
pub(super) fn turns(x: &[f64]) -> usize {
    let (low, high) = range(x);
    let room = 0.05 * (high - low);
    let (mut extreme, mut direction, mut count) = (x[0], 0.0_f64, 0);
    for &q in x {
        if direction == 0.0 {
            if (q - extreme).abs() > room {
                direction = (q - extreme).signum();
                extreme = q;
            }
        } else if direction * (q - extreme) > 0.0 {
            extreme = q;
        } else if direction * (extreme - q) > room {
            (direction, extreme) = (-direction, q);
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_sim::Motion;
    use std::f64::consts::TAU;

    /// Force follows the displacement with a lag of 0.3 rad; the record begins at `from` rad.
    fn record(from: f64, cycles: f64) -> MotionRecord {
        let n = 400;
        let phase = |i: usize| from + TAU * cycles * i as f64 / n as f64;
        let time = (0..=n).map(|i| i as f64 * 0.01).collect();
        let x = (0..=n).map(|i| 1e-3 * phase(i).sin()).collect();
        let force = (0..=n).map(|i| 100.0 * (phase(i) + 0.3).sin()).collect();
        MotionRecord::new(Motion::new(time, x, None).unwrap(), force)
    }

    #[test]
    fn states_are_told_from_the_ends_of_a_record() {
        let chain = Subject::default();
        assert_eq!(
            initial_state(&record(1.0, 2.0), &chain),
            InitialState::Periodic
        );
        assert_eq!(
            initial_state(&record(1.0, 2.3), &chain),
            InitialState::Estimated
        );
        let mut rest = record(0.0, 2.3);
        for i in 0..=400 {
            rest.force[i] = 1e5 * rest.motion.x()[i];
        }
        assert_eq!(initial_state(&rest, &chain), InitialState::AtRest);
        // One state costs one number: it is estimated even where the record looks closed.
        let law = Subject {
            loop_law: true,
            ..Subject::default()
        };
        assert_eq!(
            initial_state(&record(1.0, 2.0), &law),
            InitialState::Estimated
        );
    }

    #[test]
    fn turns_are_counted_above_the_noise() {
        assert_eq!(turns(record(0.0, 2.0).motion.x()), 4);
        assert_eq!(turns(&[0.0, 1.0, 0.99, 2.0]), 0);
    }
}
