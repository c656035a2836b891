//! Tests at the same levels, and what the followed parameters are there.

use crate::error::FitError;
use crate::fit::FitOptions;
use crate::objective::residuals::outcomes;
use crate::objective::{Objective, Rules, Workers};
use crate::problem::first_values_of;
use crate::problem::unknown::{Place, Unknown};
use crate::search::ROUGH;
use crate::search::optimise::{Stop, trust_region};
use crate::test::Test;
use crate::uncertainty::{Normals, trust};
use masing_model::{Condition, Levels, Model};

/// Tests at the same levels of all followed conditions.
pub(super) struct Group {
    pub(super) levels: Levels,
    /// Their places among the fitted tests.
    pub(super) tests: Vec<usize>,
}

impl Group {
    /// All groups, in rising order of their levels.
    pub(super) fn all(fitted: &[Test], conditions: &[Condition]) -> Vec<Self> {
        let mut out: Vec<Self> = Vec::new();
        for (k, test) in fitted.iter().enumerate() {
            let own = |name: &String| conditions.iter().any(|c| c.name == *name);
            let each = test.conditions.iter().filter(|(name, _)| own(name));
            let levels: Levels = each.map(|(name, level)| (name.clone(), *level)).collect();
            match out.iter_mut().find(|g| g.levels == levels) {
                Some(group) => group.tests.push(k),
                None => out.push(Self {
                    levels,
                    tests: vec![k],
                }),
            }
        }
        out.sort_by(|a, b| {
            let pairs = a.levels.values().zip(b.levels.values());
            let mut orders = pairs.map(|(a, b)| a.total_cmp(b));
            orders
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        out
    }
}

/// The followed parameters at one level, all others held.
pub(super) struct LevelFit {
    pub(super) levels: Levels,
    /// The tests, ready to be predicted.
    pub(super) tests: Vec<Test>,
    /// Values of the followed parameters.
    pub(super) values: Vec<f64>,
    /// Their standard errors.
    pub(super) errors: Vec<f64>,
    pub(super) cost: f64,
}

/// Refits `params` of an ordinary model at every level; offsets and the like of the tests are found with them.
pub(super) fn level_fits(
    model: &Model,
    fitted: &[Test],
    groups: &[Group],
    params: &[usize],
    options: &FitOptions,
) -> Result<Vec<LevelFit>, FitError> {
    let rules = Rules {
        weights: options.weights,
        workers: Workers::new(options.workers),
        ..Rules::default()
    };
    let mut out: Vec<LevelFit> = Vec::new();
    for group in groups {
        let mut model = model.clone();
        let mut tests: Vec<Test> = group.tests.iter().map(|&k| fitted[k].clone()).collect();
        for test in &mut tests {
            test.choose_numerics(&model, model.values())?;
        }
        let own = unknowns(&model, &tests, params);
        let cost = |model: &Model| {
            let objective = Objective::new(model, &tests, &own, rules.clone());
            let start = first_values_of(model, &own, &tests);
            objective.cost(&start).unwrap_or(f64::INFINITY)
        };
        if let Some(before) = out.last() {
            // From the level before, where that is nearer.
            let mut p = model.values().to_vec();
            for (&param, &value) in params.iter().zip(&before.values) {
                p[param] = value;
            }
            if let Ok(other) = model.with(p)
                && cost(&other) < cost(&model)
            {
                model = other;
            }
        }
        let objective = Objective::new(&model, &tests, &own, rules.clone());
        let start = objective.internal(&first_values_of(&model, &own, &tests));
        let found = trust_region(&objective, &start, &ROUGH);
        if found.stop == Stop::BadStart || !found.cost.is_finite() {
            return Err(FitError::NoStart);
        }
        let values = objective.values_of(&found.x);
        let predicted: Result<Vec<Vec<f64>>, FitError> = (0..tests.len())
            .map(|k| Ok(objective.predict(k, &values, false)?.values))
            .collect();
        let residuals = outcomes(&objective, &predicted?);
        let normals = Normals::new(&objective, &found.at);
        let errors = trust(&objective, &found.x, &normals, &residuals).std_error;
        out.push(LevelFit {
            levels: group.levels.clone(),
            values: values[..params.len()].to_vec(),
            errors: errors[..params.len()].to_vec(),
            cost: found.cost,
            tests,
        });
    }
    Ok(out)
}

/// The followed parameters, and what belongs to the tests.
fn unknowns(model: &Model, tests: &[Test], params: &[usize]) -> Vec<Unknown> {
    let all = model.params();
    let each = params.iter().map(|&index| {
        let (name, param) = &all[index];
        let value = model.values()[index].abs();
        Unknown {
            name: name.clone(),
            place: Place::Param(index),
            min: param.min,
            max: param.max,
            scale: param.scale(),
            typical: if value > 0.0 { value } else { 1.0 },
        }
    });
    let mut out: Vec<Unknown> = each.collect();
    for (k, test) in tests.iter().enumerate() {
        out.extend(test.nuisance(model, &test.name, k));
    }
    out
}
