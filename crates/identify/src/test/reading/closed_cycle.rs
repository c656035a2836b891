//! Records that are one closed cycle.

use super::ReadError;
use crate::test::{InitialState, MotionRecord};
use masing_sim::{Motion, SimError};
use std::ops::Range;
use std::path::Path;

/// Rejects a cycle whose force does not return to where it began.
pub(super) fn require_closed(path: &Path, rig: &MotionRecord) -> Result<(), ReadError> {
    let measured: Vec<usize> = rig.samples().collect();
    let (Some(&first), Some(&last)) = (measured.first(), measured.last()) else {
        return Ok(());
    };
    let x = rig.motion.x();
    // The record may end a sample before the cycle does; the force then lacks one step as well.
    let longest = |values: &[f64]| {
        let steps = values.windows(2).map(|w| (w[1] - w[0]).abs());
        steps.filter(|step| step.is_finite()).fold(0.0, f64::max)
    };
    let near = (3.0 * rig.noise.unwrap_or(0.0)).max(OPEN * rig.peak()) + longest(&rig.force);
    let room = OPEN * rig.amplitude() + longest(x);
    let (gap, stroke) = (
        (rig.force[last] - rig.force[first]).abs(),
        (x[last] - x[first]).abs(),
    );
    if gap > near || stroke > room {
        return Err(ReadError::OpenLoop {
            path: path.to_owned(),
            force: 100.0 * gap / rig.peak(),
            motion: 100.0 * stroke / rig.amplitude(),
        });
    }
    Ok(())
}

/// Share of the largest force and of the amplitude by which the ends of a closed cycle may differ.
const OPEN: f64 = 0.05;

/// The window of a record as one closed cycle: it ends where it began, between samples if need be.
pub(super) fn closed_cycle(rig: &MotionRecord) -> Result<MotionRecord, SimError> {
    let Range { start, end } = rig.window;
    let (t, x, v) = (rig.motion.time(), rig.motion.x(), rig.motion.v());
    let range = 2.0 * rig.amplitude();
    let ahead = |i: usize| x[i] - x[start];
    let leaving = (start..end).map(ahead).find(|d| d.abs() > 1e-3 * range);
    let direction = leaving.unwrap_or(1.0).signum();
    // Samples at the end that have passed the beginning again belong to the next cycle.
    let passed = |i: usize| direction * ahead(i) > 0.0 && ahead(i).abs() < 0.25 * range;
    let mut last = end;
    while last > start + (end - start) / 2 && passed(last - 1) {
        last -= 1;
    }
    let pick = |values: &[f64]| values[start..last].to_vec();
    let (mut time, mut path) = (pick(t), pick(x));
    let (mut speed, mut force) = (pick(v), pick(&rig.force));
    let mut acceleration = rig.measured_acceleration.as_deref().map(pick);
    let n = path.len();
    let step = if last < x.len() {
        (t[last] - t[last - 1], x[last] - x[last - 1])
    } else {
        (t[last - 1] - t[last - 2], x[last - 1] - x[last - 2])
    };
    let share = -ahead(last - 1) / step.1;
    if share > 1e-6 && share <= 2.0 {
        time.push(time[n - 1] + share * step.0);
        path.push(path[0]);
        speed.push(speed[0]);
        force.push(f64::NAN);
        if let Some(acceleration) = &mut acceleration {
            acceleration.push(acceleration[0]);
        }
    } else {
        // Closed by the last sample, up to rounding.
        path[n - 1] = path[0];
    }
    Ok(MotionRecord {
        window: 0..path.len(),
        motion: Motion::new(time, path, Some(speed))?,
        force,
        measured_acceleration: acceleration,
        initial: InitialState::Periodic,
        filter: rig
            .filter
            .as_ref()
            .map(|own| own.moved(|i| i.checked_sub(start).filter(|_| i < last))),
        ..rig.clone()
    })
}

/// Whether channels go on at their beginning where they leave off at their end, as those of one period of a steady
/// response do: none jumps there, and at least one is sampled finely enough for a jump to show.
pub fn close<'a>(channels: impl IntoIterator<Item = &'a [f64]>) -> bool {
    let mut tell = false;
    for values in channels {
        match closes(values) {
            Some(false) => return false,
            Some(true) => tell = true,
            None => {}
        }
    }
    tell
}

