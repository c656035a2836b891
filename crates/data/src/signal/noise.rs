//! Noise level of a channel.

use crate::cycles::{Block, Cycle, between};

/// Noise of a force channel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Standard deviation.
    pub value: f64,
    /// Correlation of the noise from sample to sample; near 1 means it was smoothed upstream.
    pub lag1: f64,
    /// Cycles compared.
    pub cycles: usize,
}

/// White-noise level from third differences, by the median: for a finely sampled signal the trend cancels.
///
/// var(d3 x) = 20 sigma^2; the median of |d3 x| over 0.6745 estimates its root for mostly smooth signals. A coarse signal
/// gives too much, never too little.
pub fn from_differences(values: &[f64]) -> f64 {
    // Enough for a median; keeps long records quick.
    let stride = (values.len() / 200_000).max(1);
    let mut sizes: Vec<f64> = values
        .windows(4)
        .step_by(stride)
        .map(|w| (w[3] - 3.0 * w[2] + 3.0 * w[1] - w[0]).abs())
        .filter(|d| d.is_finite())
        .collect();
    if sizes.is_empty() {
        return 0.0;
    }
    let middle = sizes.len() / 2;
    let median = *sizes.select_nth_unstable_by(middle, f64::total_cmp).1;
    median / 0.674_5 / 20_f64.sqrt()
}

/// Noise from the differences of successive cycles of a block, without its first cycle; needs three after it.
///
/// Cycles are compared at equal phase; what interpolation does to the variance is taken out again, and the part shared by
/// all phases (slow drift) is removed.
pub fn from_cycles(force: &[f64], cycles: &[Cycle], block: &Block) -> Option<Noise> {
    let members = cycles.get(block.cycles.start + 1..block.cycles.end)?;
    if members.len() < 3 {
        return None;
    }
    let count = members
        .iter()
        .map(|c| (c.to - c.from) as usize)
        .min()?
        .min(4000);
    if count < 8 {
        return None;
    }
    let grid = |c: &Cycle| -> Vec<(f64, f64)> {
        let step = (c.to - c.from) / count as f64;
        (0..count)
            .map(|i| cubic(force, c.from + step * i as f64))
            .collect()
    };
    let pairs = members.len().min(65) - 1;
    let (mut sum, mut lagged, mut weight) = (0.0, 0.0, 0.0);
    for pair in members.windows(2).take(pairs) {
        let (late, early) = (grid(&pair[1]), grid(&pair[0]));
        let mut d: Vec<f64> = late.iter().zip(&early).map(|(a, b)| a.0 - b.0).collect();
        let finite: Vec<f64> = d.iter().copied().filter(|v| v.is_finite()).collect();
        if finite.len() < count / 2 {
            continue;
        }
        let mean = finite.iter().sum::<f64>() / finite.len() as f64;
        for (i, v) in d.iter_mut().enumerate() {
            if v.is_finite() {
                *v -= mean;
                weight += late[i].1 + early[i].1;
            } else {
                *v = 0.0;
            }
        }
        sum += d.iter().map(|v| v * v).sum::<f64>();
        lagged += d.windows(2).map(|w| w[0] * w[1]).sum::<f64>();
    }
    (weight > 0.0).then(|| Noise {
        value: (sum / weight).sqrt(),
        lag1: if sum > 0.0 { lagged / sum } else { 0.0 },
        cycles: members.len(),
    })
}

/// Value between samples on a cubic through the four neighbours, and by what factor it carries the variance of a sample.
fn cubic(values: &[f64], position: f64) -> (f64, f64) {
    let i = position.floor() as usize;
    let s = position - i as f64;
    let Some(piece) = i
        .checked_sub(1)
        .and_then(|before| values.get(before..i + 3))
    else {
        return (between(values, position), 1.0);
    };
    let weights = [
        0.5 * s * (-1.0 + s * (2.0 - s)),
        1.0 + 0.5 * s * s * (-5.0 + 3.0 * s),
        0.5 * s * (1.0 + s * (4.0 - 3.0 * s)),
        0.5 * s * s * (s - 1.0),
    ];
    let value = piece.iter().zip(weights).map(|(v, w)| v * w).sum();
    (value, weights.iter().map(|w| w * w).sum())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::cycles::{blocks, cycles};

    /// A fixed sequence with the statistics of white noise of deviation 1.
    pub(crate) fn white(n: usize) -> Vec<f64> {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut uniform = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..n)
            .map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0)
            .collect()
    }

    #[test]
    fn finds_the_noise_that_was_added() {
        let n = 4000;
        let noise = white(n);
        let x: Vec<f64> = (0..n)
            .map(|i| (std::f64::consts::TAU * i as f64 / 400.3).sin())
            .collect();
        let f: Vec<f64> = x
            .iter()
            .zip(&noise)
            .map(|(x, e)| 100.0 * x + 0.5 * e)
            .collect();
        let level = from_differences(&f);
        assert!((level / 0.5 - 1.0).abs() < 0.1, "{level}");
        let found = cycles(&x, Some(&f), None);
        let groups = blocks(&found);
        let noise = from_cycles(&f, &found, &groups[0]).unwrap();
        assert!((noise.value / 0.5 - 1.0).abs() < 0.1, "{noise:?}");
        assert!(noise.lag1.abs() < 0.2, "{noise:?}");
    }

    #[test]
    fn smoothing_shows_in_the_correlation() {
        let n = 4000;
        let noise = white(n + 20);
        let x: Vec<f64> = (0..n)
            .map(|i| (std::f64::consts::TAU * i as f64 / 400.3).sin())
            .collect();
        let f: Vec<f64> = (0..n)
            .map(|i| 100.0 * x[i] + noise[i..i + 20].iter().sum::<f64>() / 20.0)
            .collect();
        let found = cycles(&x, Some(&f), None);
        let noise = from_cycles(&f, &found, &blocks(&found)[0]).unwrap();
        assert!(noise.lag1 > 0.8, "{noise:?}");
    }
}
