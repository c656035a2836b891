//! How well the response of a linear system agrees with the measurements.

use super::beginning::{Beginning, beginning};
use crate::objective::predict::Question;
use crate::test::{DrivenMasses, InitialState, Kind};
use masing_model::{Assembly, Masses, Model};

/// Mean squared relative error over all tests of masses with these matrices (`m`, `c`, `k`) and no
/// elements; infinite where such masses are impossible or unstable.
pub(super) fn misfit(tests: &[DrivenMasses], masses: &Masses, matrices: &[f64]) -> f64 {
    let mut sum = 0.0;
    for test in tests {
        let moves = test.initial() == InitialState::Estimated || !test.is_loaded();
        let began: Vec<Beginning> = (0..masses.dofs())
            .map(|dof| {
                if moves {
                    beginning(test, dof)
                } else {
                    Beginning::default()
                }
            })
            .collect();
        let mut values = matrices.to_vec();
        values.extend(began.iter().map(|b| b.x));
        values.extend(began.iter().map(|b| b.v));
        let Ok(model) = Model::new(Assembly::new(), Some(masses.clone()), values) else {
            return f64::INFINITY;
        };
        // The beginning is that of the model here.
        let mut test = test.clone().begun_by_model();
        let question = Question {
            model: &model,
            p: model.values(),
            unknowns: &[],
            values: &[],
            index: 0,
            derivatives: false,
        };
        let predicted = test
            .choose_numerics(&model, model.values())
            .and_then(|()| test.predict(&question));
        let Ok(predicted) = predicted else {
            return f64::INFINITY;
        };
        let rows = test.rows();
        let squares = rows
            .iter()
            .map(|row| ((predicted.values[row.entry] - row.measured) / row.size).powi(2));
        sum += squares.sum::<f64>() / rows.len().max(1) as f64;
    }
    if sum.is_finite() { sum } else { f64::INFINITY }
}
