//! Tests that the parameters were not fitted to.

use super::moving_mass::with_smooth_accelerations;
use crate::error::FitError;
use crate::objective::residuals::{Residuals, compare};
use crate::objective::{Objective, Rules};
use crate::search::optimise::{Options, trust_region};
use crate::test::Test;
use masing_model::{Model, ModelError};

/// The model as a test sees it: at the levels of its conditions.
pub(crate) fn at_levels_of(model: &Model, test: &Test) -> Result<Model, FitError> {
    model.at(&test.conditions).map_err(|error| match error {
        ModelError::NoLevel { condition } => FitError::NoLevel {
            test: test.name.clone(),
            condition,
        },
        error => error.into(),
    })
}

/// When the nuisances of a test are near enough: they are few and act almost linearly.
const NEAR: Options = Options {
    cost: 1e-6,
    step: 1e-8,
    gradient: 1e-12,
    evaluations: 30,
};

/// Predicts a test with the model as it is and compares. Nuisances of the test (offsets, a lag, an
/// initial state that is not at rest) are estimated from it; the parameters are not touched.
pub fn predict_held_out(
    model: &Model,
    target: &mut Test,
) -> Result<(Residuals, Vec<f64>), FitError> {
    let at_levels = at_levels_of(model, target)?;
    target.choose_numerics(&at_levels, at_levels.values())?;
    predict_as_stepped(model, target)
}

/// As [`predict_held_out`], with the steps that the test has.
pub(crate) fn predict_as_stepped(
    model: &Model,
    target: &mut Test,
) -> Result<(Residuals, Vec<f64>), FitError> {
    let at_levels = at_levels_of(model, target)?;
    let model = &at_levels;
    let unknowns = target.nuisance(model, &target.name, 0);
    let first: Vec<f64> = unknowns
        .iter()
        .map(|u| target.first_value(model, u))
        .collect();
    let own = |target: &Test, start: &[f64]| {
        let targets = std::slice::from_ref(target);
        let objective = Objective::new(model, targets, &unknowns, Rules::default());
        let mut values = vec![];
        if !unknowns.is_empty() {
            let found = trust_region(&objective, &objective.internal(start), &NEAR);
            values = objective.values_of(&found.x);
        }
        let (tests, again) = with_smooth_accelerations(&objective, &values)?;
        Ok::<_, FitError>((values, again.then_some(tests)))
    };
    let (mut values, again) = own(target, &first)?;
    if let Some(test) = again.and_then(|mut tests| tests.pop()) {
        *target = test;
        values = own(target, &values)?.0;
    }
    let targets = std::slice::from_ref(&*target);
    let objective = Objective::new(model, targets, &unknowns, Rules::default());
    let predicted = objective.predict(0, &values, false)?.values;
    let used = unknowns.len() as f64;
    let outcome = compare(target, objective.rows(0), &predicted, used);
    Ok((outcome, predicted))
}
