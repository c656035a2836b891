//! Levels: records of one part that show a little more or less force than the others.
//!
//! Where every test has a level, a common one could not be told from a stiffer part. The levels then add up
//! to zero: that of the last test follows from the others, and the parameters are those of the mean test.

use crate::objective::Objective;
use crate::problem::unknown::{Place, Unknown};
use crate::result::Estimate;
use crate::uncertainty::interval::reach;
use crate::uncertainty::{Status, Uncertainty};
use masing_diagnostic::{Diagnostic, FitDiagnostic};

/// Whether an unknown is a level.
fn is_level(u: &Unknown) -> bool {
    matches!(u.place, Place::Level(_))
}

/// Removes the level of the last test where all tests have one.
pub(crate) fn close(tests: usize, unknowns: &mut Vec<Unknown>) {
    if unknowns.iter().filter(|u| is_level(u)).count() == tests {
        unknowns.retain(|u| u.place != Place::Level(tests - 1));
    }
}

/// The level of the last test, where it follows from the others, which come with it.
fn follows(objective: &Objective<'_>) -> Option<(Unknown, Vec<usize>)> {
    let k = objective.tests.len().checked_sub(1)?;
    let test = &objective.tests[k];
    let mut all = test.nuisance(objective.model, &test.name, k).into_iter();
    let own = all.find(|u| u.place == Place::Level(k))?;
    let unknowns = objective.unknowns;
    let known = unknowns.iter().any(|u| u.place == own.place);
    let others = (0..unknowns.len()).filter(|&i| is_level(&unknowns[i]));
    let others: Vec<usize> = others.collect();
    (!known && !others.is_empty()).then_some((own, others))
}

/// What is known of the level of the last test, where it follows from the others.
pub(super) fn last(
    objective: &Objective<'_>,
    values: &[f64],
    trust: &Uncertainty,
) -> Option<Estimate> {
    let (own, others) = follows(objective)?;
    let value = -others.iter().map(|&i| values[i]).sum::<f64>();
    let covariance =
        |i: usize, j: usize| trust.correlation[(i, j)] * trust.std_error[i] * trust.std_error[j];
    let of_row = |&i: &usize| others.iter().map(|&j| covariance(i, j)).sum::<f64>();
    let std_error = others.iter().map(of_row).sum::<f64>().max(0.0).sqrt();
    let status = Status::of(std_error, value.abs().max(own.typical));
    Some(Estimate::new(
        own.name,
        "1".to_owned(),
        value,
        (Some(std_error), status),
        reach(objective),
    ))
}

/// How much the levels scatter, where there are several.
pub(super) fn scatter(objective: &Objective<'_>, values: &[f64]) -> Option<Diagnostic> {
    let name = |k: usize| objective.tests[k].name.clone();
    let sought = objective.unknowns.iter().zip(values);
    let sought = sought.filter_map(|(u, &value)| match u.place {
        Place::Level(k) => Some((name(k), value)),
        _ => None,
    });
    let mut levels: Vec<(String, f64)> = sought.collect();
    if follows(objective).is_some() {
        let sum: f64 = levels.iter().map(|(_, level)| level).sum();
        levels.push((name(objective.tests.len() - 1), -sum));
    }
    let n = levels.len();
    if n < 2 {
        return None;
    }
    let mean = levels.iter().map(|(_, level)| level).sum::<f64>() / n as f64;
    let squares: f64 = levels.iter().map(|(_, level)| (level - mean).powi(2)).sum();
    levels.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (lowest, highest) = (levels[0].clone(), levels[n - 1].clone());
    let scatter = FitDiagnostic::Levels {
        tests: n,
        scatter: (squares / (n - 1) as f64).sqrt(),
        lowest,
        highest,
    };
    Some(scatter.into())
}
