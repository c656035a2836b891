//! Values at other times: straight lines, or band-limited for uniform channels.

use crate::error::DataError;

/// Straight lines between samples; beyond the ends NaN, beside a missing sample NaN. Times must grow.
pub fn resample_linear(time: &[f64], values: &[f64], at: &[f64]) -> Vec<f64> {
    let n = time.len().min(values.len());
    let value = |&t: &f64| {
        let i = time[..n].partition_point(|s| *s <= t);
        if i == 0 || n == 0 {
            return f64::NAN;
        }
        if time[i - 1] == t {
            return values[i - 1];
        }
        if i == n {
            return f64::NAN;
        }
        let share = (t - time[i - 1]) / (time[i] - time[i - 1]);
        values[i - 1] + share * (values[i] - values[i - 1])
    };
    at.iter().map(value).collect()
}

/// Zero crossings of the sinc on each side.
const REACH: f64 = 24.0;

/// Resamples a uniform channel from one step to another without aliasing: Kaiser-windowed sinc.
pub fn resample_band_limited(
    values: &[f64],
    step: f64,
    new_step: f64,
) -> Result<Vec<f64>, DataError> {
    for (what, found) in [("time step", step), ("new time step", new_step)] {
        if !(found > 0.0 && found.is_finite()) {
            return Err(DataError::Argument {
                what,
                found,
                expected: "a positive number of seconds",
            });
        }
    }
    let n = values.len();
    if n < 2 {
        return Ok(values.to_vec());
    }
    let count = ((n - 1) as f64 * step / new_step + 1e-9).floor() + 1.0;
    if count > 1e9 {
        return Err(DataError::Argument {
            what: "new time step",
            found: new_step,
            expected: "at most 1e9 samples",
        });
    }
    let ratio = new_step / step;
    // Below the slower of the two Nyquist frequencies.
    let cutoff = (1.0 / ratio).min(1.0);
    let reach = REACH / cutoff;
    let last = n as i64 - 1;
    // Point reflection at the ends keeps value and slope.
    let sample = |j: i64| {
        if j < 0 {
            2.0 * values[0] - values[(-j).min(last) as usize]
        } else if j > last {
            2.0 * values[last as usize] - values[(2 * last - j).max(0) as usize]
        } else {
            values[j as usize]
        }
    };
    let value = |k: usize| {
        let p = k as f64 * ratio;
        let (mut sum, mut weights) = (0.0, 0.0);
        for j in (p - reach).ceil() as i64..=(p + reach).floor() as i64 {
            let u = p - j as f64;
            let w = sinc(cutoff * u) * kaiser(u / reach);
            sum += w * sample(j);
            weights += w;
        }
        sum / weights
    };
    Ok((0..count as usize).map(value).collect())
}

fn sinc(u: f64) -> f64 {
    let a = std::f64::consts::PI * u;
    if a.abs() < 1e-8 { 1.0 } else { a.sin() / a }
}

/// Kaiser window with 80 dB of suppression.
fn kaiser(u: f64) -> f64 {
    let beta = 7.86;
    bessel(beta * (1.0 - u * u).max(0.0).sqrt()) / bessel(beta)
}

/// Modified Bessel function of order zero, by its series.
fn bessel(x: f64) -> f64 {
    let quarter = 0.25 * x * x;
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..40 {
        term *= quarter / f64::from(k * k);
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn straight_lines() {
        let y = resample_linear(
            &[0.0, 1.0, 3.0],
            &[0.0, 2.0, f64::NAN],
            &[-1.0, 0.0, 0.5, 1.0, 2.0, 4.0],
        );
        assert_eq!(y[1..4], [0.0, 1.0, 2.0]);
        assert!(y[0].is_nan() && y[4].is_nan() && y[5].is_nan());
    }

    #[test]
    fn band_limited_up_and_down() {
        let x: Vec<f64> = (0..1000)
            .map(|i| (TAU * 7.0 * f64::from(i) * 1e-3).sin())
            .collect();
        let fine = resample_band_limited(&x, 1e-3, 0.37e-3).unwrap();
        for k in 200..2400 {
            let exact = (TAU * 7.0 * k as f64 * 0.37e-3).sin();
            assert!((fine[k] - exact).abs() < 1e-4, "{k}");
        }
        // 300 Hz would fold to 50 Hz at 250 Hz sampling: it must vanish instead.
        let fast: Vec<f64> = (0..4000)
            .map(|i| (TAU * 300.0 * f64::from(i) * 1e-3).sin())
            .collect();
        let slow = resample_band_limited(&fast, 1e-3, 4e-3).unwrap();
        assert!(slow[100..900].iter().all(|v| v.abs() < 1e-3));
        assert!(resample_band_limited(&x, 1e-3, 0.0).is_err());
    }
}
