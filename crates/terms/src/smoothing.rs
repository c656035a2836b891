//! Smoothed displacement and velocity.

use masing_data::cycles::Reversal;
use masing_data::range;
use masing_data::signal::{noise, smooth};

/// Share of a period that the smoothing window spans.
const WINDOW: f64 = 0.125;
/// Share of the amplitude below which a change by smoothing does not count as noise.
const NO_NOISE: f64 = 2e-6;

/// Half the smoothing window in samples, from the distance between turns.
pub(super) fn half_window(turns: &[Reversal], x: &[f64]) -> usize {
    let mut strokes: Vec<f64> = turns
        .windows(2)
        .map(|w| w[1].position - w[0].position)
        .collect();
    strokes.sort_by(f64::total_cmp);
    let period = match strokes.get(strokes.len() / 2) {
        Some(half) => 2.0 * half,
        None => x.len() as f64,
    };
    let most = x.len().saturating_sub(1) / 4;
    ((0.5 * WINDOW * period) as usize).clamp(2, most.max(2))
}

/// A motion without its noise.
pub(super) struct Smoothed {
    pub(super) values: Vec<f64>,
    pub(super) slopes: Vec<f64>,
    /// Samples on each side of the window.
    pub(super) half: usize,
    /// Whether the window was narrowed because the motion has corners.
    pub(super) corners: bool,
}

/// The motion smoothed over the window, or over a narrower one where the wide one changes it by more than its noise.
pub(super) fn smoothed(time: &[f64], raw: &[f64], half: usize) -> Smoothed {
    let (low, high) = range(raw);
    let amplitude = 0.5 * (high - low);
    let noise = noise::from_differences(raw);
    let wide = half;
    let mut half = half;
    let of = |values, slopes, half, corners| Smoothed {
        values,
        slopes,
        half,
        corners,
    };
    loop {
        let degree = if half >= 3 { 4 } else { 2 };
        let Ok(found) = smooth(time, raw, half, degree) else {
            return of(raw.to_vec(), forward(time, raw), 0, false);
        };
        let off: Vec<f64> = found.values.iter().zip(raw).map(|(a, b)| a - b).collect();
        let size = (off.iter().map(|d| d * d).sum::<f64>() / off.len() as f64).sqrt();
        if half > 2 && size < NO_NOISE * amplitude {
            // Nothing to smooth: the polynomial through five samples is the better derivative.
            if let Ok(found) = smooth(time, raw, 2, 4) {
                return of(raw.to_vec(), found.slopes, 2, false);
            }
        }
        let worst = off.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        // Corners that smoothing rounds off stand out of the noise, whose largest of many is five deviations.
        if half <= 2 || worst <= (8.0 * noise).max(1e-3 * amplitude) {
            return of(found.values, found.slopes, half, half < wide);
        }
        half = (half / 2).max(2);
    }
}

/// Difference to the next sample.
pub(super) fn forward(time: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n)
        .map(|i| {
            let i = i.min(n.saturating_sub(2));
            (x[i + 1] - x[i]) / (time[i + 1] - time[i])
        })
        .collect()
}
