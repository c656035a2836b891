//! A moving average undone.
//!
//! y[n] = (x[n-w+1] + ... + x[n])/w gives x[n] = x[n-w] + w (y[n] - y[n-1]): exact, but for what the channel
//! did before the record. Taken as rest, that is wrong by a sequence p of period w and mean zero wherever the
//! record was cut out of a motion or the average was begun in another way. Of all channels with these averages
//! the smoothest is taken: p makes the second differences of x - p smallest, weighted by a Hann window so that
//! the motion itself does not leak into it. Derivation and noise: `docs/math/measurement.md`.

use std::f64::consts::PI;

/// A channel as it was before a moving average.
#[derive(Clone, Debug, PartialEq)]
pub struct Undone {
    /// Its values.
    pub values: Vec<f64>,
    /// Whether a periodic residue of an unknown beginning was removed.
    pub residue: bool,
    /// Expected rms error, of the rms of the channel about its mean.
    pub error: f64,
    /// Noise of the channel that was given, of the same.
    pub noise: f64,
}

/// Share of the squared second differences that is left where a residue was there. Without one, m windows
/// lose 1/m of them by chance.
const RESIDUE: f64 = 0.5;

/// The values before a causal moving average of so many samples.
pub fn undo_average(values: &[f64], samples: usize) -> Undone {
    let (n, w) = (values.len(), samples.max(1));
    let mut x = values.to_vec();
    for i in 1..n {
        let before = x[i.saturating_sub(w)];
        x[i] = before + w as f64 * (values[i] - values[i - 1]);
    }
    let residue = residue(&x, w);
    for (i, x) in x.iter_mut().enumerate() {
        *x -= residue.as_ref().map_or(0.0, |p| p[i % w]);
    }
    let windows = n as f64 / w as f64;
    // Noise adds up window after window; without its mean over the windows a third of it is left.
    let steps = match residue {
        Some(_) => windows / 3.0,
        None => windows + 1.0,
    };
    let mean = x.iter().sum::<f64>() / n.max(1) as f64;
    let square = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n.max(1) as f64;
    let noise = match noise_after(values, w) {
        0.0 => 0.0,
        noise => noise / square.sqrt(),
    };
    Undone {
        values: x,
        residue: residue.is_some(),
        error: w as f64 * steps.sqrt() * noise,
        noise,
    }
}

/// The periodic part that an unknown beginning left, if there is one.
fn residue(x: &[f64], w: usize) -> Option<Vec<f64>> {
    let windows = x.len().saturating_sub(2) / w;
    if windows < 2 {
        return None;
    }
    let bend = |i: usize| x[i + 1] - 2.0 * x[i] + x[i - 1];
    let used = 1..=windows * w;
    let mut bends = folded(x, w, windows);
    let level = |p: &mut Vec<f64>| {
        let mean = p.iter().sum::<f64>() / w as f64;
        for p in p.iter_mut() {
            *p -= mean;
        }
    };
    level(&mut bends);
    let all: f64 = used.clone().map(|i| bend(i).powi(2)).sum();
    let left: f64 = used.map(|i| (bend(i) - bends[i % w]).powi(2)).sum();
    if left >= RESIDUE * all {
        return None;
    }
    // Summed twice: slopes p[r+1] - p[r], then p itself.
    let mut p = bends;
    for r in 1..w {
        p[r] += p[r - 1];
    }
    level(&mut p);
    p.rotate_right(1);
    for r in 1..w {
        p[r] += p[r - 1];
    }
    level(&mut p);
    Some(p)
}

/// Mean second difference of every phase over whole windows, weighted by a Hann window: the weights of a phase
/// add up to half the number of windows.
fn folded(x: &[f64], w: usize, windows: usize) -> Vec<f64> {
    let mut bends = vec![0.0; w];
    for i in 1..=windows * w {
        let hann = (PI * (i as f64 - 0.5) / (windows * w) as f64).sin().powi(2);
        bends[i % w] += 2.0 / windows as f64 * hann * (x[i + 1] - 2.0 * x[i] + x[i - 1]);
    }
    bends
}

