//! Savitzky-Golay derivative: slope of the parabola fitted to the neighbours, on any spacing.

use crate::error::DataError;

/// Samples on each side for a drive of the given period: 3 % of it, which costs about 0.4 % of the slope of a sine.
pub fn half_window(period: f64, step: f64) -> usize {
    if period > 0.0 && step > 0.0 {
        ((0.03 * period / step).round() as usize).max(1)
    } else {
        1
    }
}

/// Derivative of `values` over `time` from `half` samples on each side; near the ends the window is moved inward.
///
/// Missing samples are left out of the fits; where fewer than three remain the result is NaN.
pub fn derivative(time: &[f64], values: &[f64], half: usize) -> Result<Vec<f64>, DataError> {
    let n = time.len().min(values.len());
    if n < 3 {
        let expected = "at least 3";
        return Err(DataError::argument("number of samples", n as f64, expected));
    }
    let width = (2 * half.max(1) + 1).min(n);
    let slope_at = |i: usize| {
        let start = i.saturating_sub(width / 2).min(n - width);
        slope(
            &time[start..start + width],
            &values[start..start + width],
            time[i],
        )
    };
    Ok((0..n).map(slope_at).collect())
}

/// Slope at `at` of the least-squares parabola.
fn slope(time: &[f64], values: &[f64], at: f64) -> f64 {
    let scale = (time[time.len() - 1] - time[0])
        .abs()
        .max(f64::MIN_POSITIVE);
    let mut s = [0.0; 5];
    let mut b = [0.0; 3];
    let mut count = 0;
    for (t, v) in time
        .iter()
        .zip(values)
        .filter(|(t, v)| t.is_finite() && v.is_finite())
    {
        let u = (t - at) / scale;
        let mut power = 1.0;
        for k in 0..5 {
            s[k] += power;
            if k < 3 {
                b[k] += power * v;
            }
            power *= u;
        }
        count += 1;
    }
    if count < 3 {
        return f64::NAN;
    }
    // Cramer's rule for the linear coefficient of the normal equations.
    let det = s[0] * (s[2] * s[4] - s[3] * s[3]) - s[1] * (s[1] * s[4] - s[3] * s[2])
        + s[2] * (s[1] * s[3] - s[2] * s[2]);
    let top = s[0] * (b[1] * s[4] - s[3] * b[2]) - b[0] * (s[1] * s[4] - s[3] * s[2])
        + s[2] * (s[1] * b[2] - b[1] * s[2]);
    top / det / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_on_parabolas_of_any_spacing() {
        let t: Vec<f64> = (0..50)
            .map(|i| 3.0 + f64::from(i).powf(1.2) * 1e-3)
            .collect();
        let x: Vec<f64> = t.iter().map(|t| 2.0 - 3.0 * t + 0.5 * t * t).collect();
        for (t, d) in t.iter().zip(derivative(&t, &x, 4).unwrap()) {
            assert!((d - (t - 3.0)).abs() < 1e-6, "{d}");
        }
    }

    #[test]
    fn sine_within_the_promised_error() {
        let t: Vec<f64> = (0..2000).map(|i| f64::from(i) * 1e-3).collect();
        let x: Vec<f64> = t.iter().map(|t| t.sin()).collect();
        let half = half_window(std::f64::consts::TAU, 1e-3);
        let worst = t
            .iter()
            .zip(derivative(&t, &x, half).unwrap())
            .skip(half)
            .map(|(t, d)| (d - t.cos()).abs());
        assert!(worst.take(2000 - 2 * half).fold(0.0, f64::max) < 0.005);
        assert!(derivative(&t[..2], &x[..2], 1).is_err());
    }
}
