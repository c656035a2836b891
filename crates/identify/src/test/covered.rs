//! What a test covered: how far, how fast, how often.

use super::rig::range;
use super::{Content, Preload, Target};
use masing_model::Validity;
use std::f64::consts::TAU;

impl Target {
    /// The motion that the part saw; `None` where masses moved by themselves.
    pub fn covered(&self) -> Option<Validity> {
        match &self.content {
            Content::Rig(rig) => {
                let shift = shift_of(rig.preload);
                let (low, high) = range(rig.motion.x());
                let speed = rig.motion.v().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
                let rate = repetition(rig.motion.time(), rig.motion.x(), 0.5 * (low + high));
                Some(Validity {
                    displacement: [low + shift, high + shift],
                    speed,
                    frequency: rate.map(|rate| [rate; 2]),
                })
            }
            Content::Table(table) => {
                let points = table.points.iter().map(|point| {
                    let shift = shift_of(point.preload);
                    Validity {
                        displacement: [shift - point.amplitude, shift + point.amplitude],
                        speed: TAU * point.frequency * point.amplitude,
                        frequency: Some([point.frequency; 2]),
                    }
                });
                points.reduce(Validity::and)
            }
            Content::Driven(_) => None,
        }
    }
}

/// A preload given as a force stands for a displacement that only the model knows.
fn shift_of(preload: Preload) -> f64 {
    match preload {
        Preload::Motion(x) => x,
        Preload::Force(_) => 0.0,
    }
}

/// How often a motion rises through the middle of its range, if it does so twice.
fn repetition(time: &[f64], x: &[f64], middle: f64) -> Option<f64> {
    let rising = |&i: &usize| x[i - 1] < middle && x[i] >= middle;
    let crossings: Vec<usize> = (1..x.len()).filter(rising).collect();
    let (&first, &last) = (crossings.first()?, crossings.last()?);
    (last > first).then(|| (crossings.len() - 1) as f64 / (time[last] - time[first]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::{Point, Table};
    use masing_sim::Motion;

    #[test]
    fn records_and_tables_tell_what_they_covered() {
        let time: Vec<f64> = (0..=400).map(|i| f64::from(i) * 0.01).collect();
        let x = time.iter().map(|t| 2e-3 * (TAU * 1.5 * t).sin()).collect();
        let motion = Motion::new(time.clone(), x, None).unwrap();
        let record = Target::new("record", motion, vec![0.0; time.len()]);
        let covered = record.covered().unwrap();
        // 1 %: a sine of 66 samples a cycle does not hit its peaks.
        assert!((covered.displacement[1] - 2e-3).abs() < 2e-5);
        assert!((covered.speed - TAU * 1.5 * 2e-3).abs() < 2e-4);
        assert!((covered.frequency.unwrap()[0] - 1.5).abs() < 0.015);

        let points = vec![
            Point::new(1e-3, 10.0, 1e5, 0.1),
            Point::new(5e-3, 1.0, 1e5, 0.1),
        ];
        let table = Target::of(
            "table",
            Content::Table(Table {
                points,
                noise: None,
            }),
        );
        let both = covered.and(table.covered().unwrap());
        assert_eq!(both.displacement, [-5e-3, 5e-3]);
        assert_eq!(both.frequency, Some([1.0, 10.0]));
        assert_eq!(both.speed, TAU * 1e-2);
    }
}
