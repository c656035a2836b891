//! Filters of a measuring chain: causal, linear, with unit gain at rest.
//!
//! y = x0 + L (x - x0), where x0 is the first value, which the channel is taken to have had before, and L is
//! the filter started from nothing: a moving average y[n] = (x[n-w+1] + ... + x[n])/w, or a Butterworth
//! low-pass by the bilinear transform with its corner where it was asked for. L is a Toeplitz matrix, so that
//! its transpose is L on the reversed signal.
//!
//! Reference: Oppenheim, A. V., Schafer, R. W. (2010), Discrete-Time Signal Processing, section 7.1.

use crate::error::DataError;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// A filter of a measuring chain.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Filter {
    /// Mean of the present sample and those before it.
    MovingAverage {
        /// Samples in the mean.
        samples: usize,
    },
    /// Butterworth low-pass.
    LowPass {
        /// Corner frequency (Hz), -3 dB.
        frequency: f64,
        /// Order, 1 to 4.
        order: usize,
    },
}

/// One section of a low-pass: numerator and denominator, the latter without its leading 1.
type Section = ([f64; 3], [f64; 2]);

/// Change that counts as settled in [`Filter::settles`].
const SETTLED: f64 = 1e-3;

impl Filter {
    /// Highest order of a low-pass.
    pub const MOST_ORDER: usize = 4;

    /// Refuses what no record can have gone through, whatever its length and rate.
    pub fn check(self) -> Result<(), DataError> {
        let refuse = |what, found, expected| Err(DataError::argument(what, found, expected));
        match self {
            Self::MovingAverage { samples } if samples < 2 => {
                let expected = "a whole number from 2";
                refuse("samples of a moving average", samples as f64, expected)
            }
            Self::LowPass { frequency, .. } if !(frequency > 0.0 && frequency.is_finite()) => {
                let expected = "a frequency above zero";
                refuse("frequency of a low-pass", frequency, expected)
            }
            Self::LowPass { order, .. } if !(1..=Self::MOST_ORDER).contains(&order) => {
                refuse("order of a low-pass", order as f64, "1, 2, 3 or 4")
            }
            _ => Ok(()),
        }
    }

