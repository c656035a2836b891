//! Numbers as a page holds them: thinned out where there are many, four bytes each.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

/// About so many points of a trace are kept: more than a screen has pixels, and a page stays small.
pub const MOST_POINTS: usize = 5000;

/// Thins a history out to about `most` points: first, smallest and largest value of every stretch, so that peaks stay.
pub fn thin_history(x: &[f64], y: &[f64], most: usize) -> (Vec<f64>, Vec<f64>) {
    pick(x, y, &kept(&[y], x.len().min(y.len()), most))
}

/// Thins a path in the plane out: the extremes in both directions of every stretch stay.
pub fn thin_path(x: &[f64], y: &[f64], most: usize) -> (Vec<f64>, Vec<f64>) {
    pick(x, y, &kept(&[x, y], x.len().min(y.len()), most))
}

fn pick(x: &[f64], y: &[f64], kept: &[usize]) -> (Vec<f64>, Vec<f64>) {
    let take = |values: &[f64]| kept.iter().map(|&i| values[i]).collect();
    (take(x), take(y))
}

/// Indices that stay, growing.
fn kept(channels: &[&[f64]], len: usize, most: usize) -> Vec<usize> {
    if len <= most {
        return (0..len).collect();
    }
    let stretches = (most / (2 * channels.len())).max(1);
    let mut out = vec![0];
    for stretch in 0..stretches {
        let range = stretch * len / stretches..(stretch + 1) * len / stretches;
        let mut points = Vec::with_capacity(2 * channels.len());
        for values in channels {
            // A missing value stays missing on the page too.
            let least = range
                .clone()
                .min_by(|&a, &b| values[a].total_cmp(&values[b]));
            let largest = range
                .clone()
                .max_by(|&a, &b| values[a].total_cmp(&values[b]));
            points.extend(least.into_iter().chain(largest));
        }
        points.sort_unstable();
        out.extend(points);
    }
    out.push(len - 1);
    out.dedup();
    out
}

/// A column of numbers, written as an offset and single-precision differences from it: a time of day far from zero
/// keeps its resolution.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column(pub Vec<f64>);

#[derive(Serialize)]
struct Packed {
    offset: f64,
    data: String,
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let offset = self.0.iter().copied().find(|v| v.is_finite());
        let offset = offset.unwrap_or(0.0);
        let bytes: Vec<u8> = self
            .0
            .iter()
            .flat_map(|v| ((v - offset) as f32).to_le_bytes())
            .collect();
        Packed {
            offset,
            data: STANDARD.encode(bytes),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_and_ends_stay() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut y: Vec<f64> = x.iter().map(|x| (x * 1e-3).sin()).collect();
        y[54_321] = 7.0;
        y[12_345] = -7.0;
        let (tx, ty) = thin_history(&x, &y, MOST_POINTS);
        assert!(tx.len() <= MOST_POINTS + 2);
        assert!(ty.contains(&7.0) && ty.contains(&-7.0));
        assert_eq!((tx[0], tx[tx.len() - 1]), (0.0, 99_999.0));
        assert!(tx.windows(2).all(|w| w[0] < w[1]));
        let (px, py) = thin_path(&y, &x, 1000);
        assert!(px.contains(&7.0) && px.contains(&-7.0) && px.len() <= 1002);
        assert!(py.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn short_records_stay_whole() {
        let x = [0.0, 1.0, 2.0];
        assert_eq!(thin_history(&x, &x, 5), (x.to_vec(), x.to_vec()));
        assert_eq!(thin_path(&[], &[], 5), (Vec::new(), Vec::new()));
    }

    #[test]
    fn missing_values_stay_missing() {
        let x: Vec<f64> = (0..10_000).map(f64::from).collect();
        let mut y = x.clone();
        y[5000..6000].fill(f64::NAN);
        let (_, ty) = thin_history(&x, &y, 100);
        assert!(ty.iter().any(|v| v.is_nan()));
    }
}
