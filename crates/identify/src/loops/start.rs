//! Starts by regression, in the form that the search needs.

use super::law::starting_model;
use super::weak_form::{WeakStart, bristle_starts, weak_starts};
use crate::error::FitError;
use crate::fit::FitOptions;
use crate::objective::Objective;
use crate::problem::unknown::{Place, Unknown};
use crate::test::Test;
use masing_model::{Model, Scale};

/// Starts that a descent begins from.
const TRIED: usize = 4;

/// The element values that a regression gives; `None` if there is none for the model or no record
/// suits.
pub(crate) fn regressed(
    model: &Model,
    fitted: &[Test],
    options: &FitOptions,
) -> Result<Option<Vec<f64>>, FitError> {
    let mut fixed = vec![None; model.param_count()];
    for (address, value) in &options.fixed {
        for index in model.find(address)? {
            fixed[index] = Some(*value);
        }
    }
    let found = found(model, fitted, &|index| fixed[index]);
    let best = found.and_then(|(starts, _)| starts.into_iter().next());
    Ok(best.map(|best| best.values))
}

/// Starts by regression, best first, and the element whose state they know; `None` where no law of the
/// model has a regression.
fn found(
    model: &Model,
    fitted: &[Test],
    held: &dyn Fn(usize) -> Option<f64>,
) -> Option<(Vec<WeakStart>, usize)> {
    if model.system().is_some() {
        return None;
    }
    match starting_model(model.assembly()) {
        Some(law) => Some((weak_starts(model, &law, fitted, held), law.part)),
        None => bristle_starts(model, fitted),
    }
}

/// Starts by regression for all unknowns, those that meet the tests best first. The regression uses the tests as they
/// are, `objective` may use fewer samples; `first` gives what a regression does not. Starts that the user gave are
/// kept.
pub(crate) fn starts(
    objective: &Objective<'_>,
    fitted: &[Test],
    first: &[f64],
    options: &FitOptions,
) -> Vec<Vec<f64>> {
    let (model, unknowns) = (objective.model, objective.unknowns);
    let sought = |index: usize| unknowns.iter().any(|u| u.place == Place::Param(index));
    let held = |index: usize| (!sought(index)).then(|| model.values()[index]);
    let given = |u: &Unknown| options.starts.iter().any(|(address, _)| *address == u.name);
    let Some((found, part)) = found(model, fitted, &held) else {
        return vec![];
    };
    let state = model.assembly().parts()[part].states.start;
    let mut tried: Vec<(f64, Vec<f64>)> = found
        .into_iter()
        .map(|weak| {
            let mut start = first.to_vec();
            for (value, u) in start.iter_mut().zip(unknowns).filter(|(_, u)| !given(u)) {
                *value = match u.place {
                    Place::Param(index) => weak.values[index].clamp(u.min, u.max),
                    Place::Start { target, state: at } if at == state => {
                        weak.begin[target].unwrap_or(*value)
                    }
                    _ => *value,
                };
            }
            (objective.cost(&start).unwrap_or(f64::INFINITY), start)
        })
        .collect();
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    tried
        .into_iter()
        .take(TRIED)
        .map(|(_, start)| start)
        .collect()
}

/// Gives parameters that act alike the same scale.
pub(crate) fn scale(model: &Model, unknowns: &mut [Unknown]) {
    for part in model.assembly().parts() {
        let values = &model.values()[part.params.clone()];
        let Some((alike, size)) = part.element.law().common_scale(values) else {
            continue;
        };
        let first = part.params.start;
        for u in unknowns.iter_mut() {
            let own =
                matches!(u.place, Place::Param(i) if i >= first && alike.contains(&(i - first)));
            if own && u.scale == Scale::Linear && size > 0.0 {
                u.typical = size;
            }
        }
    }
}
