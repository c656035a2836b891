//! The form of a parameter over its conditions, chosen by predicting levels that were left out.
//!
//! Every level is left out once: the form is drawn through the single-level values of the others, and the tests at the
//! level are predicted with what it says there. Tests that are held out have no part in it.

use super::asked::{Asked, distinct};
use super::regression::regress;
use super::{Anchor, levels::LevelFit};
use crate::error::FitError;
use crate::objective::residuals::compare;
use crate::objective::{Objective, Rules};
use crate::problem::first_values_of;
use crate::test::Test;
use masing_diagnostic::thresholds::FORMS_TIED;
use masing_model::{Condition, Following, Form, Model};

/// A form and how well it predicts levels that were left out.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedForm {
    /// One form for every condition.
    pub forms: Vec<Form>,
    /// How many coefficients it has.
    pub coefficients: usize,
    /// Root mean square of the relative errors of the tests at levels that were left out; infinite where it cannot
    /// predict one of them.
    pub error: f64,
}

impl RankedForm {
    /// The names of its forms.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.forms.iter().map(Form::name).collect();
        names.join(" and ")
    }
}

/// All forms that the levels can tell, the best first.
pub(super) fn rank(
    own: &Asked,
    index: usize,
    fitted: &[Test],
    conditions: &[Condition],
    anchor: &Anchor,
) -> Result<Vec<RankedForm>, FitError> {
    let mut combinations: Vec<Vec<Form>> = vec![Vec::new()];
    for name in &own.of {
        let levels = distinct(fitted, name);
        let unit = conditions.iter().find(|c| c.name == *name);
        let fits = |form: &&Form| match form {
            // Only over an absolute temperature does it mean anything.
            Form::Arrhenius => unit.is_some_and(|c| c.unit == "K"),
            form => levels.iter().all(|l| form.check_level(name, *l).is_ok()),
        };
        let forms = Form::all().iter().filter(fits).map(|form| match form {
            Form::Piecewise(_) => Form::Piecewise(levels.clone()),
            form => form.clone(),
        });
        // One level is left out at a time; straight pieces lose their knot with it.
        let forms = forms.filter(|form| match form {
            Form::Piecewise(knots) => knots.len() > 3,
            form => form.count() < levels.len(),
        });
        let forms: Vec<Form> = forms.collect();
        let longer = combinations.iter().flat_map(|before| {
            let with = |form: &Form| [before.as_slice(), std::slice::from_ref(form)].concat();
            forms.iter().map(with)
        });
        combinations = longer.collect();
    }
    let mut table = Vec::new();
    for forms in combinations {
        let mut law = Following {
            param: own.param,
            of: own.of.iter().cloned().zip(forms.iter().cloned()).collect(),
            coefficients: Vec::new(),
        };
        if law.count() >= anchor.fits.len() {
            continue;
        }
        let mut squares = Vec::new();
        for left in 0..anchor.fits.len() {
            squares.extend(left_out(own, index, &mut law, left, anchor));
        }
        let mean = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
        table.push(RankedForm {
            coefficients: law.count(),
            forms,
            error: mean.sqrt(),
        });
    }
    table.sort_by(|a, b| a.error.total_cmp(&b.error));
    Ok(table)
}

/// Squared relative errors of the tests at one level, predicted from the others.
fn left_out(
    own: &Asked,
    index: usize,
    law: &mut Following,
    left: usize,
    anchor: &Anchor,
) -> Vec<f64> {
    let target = &anchor.fits[left];
    let all = anchor.points(index);
    let others = all.iter().enumerate().filter(|(i, _)| *i != left);
    let others: Vec<_> = others.map(|(_, point)| *point).collect();
    for (name, form) in &mut law.of {
        if let Form::Piecewise(knots) = form {
            let levels = others.iter().filter_map(|(levels, _)| levels.get(name));
            *knots = levels.copied().collect();
            knots.sort_by(f64::total_cmp);
            knots.dedup();
        }
    }
    let nothing = || vec![f64::INFINITY; target.tests.len()];
    let found = regress(law, &others).and_then(|law| law.value(&target.levels).ok());
    let Some((value, _)) = found.filter(|(value, _)| own.range.contains(value)) else {
        return nothing();
    };
    predicted(&anchor.model, target, own.param, value).unwrap_or_else(nothing)
}

/// Squared relative errors of the tests of a level with one parameter set.
fn predicted(model: &Model, target: &LevelFit, param: usize, value: f64) -> Option<Vec<f64>> {
    let mut p = model.values().to_vec();
    p[param] = value;
    let model = model.with(p).ok()?;
    let mut out = Vec::new();
    for test in &target.tests {
        let unknowns = test.nuisance(&model, &test.name, 0);
        let tests = std::slice::from_ref(test);
        let objective = Objective::new(&model, tests, &unknowns, Rules::default());
        let values = first_values_of(&model, &unknowns, tests);
        let predicted = objective.predict(0, &values, false).ok()?.values;
        let found = compare(test, objective.rows(0), &predicted, 0.0);
        out.push(found.relative.powi(2));
    }
    Some(out)
}

/// The form with the fewest coefficients among those that predict about as well as the best.
pub(super) fn choose(table: &[RankedForm]) -> Option<&RankedForm> {
    let best = table.first().filter(|best| best.error.is_finite())?;
    let tied = table.iter().filter(|r| r.error <= FORMS_TIED * best.error);
    tied.min_by(|a, b| {
        let fewest = a.coefficients.cmp(&b.coefficients);
        fewest.then(a.error.total_cmp(&b.error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_tied_forms_the_simplest_is_taken() {
        let ranked = |form: Form, error: f64| RankedForm {
            coefficients: form.count(),
            forms: vec![form],
            error,
        };
        let table = [
            ranked(Form::Quadratic, 0.100),
            ranked(Form::Linear, 0.105),
            ranked(Form::ExpLinear, 0.2),
        ];
        assert_eq!(choose(&table), Some(&table[1]));
        assert_eq!(
            choose(&[table[0].clone(), table[2].clone()]),
            Some(&table[0])
        );
        assert_eq!(choose(&[ranked(Form::Linear, f64::INFINITY)]), None);
    }
}
