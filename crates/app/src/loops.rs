//! Figures of force-displacement loops: amplitude, stiffness, energy, damping.

use serde::Serialize;
use std::f64::consts::TAU;
use std::ops::Range;

/// One loop, in SI units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Loop {
    /// First sample.
    pub start: usize,
    /// Last sample.
    pub end: usize,
    /// Displacement, zero to peak.
    pub amplitude: f64,
    /// Cycles per second; `null` for a record without a full cycle.
    pub frequency: Option<f64>,
    /// Smallest force.
    pub least_force: f64,
    /// Largest force.
    pub largest_force: f64,
    /// Work of the force on the part; what a closed loop dissipates.
    pub energy: f64,
    /// Peak-to-peak force over peak-to-peak displacement.
    pub secant_stiffness: f64,
    /// Magnitude of the first harmonic of the force over that of the displacement.
    pub dynamic_stiffness: Option<f64>,
    /// By how much the first harmonic of the force leads (rad).
    pub loss_angle: Option<f64>,
    /// Energy over 2 pi times secant stiffness times amplitude squared.
    pub damping_ratio: Option<f64>,
}

/// The full cycles of a record, from rising to rising crossing of the middle of the motion; the
/// whole record where there is none.
pub fn loops(time: &[f64], x: &[f64], force: &[f64]) -> Vec<Loop> {
    let crossings = rising(x);
    let cycles: Vec<Loop> = crossings
        .windows(2)
        .map(|w| figures(time, x, force, w[0]..w[1], true))
        .collect();
    if cycles.is_empty() && !x.is_empty() {
        vec![figures(time, x, force, 0..x.len() - 1, false)]
    } else {
        cycles
    }
}

/// The samples at or just after which the motion rises through its middle.
fn rising(x: &[f64]) -> Vec<usize> {
    let (low, high) = range(x);
    let (middle, span) = (f64::midpoint(low, high), high - low);
    // A sample on the crossing belongs to it even where its last digit says otherwise.
    let level = middle - 1e-9 * span;
    // Small movements about the middle, noise for one, are no cycles.
    let far = middle - 0.05 * span;
    let mut out = Vec::new();
    let starts_there = x.first().is_some_and(|x| (x - middle).abs() <= 1e-9 * span);
    let rises = x.iter().find(|&&v| v != x[0]).is_some_and(|v| *v > x[0]);
    if starts_there && rises {
        out.push(0);
    }
    let mut below = false;
    for (i, &value) in x.iter().enumerate() {
        below |= value < far;
        if below && value >= level {
            out.push(i);
            below = false;
        }
    }
    out
}

fn figures(time: &[f64], x: &[f64], force: &[f64], span: Range<usize>, closed: bool) -> Loop {
    let (a, b) = (span.start, span.end);
    let (low, high) = range(&x[a..=b]);
    let (least, most) = range(&force[a..=b]);
    let amplitude = 0.5 * (high - low);
    let work = |i: usize, j: usize| 0.5 * (force[i] + force[j]) * (x[j] - x[i]);
    let mut energy: f64 = (a..b).map(|i| work(i, i + 1)).sum();
    if closed {
        // The ends are a fraction of a sample apart.
        energy += work(b, a);
    }
    let period = time[b] - time[a];
    let harmonic = |q: &[f64]| {
        (a..b).fold([0.0, 0.0], |sum, i| {
            let at = |i: usize| (TAU * (time[i] - time[a]) / period).sin_cos();
            let ((s0, c0), (s1, c1)) = (at(i), at(i + 1));
            let half = 0.5 * (time[i + 1] - time[i]);
            [
                sum[0] + half * (q[i] * c0 + q[i + 1] * c1),
                sum[1] - half * (q[i] * s0 + q[i + 1] * s1),
            ]
        })
    };
    let ([xr, xi], [fr, fi]) = (harmonic(x), harmonic(force));
    let square = xr * xr + xi * xi;
    let (storage, loss) = ((fr * xr + fi * xi) / square, (fi * xr - fr * xi) / square);
    let secant_stiffness = (most - least) / (high - low);
    let of_cycle = |value: f64| Some(value).filter(|v| closed && v.is_finite());
    Loop {
        start: a,
        end: b,
        amplitude,
        frequency: of_cycle(1.0 / period),
        least_force: least,
        largest_force: most,
        energy,
        secant_stiffness,
        dynamic_stiffness: of_cycle(storage.hypot(loss)),
        loss_angle: of_cycle(loss.atan2(storage)),
        damping_ratio: of_cycle(energy / (TAU * secant_stiffness * amplitude * amplitude)),
    }
}

fn range(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| {
            (low.min(v), high.max(v))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_viscous_loop() {
        let time: Vec<f64> = (0..=2000).map(|i| f64::from(i) * 1e-3).collect();
        let x: Vec<f64> = time.iter().map(|t| 1e-3 * (TAU * t).sin()).collect();
        // Storage 1000 N/m, loss 200 N/m.
        let force: Vec<f64> = time
            .iter()
            .map(|t| (TAU * t).sin() + 0.2 * (TAU * t).cos())
            .collect();
        let found = loops(&time, &x, &force);
        assert_eq!(found.len(), 2);
        for one in found {
            // The trapezoidal rule with 1000 samples a cycle.
            let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-4;
            assert!(near(one.amplitude, 1e-3));
            assert!(near(one.frequency.unwrap(), 1.0));
            assert!(near(
                one.dynamic_stiffness.unwrap(),
                1000.0_f64.hypot(200.0)
            ));
            assert!(near(one.loss_angle.unwrap(), 0.2_f64.atan()));
            assert!(near(one.energy, std::f64::consts::PI * 1e-6 * 200.0));
        }
    }

    #[test]
    fn a_ramp_is_one_open_loop() {
        let found = loops(&[0.0, 1.0, 2.0], &[0.0, 1.0, 1.0], &[0.0, 2.0, 2.0]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].frequency, None);
        assert_eq!(found[0].energy, 1.0);
        assert_eq!(found[0].secant_stiffness, 2.0);
    }
}