/// Share of its rms by which the parabola through three samples may miss the next one: a channel whose samples follow
/// each other less closely tells nothing.
const FOLLOWS: f64 = 0.5;

/// Whether the first value is what the last few lead to, with or without a value in common, as well as any value is;
/// `None` where the channel cannot tell.
fn closes(values: &[f64]) -> Option<bool> {
    let n = values.len();
    if n < 16 {
        return Some(false);
    }
    // The parabola through three values, one step on.
    let ahead = |v: &[f64]| 3.0 * (v[2] - v[1]) + v[0];
    let typical = values.windows(4).map(|w| (ahead(w) - w[3]).powi(2));
    let typical = (typical.sum::<f64>() / (n - 3) as f64).sqrt();
    let size = (values.iter().map(|v| v * v).sum::<f64>() / n as f64).sqrt();
    let constant = values.iter().all(|v| *v == values[0]);
    if constant || typical > FOLLOWS * size {
        return None;
    }
    let near = |gap: f64| gap.abs() <= 4.0 * typical;
    let open = near(ahead(&values[n - 3..]) - values[0])
        && near(ahead(&[values[n - 2], values[n - 1], values[0]]) - values[1]);
    let closed = (values[n - 1] - values[0]).abs() <= 1e-3 * size + typical;
    Some(open || closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn wave(samples: usize, periods: f64) -> Vec<f64> {
        let phase = |i: usize| TAU * periods * i as f64 / samples as f64;
        (0..samples).map(|i| (phase(i) + 0.7).cos()).collect()
    }

    #[test]
    fn a_period_closes_and_a_piece_of_one_does_not() {
        assert_eq!(closes(&wave(400, 7.0)), Some(true));
        let mut closed = wave(400, 7.0);
        closed.push(closed[0]);
        assert_eq!(closes(&closed), Some(true));
        assert_eq!(closes(&wave(400, 7.4)), Some(false));
        assert_eq!(closes(&[1.0, 2.0]), Some(false));
    }

    #[test]
    fn a_channel_that_cannot_tell_leaves_it_to_the_others() {
        // Four samples a cycle: the parabola misses by more than the wave is high.
        let (coarse, fine) = (wave(400, 100.0), wave(400, 7.0));
        assert_eq!(closes(&coarse), None);
        assert_eq!(closes(&[1.0; 400]), None);
        assert!(close([coarse.as_slice(), &fine]));
        assert!(!close([coarse.as_slice()]));
        assert!(!close([coarse.as_slice(), &wave(400, 7.4)]));
    }

    fn record(samples: usize, per_cycle: f64) -> MotionRecord {
        let phase = |i: usize| TAU * i as f64 / per_cycle;
        let time = (0..samples).map(|i| i as f64 * 0.01).collect();
        let x = (0..samples)
            .map(|i| 1e-3 * (phase(i) + 0.4).sin())
            .collect();
        let force = (0..samples)
            .map(|i| 50.0 * (phase(i) + 0.6).sin())
            .collect();
        MotionRecord::new(Motion::new(time, x, None).unwrap(), force)
    }

    #[test]
    fn a_cycle_is_closed_between_samples() {
        let cycle = closed_cycle(&record(100, 100.4)).unwrap();
        let (t, x) = (cycle.motion.time(), cycle.motion.x());
        assert_eq!(x[0], x[x.len() - 1]);
        // The straight line to the beginning misses the sine by less than a tenth of a step.
        assert!((t[t.len() - 1] - 1.004).abs() < 1e-3, "{}", t[t.len() - 1]);
        assert_eq!(cycle.initial, InitialState::Periodic);
        assert!(cycle.force[cycle.force.len() - 1].is_nan());
    }

    #[test]
    fn only_what_ends_where_it_began_is_a_cycle() {
        let path = Path::new("a.csv");
        assert!(require_closed(path, &record(100, 100.0)).is_ok());
        let open = require_closed(path, &record(80, 100.0));
        assert!(matches!(open, Err(ReadError::OpenLoop { .. })));
    }
}
