//! One coefficient per test, while everything else differs between tests only as other laws say.

use super::algebra::{left_of, solve};
use super::final_fit::variance;
use super::laws::{Law, Subject};
use super::projection::Design;
use super::varying::State;

/// The coefficient of a law, test by test, with standard errors: the factor by which it must change, to first order
/// (which is exact for everything but slip displacements).
pub fn one_by_one(state: &State, law: &Law) -> Vec<(f64, f64)> {
    let set = &state.set;
    let none = || vec![(f64::NAN, f64::NAN); set.tests.len()];
    let terms = &state.terms;
    let design = Design::of(set, terms, state.sliders.iter().map(|s| s.ys).collect());
    let force = set.force();
    let Some(solved) = solve(&design.columns, &force) else {
        return none();
    };
    let own = design.scaled(&solved.coefficients, &law.subject, set.rows());
    let size = size(state, law, &solved.coefficients);
    // What the law scales is not shared any more: it has a column of every test.
    let mut shared: Vec<Vec<f64>> = Vec::new();
    for (k, column) in design.columns.iter().enumerate() {
        let replaced = match &law.subject {
            Subject::Term(term) => terms.get(k) == Some(term),
            Subject::Friction => k >= terms.len(),
            Subject::Slip => false,
        };
        if !replaced {
            shared.push(column.clone());
        }
    }
    if law.subject != Subject::Slip {
        // Slip displacements stay free.
        let each = design.slips.iter().zip(&solved.coefficients[terms.len()..]);
        shared.extend(each.map(|(slip, ks)| slip.iter().map(|s| ks * s).collect()));
    }
    let first = shared.len();
    for range in set.ranges() {
        let mut column = vec![0.0; own.len()];
        column[range.clone()].copy_from_slice(&own[range]);
        shared.push(column);
    }
    let Some(found) = solve(&shared, &force) else {
        return none();
    };
    let left = left_of(force, &found.coefficients, &shared);
    let variance = variance(set, &left, shared.len());
    let each = set.tests.iter().enumerate().map(|(k, test)| {
        let by_law = size * law.factor(test);
        let change = found.coefficients[first + k];
        let factor = match law.subject {
            Subject::Slip => 1.0 + change,
            _ => change,
        };
        let error = (variance * found.covariance[(first + k, first + k)].max(0.0)).sqrt();
        (by_law * factor, (by_law * error).abs())
    });
    each.collect()
}

/// What the law scales, where its factor is one.
fn size(state: &State, law: &Law, coefficients: &[f64]) -> f64 {
    let stiffness = &coefficients[state.terms.len()..];
    let ks: f64 = stiffness.iter().sum();
    match &law.subject {
        Subject::Term(term) => {
            let at = state.terms.iter().position(|t| t == term);
            at.map_or(f64::NAN, |k| coefficients[k])
        }
        Subject::Friction => ks,
        Subject::Slip => {
            let zs = stiffness.iter().zip(&state.sliders);
            zs.map(|(k, s)| k * s.ys).sum::<f64>() / ks
        }
    }
}
