//! Reversals of a motion, by hysteresis: a turn counts once the motion has come back by more than a threshold.
//!
//! Noise and dwell below the threshold make no reversals; the sign of a branch comes from its ends, never from a
//! differenced velocity.

use crate::record::range;
use crate::signal::noise;

/// A turning point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reversal {
    /// Sample of the extreme.
    pub index: usize,
    /// Where the vertex lies between samples, in samples.
    pub position: f64,
    /// Motion at the vertex.
    pub value: f64,
    /// A maximum.
    pub top: bool,
}

/// Threshold for [`reversals`]: eight times the noise, but between 1 % and 5 % of the range.
pub fn threshold(x: &[f64]) -> f64 {
    let (low, high) = range(x);
    let span = (high - low).max(0.0);
    (8.0 * noise::from_differences(x)).clamp(0.01 * span, 0.05 * span)
}

/// Turning points of a motion, alternating between maxima and minima. Missing samples are passed over.
pub fn reversals(x: &[f64], threshold: f64) -> Vec<Reversal> {
    let mut found = Vec::new();
    let mut samples = x.iter().copied().enumerate().filter(|(_, v)| v.is_finite());
    let Some((first, start)) = samples.next() else {
        return found;
    };
    let (mut low, mut high) = ((first, start), (first, start));
    // +1 while rising, -1 while falling, 0 before the first excursion.
    let mut direction = 0;
    for (i, value) in samples {
        if value > high.1 {
            high = (i, value);
        }
        if value < low.1 {
            low = (i, value);
        }
        if direction >= 0 && high.1 - value > threshold {
            if direction > 0 {
                found.push(vertex(x, high.0, true));
            }
            direction = -1;
            low = (i, value);
        } else if direction <= 0 && value - low.1 > threshold {
            if direction < 0 {
                found.push(vertex(x, low.0, false));
            }
            direction = 1;
            high = (i, value);
        }
    }
    found
}

/// The vertex of the parabola through an extreme and its neighbours; the sample itself beside a hold or a gap.
fn vertex(x: &[f64], index: usize, top: bool) -> Reversal {
    let at = |i: Option<usize>| i.and_then(|i| x.get(i)).copied().filter(|v| v.is_finite());
    let b = x[index];
    let plain = Reversal {
        index,
        position: index as f64,
        value: b,
        top,
    };
    let (Some(a), Some(c)) = (at(index.checked_sub(1)), at(Some(index + 1))) else {
        return plain;
    };
    let (before, after) = (b - a, c - b);
    if before * after >= 0.0 {
        return plain;
    }
    let bend = after - before;
    let shift = -0.5 * (before + after) / bend;
    if shift.abs() > 0.5 {
        return plain;
    }
    let value = b + 0.25 * (before + after) * shift;
    Reversal {
        position: index as f64 + shift,
        value,
        ..plain
    }
}

/// Direction of motion at every sample, from the reversals: +1 rising, -1 falling, 0 if the motion never turns or moves.
pub fn branches(x: &[f64], reversals: &[Reversal]) -> Vec<i8> {
    let mut signs = vec![0_i8; x.len()];
    let first = match reversals.first() {
        Some(r) => {
            if r.top {
                1
            } else {
                -1
            }
        }
        None => {
            let mut finite = x.iter().filter(|v| v.is_finite());
            match (finite.next(), finite.next_back()) {
                (Some(a), Some(b)) if b > a => 1,
                (Some(a), Some(b)) if b < a => -1,
                _ => 0,
            }
        }
    };
    let mut from = 0;
    let mut sign = first;
    for reversal in reversals {
        let end = (reversal.index + 1).clamp(from, x.len());
        signs[from..end].fill(sign);
        from = end;
        sign = if reversal.top { -1 } else { 1 };
    }
    signs[from..].fill(sign);
    signs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sine(n: usize, periods: f64) -> Vec<f64> {
        (0..n)
            .map(|i| (std::f64::consts::TAU * periods * i as f64 / n as f64).sin())
            .collect()
    }

    #[test]
    fn survives_noise_and_dwell() {
        let mut x = sine(2000, 4.0);
        // A hold at the second maximum and a ripple below the threshold.
        x.splice(625..625, std::iter::repeat_n(1.0, 300));
        for (i, v) in x.iter_mut().enumerate() {
            *v += 0.01 * (i as f64 * 2.3).sin() + 0.003 * (i as f64 * 0.7).cos();
        }
        let found = reversals(&x, threshold(&x));
        assert_eq!(found.len(), 8);
        assert!(found.windows(2).all(|w| w[0].top != w[1].top));
        let signs = branches(&x, &found);
        assert_eq!(signs[10], 1);
        assert_eq!(signs[1999 + 300], 1);
    }

    #[test]
    fn vertices_lie_between_samples() {
        // 37 samples a period: the peak of the parabola is far better than the sample.
        let x: Vec<f64> = (0..370)
            .map(|i| (std::f64::consts::TAU * f64::from(i) / 37.0 + 0.1).sin())
            .collect();
        for r in reversals(&x, 0.1) {
            assert!((r.value.abs() - 1.0).abs() < 1e-4, "{}", r.value);
            let phase = std::f64::consts::TAU * r.position / 37.0 + 0.1;
            assert!((phase.sin().abs() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn odd_input() {
        assert!(reversals(&[], 0.1).is_empty());
        assert!(reversals(&[f64::NAN; 4], 0.1).is_empty());
        assert_eq!(branches(&[0.0, 1.0, 2.0], &[]), [1, 1, 1]);
        assert_eq!(branches(&[1.0, 1.0], &[]), [0, 0]);
    }

    proptest! {
        #[test]
        fn alternate_and_stay_inside(x in proptest::collection::vec(-1e3..1e3f64, 0..200), h in 0.0..100.0f64) {
            let found = reversals(&x, h);
            prop_assert!(found.windows(2).all(|w| w[0].top != w[1].top && w[0].index < w[1].index));
            prop_assert_eq!(branches(&x, &found).len(), x.len());
        }
    }
}
