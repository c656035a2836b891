//! What is asked to follow what, read against model and tests.

use super::FormChoice;
use crate::error::FitError;
use crate::fit::FitOptions;
use crate::test::Test;
use masing_diagnostic::{Diagnostic, FitDiagnostic};
use masing_model::{Condition, Following, Form, Model};
use std::ops::RangeInclusive;

/// One parameter that follows.
pub(super) struct Asked {
    pub(super) param: usize,
    pub(super) address: String,
    pub(super) of: Vec<String>,
    /// The forms; none where they are to be chosen.
    pub(super) forms: Option<Vec<Form>>,
    /// The range of the parameter.
    pub(super) range: RangeInclusive<f64>,
    /// First coefficients, where the model has some.
    coefficients: Option<Vec<f64>>,
}

/// Reads the options; what the model follows already it goes on to follow.
pub(super) fn read(
    model: &Model,
    fitted: &[Test],
    options: &FitOptions,
) -> Result<Vec<Asked>, FitError> {
    let params = model.params();
    let mut out: Vec<Asked> = Vec::new();
    let mut add = |param: usize, of: &[String], forms: Option<Vec<Form>>, coefficients| {
        let (address, own) = &params[param];
        let asked = Asked {
            param,
            address: address.clone(),
            of: of.to_vec(),
            forms,
            range: own.min..=own.max,
            coefficients,
        };
        match out.iter_mut().find(|a| a.param == param) {
            Some(known) => *known = asked,
            None => out.push(asked),
        }
    };
    for own in model.following() {
        let (of, forms): (Vec<_>, Vec<_>) = own.of.iter().cloned().unzip();
        add(own.param, &of, Some(forms), Some(own.coefficients.clone()));
    }
    for (address, follow) in &options.follow {
        let forms = match &follow.form {
            FormChoice::Auto => None,
            FormChoice::Given(forms) => {
                let with_knots = |(form, name): (&Form, &String)| match form {
                    Form::Piecewise(knots) if knots.is_empty() => {
                        Form::Piecewise(distinct(fitted, name))
                    }
                    form => form.clone(),
                };
                Some(forms.iter().zip(&follow.of).map(with_knots).collect())
            }
        };
        let given = forms.as_ref().map_or(follow.of.len(), Vec::len);
        let twice = follow.of.len() == 2 && follow.of[0] == follow.of[1];
        if given != follow.of.len() || !(1..=2).contains(&given) || twice {
            return Err(FitError::Follow {
                address: address.clone(),
            });
        }
        for param in model.find(address)? {
            if param >= model.assembly().param_count() {
                return Err(FitError::FollowMasses {
                    address: address.clone(),
                });
            }
            add(param, &follow.of, forms.clone(), None);
        }
    }
    out.sort_by_key(|own| own.param);
    refuse_said(model, options, &out)?;
    Ok(out)
}

/// A parameter that follows cannot be held, bounded or pulled as a whole.
fn refuse_said(model: &Model, options: &FitOptions, asked: &[Asked]) -> Result<(), FitError> {
    let bounds = options.bounds.iter().map(|(address, ..)| address);
    let pulled = options.tikhonov.iter().map(|(address, ..)| address);
    let fixed = options.fixed.iter().map(|(address, _)| address);
    for address in fixed.chain(bounds).chain(pulled).chain(&options.profiles) {
        let places = model.find(address)?;
        if let Some(own) = asked.iter().find(|own| places.contains(&own.param)) {
            return Err(FitError::FollowsAlready {
                address: own.address.clone(),
                of: own.of.join(" and "),
            });
        }
    }
    Ok(())
}

/// The different levels of a condition among tests, rising.
pub(crate) fn distinct(tests: &[Test], name: &str) -> Vec<f64> {
    let each = tests.iter().filter_map(|t| t.conditions.get(name).copied());
    let mut levels: Vec<f64> = each.collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    levels
}

