//! Forces under a motion that is given.

use super::{Asked, Run, Whole, largest, prescribed_numerics, refuse_endless};
use crate::error::AppError;
use masing_data::Record;
use masing_data::cycles::cycles;
use masing_diagnostic::{Diagnostic, TestDiagnostic};
use masing_identify::Names;
use masing_model::{Model, MotionKind};
use masing_report::csv::Column;
use masing_sim::{
    ACCURACY, MOST_WORK, Motion, Numerics, Prescribed, SimError, VaryingLevels, choose_steps,
    choose_varying, run_varying,
};
use std::ops::Range;

pub(super) fn run(
    model: &Model,
    record: &Record,
    counting: Range<usize>,
    asked: &Asked<'_>,
    levels: &VaryingLevels,
) -> Result<Run, AppError> {
    let names = Names::of(model.motion());
    let failed = |source: SimError| AppError::simulation(record, source);
    let (mut motion, mut numerics) = prepare(model, record, asked)?;
    let (assembly, p) = (model.assembly(), model.element_values());
    let (force, end) = if levels.varying.is_empty() {
        let mut run = Prescribed::new(assembly, &motion, numerics);
        if let Some(start) = asked.start {
            run = run.from_state(start);
        }
        run.run_to(p).map_err(failed)?
    } else {
        if prescribed_numerics(model, asked.accuracy).is_none() {
            let accuracy = asked.accuracy.unwrap_or(ACCURACY);
            // A pattern holds at the levels it was found at; these vary.
            motion.cut(None);
            numerics = choose_varying(model, &motion, levels, accuracy).map_err(failed)?;
            refuse_endless(record, motion.steps(&numerics))?;
        }
        run_varying(model, &motion, levels, numerics, asked.start).map_err(failed)?
    };
    let cut = |values: &[f64]| values[counting.clone()].to_vec();
    let (time, x, v) = (cut(motion.time()), cut(motion.x()), cut(motion.v()));
    let force = cut(&force);
    let notes = outside_validity(model, &x, &v);
    Ok(Run {
        steps: motion.steps(&numerics),
        numerics,
        end,
        largest: vec![
            (names.displacement.to_owned(), largest(&x), names.length),
            ("velocity".to_owned(), largest(&v), names.velocity),
            (names.force.to_owned(), largest(&force), names.load),
        ],
        cycles: cycles(&x, Some(&force), Some(&time)),
        whole: Some(Whole::of(&x, &force)),
        columns: [
            Column::new("time", "s", time),
            Column::new(names.displacement, names.length.si(), x),
            Column::new("velocity", names.velocity.si(), v),
            Column::new(names.force, names.load.si(), force),
        ]
        .into_iter()
        .chain(levels.varying.iter().map(|(name, values)| {
            let unit = model.conditions().iter().find(|c| c.name == *name);
            Column::new(name, unit.map_or("1", |c| c.unit.as_str()), cut(values))
        }))
        .collect(),
        notes: notes.into_iter().collect(),
    })
}

/// Whether a motion leaves what the tests of the model covered, and how far.
fn outside_validity(model: &Model, x: &[f64], v: &[f64]) -> Option<Diagnostic> {
    let tests = model.validity.as_ref()?;
    let farthest = |values: &[f64], excess: &dyn Fn(f64) -> f64| {
        let beyond = values.iter().copied().filter(|value| excess(*value) > 0.0);
        beyond.max_by(|a, b| excess(*a).total_cmp(&excess(*b)))
    };
    let [low, high] = tests.displacement;
    let displacement = farthest(x, &|x| {
        let beyond = tests.displacement_outside(x);
        if beyond { (x - high).max(low - x) } else { 0.0 }
    });
    let speed = farthest(v, &|v| {
        let beyond = tests.speed_outside(v);
        if beyond { v.abs() - tests.speed } else { 0.0 }
    });
    (displacement.is_some() || speed.is_some()).then(|| {
        TestDiagnostic::OutsideValidity {
            displacement: displacement.map(|x| (x, tests.displacement)),
            speed: speed.map(|v| (v.abs(), tests.speed)),
            frequency: None,
        }
        .into()
    })
}

/// The motion of a record, and how finely it is stepped.
pub(super) fn prepare(
    model: &Model,
    record: &Record,
    asked: &Asked<'_>,
) -> Result<(Motion, Numerics), AppError> {
    let names = Names::of(model.motion());
    if record.rotation != (model.motion() == MotionKind::Rotation) {
        return Err(record.missing(names.displacement).into());
    }
    record.require_motion()?;
    let failed = |source: SimError| AppError::simulation(record, source);
    let mut motion = Motion::new(
        record.need_time()?.to_vec(),
        record.need_motion()?.to_vec(),
        record.velocity().map(<[f64]>::to_vec),
    )
    .map_err(failed)?;
    let (assembly, p) = (model.assembly(), model.element_values());
    let numerics = match prescribed_numerics(model, asked.accuracy) {
        Some(numerics) => numerics,
        None => {
            let accuracy = asked.accuracy.unwrap_or(ACCURACY);
            choose_steps(assembly, p, &mut motion, accuracy, MOST_WORK).map_err(failed)?
        }
    };
    refuse_endless(record, motion.steps(&numerics))?;
    Ok((motion, numerics))
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_model::{Assembly, Shape, Validity};

    #[test]
    fn a_motion_beyond_the_tests_is_told() {
        let spring = Assembly::from_names("spring", |_| Shape::default()).unwrap();
        let mut model = Model::with_defaults(spring, None).unwrap();
        assert!(outside_validity(&model, &[9.0], &[9.0]).is_none());
        model.validity = Some(Validity {
            displacement: [-1e-3, 1e-3],
            speed: 0.1,
            frequency: None,
        });
        assert!(outside_validity(&model, &[0.0, 1e-3], &[0.1, -0.1]).is_none());
        let expected = TestDiagnostic::OutsideValidity {
            displacement: Some((-3e-3, [-1e-3, 1e-3])),
            speed: Some((0.2, 0.1)),
            frequency: None,
        };
        let found = outside_validity(&model, &[0.0, 2e-3, -3e-3], &[0.1, -0.2, 0.0]);
        assert_eq!(found, Some(expected.into()));
    }
}
