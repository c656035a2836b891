//! Coefficients with error bars, once terms and sliders are chosen, and the comparison with the tests.

use super::algebra::{axpy, left_of, norm2, solve};
use super::chebyshev::Slider;
use super::dictionary::Term;
use super::found::{Coefficient, Estimate, FoundSlider, Friction, FrictionKind, Outcome};
use super::laws::{Subject, factor};
use super::motion::Prepared;
use super::projection::Design;
use super::set::Set;
use masing_identify::uncertainty::Status;
use masing_identify::uncertainty::inflation::{inflation, lag1};
use nalgebra::{DMatrix, DVector};

/// The final model, before diagnostics.
pub struct Model {
    /// Terms with error bars.
    pub terms: Vec<Coefficient>,
    /// Sliders with error bars.
    pub friction: Friction,
    /// Standard error of the preload, where it was sought.
    pub preload_error: Option<f64>,
    /// Standard errors of the exponents of the set's laws, one after the other.
    pub exponent_errors: Vec<f64>,
    /// What is left, row by row, over the noise.
    pub left: Vec<f64>,
    /// Numbers that were sought.
    pub parameters: usize,
    /// Condition with columns of length one.
    pub condition: f64,
}

/// Solves the linear part a last time and propagates the noise to all estimates. `free` says whether the slip
/// displacements were estimated.
pub fn settle(set: &Set, terms: &[Term], sliders: &[Slider], kind: FrictionKind) -> Option<Model> {
    let y = set.force();
    let radii = sliders.iter().map(|s| s.ys).collect();
    let design = Design::of(set, terms, radii);
    let linear = solve(&design.columns, &y)?;
    let left = left_of(y.clone(), &linear.coefficients, &design.columns);
    let exponents = design.by_exponents(&linear.coefficients, set);
    let (mut columns, slips) = (design.columns, design.slips);
    let (count, many) = (terms.len(), sliders.len());
    let stiffness = &linear.coefficients[count..];
    let free = kind != FrictionKind::Distribution;
    if free {
        for (ks, slip) in stiffness.iter().zip(&slips) {
            columns.push(slip.iter().map(|s| ks * s).collect());
        }
    }
    let laws = columns.len()..columns.len() + exponents.len();
    columns.extend(exponents);
    let by_preload = by_preload(set, terms, &linear.coefficients);
    let seeks = by_preload.is_some();
    columns.extend(by_preload);
    // A slider that never slips has no slip displacement to be uncertain about; then only the linear part counts.
    let whole = solve(&columns, &y);
    let (covariance, condition) = match whole {
        Some(s) => (s.covariance, s.condition),
        None => (widened(&linear.covariance, columns.len()), linear.condition),
    };
    let parameters = columns.len();
    let variance = variance(set, &left, parameters);
    let error = |i: usize| (variance * covariance[(i, i)].max(0.0)).sqrt();
    let found = terms.iter().enumerate().map(|(i, term)| Coefficient {
        term: term.clone(),
        value: linear.coefficients[i],
        std_error: error(i),
        leave_one_out: None,
        status: Status::of(error(i), linear.coefficients[i].abs()),
    });
    let terms: Vec<Coefficient> = found.collect();
    let spread = |gradient: &DVector<f64>| -> f64 {
        (variance * gradient.dot(&(&covariance * gradient)).max(0.0)).sqrt()
    };
    let ks: f64 = stiffness.iter().sum();
    let zs: f64 = stiffness.iter().zip(sliders).map(|(k, s)| k * s.ys).sum();
    let ys = if ks > 0.0 { zs / ks } else { 0.0 };
    let mut by_ks = DVector::zeros(parameters);
    let mut by_zs = DVector::zeros(parameters);
    for i in 0..many {
        by_ks[count + i] = 1.0;
        by_zs[count + i] = sliders[i].ys;
        if free {
            by_zs[count + many + i] = stiffness[i];
        }
    }
    let by_ys = if ks > 0.0 {
        (&by_zs - &by_ks * ys) / ks
    } else {
        DVector::zeros(parameters)
    };
    let sought = |value: f64, error: Option<f64>| Estimate {
        value,
        std_error: error,
        leave_one_out: None,
    };
    let each = sliders.iter().zip(stiffness).enumerate();
    let each = each.map(|(i, (s, ks))| FoundSlider {
        ks: sought(*ks, Some(error(count + i))),
        ys: sought(s.ys, free.then(|| error(count + many + i))),
    });
    Some(Model {
        friction: Friction {
            kind,
            sliders: each.collect(),
            ks: sought(ks, Some(spread(&by_ks))),
            zs: sought(zs, Some(spread(&by_zs))),
            ys: sought(ys, Some(spread(&by_ys))),
        },
        exponent_errors: laws.map(error).collect(),
        preload_error: seeks.then(|| error(parameters - 1)),
        terms,
        left,
        parameters,
        condition,
    })
}

