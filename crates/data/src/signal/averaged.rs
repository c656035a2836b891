//! Whether a channel was averaged before it was written.
//!
//! The spectrum of a moving average of w samples is zero at every multiple of 1/w of the sampling rate. What a
//! sensor adds to a motion, noise and resolution, has a spectrum without gaps: after an average it has those.
//! For every length the spectrum at its nulls is compared with that between them, on a logarithmic scale. A
//! length with a common divisor shares nulls; the longest whose nulls are about as deep as the deepest is the
//! one that explains all of them.

use masing_diagnostic::thresholds;
use std::f64::consts::TAU;

/// Shortest average that is looked for: shorter ones have too few nulls to be told by.
const SHORTEST: usize = 8;
/// Windows that a record must hold, so that nulls lie further apart than the spectrum blurs them.
const WINDOWS: usize = 24;
/// Nulls that are looked at; the spectrum between later ones drowns in the digits of the file.
const NULLS: usize = 12;
/// Samples that are looked at: more would find nothing new.
const MOST_SAMPLES: usize = 1 << 17;
/// Points of the spectrum for every one that is independent, so that a null falls near one.
const FINER: usize = 4;
/// Depth that three nulls in four reach at least: lines and rounding of a computed motion leave single deep gaps.
const EACH: f64 = 2.0;
/// Share of the deepest nulls that those of the length named have at least.
const AS_DEEP: f64 = 0.7;

/// The number of samples of a moving average that the channel went through; `None` if it shows none.
pub fn averaged(values: &[f64]) -> Option<usize> {
    let values = &values[..values.len().min(MOST_SAMPLES)];
    if values.len() < SHORTEST * WINDOWS || values.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let spectrum = Spectrum::of(values)?;
    let depths = (SHORTEST..=values.len() / WINDOWS).map(|w| (w, spectrum.depth(w)));
    let depths: Vec<(usize, f64)> = depths.collect();
    let deepest = depths.iter().map(|(_, depth)| *depth).fold(0.0, f64::max);
    if deepest < thresholds::AVERAGED_DEPTH {
        return None;
    }
    let as_deep = |(_, depth): &&(usize, f64)| *depth >= AS_DEEP * deepest;
    let longest = depths.iter().rev().find(as_deep)?.0;
    // Its neighbours share the first nulls.
    let near = depths.iter().filter(|(w, _)| w.abs_diff(longest) <= 2);
    near.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(w, _)| *w)
}

/// Logarithm of the power of the second differences, from zero to half the sampling rate.
struct Spectrum {
    log_power: Vec<f64>,
    /// Points for the whole sampling rate.
    points: usize,
}

impl Spectrum {
    fn of(values: &[f64]) -> Option<Self> {
        // Second differences take out what is slow, which is larger by many orders.
        let bends: Vec<f64> = values
            .windows(3)
            .map(|w| w[2] - 2.0 * w[1] + w[0])
            .collect();
        let n = bends.len();
        let points = FINER * n.next_power_of_two();
        let mut signal = vec![(0.0, 0.0); points];
        for (i, (point, bend)) in signal.iter_mut().zip(&bends).enumerate() {
            point.0 = bend * blackman_harris(i as f64 / n as f64);
        }
        transform(&mut signal);
        let power = |&(re, im): &(f64, f64)| re * re + im * im;
        let power: Vec<f64> = signal[..=points / 2].iter().map(power).collect();
        let floor = LEAKS * power.iter().copied().fold(0.0, f64::max);
        let log_power = power.iter().map(|p| p.max(floor).ln()).collect();
        (floor > 0.0).then_some(Self { log_power, points })
    }

    /// How deep the nulls of an average of `w` samples are: their median, and nothing if some are not there at all,
    /// as every other null of twice the length is not.
    fn depth(&self, w: usize) -> f64 {
        let at = |nulls: f64| {
            let point = (nulls * self.points as f64 / w as f64).round() as usize;
            self.log_power[point.min(self.points / 2)]
        };
        let depth = |null: usize| {
            let null = null as f64;
            // From a fifth to half of the way to the next null; the lower quarter of it, which lines of the
            // motion do not reach.
            let mut between: Vec<f64> = (0..13)
                .map(|i| 0.2 + 0.025 * f64::from(i))
                .flat_map(|away| [at(null - away), at(null + away)])
                .collect();
            between.sort_by(f64::total_cmp);
            between[between.len() / 4] - at(null)
        };
        let count = NULLS.min((w - 1) / 2);
        let mut depths: Vec<f64> = (1..=count).map(depth).collect();
        depths.sort_by(f64::total_cmp);
        if depths[count / 4] < EACH {
            return 0.0;
        }
        let (low, high) = ((count - 1) / 2, count / 2);
        0.5 * (depths[low] + depths[high])
    }
}

