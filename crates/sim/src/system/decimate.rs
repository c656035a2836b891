//! A channel that was sampled finely, filtered and thinned out before it was stored.
//!
//! Every stage is a symmetric low-pass of order 30 (windowed sinc, Hamming, gain 1 at rest) with its
//! edge at 1/r of the band, centred so that it does not delay, of which every r-th value is kept;
//! beyond its ends a channel is continued by its image through the end point. That is what
//! `decimate(x, r, 'fir')` of MATLAB does.
//!
//! Reference: Oppenheim, A. V., Schafer, R. W., Discrete-Time Signal Processing, sections 4.6 and 7.5.

use std::f64::consts::{PI, TAU};

/// Order of the filters.
const ORDER: usize = 30;
/// Values on either side of the middle.
const HALF: usize = ORDER / 2;

/// Stages of filtering and thinning out, the first one first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decimation {
    stages: Vec<Stage>,
}

#[derive(Clone, Debug, PartialEq)]
struct Stage {
    keep: usize,
    /// Empty where values are only left out.
    weights: Vec<f64>,
}

impl Decimation {
    /// Stages with these factors.
    pub fn new(factors: &[usize]) -> Self {
        let stages = factors.iter().map(|&keep| Stage {
            keep: keep.max(1),
            weights: low_pass(keep.max(1)),
        });
        Self {
            stages: stages.collect(),
        }
    }

    /// Every `factor`-th value, without a filter.
    pub fn picking(factor: usize) -> Self {
        let stage = Stage {
            keep: factor.max(1),
            weights: Vec::new(),
        };
        Self {
            stages: vec![stage],
        }
    }

    /// Fine values per value that is kept.
    pub fn factor(&self) -> usize {
        self.stages.iter().map(|s| s.keep).product()
    }

    /// Kept values near an end that depend on what lies beyond it.
    pub fn reach(&self) -> usize {
        let mut fine = 0;
        let mut scale = 1;
        for stage in self.stages.iter().filter(|s| !s.weights.is_empty()) {
            fine += HALF * scale;
            scale *= stage.keep;
        }
        fine.div_ceil(self.factor().max(1))
    }

    /// What is kept of a channel.
    pub fn apply(&self, fine: Vec<f64>) -> Vec<f64> {
        self.stages.iter().fold(fine, |x, stage| stage.apply(&x))
    }

    /// Sensitivities to the `fine` values of a channel from those to what is kept of it.
    pub fn pull_back(&self, bar: Vec<f64>, fine: usize) -> Vec<f64> {
        let mut lengths = vec![fine];
        for stage in &self.stages {
            let last = lengths[lengths.len() - 1];
            lengths.push(last.div_ceil(stage.keep));
        }
        let stages = self.stages.iter().zip(&lengths).rev();
        stages.fold(bar, |bar, (stage, &length)| stage.pull_back(&bar, length))
    }
}

impl Stage {
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let kept = (0..x.len()).step_by(self.keep);
        if self.weights.is_empty() || x.len() <= HALF {
            return kept.map(|i| x[i]).collect();
        }
        let last = x.len() - 1;
        kept.map(|i| {
            if i >= HALF && i + HALF <= last {
                let around = &x[i - HALF..=i + HALF];
                return around.iter().zip(&self.weights).map(|(x, w)| x * w).sum();
            }
            let terms = self.weights.iter().enumerate().map(|(j, w)| {
                let value = match mirrored(i + j, last) {
                    (at, None) => x[at],
                    (at, Some(end)) => 2.0 * x[end] - x[at],
                };
                w * value
            });
            terms.sum()
        })
        .collect()
    }

    fn pull_back(&self, bar: &[f64], length: usize) -> Vec<f64> {
        let mut out = vec![0.0; length];
        let filtered = !self.weights.is_empty() && length > HALF;
        for (i, bar) in (0..length).step_by(self.keep).zip(bar) {
            if !filtered {
                out[i] += bar;
                continue;
            }
            for (j, w) in self.weights.iter().enumerate() {
                match mirrored(i + j, length - 1) {
                    (at, None) => out[at] += w * bar,
                    (at, Some(end)) => {
                        out[end] += 2.0 * w * bar;
                        out[at] -= w * bar;
                    }
                }
            }
        }
        out
    }
}

/// The index `shifted - HALF`, or its image and the end it is seen through.
fn mirrored(shifted: usize, last: usize) -> (usize, Option<usize>) {
    if shifted < HALF {
        (HALF - shifted, Some(0))
    } else if shifted - HALF > last {
        (2 * last + HALF - shifted, Some(last))
    } else {
        (shifted - HALF, None)
    }
}

/// Weights of a low-pass with its edge at 1/r of the band.
fn low_pass(r: usize) -> Vec<f64> {
    let edge = 1.0 / r as f64;
    let weight = |i: usize| {
        let from_middle = i as f64 - HALF as f64;
        let sinc = if i == HALF {
            edge
        } else {
            (PI * edge * from_middle).sin() / (PI * from_middle)
        };
        sinc * (0.54 - 0.46 * (TAU * i as f64 / ORDER as f64).cos())
    };
    let weights: Vec<f64> = (0..=ORDER).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|w| w / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_fir1() {
        // scipy.signal.firwin(31, 1/2) and firwin(31, 1/5), SciPy 1.17: around the middle.
        let half = low_pass(2);
        let fifth = low_pass(5);
        for (found, expected) in [
            (half[15], 0.500_808_226_946_984_6),
            (half[14], 0.315_619_563_324_482_3),
            (fifth[15], 0.199_660_667_298_695_5),
            (fifth[12], 0.091_888_877_020_527_64),
        ] {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }

    #[test]
    fn straight_lines_pass_unchanged() {
        let decimation = Decimation::new(&[2, 2, 5]);
        assert_eq!((decimation.factor(), decimation.reach()), (20, 6));
        let fine: Vec<f64> = (0..401).map(|i| 3.0 + 0.5 * f64::from(i)).collect();
        let kept = decimation.apply(fine.clone());
        assert_eq!(kept.len(), 21);
        for (i, value) in kept.iter().enumerate() {
            assert!((value - fine[20 * i]).abs() < 1e-11, "{i}: {value}");
        }
    }

    #[test]
    fn the_way_back_is_the_transpose() {
        for decimation in [Decimation::new(&[2, 3]), Decimation::picking(4)] {
            let x: Vec<f64> = (0..200).map(|i| (f64::from(i) * 0.37).sin()).collect();
            let kept = decimation.apply(x.clone());
            let bar: Vec<f64> = (0..kept.len()).map(|i| (i as f64 * 0.7).cos()).collect();
            let back = decimation.pull_back(bar.clone(), x.len());
            let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            assert!((product(&kept, &bar) - product(&x, &back)).abs() < 1e-12);
        }
    }
}
