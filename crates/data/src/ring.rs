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
    }
}
