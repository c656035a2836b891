//! Features of tests, from which laws make their first guess.

use crate::test::{DrivenMasses, MotionRecord, Output, Point, StiffnessTable};
use masing_data::range;
use masing_model::Features;

/// Those of a record.
pub(crate) fn of_motion_record(rig: &MotionRecord) -> Option<Features> {
    let (t, x) = (rig.motion.time(), rig.motion.x());
    let samples: Vec<usize> = rig.samples().collect();
    let over = |values: &[f64]| -> Vec<f64> { samples.iter().map(|&i| values[i]).collect() };
    let (x_low, x_high) = range(&over(x));
    let (f_low, f_high) = range(&over(&rig.force));
    let (amplitude, force) = (0.5 * (x_high - x_low), 0.5 * (f_high - f_low));
    if !(amplitude > 0.0 && force > 0.0) {
        return None;
    }
    let (mut path, mut duration, mut energy) = (0.0, 0.0, 0.0);
    for pair in samples.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        path += (x[b] - x[a]).abs();
        duration += if x[b] == x[a] { 0.0 } else { t[b] - t[a] };
        energy += 0.5 * (rig.force[a] + rig.force[b]) * (x[b] - x[a]);
    }
    let secant = force / amplitude;
    let (slope_before, slope_after) =
        cusp_slopes(rig, &samples, amplitude).unwrap_or((secant, 1.5 * secant));
    Some(Features {
        amplitude,
        force,
        slope_after,
        slope_before,
        secant,
        speed: if duration > 0.0 { path / duration } else { 0.0 },
        energy: (energy * 4.0 * amplitude / path).max(0.0),
    })
}

/// A table shows the secant at its largest amplitude, and the slope after a reversal as the stiffness
/// at its smallest.
pub(crate) fn of_stiffness_table(table: &StiffnessTable) -> Option<Features> {
    let points = table.points.iter();
    let by_amplitude = |a: &&Point, b: &&Point| a.amplitude.total_cmp(&b.amplitude);
    let (small, large) = (
        points.clone().min_by(by_amplitude)?,
        points.max_by(by_amplitude)?,
    );
    let secant = large.stiffness;
    let angle = if large.loss_angle.is_finite() {
        large.loss_angle.max(0.0)
    } else {
        0.1
    };
    let a = large.amplitude;
    Some(Features {
        amplitude: a,
        force: secant * a,
        slope_after: small.stiffness.max(1.3 * secant),
        slope_before: 0.7 * secant,
        secant,
        speed: 4.0 * a * large.frequency,
        energy: std::f64::consts::PI * a * a * secant * angle.sin(),
    })
}

/// A loaded mass shows the size of its motion and of its load.
pub(crate) fn of_driven_masses(test: &DrivenMasses) -> Option<Features> {
    let (t, n) = (test.load().time(), test.load().len());
    let half = |values: &[f64]| {
        let (low, high) = range(values);
        0.5 * (high - low)
    };
    let force = test
        .load()
        .loads()
        .iter()
        .map(|(_, f)| half(f))
        .fold(0.0, f64::max);
    let channel = |output| test.channels.iter().find(|c| c.output == output);
    let duration = t[n - 1] - t[0];
    let (amplitude, speed) = match (channel(Output::Displacement), channel(Output::Velocity)) {
        (Some(x), _) => {
            let path: f64 = x.measured.windows(2).map(|w| (w[1] - w[0]).abs()).sum();
            (half(&x.measured), path / duration)
        }
        (None, Some(v)) => {
            let speed = 0.6 * half(&v.measured);
            (speed * duration / 10.0, speed)
        }
        _ => return None,
    };
    if !(amplitude > 0.0 && amplitude.is_finite()) {
        return None;
    }
    let force = if force > 0.0 { force } else { 1.0 };
    let secant = force / amplitude;
    Some(Features {
        amplitude,
        force,
        slope_after: 1.5 * secant,
        slope_before: 0.8 * secant,
        secant,
        speed,
        energy: 0.5 * force * amplitude,
    })
}

/// Slopes over the last tenth of a stroke before a reversal at full amplitude, and from 1 to 5 % of
/// the next stroke after it; medians over the reversals.
fn cusp_slopes(rig: &MotionRecord, samples: &[usize], amplitude: f64) -> Option<(f64, f64)> {
    let x = |k: usize| rig.motion.x()[samples[k]];
    let stroke = 2.0 * amplitude;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    // Reversals between strokes of at least half the range.
    let mut direction = 0.0;
    let mut extreme = 0;
    let mut reversals = Vec::new();
    for k in 1..samples.len() {
        let back = x(extreme) - x(k);
        if direction == 0.0 {
            if back.abs() > 0.25 * stroke {
                direction = -back.signum();
                extreme = k;
            }
        } else if direction * back < 0.0 {
            extreme = k;
        } else if direction * back > 0.25 * stroke {
            reversals.push((extreme, direction));
            (direction, extreme) = (-direction, k);
        }
    }
    for (at, direction) in reversals {
        let distance = |k: usize| direction * (x(at) - x(k));
        let down: Vec<usize> = (at..samples.len())
            .take_while(|&k| distance(k) < 0.05 * stroke)
            .collect();
        let window: Vec<usize> = down
            .iter()
            .copied()
            .filter(|&k| distance(k) > 0.01 * stroke)
            .collect();
        after.extend(slope(
            rig,
            samples,
            if window.len() >= 3 { &window } else { &down },
        ));
        let up: Vec<usize> = (0..=at)
            .rev()
            .take_while(|&k| distance(k) < 0.1 * stroke)
            .collect();
        before.extend(slope(rig, samples, &up));
    }
    Some((median(before)?, median(after)?))
}

/// Slope of a straight line through the chosen samples.
fn slope(rig: &MotionRecord, samples: &[usize], chosen: &[usize]) -> Option<f64> {
    let n = chosen.len() as f64;
    if chosen.len() < 2 {
        return None;
    }
    let point = |&k: &usize| (rig.motion.x()[samples[k]], rig.force[samples[k]]);
    let (sx, sf) = chosen
        .iter()
        .map(point)
        .fold((0.0, 0.0), |(a, b), (x, f)| (a + x, b + f));
    let (sxx, sxf) = chosen.iter().map(point).fold((0.0, 0.0), |(a, b), (x, f)| {
        (a + (x - sx / n).powi(2), b + (x - sx / n) * (f - sf / n))
    });
    (sxx > 0.0).then(|| sxf / sxx)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
