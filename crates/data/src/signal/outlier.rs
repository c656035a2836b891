//! Spikes: single samples (or two) far from both neighbours. Marked, never removed.

use crate::record::range;

/// Samples that jump away and back by more than 5 % of the range and ten times the usual unevenness.
pub fn outliers(values: &[f64]) -> Vec<usize> {
    let (low, high) = range(values);
    if high <= low || values.len() < 7 {
        return Vec::new();
    }
    // Unevenness: how far a sample lies from the middle of its neighbours.
    let stride = (values.len() / 200_000).max(1);
    let mut sizes: Vec<f64> = values
        .windows(3)
        .step_by(stride)
        .map(|w| (w[1] - 0.5 * (w[0] + w[2])).abs())
        .filter(|d| d.is_finite())
        .collect();
    if sizes.is_empty() {
        return Vec::new();
    }
    let middle = sizes.len() / 2;
    let usual = *sizes.select_nth_unstable_by(middle, f64::total_cmp).1;
    // The range itself holds the spikes: measure it between quantiles.
    let span = quantile_span(values).max(1e-3 * (high - low));
    let limit = (10.0 * usual).max(0.05 * span);
    let n = values.len();
    let mut found = Vec::new();
    for i in 1..n - 1 {
        // One sample, or two in a row.
        for width in [1, 2] {
            if i + width >= n {
                continue;
            }
            let (before, after) = (values[i - 1], values[i + width]);
            let away = |v: f64| {
                let (up, down) = (v - before, v - after);
                v.is_finite()
                    && up * down > 0.0
                    && up.abs().min(down.abs()) > limit
                    && (before - after).abs() < 0.5 * up.abs().min(down.abs())
            };
            if values[i..i + width].iter().all(|v| away(*v)) {
                found.extend(i..i + width);
                break;
            }
        }
    }
    found.dedup();
    found
}

/// Distance of the 1 % and 99 % quantiles.
fn quantile_span(values: &[f64]) -> f64 {
    let stride = (values.len() / 100_000).max(1);
    let mut some: Vec<f64> = values
        .iter()
        .step_by(stride)
        .copied()
        .filter(|v| v.is_finite())
        .collect();
    if some.is_empty() {
        return 0.0;
    }
    some.sort_unstable_by(f64::total_cmp);
    let at = |q: f64| some[((some.len() - 1) as f64 * q).round() as usize];
    at(0.99) - at(0.01)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spikes_but_not_corners() {
        let mut x: Vec<f64> = (0..1000)
            .map(|i| f64::from((i % 200 - 100_i32).abs()))
            .collect();
        assert!(outliers(&x).is_empty());
        x[333] += 60.0;
        x[700] -= 1e4;
        assert_eq!(outliers(&x), [333, 700]);
        assert!(outliers(&[1.0; 20]).is_empty());
        assert!(outliers(&[f64::NAN; 20]).is_empty());
        // A coarse polygon has nothing but jumps.
        let coarse: Vec<f64> = (0..40)
            .map(|i| f64::from(i) * if i % 2 == 0 { 1.0 } else { -1.0 })
            .collect();
        assert!(outliers(&coarse).is_empty());
    }
}
