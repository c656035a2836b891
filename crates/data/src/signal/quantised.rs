//! Channels that move in steps: the resolution of a converter, also where a file rounds it to decimals.

use masing_diagnostic::thresholds;

/// A displacement that moves in steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantised {
    /// The step.
    pub step: f64,
    /// What it does to speeds between neighbouring samples: rms error over rms speed.
    pub speed: f64,
}

/// Differences that a step is told from, at least.
const FEWEST: usize = 50;
/// Steps up to which differences are looked at: rounding to decimals blurs larger ones.
const MOST_STEPS: f64 = 4.0;
/// How well differences agree with whole steps, at least: 1 if all are, 0 if they are anything. Decimals of a
/// third of a step leave 0.7.
const AGREES: f64 = 0.5;

/// Share of the samples at which the number of steps from one to the next changes, at least: a triangle changes it only
/// where it turns, rounding at least as often as the speed is no whole number of steps.
const CHANGES: f64 = 0.1;

/// Steps that are tried, for the best of them to be off by less than differences of a few steps tell.
const TRIED: u32 = 400;

/// The step that a channel moves in; `None` if it moves smoothly.
pub fn resolution(values: &[f64]) -> Option<f64> {
    let differences = values.windows(2).map(|w| (w[1] - w[0]).abs());
    let moved: Vec<f64> = differences.filter(|d| d.is_finite() && *d > 0.0).collect();
    let largest = moved.iter().copied().fold(0.0, f64::max);
    // Decimals do not subtract exactly.
    let moved: Vec<f64> = moved.into_iter().filter(|d| *d > 1e-9 * largest).collect();
    let least = moved.iter().copied().fold(f64::INFINITY, f64::min);
    let few = moved.iter().filter(|d| **d < (MOST_STEPS + 0.5) * least);
    let few: Vec<f64> = few.copied().collect();
    if few.len() < FEWEST {
        return None;
    }
    let agreement = |step: f64| {
        let turns = few.iter().map(|d| std::f64::consts::TAU * d / step);
        turns.map(f64::cos).sum::<f64>() / few.len() as f64
    };
    // Decimals of a third of the step make the least difference up to a third smaller or larger than it.
    let tried = (0..=TRIED).map(|i| least * (0.7 + 0.8 * f64::from(i) / f64::from(TRIED)));
    let (agrees, step) = tried
        .map(|step| (agreement(step), step))
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    if agrees < AGREES {
        return None;
    }
    let whole = |d: &f64| (d / step).round();
    // A motion of one speed moves by as much from sample to sample without being rounded to it.
    let steps: Vec<f64> = values.windows(2).map(|w| whole(&(w[1] - w[0]))).collect();
    let changes = steps.windows(2).filter(|w| w[0] != w[1]).count();
    if (changes as f64) < CHANGES * steps.len() as f64 {
        return None;
    }
    let top: f64 = few.iter().map(|d| whole(d) * d).sum();
    Some(top / few.iter().map(|d| whole(d).powi(2)).sum::<f64>())
}

/// The step of a displacement, where it spoils speeds from differences.
pub fn quantised(time: &[f64], x: &[f64]) -> Option<Quantised> {
    let step = resolution(x)?;
    let n = x.len();
    let interval = (time[n - 1] - time[0]) / (n - 1) as f64;
    // An error spread evenly over a step has the variance step^2/12; a difference has it twice.
    let error = step / (6_f64.sqrt() * interval);
    let slopes = (1..n).map(|i| ((x[i] - x[i - 1]) / (time[i] - time[i - 1])).powi(2));
    let measured = slopes.sum::<f64>() / (n - 1) as f64;
    let speed = error / (measured - error * error).max(f64::MIN_POSITIVE).sqrt();
    (speed > thresholds::QUANTISED_SPEED).then_some(Quantised { step, speed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::noise::tests::white;
    use std::f64::consts::TAU;

    fn channel(step: f64) -> (Vec<f64>, Vec<f64>) {
        let time: Vec<f64> = (0..4000).map(|i| f64::from(i) * 1e-3).collect();
        let x = time.iter().map(|t| 5.0 * (TAU * 3.0 * t).sin());
        let x = x.map(|x| {
            if step > 0.0 {
                (x / step).round() * step
            } else {
                x
            }
        });
        (time.clone(), x.collect())
    }

    #[test]
    fn steps_are_found_also_behind_decimals() {
        for step in [0.00325, 0.02] {
            let (_, x) = channel(step);
            let found = resolution(&x).expect("steps");
            assert!((found / step - 1.0).abs() < 1e-6, "{found}");
            let decimals: Vec<f64> = x.iter().map(|x| (x * 1e3).round() / 1e3).collect();
            let found = resolution(&decimals).expect("steps");
            // Three decimals of a step of 0.00325.
            assert!((found / step - 1.0).abs() < 0.02, "{found}");
        }
        assert_eq!(resolution(&channel(0.0).1), None);
        assert_eq!(resolution(&white(4000)), None);
        assert_eq!(resolution(&[1.0; 100]), None);
        // A triangle of one speed, a little noisy.
        let noise = white(4000);
        let up = |i: usize| (i % 500).min(500 - i % 500) as f64;
        let triangle: Vec<f64> = (0..4000).map(|i| up(i) + 0.05 * noise[i]).collect();
        assert_eq!(resolution(&triangle), None);
        assert_eq!(resolution(&[]), None);
    }

    #[test]
    fn steps_count_by_what_they_do_to_speeds() {
        let (time, fine) = channel(0.00325);
        assert_eq!(quantised(&time, &fine), None);
        let (time, coarse) = channel(0.05);
        let found = quantised(&time, &coarse).expect("coarse steps");
        // 0.05/(sqrt(6) 1 ms) over 5 TAU 3/sqrt(2); errors of a slow sine are not quite even.
        assert!((found.speed / 0.306 - 1.0).abs() < 0.1, "{}", found.speed);
    }
}
