//! Bins of speed and amplitude, each twice as wide as the one below.

use super::Place;

/// Bins of speed; the lowest one holds everything down to rest. 32 times slower than the fastest is slow.
pub(super) const SPEEDS: usize = 6;
/// Bins of amplitude.
const AMPLITUDES: usize = 5;

/// The bins, from the largest speed and amplitude of the tests downwards.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    fastest: f64,
    largest: f64,
    speeds: usize,
}

impl Bins {
    pub(super) fn new(fastest: f64, largest: f64, speeds: usize) -> Self {
        Self {
            fastest,
            largest,
            speeds,
        }
    }

    fn count(&self) -> usize {
        self.speeds * AMPLITUDES
    }

    /// Where a sample belongs.
    pub(super) fn of(&self, place: &Place) -> usize {
        let speed = level(place.speed, self.fastest, self.speeds);
        speed * AMPLITUDES + level(place.amplitude, self.largest, AMPLITUDES)
    }

    /// Whether a sample is beyond the bin of the largest that were tested.
    pub(super) fn beyond(&self, place: &Place) -> bool {
        let beyond = |value: f64, largest: f64| value > largest * std::f64::consts::SQRT_2;
        let faster = self.speeds > 1 && beyond(place.speed, self.fastest);
        faster || beyond(place.amplitude, self.largest)
    }

    /// The share of every bin, from samples and how much of `all` each stands for.
    pub(super) fn shares(&self, samples: impl Iterator<Item = (Place, f64)>, all: f64) -> Vec<f64> {
        let mut out = vec![0.0; self.count()];
        for (place, size) in samples {
            out[self.of(&place)] += size / all.max(f64::MIN_POSITIVE);
        }
        out
    }

    /// Shares in bins that `tests` leave empty go to the nearest ones that they do not.
    pub(super) fn to_nearest(&self, shares: &[f64], tests: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.count()];
        let distance = |a: usize, b: usize| {
            let rows = (a / AMPLITUDES).abs_diff(b / AMPLITUDES);
            let columns = (a % AMPLITUDES).abs_diff(b % AMPLITUDES);
            rows * rows + columns * columns
        };
        let tested: Vec<usize> = (0..self.count()).filter(|i| tests[*i] > 0.0).collect();
        for (own, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let least = tested.iter().map(|other| distance(own, *other)).min();
            let nearest = || {
                let each = tested.iter();
                each.filter(|other| Some(distance(own, **other)) == least)
            };
            let count = nearest().count() as f64;
            nearest().for_each(|other| out[*other] += share / count);
        }
        out
    }
}

/// The number of the bin, from zero for the largest. Edges are at 1/sqrt(2), 1/(2 sqrt(2)), ...: programs of tests step
/// by factors of two, and those are then in the middle.
fn level(value: f64, largest: f64, count: usize) -> usize {
    let mut edge = largest * std::f64::consts::FRAC_1_SQRT_2;
    let mut level = 0;
    while level + 1 < count && value < edge {
        edge *= 0.5;
        level += 1;
    }
    level
}
