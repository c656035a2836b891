//! What a record covered: how far, how fast, how often.

use super::MotionRecord;
use crate::test::preload::displacement;
use masing_data::range;
use masing_model::{Model, Validity};

pub(super) fn covers(record: &MotionRecord, model: &Model) -> Option<Validity> {
    let p = model.element_values();
    let (shift, _) = displacement(model, p, record.preload, record.amplitude(), false).ok()?;
    let (low, high) = range(record.motion.x());
    let speeds = record.motion.v().iter();
    let rate = repetition(record.motion.time(), record.motion.x(), 0.5 * (low + high));
    Some(Validity {
        displacement: [low + shift, high + shift],
        speed: speeds.fold(0.0_f64, |m, v| m.max(v.abs())),
        frequency: rate.map(|rate| [rate; 2]),
    })
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
    use crate::test::{Point, StiffnessTable, Test};
    use masing_data::Preload;
    use masing_model::{Assembly, Model, Shape};
    use masing_sim::Motion;
    use std::f64::consts::TAU;

    #[test]
    fn records_and_tables_tell_what_they_covered() {
        let spring = Assembly::from_names("spring", |_| Shape::default()).unwrap();
        let model = Model::new(spring, None, vec![1e5]).unwrap();
        let time: Vec<f64> = (0..=400).map(|i| f64::from(i) * 0.01).collect();
        let x = time.iter().map(|t| 2e-3 * (TAU * 1.5 * t).sin()).collect();
        let motion = Motion::new(time.clone(), x, None).unwrap();
        let mut record = Test::new("record", motion, vec![0.0; time.len()]);
        let covered = record.covers(&model).unwrap();
        // 1 %: a sine of 66 samples a cycle does not hit its peaks.
        assert!((covered.displacement[1] - 2e-3).abs() < 2e-5);
        assert!((covered.speed - TAU * 1.5 * 2e-3).abs() < 2e-4);
        assert!((covered.frequency.unwrap()[0] - 1.5).abs() < 0.015);

        let points = vec![
            Point::new(1e-3, 10.0, 1e5, 0.1),
            Point::new(5e-3, 1.0, 1e5, 0.1),
        ];
        let table = StiffnessTable {
            points,
            noise: None,
        };
        let both = covered.and(Test::of("table", table).covers(&model).unwrap());
        assert_eq!(both.displacement, [-5e-3, 5e-3]);
        assert_eq!(both.frequency, Some([1.0, 10.0]));
        assert_eq!(both.speed, TAU * 1e-2);

        // 300 N bend a spring of 1e5 N/m by 3 mm.
        record.motion_record_mut().unwrap().preload = Preload::Force(300.0);
        let shifted = record.covers(&model).unwrap();
        assert!((shifted.displacement[0] - 1e-3).abs() < 2e-5);
        assert!((shifted.displacement[1] - 5e-3).abs() < 2e-5);
    }
}
