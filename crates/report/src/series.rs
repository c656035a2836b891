//! Numbers as a page stores them: thinned where there are many, four bytes each.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use masing_data::range;
use serde::{Serialize, Serializer};

/// Points of a trace that are kept, approximately: more than a screen has pixels, and few enough for a small
/// page.
pub const MOST_POINTS: usize = 5000;

/// The indices of about `most` points to keep, ascending: the ends, and the smallest and largest value of every channel
/// in every stretch, so that peaks are kept.
pub(crate) fn thin_together(channels: &[&[f64]], len: usize, most: usize) -> Vec<usize> {
    if len <= most {
        return (0..len).collect();
    }
    let stretches = (most / (2 * channels.len().max(1))).max(1);
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

/// A column of numbers in single precision. Where they lie far from zero, as a time of day does, they are written as
/// differences from an offset and keep their resolution.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column(pub Vec<f64>);

#[derive(Serialize)]
struct Packed {
    offset: f64,
    data: String,
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let offset = offset(&self.0);
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

/// The offset of numbers that lie far from zero compared with their range.
fn offset(values: &[f64]) -> f64 {
    let (low, high) = range(values);
    let far = low <= high && high - low < 0.5 * low.abs().min(high.abs());
    if far { low } else { 0.0 }
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
        for (channels, most) in [(&[&y[..]][..], MOST_POINTS), (&[&x, &y], 1000)] {
            let kept = thin_together(channels, x.len(), most);
            assert!(kept.len() <= most + 2);
            assert!(kept.contains(&54_321) && kept.contains(&12_345));
            assert_eq!((kept[0], kept[kept.len() - 1]), (0, 99_999));
            assert!(kept.windows(2).all(|w| w[0] < w[1]));
        }
    }

    #[test]
    fn short_records_stay_whole() {
        let x = [0.0, 1.0, 2.0];
        assert_eq!(thin_together(&[&x], 3, 5), [0, 1, 2]);
        assert_eq!(thin_together(&[&[]], 0, 5), [0; 0]);
    }

    #[test]
    fn missing_values_stay_missing() {
        let x: Vec<f64> = (0..10_000).map(f64::from).collect();
        let mut y = x.clone();
        y[5000..6000].fill(f64::NAN);
        let kept = thin_together(&[&y], x.len(), 100);
        assert!(kept.iter().any(|&i| y[i].is_nan()));
    }

    #[test]
    fn only_what_lies_far_from_zero_gets_an_offset() {
        assert_eq!(offset(&[86_400.0, 86_401.0]), 86_400.0);
        assert_eq!(offset(&[1.0, 1e-3, 1e-9]), 0.0);
        assert_eq!(offset(&[-1.0, f64::NAN, 1.0]), 0.0);
        assert_eq!(offset(&[]), 0.0);
    }
}
