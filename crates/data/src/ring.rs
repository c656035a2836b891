//! Records without force: frequency and damping against amplitude from successive peaks.
//!
//! delta = ln(a_k / a_(k+1)) over one period, zeta = delta / sqrt(4 pi^2 + delta^2).

use serde::Serialize;

use crate::cycles::{Reversal, reversals};
use crate::record::range;

/// One period of a free decay.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RingPoint {
    /// Middle of the period, s.
    pub time: f64,
    /// Amplitude zero to peak in the middle of the period, unit of the channel.
    pub amplitude: f64,
    /// Frequency, Hz.
    pub frequency: f64,
    /// Damping ratio; negative while the motion grows.
    pub damping_ratio: f64,
}

/// Frequency and damping of every period of a motion.
pub fn ring_down(time: &[f64], x: &[f64]) -> Vec<RingPoint> {
    let (low, high) = range(x);
    if high <= low {
        return Vec::new();
    }
    let noise = 8.0 * crate::signal::noise::from_differences(x);
    let turns = reversals(x, noise.clamp(1e-3 * (high - low), 0.05 * (high - low)));
    let at = |r: &Reversal| crate::cycles::between(time, r.position);
    // Half the distance of an extreme from the middle of its neighbours: free of offset and slow drift.
    let size = |w: &[Reversal]| 0.5 * (w[1].value - 0.5 * (w[0].value + w[2].value)).abs();
    turns
        .windows(5)
        .filter_map(|w| {
            let (before, after) = (size(&w[0..3]), size(&w[2..5]));
            let period = at(&w[3]) - at(&w[1]);
            if !(before > 0.0 && after > 0.0 && period > 0.0) {
                return None;
            }
            let delta = (before / after).ln();
            Some(RingPoint {
                time: at(&w[2]),
                amplitude: (before * after).sqrt(),
                frequency: 1.0 / period,
                damping_ratio: delta / std::f64::consts::TAU.hypot(delta),
            })
        })
        .collect()
}

/// Whether the periods are those of a free decay: the amplitude falls, and almost never grows on the way.
pub(crate) fn is_decay(points: &[RingPoint]) -> bool {
    let falling = points.iter().filter(|p| p.damping_ratio > 0.0).count();
    match points {
        [first, .., last] => {
            last.amplitude < 0.8 * first.amplitude && 4 * falling >= 3 * points.len()
        }
        _ => false,
    }
}

/// The frequency in the middle of those of all periods.
pub(crate) fn frequency(points: &[RingPoint]) -> Option<f64> {
    let mut all: Vec<f64> = points.iter().map(|p| p.frequency).collect();
    all.sort_unstable_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

/// About where a motion swings: the middle one of the middles between an extreme and its neighbours.
pub(crate) fn middle(turns: &[Reversal]) -> Option<f64> {
    let mut all: Vec<f64> = turns
        .windows(3)
        .map(|w| 0.25 * (w[0].value + 2.0 * w[1].value + w[2].value))
        .collect();
    all.sort_unstable_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn linear_decay() {
        let (f0, zeta) = (5.0, 0.02);
        let t: Vec<f64> = (0..4000).map(|i| f64::from(i) * 1e-3).collect();
        let wd = TAU * f0 * (1.0_f64 - zeta * zeta).sqrt();
        let x: Vec<f64> = t
            .iter()
            .map(|t| 0.3 + (-zeta * TAU * f0 * t).exp() * (wd * t).cos())
            .collect();
        let points = ring_down(&t, &x);
        assert!(points.len() > 10);
        for p in &points {
            assert!((p.frequency / (wd / TAU) - 1.0).abs() < 1e-3, "{p:?}");
            assert!((p.damping_ratio - zeta).abs() < 2e-4, "{p:?}");
        }
        assert!(points.windows(2).all(|w| w[1].amplitude < w[0].amplitude));
        assert!(ring_down(&[], &[]).is_empty());
        assert!(is_decay(&points));
        assert!((frequency(&points).unwrap() / (wd / TAU) - 1.0).abs() < 1e-3);
        let turns = reversals(&x, 1e-2);
        assert!((middle(&turns).unwrap() - 0.3).abs() < 1e-3);
    }

    #[test]
    fn a_steady_motion_is_no_decay() {
        let t: Vec<f64> = (0..4000).map(|i| f64::from(i) * 1e-3).collect();
        let x: Vec<f64> = t.iter().map(|t| (TAU * 5.0 * t).sin()).collect();
        let points = ring_down(&t, &x);
        assert!(points.len() > 10 && !is_decay(&points));
        assert!(!is_decay(&[]) && frequency(&[]).is_none() && middle(&[]).is_none());
    }
}