/// The conditions that are followed, with the ranges of the tests.
pub(super) fn conditions(
    model: &Model,
    fitted: &[Test],
    asked: &[Asked],
) -> Result<Vec<Condition>, FitError> {
    let mut out: Vec<Condition> = Vec::new();
    for name in asked.iter().flat_map(|own| &own.of) {
        if out.iter().any(|c| c.name == *name) {
            continue;
        }
        let levels = distinct(fitted, name);
        let (Some(&low), Some(&high)) = (levels.first(), levels.last()) else {
            let each = fitted.iter().flat_map(|t| t.conditions.keys().cloned());
            let mut known: Vec<String> = each.collect();
            known.sort();
            known.dedup();
            return Err(FitError::UnknownCondition {
                condition: name.clone(),
                known,
            });
        };
        if let Some(test) = fitted.iter().find(|t| !t.conditions.contains_key(name)) {
            return Err(FitError::NoLevel {
                test: test.name.clone(),
                condition: name.clone(),
            });
        }
        let known = model.conditions().iter().find(|c| c.name == *name);
        out.push(Condition {
            name: name.clone(),
            unit: known.map_or("1", |c| c.unit.as_str()).to_owned(),
            range: [low, high],
        });
    }
    Ok(out)
}

impl Asked {
    /// The law, where the model has it already.
    pub(super) fn known(&self) -> Option<Following> {
        Some(Following {
            param: self.param,
            of: self.of.iter().cloned().zip(self.forms.clone()?).collect(),
            coefficients: self.coefficients.clone()?,
        })
    }

    pub(super) fn too_few(&self, expected: usize, found: usize) -> FitError {
        let names = self.forms.iter().flatten().map(Form::name);
        FitError::TooFewLevels {
            address: self.address.clone(),
            condition: self.of.join(" and "),
            form: match names.collect::<Vec<_>>().join(" and ") {
                none if none.is_empty() => "auto".to_owned(),
                names => names,
            },
            found,
            expected,
        }
    }

    /// Enough levels for its forms, all of which the forms can do with.
    pub(super) fn check_levels(&self, fitted: &[Test]) -> Result<(), FitError> {
        for (i, name) in self.of.iter().enumerate() {
            let levels = distinct(fitted, name);
            let form = self.forms.as_ref().map(|forms| &forms[i]);
            // To rank forms of two coefficients one level more is left out.
            let expected = form.map_or(3, Form::count).max(2);
            if levels.len() < expected {
                return Err(self.too_few(expected, levels.len()));
            }
            for level in levels {
                form.unwrap_or(&Form::Linear).check_level(name, level)?;
            }
        }
        Ok(())
    }
}

/// Whether coefficients are determined only together with test `k`: no other test has its level, and without it there
/// are fewer levels than coefficients.
pub(crate) fn is_needed(model: &Model, tests: &[Test], k: usize) -> bool {
    let pairs = model.following().iter().flat_map(|own| &own.of);
    pairs.into_iter().any(|(name, form)| {
        let others = tests.iter().enumerate().filter(|(i, _)| *i != k);
        let others: Vec<Test> = others.map(|(_, t)| t.clone()).collect();
        distinct(&others, name).len() < form.count()
    })
}

/// Levels of a test outside those that a model was fitted to.
pub fn outside(model: &Model, test: &Test) -> Vec<Diagnostic> {
    let followed = |c: &&Condition| {
        let mut pairs = model.following().iter().flat_map(|own| &own.of);
        pairs.any(|(name, _)| *name == c.name)
    };
    let conditions = model.conditions().iter().filter(followed);
    let outside = conditions.filter_map(|c| {
        let level = *test.conditions.get(&c.name)?;
        let told = FitDiagnostic::LevelOutside {
            test: test.name.clone(),
            condition: c.name.clone(),
            level,
            range: c.range,
            unit: c.unit.clone(),
        };
        c.is_outside(level).then(|| told.into())
    });
    outside.collect()
}
