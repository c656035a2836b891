//! What a force-displacement record shows at a glance: sizes from which a search can start.

use crate::target::Target;

/// Features of the largest loop of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// Half the range of the displacement.
    pub amplitude: f64,
    /// Half the range of the force.
    pub force: f64,
    /// Slope just after a reversal.
    pub slope_after: f64,
    /// Slope just before a reversal.
    pub slope_before: f64,
    /// Range of the force over the range of the displacement.
    pub secant: f64,
    /// Mean absolute speed.
    pub speed: f64,
    /// Energy dissipated per stretch of four amplitudes.
    pub energy: f64,
}

/// Reads the features; `None` without motion or force.
pub fn features(target: &Target) -> Option<Features> {
    let (t, x) = (target.motion.time(), target.motion.x());
    let samples: Vec<usize> = target.samples().collect();
    let range = |q: &dyn Fn(usize) -> f64| {
        samples
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &i| {
                (a.min(q(i)), b.max(q(i)))
            })
    };
    let (x_low, x_high) = range(&|i| x[i]);
    let (f_low, f_high) = range(&|i| target.force[i]);
    let (amplitude, force) = (0.5 * (x_high - x_low), 0.5 * (f_high - f_low));
    if !(amplitude > 0.0 && force > 0.0) {
        return None;
    }
    let (mut path, mut duration, mut energy) = (0.0, 0.0, 0.0);
    for pair in samples.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        path += (x[b] - x[a]).abs();
        duration += if x[b] == x[a] { 0.0 } else { t[b] - t[a] };
        energy += 0.5 * (target.force[a] + target.force[b]) * (x[b] - x[a]);
    }
    let secant = force / amplitude;
    let (slope_before, slope_after) =
        cusp_slopes(target, &samples, amplitude).unwrap_or((secant, 1.5 * secant));
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

/// Slopes over the last tenth of a stroke before a reversal at full amplitude, and from 1 to 5 % of
/// the next stroke after it; medians over the reversals.
fn cusp_slopes(target: &Target, samples: &[usize], amplitude: f64) -> Option<(f64, f64)> {
    let x = |k: usize| target.motion.x()[samples[k]];
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
            target,
            samples,
            if window.len() >= 3 { &window } else { &down },
        ));
        let up: Vec<usize> = (0..=at)
            .rev()
            .take_while(|&k| distance(k) < 0.1 * stroke)
            .collect();
        before.extend(slope(target, samples, &up));
    }
    Some((median(before)?, median(after)?))
}

/// Slope of a straight line through the chosen samples.
fn slope(target: &Target, samples: &[usize], chosen: &[usize]) -> Option<f64> {
    let n = chosen.len() as f64;
    if chosen.len() < 2 {
        return None;
    }
    let point = |&k: &usize| (target.motion.x()[samples[k]], target.force[samples[k]]);
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
