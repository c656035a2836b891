//! A load between its samples, where straight lines are too crude: what a band below half the
//! sampling rate determines, by a Kaiser-windowed sinc.

use super::load::Load;
use crate::error::SimError;
use std::f64::consts::PI;

/// Samples on either side that take part.
const REACH: usize = 32;
/// Shape of the window: side lobes of about 1e-5, narrow enough for content up to 0.45 of the rate.
const SHAPE: f64 = 10.0;

impl Load {
    /// The same load with `factor` rows per sample. Before its beginning and after its end it is
    /// continued with its period where it has one, otherwise by its image through the end point.
    pub fn finer(&self, factor: usize) -> Result<Self, SimError> {
        if factor <= 1 {
            return Ok(self.clone());
        }
        let time = between(self.time(), factor);
        let mut out = Self::new(time)?;
        for (dof, values) in self.loads() {
            out = out.on(*dof, refine(values, factor))?;
        }
        match self.base_acceleration() {
            Some(base) => out.base(refine(base, factor)),
            None => Ok(out),
        }
    }

    /// The samples of a load that repeats itself exactly after fewer than half of them.
    pub fn period(&self) -> Option<usize> {
        let channels = self.loads().iter().map(|(_, values)| values.as_slice());
        let mut periods = channels.chain(self.base_acceleration()).map(period);
        let first = periods.next()??;
        periods.all(|p| p == Some(first)).then_some(first)
    }
}

/// Instants with `factor` - 1 more between each two.
fn between(time: &[f64], factor: usize) -> Vec<f64> {
    let mut out = Vec::with_capacity((time.len() - 1) * factor + 1);
    for pair in time.windows(2) {
        out.extend((0..factor).map(|j| {
            let share = j as f64 / factor as f64;
            pair[0] + share * (pair[1] - pair[0])
        }));
    }
    out.extend(time.last());
    out
}

/// The smallest shift, up to half the length, under which the values are the same.
fn period(values: &[f64]) -> Option<usize> {
    let n = values.len();
    let size = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-9 * size;
    let repeats = |shift: usize| (0..n - shift).all(|i| same(values[i], values[i + shift]));
    if size == 0.0 {
        return None;
    }
    (2..=n / 2).find(|&shift| repeats(shift))
}

fn refine(values: &[f64], factor: usize) -> Vec<f64> {
    let n = values.len();
    let period = period(values);
    let at = |i: i64| -> f64 {
        let last = n as i64 - 1;
        if (0..=last).contains(&i) {
            return values[i as usize];
        }
        if let Some(period) = period {
            return values[i.rem_euclid(period as i64) as usize];
        }
        let (end, image) = if i < 0 { (0, -i) } else { (last, 2 * last - i) };
        2.0 * values[end as usize] - values[image.clamp(0, last) as usize]
    };
    let padded: Vec<f64> = (-(REACH as i64)..(n + REACH) as i64).map(at).collect();
    let kernels: Vec<Vec<f64>> = (1..factor)
        .map(|j| kernel(j as f64 / factor as f64))
        .collect();
    let mut out = Vec::with_capacity((n - 1) * factor + 1);
    for i in 0..n - 1 {
        out.push(values[i]);
        // From sample i - REACH + 1 to sample i + REACH.
        let around = &padded[i + 1..=i + 2 * REACH];
        for kernel in &kernels {
            out.push(around.iter().zip(kernel).map(|(v, w)| v * w).sum());
        }
    }
    out.push(values[n - 1]);
    out
}

/// Weights of the samples around an instant the share `at` behind a sample; they add up to one.
fn kernel(at: f64) -> Vec<f64> {
    let weight = |k: usize| {
        let distance = k as f64 - (REACH - 1) as f64 - at;
        let inside = 1.0 - (distance / REACH as f64).powi(2);
        let window = bessel(SHAPE * inside.max(0.0).sqrt()) / bessel(SHAPE);
        window * (PI * distance).sin() / (PI * distance)
    };
    let weights: Vec<f64> = (0..2 * REACH).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|w| w / sum).collect()
}

/// Modified Bessel function of the first kind and order 0, by its series.
fn bessel(x: f64) -> f64 {
    let quarter = 0.25 * x * x;
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..60 {
        term *= quarter / f64::from(k * k);
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn a_band_limited_load_is_recovered_between_its_samples() {
        let u = |t: f64| (TAU * 5.0 * t).cos() + 0.5 * (TAU * 150.0 * t + 1.0).sin();
        let n = 1500;
        let time: Vec<f64> = (0..n).map(|i| f64::from(i) / 750.0).collect();
        let values = time.iter().map(|&t| u(t)).collect();
        let load = Load::new(time).unwrap().on(1, values).unwrap();
        assert_eq!(load.period(), Some(150));
        let fine = load.finer(20).unwrap();
        assert_eq!(fine.len(), 20 * 1499 + 1);
        let worst = fine
            .time()
            .iter()
            .zip(&fine.loads()[0].1)
            .fold(0.0_f64, |m, (&t, v)| m.max((v - u(t)).abs()));
        // Side lobes of the window.
        assert!(worst < 1e-5, "{worst}");
    }

    #[test]
    fn ends_of_a_load_without_a_period_are_continued_smoothly() {
        let time: Vec<f64> = (0..40).map(f64::from).collect();
        let values = time.iter().map(|t| 2.0 - 0.1 * t).collect();
        let load = Load::new(time).unwrap().on(1, values).unwrap();
        assert_eq!(load.period(), None);
        let fine = load.finer(4).unwrap();
        for (t, v) in fine.time().iter().zip(&fine.loads()[0].1) {
            // What a straight line is to the window.
            assert!((v - (2.0 - 0.1 * t)).abs() < 1e-3, "{t} {v}");
        }
    }
}
