//! Savitzky-Golay smoothing: value, slope and second derivative of the polynomial fitted to the neighbours, on any spacing.
//!
//! Reference: Savitzky, A., Golay, M. J. E. (1964), Anal. Chem. 36(8), 1627-1639.

use crate::error::DataError;

/// Highest degree of the fitted polynomial.
const MOST_DEGREE: usize = 5;

/// Smoothed values and their derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Smoothed {
    /// Values of the fitted polynomials.
    pub values: Vec<f64>,
    /// Their slopes.
    pub slopes: Vec<f64>,
    /// Their second derivatives.
    pub second: Vec<f64>,
}

/// Fits a polynomial of `degree` to `half` samples on each side of every sample; near the ends the window is moved
/// inward. The window is widened where it holds too few samples for the degree.
pub fn smooth(
    time: &[f64],
    values: &[f64],
    half: usize,
    degree: usize,
) -> Result<Smoothed, DataError> {
    let n = time.len().min(values.len());
    let degree = degree.clamp(1, MOST_DEGREE);
    let width = (2 * half + 1).max(degree + 1);
    if n < width {
        let expected = "at least the width of the smoothing window";
        return Err(DataError::argument("number of samples", n as f64, expected));
    }
    let mut out = Smoothed {
        values: Vec::with_capacity(n),
        slopes: Vec::with_capacity(n),
        second: Vec::with_capacity(n),
    };
    let step = (time[n - 1] - time[0]) / (n - 1) as f64;
    // Time stamps are rounded; a grid is a grid if no stamp is off by a thousandth of its step.
    let uniform = (0..n).all(|i| (time[i] - time[0] - step * i as f64).abs() <= 1e-3 * step.abs());
    let mut middle: Option<Weights> = None;
    for i in 0..n {
        let start = i.saturating_sub(width / 2).min(n - width);
        let window = &values[start..start + width];
        let at = i - start;
        let [value, slope, second] = if uniform && at == width / 2 {
            let weights = middle.get_or_insert_with(|| {
                let grid: Vec<f64> = (0..width).map(|k| step * k as f64).collect();
                Weights::of(&grid, at, degree)
            });
            weights.apply(window)
        } else {
            Weights::of(&time[start..start + width], at, degree).apply(window)
        };
        out.values.push(value);
        out.slopes.push(slope);
        out.second.push(second);
    }
    Ok(out)
}

/// What every sample of a window contributes to the value, the slope and the second derivative.
struct Weights([Vec<f64>; 3]);

impl Weights {
    /// For the polynomial at sample `at` of a window, by orthogonal polynomials on its times.
    fn of(time: &[f64], at: usize, degree: usize) -> Self {
        let n = time.len();
        let scale = (time[n - 1] - time[0]).abs().max(f64::MIN_POSITIVE);
        let u: Vec<f64> = time.iter().map(|t| (t - time[at]) / scale).collect();
        let mut out = Self([(); 3].map(|()| vec![0.0; n]));
        // Columns of powers, made orthonormal; their derivatives at the middle go along.
        let mut basis: Vec<(Vec<f64>, [f64; 3])> = Vec::with_capacity(degree + 1);
        for power in 0..=degree {
            let mut column: Vec<f64> = u.iter().map(|u| u.powi(power as i32)).collect();
            let mut middle = [0.0; 3];
            if let Some(own) = middle.get_mut(power) {
                *own = [1.0, 1.0, 2.0][power];
            }
            // Twice: once leaves what rounding of the first pass has put back.
            for _ in 0..2 {
                for (q, derivatives) in &basis {
                    let share: f64 = q.iter().zip(&column).map(|(a, b)| a * b).sum();
                    for (c, q) in column.iter_mut().zip(q) {
                        *c -= share * q;
                    }
                    for (own, q) in middle.iter_mut().zip(derivatives) {
                        *own -= share * q;
                    }
                }
            }
            let length = column.iter().map(|c| c * c).sum::<f64>().sqrt();
            if length <= 1e-14 {
                continue;
            }
            for c in &mut column {
                *c /= length;
            }
            basis.push((column, middle.map(|m| m / length)));
        }
        for (q, middle) in &basis {
            let mut unit = 1.0;
            for (weights, own) in out.0.iter_mut().zip(middle) {
                for (w, q) in weights.iter_mut().zip(q) {
                    *w += own * q / unit;
                }
                unit *= scale;
            }
        }
        out
    }

    fn apply(&self, window: &[f64]) -> [f64; 3] {
        let dot = |w: &Vec<f64>| w.iter().zip(window).map(|(w, v)| w * v).sum();
        self.0.each_ref().map(dot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_on_quartics_of_any_spacing() {
        for bend in [1.0, 1.2] {
            let t: Vec<f64> = (0..60)
                .map(|i| 3.0 + f64::from(i).powf(bend) * 1e-3)
                .collect();
            let f = |t: f64| 1.0 + (t - 3.0) * (2.0 + (t - 3.0) * (-30.0 + 400.0 * (t - 3.0)));
            let x: Vec<f64> = t.iter().map(|t| f(*t)).collect();
            let found = smooth(&t, &x, 5, 4).unwrap();
            for (i, t) in t.iter().enumerate() {
                let u = t - 3.0;
                assert!((found.values[i] - f(*t)).abs() < 1e-12);
                let slope = 2.0 - 60.0 * u + 1200.0 * u * u;
                assert!((found.slopes[i] - slope).abs() < 1e-8, "{bend} {i}");
                // Twice divided by steps of 1e-3: rounding of 1e-16 becomes 1e-10 times the weights of a window.
                let second = -60.0 + 2400.0 * u;
                assert!((found.second[i] - second).abs() < 1e-5, "{bend} {i}");
            }
        }
    }

    /// `scipy.signal.savgol_coeffs(7, 4)` and `savgol_coeffs(7, 4, deriv=1, use='dot')`, SciPy 1.17.1: their exact
    /// fractions.
    #[test]
    fn weights_are_the_published_ones() {
        let grid: Vec<f64> = (0..7).map(f64::from).collect();
        let weights = Weights::of(&grid, 3, 4);
        let value = [5.0, -30.0, 75.0, 131.0, 75.0, -30.0, 5.0].map(|w| w / 231.0);
        let slope = [22.0, -67.0, -58.0, 0.0, 58.0, 67.0, -22.0].map(|w| w / 252.0);
        for k in 0..7 {
            assert!((weights.0[0][k] - value[k]).abs() < 1e-14);
            assert!((weights.0[1][k] - slope[k]).abs() < 1e-14);
        }
    }

    #[test]
    fn short_records_are_refused() {
        assert!(smooth(&[0.0, 1.0], &[0.0, 1.0], 3, 4).is_err());
        let line = smooth(&[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0], 1, 1).unwrap();
        assert!((line.slopes[1] - 1.0).abs() < 1e-14);
    }
}
