//! The acceleration of moving masses, from what a model leaves of the force.

use crate::error::FitError;
use crate::objective::Objective;
use crate::problem::unknown::Place;
use crate::test::Test;

/// What the part leaves of the measured force of test `k`: inertia of a moving mass among it. `None` for tests that are no
/// record of motion and force.
fn left_by_part(
    objective: &Objective<'_>,
    k: usize,
    values: &[f64],
) -> Result<Option<Vec<f64>>, FitError> {
    let Some(rig) = objective.tests[k].motion_record() else {
        return Ok(None);
    };
    let mut without = values.to_vec();
    let sought = |place: Place| objective.unknowns.iter().position(|u| u.place == place);
    if let Some(column) = sought(Place::MovingMass(k)) {
        without[column] = 0.0;
    }
    let predicted = objective.predict(k, &without, false)?.values;
    let mut left: Vec<f64> = rig
        .force
        .iter()
        .zip(predicted)
        .map(|(f, p)| f - p)
        .collect();
    if let Some(mass) = rig.nuisance.moving_mass.filter(|m| *m > 0.0) {
        for (left, a) in left.iter_mut().zip(rig.acceleration()) {
            *left += mass * a;
        }
    }
    Ok(Some(left))
}

/// The tests with accelerations chosen by what the model leaves of their forces, and whether that changes what is sought.
pub(super) fn with_smooth_accelerations(
    objective: &Objective<'_>,
    values: &[f64],
) -> Result<(Vec<Test>, bool), FitError> {
    let mut tests = objective.tests.to_vec();
    let mut matters = false;
    for (k, test) in tests.iter_mut().enumerate() {
        let left = left_by_part(objective, k, values)?;
        if let (Some(rig), Some(left)) = (test.motion_record_mut(), left) {
            matters |= rig.smooth_acceleration_for(&left) && rig.nuisance.moving_mass.is_some();
        }
    }
    Ok((tests, matters))
}