    /// Refuses what this record cannot have gone through.
    pub fn check_for(self, samples: usize, step: f64) -> Result<(), DataError> {
        self.check()?;
        match self {
            Self::MovingAverage { samples: w } if w >= samples => Err(DataError::argument(
                "samples of a moving average",
                w as f64,
                "fewer than the record has",
            )),
            Self::LowPass { frequency, .. } if 2.0 * frequency * step >= 1.0 => {
                Err(DataError::argument(
                    "frequency of a low-pass",
                    frequency,
                    "a frequency below half the sampling rate",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Samples after which what came before the record is forgotten, to a thousandth.
    pub fn settles(self, step: f64) -> usize {
        match self {
            Self::MovingAverage { samples } => samples.saturating_sub(1),
            Self::LowPass { frequency, order } => {
                // The slowest pole decays with 2 pi f sin(pi/2n).
                let slowest = 2.0 * PI * frequency * step * (PI / (2 * order) as f64).sin();
                (-SETTLED.ln() / slowest).ceil() as usize
            }
        }
    }

    /// The signal after the filter.
    pub fn apply(self, values: &mut [f64], step: f64) {
        let Some(&first) = values.first() else { return };
        for v in values.iter_mut() {
            *v -= first;
        }
        self.zero_state(values, step);
        for v in values.iter_mut() {
            *v += first;
        }
    }

    /// The transpose of [`Self::apply`].
    pub fn transpose(self, bar: &mut [f64], step: f64) {
        let all: f64 = bar.iter().sum();
        bar.reverse();
        self.zero_state(bar, step);
        bar.reverse();
        let passed: f64 = bar.iter().sum();
        if let Some(first) = bar.first_mut() {
            *first += all - passed;
        }
    }

    /// The filter with nothing before the signal.
    fn zero_state(self, values: &mut [f64], step: f64) {
        match self {
            Self::MovingAverage { samples } => average(values, samples),
            Self::LowPass { frequency, order } => {
                for section in sections(frequency * step, order) {
                    pass(values, section);
                }
            }
        }
    }
}

fn average(values: &mut [f64], samples: usize) {
    let before = values.to_vec();
    let mut sum = 0.0;
    for (i, value) in values.iter_mut().enumerate() {
        // Summed anew once a window, so that rounding does not add up along the record.
        if i % samples == samples - 1 {
            sum = before[i + 1 - samples..=i].iter().sum();
        } else {
            sum += before[i] - i.checked_sub(samples).map_or(0.0, |old| before[old]);
        }
        *value = sum / samples as f64;
    }
}

/// Sections of a Butterworth low-pass whose corner is at this share of the sampling rate.
fn sections(corner: f64, order: usize) -> Vec<Section> {
    let k = (PI * corner).tan();
    let second = |damping: f64| {
        let norm = 1.0 / (1.0 + damping * k + k * k);
        let b = k * k * norm;
        let a = [
            2.0 * (k * k - 1.0) * norm,
            (1.0 - damping * k + k * k) * norm,
        ];
        ([b, 2.0 * b, b], a)
    };
    let first = || {
        let b = k / (1.0 + k);
        ([b, b, 0.0], [(k - 1.0) / (1.0 + k), 0.0])
    };
    match order {
        1 => vec![first()],
        2 => vec![second(2.0 * FRAC_1_SQRT_2)],
        3 => vec![first(), second(1.0)],
        _ => {
            let of = |eighths: f64| second(2.0 * (eighths * PI / 8.0).cos());
            vec![of(1.0), of(3.0)]
        }
    }
}

/// One section over the signal (transposed direct form II, which keeps two numbers).
fn pass(values: &mut [f64], (b, a): Section) {
    let mut kept = [0.0; 2];
    for value in values {
        let x = *value;
        let y = b[0] * x + kept[0];
        kept = [b[1] * x - a[0] * y + kept[1], b[2] * x - a[1] * y];
        *value = y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1e-3;

    fn all() -> Vec<Filter> {
        let low = |order| Filter::LowPass {
            frequency: 40.0,
            order,
        };
        let mut all: Vec<Filter> = (1..=4).map(low).collect();
        all.push(Filter::MovingAverage { samples: 7 });
        all
    }

    fn signal(n: usize, seed: f64) -> Vec<f64> {
        (0..n).map(|i| (seed * (i * i) as f64).sin()).collect()
    }

    #[test]
    fn transpose_is_the_transpose() {
        for filter in all() {
            let (x, b) = (signal(200, 0.37), signal(200, 0.73));
            let (mut y, mut back) = (x.clone(), b.clone());
            filter.apply(&mut y, STEP);
            filter.transpose(&mut back, STEP);
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            // Rounding of a sum of 200 terms of about one.
            assert!((dot(&b, &y) - dot(&back, &x)).abs() < 1e-12, "{filter:?}");
        }
    }

    #[test]
    fn constants_pass_and_the_corner_is_where_it_was_asked_for() {
        for filter in all() {
            let mut y = vec![3.0; 50];
            filter.apply(&mut y, STEP);
            assert!(y.iter().all(|v| (v - 3.0).abs() < 1e-13), "{filter:?}");
        }
        for order in 1..=4 {
            let frequency = 40.0;
            let filter = Filter::LowPass { frequency, order };
            let turn = 2.0 * PI * frequency * STEP;
            let mut y: Vec<f64> = (0..5000).map(|i| (turn * f64::from(i)).sin()).collect();
            filter.apply(&mut y, STEP);
            // The last 25 whole cycles are settled: -3 dB.
            let rms = (y[4375..].iter().map(|v| v * v).sum::<f64>() / 625.0).sqrt();
            assert!((rms - 0.5).abs() < 1e-9, "{order}: {rms}");
        }
    }

    #[test]
    fn what_came_before_is_forgotten() {
        for filter in all() {
            let settles = filter.settles(STEP);
            let mut step = vec![1.0; settles + 400];
            step[0] = 0.0;
            filter.apply(&mut step, STEP);
            // Sections of order four overshoot together; three times leaves room for that.
            let late = step[settles + 1..]
                .iter()
                .fold(0.0_f64, |m, v| m.max((v - 1.0).abs()));
            assert!(late < 3.0 * SETTLED, "{filter:?}: {late}");
        }
    }

    #[test]
    fn impossible_filters_are_refused() {
        let average = |samples| Filter::MovingAverage { samples };
        let low = |frequency, order| Filter::LowPass { frequency, order };
        for (filter, words) in [
            (average(0), "whole number from 2"),
            (average(1), "whole number from 2"),
            (average(100), "fewer than the record has"),
            (low(100.0, 7), "1, 2, 3 or 4"),
            (low(100.0, 0), "1, 2, 3 or 4"),
            (low(f64::NAN, 2), "above zero"),
            (low(500.0, 2), "half the sampling rate"),
        ] {
            let said = filter.check_for(100, STEP).unwrap_err().to_string();
            assert!(said.contains(words), "{said}");
        }
    }
}