/// Derivative of the force with respect to the preload, where it is sought and matters.
fn by_preload(set: &Set, terms: &[Term], coefficients: &[f64]) -> Option<Vec<f64>> {
    if !set.seeks_preload() {
        return None;
    }
    let mut column = vec![0.0; set.rows()];
    for (term, c) in terms.iter().zip(coefficients) {
        if let Some(slope) = set.by_preload(term) {
            axpy(*c, &slope, &mut column);
        }
    }
    (norm2(&column) > 0.0).then_some(column)
}

/// A covariance extended by parameters without any information.
fn widened(covariance: &DMatrix<f64>, count: usize) -> DMatrix<f64> {
    let mut wide = DMatrix::from_diagonal_element(count, count, f64::INFINITY);
    let own = covariance.nrows();
    wide.view_mut((0, 0), (own, own)).copy_from(covariance);
    wide
}

/// Variance of a row, inflated where neighbouring residuals are correlated.
pub(super) fn variance(set: &Set, left: &[f64], parameters: usize) -> f64 {
    let freedom = (left.len() as f64 - parameters as f64).max(1.0);
    let mut scatter = norm2(left) / freedom;
    if set.tests.iter().all(|t| t.noise.is_some()) {
        scatter = scatter.max(1.0);
    }
    let mut larger = 0.0;
    for range in set.ranges() {
        let share = range.len() as f64 / left.len() as f64;
        let left = &left[range];
        larger += share * inflation(lag1(left), left.len());
    }
    scatter * larger
}

/// Mean square over the noise, where every test's noise is known.
pub fn chi2(set: &Set, model: &Model) -> Option<f64> {
    let known = set.tests.iter().all(|t| t.noise.is_some());
    let freedom = model.left.len() as f64 - model.parameters as f64;
    (known && freedom > 0.0).then(|| norm2(&model.left) / freedom)
}

/// What the model makes of a test of a set, or of one that was held out from it.
pub fn outcome(model: &Model, test: &Prepared, set: &Set) -> Outcome {
    let mut predicted = vec![0.0; test.x.len()];
    for c in &model.terms {
        let own = c.value * factor(&set.laws, &Subject::Term(c.term.clone()), test);
        axpy(own, &c.term.column(test, set.span), &mut predicted);
    }
    let mut friction = vec![0.0; test.x.len()];
    let own = factor(&set.laws, &Subject::Friction, test);
    for slider in &model.friction.sliders {
        let slip = slider.ys.value * factor(&set.laws, &Subject::Slip, test);
        let stretch = test.slider(slip).0;
        axpy(own * slider.ks.value, &stretch, &mut friction);
    }
    axpy(1.0, &friction, &mut predicted);
    Outcome {
        amplitude: test.amplitude,
        frequency: test.frequency,
        top_speed: test.top_speed(),
        rows: test.rows.clone(),
        predicted,
        friction,
    }
}

impl Outcome {
    /// What is left of the force, and its size relative to the force.
    pub(super) fn residual(&self, test: &Prepared) -> (Vec<f64>, f64) {
        let rows = || test.rows.iter();
        let left: Vec<f64> = rows().map(|&i| self.predicted[i] - test.force[i]).collect();
        let size: f64 = rows().map(|&i| test.force[i].powi(2)).sum();
        let relative = (norm2(&left) / size).sqrt();
        (left, relative)
    }
}