/// Power below the largest that the window leaks, and that says nothing: 90 dB.
const LEAKS: f64 = 1e-9;

/// Window whose side lobes lie 92 dB below: F. J. Harris (1978), Proc. IEEE 66, 51-83.
fn blackman_harris(share: f64) -> f64 {
    let cos = |k: f64| (k * TAU * share).cos();
    0.358_75 - 0.488_29 * cos(1.0) + 0.141_28 * cos(2.0) - 0.011_68 * cos(3.0)
}

/// Fourier transform of a power of two of points, in place.
fn transform(signal: &mut [(f64, f64)]) {
    let n = signal.len();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            signal.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        let turn = |k: usize| (-TAU * k as f64 / (2 * half) as f64).sin_cos();
        let turns: Vec<(f64, f64)> = (0..half).map(turn).collect();
        for block in signal.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((a, b), (sin, cos)) in low.iter_mut().zip(high).zip(&turns) {
                let turned = (cos * b.0 - sin * b.1, cos * b.1 + sin * b.0);
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Filter;
    use crate::signal::noise::tests::white;

    /// A bent sine whose sensor has noise.
    fn channel(n: usize, period: f64, noise: f64) -> Vec<f64> {
        let sine = |i: usize| (TAU * i as f64 / period).sin();
        let each = white(n).into_iter().enumerate();
        each.map(|(i, e)| (2.0 * sine(i)).tanh() + noise * e)
            .collect()
    }

    #[test]
    fn lengths_are_found_to_the_sample() {
        for (w, n) in [
            (300, 15_000),
            (50, 9000),
            (33, 7600),
            (8, 1000),
            (300, 60_000),
        ] {
            for digits in [f64::INFINITY, 1e7] {
                let mut y = channel(n, 10.0 * w as f64, 1e-3);
                Filter::MovingAverage { samples: w }.apply(&mut y, 1.0);
                let written = |y: &f64| {
                    if digits.is_finite() {
                        (y * digits).round() / digits
                    } else {
                        *y
                    }
                };
                let y: Vec<f64> = y.iter().map(written).collect();
                assert_eq!(averaged(&y), Some(w), "{w} of {n}, {digits}");
            }
        }
    }

    #[test]
    fn nothing_is_found_where_nothing_was_averaged() {
        for (period, noise) in [(100.0, 0.0), (100.0, 1e-3), (377.7, 1e-5), (500.0, 0.1)] {
            assert_eq!(
                averaged(&channel(9000, period, noise)),
                None,
                "{period} {noise}"
            );
        }
        let mut low = channel(9000, 400.0, 1e-3);
        let frequency = 0.02;
        Filter::LowPass {
            frequency,
            order: 2,
        }
        .apply(&mut low, 1.0);
        assert_eq!(averaged(&low), None);
        assert_eq!(averaged(&[0.0; 500]), None);
        assert_eq!(averaged(&[f64::NAN; 500]), None);
        assert_eq!(averaged(&[1.0, 2.0]), None);
    }

    #[test]
    fn the_transform_is_a_fourier_sum() {
        let x = white(16);
        let mut signal: Vec<(f64, f64)> = x.iter().map(|x| (*x, 0.0)).collect();
        transform(&mut signal);
        for (k, found) in signal.iter().enumerate() {
            let angle = |i: usize| -TAU * (i * k) as f64 / 16.0;
            let re: f64 = x.iter().enumerate().map(|(i, x)| x * angle(i).cos()).sum();
            let im: f64 = x.iter().enumerate().map(|(i, x)| x * angle(i).sin()).sum();
            // Rounding of sixteen terms.
            assert!((found.0 - re).hypot(found.1 - im) < 1e-13);
        }
    }
}
