//! Coefficients from values at levels.

use masing_model::{Following, Form, Levels};
use nalgebra::{DMatrix, DVector};
use std::ops::RangeInclusive;

/// Levels, and the value of the parameter there.
pub(super) type Point<'a> = (&'a Levels, f64);

/// Share of the largest value below which the size of another does not count: relative to zero nothing is exact.
const LEAST: f64 = 1e-3;

/// Steps of the search for the coefficients of a product.
const STEPS: usize = 60;

/// The law that comes nearest to the points, relative to their values.
pub(super) fn regress(law: &Following, points: &[Point<'_>]) -> Option<Following> {
    let of_first = |form: &Form, name: &String| -> Option<Vec<f64>> {
        let pairs: Option<Vec<(f64, f64)>> = points
            .iter()
            .map(|(levels, value)| Some((*levels.get(name)?, *value)))
            .collect();
        straight(form, &pairs?)
    };
    let mut out = law.clone();
    let (name, form) = law.of.first()?;
    out.coefficients = of_first(form, name)?;
    for (_, form) in law.of.iter().skip(1) {
        out.coefficients.extend(&form.flat(1.0)[1..]);
    }
    if law.of.len() > 1 {
        improve(&mut out, points);
    }
    Some(out)
}

/// The same, or a constant where it would leave the range of the parameter at one of the points.
pub(super) fn within_range(
    law: &Following,
    points: &[Point<'_>],
    range: &RangeInclusive<f64>,
) -> Option<Following> {
    let inside = |law: &Following| {
        let value = |levels: &Levels| law.value(levels).map_or(f64::NAN, |(value, _)| value);
        points
            .iter()
            .all(|(levels, _)| range.contains(&value(levels)))
    };
    if let Some(found) = regress(law, points).filter(inside) {
        return Some(found);
    }
    let mean = points.iter().map(|(_, value)| value).sum::<f64>() / points.len() as f64;
    let flat: Vec<Point<'_>> = points.iter().map(|(levels, _)| (*levels, mean)).collect();
    regress(law, &flat).filter(inside)
}

/// What a value counts relative to.
fn sizes(values: &[f64]) -> Vec<f64> {
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let least = (LEAST * largest).max(f64::MIN_POSITIVE);
    values.iter().map(|v| v.abs().max(least)).collect()
}

/// One form by linear least squares in its own coordinates.
fn straight(form: &Form, pairs: &[(f64, f64)]) -> Option<Vec<f64>> {
    let values: Vec<f64> = pairs.iter().map(|(_, value)| *value).collect();
    let sizes = sizes(&values);
    let by_log = form.is_exponential() || *form == Form::Power;
    if by_log && values.iter().any(|v| *v <= 0.0) {
        return None;
    }
    let (rows, columns) = (pairs.len(), form.count());
    let weight = |i: usize| if by_log { 1.0 } else { 1.0 / sizes[i] };
    let basis: Vec<Vec<f64>> = pairs.iter().map(|(level, _)| form.basis(*level)).collect();
    let target = |v: f64| if by_log { v.ln() } else { v };
    let matrix = DMatrix::from_fn(rows, columns, |i, k| weight(i) * basis[i][k]);
    let right = DVector::from_fn(rows, |i, _| weight(i) * target(values[i]));
    let mut found = solved(matrix, &right)?;
    if *form == Form::Power {
        found[0] = found[0].exp();
    }
    found.iter().all(|c| c.is_finite()).then_some(found)
}

/// Least squares with columns of equal size; of several solutions the smallest.
fn solved(mut matrix: DMatrix<f64>, right: &DVector<f64>) -> Option<Vec<f64>> {
    let norms: Vec<f64> = matrix.column_iter().map(|c| c.norm()).collect();
    let scale: Vec<f64> = norms
        .iter()
        .map(|n| if *n > 0.0 { *n } else { 1.0 })
        .collect();
    for (mut column, scale) in matrix.column_iter_mut().zip(&scale) {
        column /= *scale;
    }
    let found = matrix.svd(true, true).solve(right, 1e-13).ok()?;
    Some(found.iter().zip(&scale).map(|(x, s)| x / s).collect())
}

/// Gauss and Newton from the present coefficients, each step halved until it is better.
fn improve(law: &mut Following, points: &[Point<'_>]) {
    let values: Vec<f64> = points.iter().map(|(_, value)| *value).collect();
    let sizes = sizes(&values);
    let at = |law: &Following| -> Option<(f64, DVector<f64>, DMatrix<f64>)> {
        let mut r = DVector::zeros(points.len());
        let mut j = DMatrix::zeros(points.len(), law.coefficients.len());
        for (i, (levels, value)) in points.iter().enumerate() {
            let (found, slopes) = law.value(levels).ok()?;
            r[i] = (found - value) / sizes[i];
            for (k, slope) in slopes.iter().enumerate() {
                j[(i, k)] = slope / sizes[i];
            }
        }
        let cost = r.norm_squared();
        cost.is_finite().then_some((cost, r, j))
    };
    let Some(mut now) = at(law) else { return };
    for _ in 0..STEPS {
        let Some(step) = solved(now.2.clone(), &now.1) else {
            return;
        };
        let mut share = 1.0;
        let better = loop {
            let mut trial = law.clone();
            for (c, s) in trial.coefficients.iter_mut().zip(&step) {
                *c -= share * s;
            }
            match at(&trial) {
                Some(found) if found.0 < now.0 => break Some((trial, found)),
                _ if share < 1e-6 => break None,
                _ => share *= 0.5,
            }
        };
        let Some((trial, found)) = better else { return };
        let settled = found.0 > (1.0 - 1e-12) * now.0;
        (*law, now) = (trial, found);
        if settled {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(of: &[(&str, Form)]) -> Following {
        Following {
            param: 0,
            of: of
                .iter()
                .map(|(n, f)| ((*n).to_owned(), f.clone()))
                .collect(),
            coefficients: Vec::new(),
        }
    }

    #[test]
    fn exact_values_give_back_the_coefficients() {
        let levels: Vec<Levels> = [280.0, 300.0, 320.0, 350.0]
            .into_iter()
            .flat_map(|heat| [0.1, 0.5, 1.0].map(|current| (heat, current)))
            .map(|(h, c)| [("heat".to_owned(), h), ("current".to_owned(), c)].into())
            .collect();
        let cases = [
            (law(&[("current", Form::Linear)]), vec![5.0, 3.0]),
            (
                law(&[("current", Form::ExpQuadratic)]),
                vec![3.4, 4.1, -2.0],
            ),
            (law(&[("current", Form::Power)]), vec![7.0, 0.4]),
            (law(&[("heat", Form::Arrhenius)]), vec![-3.0, 2000.0]),
            (
                law(&[("current", Form::ExpQuadratic), ("heat", Form::Arrhenius)]),
                vec![1.0, 2.0, -0.5, 900.0],
            ),
            (
                law(&[("current", Form::Linear), ("heat", Form::Linear)]),
                vec![5.0, 3.0, -1e-3],
            ),
        ];
        for (mut truth, coefficients) in cases {
            truth.coefficients = coefficients;
            let value = |l: &Levels| truth.value(l).expect("a value").0;
            let points: Vec<Point<'_>> = levels.iter().map(|l| (l, value(l))).collect();
            let found = regress(&truth, &points).expect("coefficients");
            for (a, b) in found.coefficients.iter().zip(&truth.coefficients) {
                // The condition of the least squares, at most 1e4 here, times rounding.
                assert!((a / b - 1.0).abs() < 1e-8, "{found:?} {truth:?}");
            }
        }
    }

    #[test]
    fn a_line_that_would_leave_the_range_becomes_a_constant() {
        let levels: Vec<Levels> = [0.0, 1.0, 2.0].map(|c| [("i".to_owned(), c)].into()).into();
        let points: Vec<Point<'_>> = levels.iter().zip([1.0, 1.0, 100.0]).collect();
        let line = law(&[("i", Form::Linear)]);
        let found = within_range(&line, &points, &(0.0..=1e9)).expect("a constant");
        let at = |l: &Levels| found.value(l).expect("a value").0;
        assert!(levels.iter().all(|l| at(l) >= 0.0), "{found:?}");
    }
}
