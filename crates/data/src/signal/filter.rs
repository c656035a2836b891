//! Zero-phase low-pass: a Butterworth filter of order two, run forward and backward.

use crate::error::DataError;

/// Passes frequencies below `cutoff` (Hz, -3 dB after both passes) of a uniformly sampled channel.
///
/// Stretches between missing samples are filtered on their own; missing samples stay missing.
pub fn low_pass(values: &[f64], step: f64, cutoff: f64) -> Result<Vec<f64>, DataError> {
    if !(step > 0.0 && step.is_finite()) {
        let expected = "a positive number of seconds";
        return Err(DataError::argument("time step", step, expected));
    }
    if !(cutoff > 0.0 && cutoff < 0.45 / step) {
        let expected = "a positive frequency below 0.45 of the sampling rate";
        return Err(DataError::argument("cut-off frequency", cutoff, expected));
    }
    // Two passes square the response: the single pass must be wider.
    let single = cutoff / (2_f64.sqrt() - 1.0).powf(0.25);
    let warped = (std::f64::consts::PI * (single * step).min(0.49)).tan();
    let norm = 1.0 / (1.0 + std::f64::consts::SQRT_2 * warped + warped * warped);
    let b = warped * warped * norm;
    let a1 = 2.0 * (warped * warped - 1.0) * norm;
    let a2 = (1.0 - std::f64::consts::SQRT_2 * warped + warped * warped) * norm;
    let pad = ((3.0 / (cutoff * step)) as usize).max(12);
    let mut out = values.to_vec();
    let mut start = 0;
    while start < out.len() {
        let run = out[start..].iter().take_while(|v| v.is_finite()).count();
        if run > 2 {
            let filtered = both_ways(&out[start..start + run], pad.min(run - 1), |x| {
                pass(x, b, a1, a2);
            });
            out[start..start + run].copy_from_slice(&filtered);
        }
        start += run.max(1);
    }
    Ok(out)
}

/// Forward and backward over the values, extended at both ends by their point reflection.
fn both_ways(values: &[f64], pad: usize, filter: impl Fn(&mut [f64])) -> Vec<f64> {
    let (n, first, last) = (values.len(), values[0], values[values.len() - 1]);
    let mut work: Vec<f64> = (1..=pad).rev().map(|i| 2.0 * first - values[i]).collect();
    work.extend_from_slice(values);
    work.extend((1..=pad).map(|i| 2.0 * last - values[n - 1 - i]));
    filter(&mut work);
    work.reverse();
    filter(&mut work);
    work.reverse();
    work[pad..pad + n].to_vec()
}

/// One pass, started in the steady state of the first value.
fn pass(x: &mut [f64], b: f64, a1: f64, a2: f64) {
    let start = x[0];
    let (mut x1, mut x2, mut y1, mut y2) = (start, start, start, start);
    for value in x {
        let y = b * (*value + 2.0 * x1 + x2) - a1 * y1 - a2 * y2;
        (x2, x1) = (x1, *value);
        (y2, y1) = (y1, y);
        *value = y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn gain(hz: f64) -> f64 {
        let x: Vec<f64> = (0..4000)
            .map(|i| (TAU * hz * f64::from(i) * 1e-3).sin())
            .collect();
        let y = low_pass(&x, 1e-3, 20.0).unwrap();
        let dot: f64 = x[1000..3000]
            .iter()
            .zip(&y[1000..3000])
            .map(|(a, b)| a * b)
            .sum();
        let own: f64 = x[1000..3000].iter().map(|a| a * a).sum();
        dot / own
    }

    #[test]
    fn passes_low_halves_power_at_cutoff_stops_high() {
        assert!((gain(1.0) - 1.0).abs() < 1e-3);
        // Zero phase: the gain is real, -3 dB at the cut-off.
        assert!((gain(20.0) - 0.5_f64.sqrt()).abs() < 0.01, "{}", gain(20.0));
        assert!(gain(200.0).abs() < 1e-3);
    }

    #[test]
    fn gaps_and_bad_arguments() {
        let y = low_pass(&[1.0, 1.0, 1.0, f64::NAN, 2.0, 2.0, 2.0], 1.0, 0.1).unwrap();
        assert!(y[3].is_nan() && (y[1] - 1.0).abs() < 1e-12 && (y[5] - 2.0).abs() < 1e-12);
        assert!(low_pass(&[1.0], 1.0, 0.6).is_err());
        assert!(low_pass(&[1.0], 0.0, 0.1).is_err());
    }
}
