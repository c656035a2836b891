//! The first-order high-pass of an accelerometer, in which a constant fades away.
//!
//! y' + w y = x', exactly for an x of straight lines between its instants; settled (y = x) at the first.

use std::f64::consts::TAU;

/// A high-pass of first order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HighPass {
    /// w = 2 pi times the corner frequency (1/s).
    rate: f64,
}

impl HighPass {
    /// One with that corner frequency (Hz).
    pub fn new(corner: f64) -> Self {
        Self { rate: TAU * corner }
    }

    /// What is left of y after a step, and the mean of that over it.
    fn over(self, step: f64) -> (f64, f64) {
        let t = self.rate * step;
        let mean = if t > 0.0 { -(-t).exp_m1() / t } else { 1.0 };
        ((-t).exp(), mean)
    }

    /// What the accelerometer shows of `x`.
    pub(crate) fn apply(self, time: &[f64], mut x: Vec<f64>) -> Vec<f64> {
        let Some(mut last) = x.first().copied() else {
            return x;
        };
        for i in 1..x.len() {
            let (decay, mean) = self.over(time[i] - time[i - 1]);
            let value = decay * x[i - 1] + mean * (x[i] - last);
            last = x[i];
            x[i] = value;
        }
        x
    }

    /// Sensitivities to `x` from those to what the accelerometer shows of it.
    pub(crate) fn pull_back(self, time: &[f64], mut bar: Vec<f64>) -> Vec<f64> {
        // The share that the instant after takes from this one.
        let mut ahead = 0.0;
        for i in (1..bar.len()).rev() {
            let (decay, mean) = self.over(time[i] - time[i - 1]);
            let own = bar[i];
            bar[i - 1] += decay * own;
            bar[i] = mean * own - ahead;
            ahead = mean * own;
        }
        if let Some(first) = bar.first_mut() {
            *first -= ahead;
        }
        bar
    }

    /// The x of which an accelerometer shows `y`.
    pub fn invert(self, time: &[f64], y: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = y.to_vec();
        for i in 1..y.len() {
            let (decay, mean) = self.over(time[i] - time[i - 1]);
            x[i] = x[i - 1] + (y[i] - decay * y[i - 1]) / mean;
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times() -> Vec<f64> {
        (0..400).map(|i| f64::from(i) * 1e-3).collect()
    }

    #[test]
    fn a_sine_is_damped_and_turned_as_theory_has_it() {
        let (corner, w, time) = (20.0, TAU * 40.0, times());
        let sine: Vec<f64> = time.iter().map(|t| (w * t).sin()).collect();
        let shown = HighPass::new(corner).apply(&time, sine.clone());
        // G = i w/(i w + w0): 2/sqrt(5) in size, atan(1/2) ahead.
        for i in 200..400 {
            let expected = (w * time[i] + 0.5_f64.atan()).sin() * 2.0 / 5_f64.sqrt();
            // Straight lines between 25 samples a period.
            assert!((shown[i] - expected).abs() < 1e-2, "{i}");
        }
        let back = HighPass::new(corner).invert(&time, &shown);
        for (a, b) in back.iter().zip(&sine) {
            assert!((a - b).abs() < 1e-12);
        }
    }

    #[test]
    fn sensitivities_are_the_transposed_filter() {
        let (time, filter) = (times(), HighPass::new(3.0));
        let x: Vec<f64> = (0..400).map(|i| f64::from(i * i % 37)).collect();
        let bar: Vec<f64> = (0..400).map(|i| f64::from(i * 7 % 13)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let forward = dot(&filter.apply(&time, x.clone()), &bar);
        let backward = dot(&x, &filter.pull_back(&time, bar));
        assert!((forward - backward).abs() < 1e-9 * forward.abs());
    }
}
