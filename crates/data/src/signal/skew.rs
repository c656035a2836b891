//! Delay between motion and force channels.
//!
//! In a passive part the force peaks when the motion turns (friction, springs) or earlier (damping), never later. A force
//! that peaks later was recorded later: the distance is a lower bound of the delay. A force ahead of the motion cannot
//! be told from damping, so nothing is returned then.

use crate::cycles::Reversal;

/// Delay of the force behind the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skew {
    /// Delay in samples, at least.
    pub samples: f64,
    /// Median distance of the single estimates from it.
    pub spread: f64,
    /// Reversals that were compared.
    pub reversals: usize,
}

/// Estimates the delay from at least four reversals; `None` if the force does not lag.
pub fn skew(force: &[f64], reversals: &[Reversal]) -> Option<Skew> {
    let mut delays: Vec<f64> = Vec::new();
    // 400 reversals are plenty for a median.
    let stride = (reversals.len() / 400).max(1);
    for w in reversals.windows(3).step_by(stride) {
        let period = w[2].index - w[0].index;
        if let Some(delay) = lag(force, &w[1], period) {
            delays.push(delay);
        }
    }
    if delays.len() < 4 {
        return None;
    }
    let samples = median(&mut delays);
    let mut off: Vec<f64> = delays.iter().map(|d| (d - samples).abs()).collect();
    (samples > 0.0).then(|| Skew {
        samples,
        spread: median(&mut off),
        reversals: delays.len(),
    })
}

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Distance of the force's peak from a reversal, in samples.
fn lag(force: &[f64], turn: &Reversal, period: usize) -> Option<f64> {
    let reach = period / 6;
    let (from, to) = (turn.index.checked_sub(reach)?, turn.index + reach);
    if reach < 4 || to >= force.len() {
        return None;
    }
    let sign = if turn.top { 1.0 } else { -1.0 };
    let piece = &force[from..=to];
    if piece.iter().any(|f| !f.is_finite()) {
        return None;
    }
    let peak = (0..piece.len()).max_by(|a, b| (sign * piece[*a]).total_cmp(&(sign * piece[*b])))?;
    // A peak at the edge is no peak, a plateau has none.
    let sharp = peak > 0 && peak + 1 < piece.len() && piece[peak - 1] != piece[peak];
    sharp.then(|| (from + peak) as f64 - turn.position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycles::{reversals, threshold};

    /// Spring-slider with a spring beside it, sine drive.
    fn friction(n: usize, delay: usize) -> (Vec<f64>, Vec<f64>) {
        let x: Vec<f64> = (0..n)
            .map(|i| (std::f64::consts::TAU * i as f64 / 200.0).sin())
            .collect();
        let mut z = 0.0_f64;
        let mut f = vec![0.0];
        for w in x.windows(2) {
            z = (z + 10.0 * (w[1] - w[0])).clamp(-1.0, 1.0);
            f.push(z + w[1]);
        }
        let late = (0..n).map(|i| f[i.saturating_sub(delay)]).collect();
        (x, late)
    }

    #[test]
    fn finds_the_delay() {
        for delay in [0, 3, 8] {
            let (x, f) = friction(2000, delay);
            let found = skew(&f, &reversals(&x, threshold(&x))).map_or(0.0, |s| s.samples);
            assert!((found - delay as f64).abs() < 1.0, "{delay}: {found:?}");
        }
    }

    #[test]
    fn damping_is_not_skew() {
        let x: Vec<f64> = (0..2000)
            .map(|i| (std::f64::consts::TAU * f64::from(i) / 200.0).sin())
            .collect();
        let f: Vec<f64> = (0..2000)
            .map(|i| (std::f64::consts::TAU * f64::from(i) / 200.0 + 0.3).sin())
            .collect();
        assert_eq!(skew(&f, &reversals(&x, threshold(&x))), None);
        assert_eq!(skew(&[], &[]), None);
    }
}