/// Noise that came after the average. What came before it, as the resolution of the sensor, is restored with
/// the channel and does not count: it vanishes from the mean over windows, as everything averaged does.
fn noise_after(values: &[f64], w: usize) -> f64 {
    let windows = values.len().saturating_sub(2) / w;
    let plain = noise(values);
    if windows < 4 {
        return plain;
    }
    let square = folded(values, w, windows)
        .iter()
        .map(|b| b * b)
        .sum::<f64>()
        / w as f64;
    // White noise: 6 for second differences, (2/m)^2 3 m/8 for the weighted mean over m windows.
    plain.min((square * windows as f64 / 9.0).sqrt())
}

/// White noise from fifth differences, by the median where the channel moves: what was averaged is too smooth
/// to show in them.
fn noise(values: &[f64]) -> f64 {
    let moving = values.windows(6).filter(|w| w.iter().any(|v| *v != w[0]));
    let fifth = |w: &[f64]| (w[5] - w[0] + 5.0 * (w[1] - w[4]) + 10.0 * (w[3] - w[2])).abs();
    let mut sizes: Vec<f64> = moving.map(fifth).collect();
    if sizes.is_empty() {
        return 0.0;
    }
    let middle = sizes.len() / 2;
    let median = *sizes.select_nth_unstable_by(middle, f64::total_cmp).1;
    // 252: the sum of the squared weights; 0.6745: median over deviation of a normal distribution.
    median / 0.674_5 / 252_f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Filter;
    use crate::signal::noise::tests::white;
    use std::f64::consts::TAU;

    const W: usize = 300;

    /// A bent sine of ten windows a cycle, from `phase`.
    fn channel(n: usize, phase: f64) -> Vec<f64> {
        let at = |i: usize| (TAU * i as f64 / (10 * W) as f64 + phase).sin();
        (0..n).map(|i| (2.0 * at(i)).tanh() - 30.0).collect()
    }

    fn averaged(x: &[f64]) -> Vec<f64> {
        let mut y = x.to_vec();
        Filter::MovingAverage { samples: W }.apply(&mut y, 1.0);
        y
    }

    /// Error of a channel over its rms about the mean.
    fn error(found: &[f64], x: &[f64]) -> f64 {
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        let off: f64 = found.iter().zip(x).map(|(a, b)| (a - b).powi(2)).sum();
        let all: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
        (off / all).sqrt()
    }

    #[test]
    fn a_channel_that_began_at_rest_is_restored() {
        let x = channel(9000, 0.0);
        let found = undo_average(&averaged(&x), W);
        assert!(!found.residue);
        // Rounding, times 300 samples, over 30 windows.
        assert!(
            error(&found.values, &x) < 1e-9,
            "{}",
            error(&found.values, &x)
        );
        assert!(found.error < 1e-6, "{}", found.error);
    }

    #[test]
    fn a_channel_cut_out_of_a_motion_is_restored_to_a_thousandth() {
        for phase in [0.4, 1.6, 4.0] {
            let whole = channel(9400, phase);
            let y = averaged(&whole);
            let found = undo_average(&y[400..], W);
            assert!(found.residue);
            let off = error(&found.values, &whole[400..]);
            assert!(off < 1e-3, "{phase}: {off}");
        }
    }

    #[test]
    fn the_expected_error_is_that_of_the_noise() {
        for (cut, size) in [(0, 1e-6), (0, 1e-5), (400, 1e-5), (400, 1e-4)] {
            let whole = channel(9400, 0.0);
            let y = averaged(&whole);
            let noise = white(y.len());
            let y: Vec<f64> = y.iter().zip(&noise).map(|(y, e)| y + size * e).collect();
            let found = undo_average(&y[cut..], W);
            let off = error(&found.values, &whole[cut..]);
            // A random walk of some thirty steps in 300 phases is known to a few tens of per cent.
            let ratio = found.error / off;
            assert!(
                (0.6..1.7).contains(&ratio),
                "{cut} {size}: {ratio} of {off}"
            );
        }
    }

    #[test]
    fn noise_of_a_channel_that_mostly_rests_is_seen() {
        let mut y = vec![0.0; 4000];
        for (value, e) in y[3000..].iter_mut().zip(white(1000)) {
            *value = 1e-3 * e;
        }
        assert!((noise(&y) / 1e-3 - 1.0).abs() < 0.2);
    }
}
