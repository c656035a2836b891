//! Test conditions (coil current, temperature, preload, tension) and the parameters that follow them.
//!
//! A parameter that follows one condition is a [`Form`] of its level; one that follows two is the product of two forms,
//! of which the second is relative: its first coefficient is left out, because the first form already has the size. The
//! derivation is in `docs/math/conditions.md`.

mod form;

pub use form::Form;

use crate::error::ModelError;
use std::collections::BTreeMap;

/// Levels of conditions by name, in SI.
pub type Levels = BTreeMap<String, f64>;

/// A condition that parameters follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its name, such as `current`.
    pub name: String,
    /// Its SI unit; `1` where none was given.
    pub unit: String,
    /// Lowest and highest level of the fitted tests.
    pub range: [f64; 2],
}

impl Condition {
    /// Whether a level lies outside what was tested; the allowance is for values that went through other units and back.
    pub fn is_outside(&self, level: f64) -> bool {
        let [low, high] = self.range;
        let slack = 1e-9 * (high - low).max(low.abs()).max(high.abs());
        !(level >= low - slack && level <= high + slack)
    }

    /// The level at which a model is shown as an ordinary one.
    pub fn middle(&self) -> f64 {
        0.5 * (self.range[0] + self.range[1])
    }

    fn check(&self) -> Result<(), ModelError> {
        let [low, high] = self.range;
        if low.is_finite() && high.is_finite() && low <= high {
            return Ok(());
        }
        let found = format!("[{low}, {high}]");
        let key = format!("conditions.{}.range", self.name);
        Err(ModelError::shape(key, &found, "two rising numbers"))
    }
}

/// A parameter as a function of one or two conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Following {
    /// Where the parameter stands among the values of the model.
    pub param: usize,
    /// The conditions and the form of each.
    pub of: Vec<(String, Form)>,
    /// Coefficients of the first form, then those of the second without its first.
    pub coefficients: Vec<f64>,
}

impl Following {
    /// How many coefficients its forms have.
    pub fn count(&self) -> usize {
        let all: usize = self.of.iter().map(|(_, form)| form.count()).sum();
        all.saturating_sub(self.of.len().saturating_sub(1))
    }

    /// The parts of the product: condition, form, and where its coefficients stand; the first of a second form is missing.
    pub fn factors(&self) -> impl Iterator<Item = (&str, &Form, std::ops::Range<usize>)> {
        let mut at = 0;
        self.of.iter().enumerate().map(move |(i, (name, form))| {
            let count = form.count() - usize::from(i > 0);
            at += count;
            (name.as_str(), form, at - count..at)
        })
    }

    /// The level of a condition.
    fn level(name: &str, levels: &Levels) -> Result<f64, ModelError> {
        let level = levels.get(name).copied();
        level.ok_or_else(|| ModelError::NoLevel {
            condition: name.to_owned(),
        })
    }

    /// The value at given levels, and its derivatives by all coefficients.
    pub fn value(&self, levels: &Levels) -> Result<(f64, Vec<f64>), ModelError> {
        let mut parts = Vec::with_capacity(self.of.len());
        for (i, (name, form, range)) in self.factors().enumerate() {
            let level = Self::level(name, levels)?;
            form.check_level(name, level)?;
            let own = &self.coefficients[range];
            let all = if i > 0 {
                [&[form.unit_size()], own].concat()
            } else {
                own.to_vec()
            };
            let (value, slopes) = form.value(&all, level);
            parts.push((value, slopes[usize::from(i > 0)..].to_vec()));
        }
        let value: f64 = parts.iter().map(|(value, _)| value).product();
        let mut slopes = Vec::with_capacity(self.coefficients.len());
        for (i, (_, own)) in parts.iter().enumerate() {
            let others = parts.iter().enumerate().filter(|(j, _)| *j != i);
            let others: f64 = others.map(|(_, (value, _))| value).product();
            slopes.extend(own.iter().map(|slope| slope * others));
        }
        Ok((value, slopes))
    }

    /// Number of coefficients, knots and names sound; all conditions known.
    pub(crate) fn check(&self, address: &str, known: &[Condition]) -> Result<(), ModelError> {
        let refuse = |what: &str, value: String, expected: &str| {
            Err(ModelError::shape(
                format!("{address}.{what}"),
                &value,
                expected,
            ))
        };
        let twice = self.of.len() == 2 && self.of[0].0 == self.of[1].0;
        if !(1..=2).contains(&self.of.len()) || twice {
            let names: Vec<&str> = self.of.iter().map(|(name, _)| name.as_str()).collect();
            return refuse("of", names.join(", "), "one condition, or two different");
        }
        for (name, form) in &self.of {
            if !known.iter().any(|c| c.name == *name) {
                return Err(unknown(name, known));
            }
            form.check(address)?;
        }
        if self.coefficients.len() != self.count() {
            return Err(ModelError::Coefficients {
                address: address.to_owned(),
                form: self.form_names().join(" and "),
                found: self.coefficients.len(),
                expected: self.count(),
            });
        }
        match self.coefficients.iter().find(|c| !c.is_finite()) {
            Some(wrong) => refuse("coefficients", wrong.to_string(), "finite numbers"),
            None => Ok(()),
        }
    }

    /// The names of its forms.
    pub fn form_names(&self) -> Vec<&'static str> {
        self.of.iter().map(|(_, form)| form.name()).collect()
    }

    /// Name and unit of every coefficient: `current[1]`, in the SI unit that the unit of the parameter and those of the
    /// conditions make.
    pub fn coefficient_names(&self, unit: &str, conditions: &[Condition]) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for (i, (name, form, range)) in self.factors().enumerate() {
            let condition = conditions.iter().find(|c| c.name == name);
            let level = condition.map_or("1", |c| c.unit.as_str());
            let (first, size) = if i > 0 { (1, "1") } else { (0, unit) };
            for k in 0..range.len() {
                let own = form.unit_of(k + first, size, level);
                out.push((format!("{name}[{}]", k + first + 1), own));
            }
        }
        out
    }
}

/// A condition that nobody follows.
pub fn unknown(name: &str, known: &[Condition]) -> ModelError {
    ModelError::UnknownCondition {
        name: name.to_owned(),
        known: known.iter().map(|c| c.name.clone()).collect(),
    }
}

/// Conditions sound and named once.
pub(crate) fn check(conditions: &[Condition]) -> Result<(), ModelError> {
    for (i, condition) in conditions.iter().enumerate() {
        condition.check()?;
        if conditions[..i].iter().any(|c| c.name == condition.name) {
            let name = &condition.name;
            return Err(ModelError::shape("conditions", name, "different names"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms() -> Vec<(Form, Vec<f64>)> {
        vec![
            (Form::Linear, vec![3.0, -0.7]),
            (Form::Quadratic, vec![3.0, -0.7, 0.2]),
            (Form::ExpLinear, vec![1.5, 0.4]),
            (Form::ExpQuadratic, vec![1.5, 0.4, -0.3]),
            (Form::Power, vec![2.0, -0.6]),
            (Form::Piecewise(vec![0.5, 1.0, 2.0]), vec![3.0, 1.0, 4.0]),
            (Form::Arrhenius, vec![0.2, 1.4]),
        ]
    }

    fn levels(pairs: &[(&str, f64)]) -> Levels {
        pairs.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect()
    }

    #[test]
    fn derivatives_by_coefficients_are_those_of_differences() {
        let mut cases: Vec<Following> = Vec::new();
        for (a, c) in forms() {
            let of = vec![("current".to_owned(), a.clone())];
            cases.push(Following {
                param: 0,
                of,
                coefficients: c.clone(),
            });
            for (b, d) in forms() {
                let of = vec![("current".to_owned(), a.clone()), ("heat".to_owned(), b)];
                let coefficients = [&c[..], &d[1..]].concat();
                cases.push(Following {
                    param: 0,
                    of,
                    coefficients,
                });
            }
        }
        for case in cases {
            assert_eq!(case.coefficients.len(), case.count());
            for x in [0.6, 1.3, 2.5] {
                let at = levels(&[("current", x), ("heat", 1.1)]);
                let (_, slopes) = case.value(&at).unwrap();
                for (k, slope) in slopes.iter().enumerate() {
                    let moved = |h: f64| {
                        let mut case = case.clone();
                        case.coefficients[k] += h;
                        case.value(&at).unwrap().0
                    };
                    let h = 1e-5;
                    let difference = (moved(h) - moved(-h)) / (2.0 * h);
                    // Differences of second order with this step.
                    let close = (difference - slope).abs() < 1e-7 * (1.0 + slope.abs());
                    assert!(close, "{case:?} {k}: {difference} {slope}");
                }
            }
        }
    }

    #[test]
    fn values_are_those_of_the_formulas() {
        let at = |form: Form, c: &[f64], x: f64| form.value(c, x).0;
        assert_eq!(at(Form::Quadratic, &[1.0, 2.0, 3.0], 2.0), 17.0);
        let law = at(Form::ExpQuadratic, &[3.363, 4.066, -1.983], 0.5);
        assert!((law - (3.363_f64 + 2.033 - 0.495_75).exp()).abs() < 1e-12 * law);
        assert!((at(Form::Power, &[2.0, 0.5], 9.0) - 6.0).abs() < 1e-14);
        let warm = at(Form::Arrhenius, &[0.0, 300.0], 300.0);
        assert!((warm - 1.0_f64.exp()).abs() < 1e-15);
        let knots = Form::Piecewise(vec![0.0, 1.0, 3.0]);
        assert_eq!(at(knots.clone(), &[1.0, 3.0, 7.0], 2.0), 5.0);
        // The first and last pieces go on straight.
        assert_eq!(at(knots.clone(), &[1.0, 3.0, 7.0], 4.0), 9.0);
        assert_eq!(at(knots, &[1.0, 3.0, 7.0], -1.0), -1.0);
    }

    #[test]
    fn absurd_levels_are_refused() {
        let following = |form: Form| Following {
            param: 0,
            of: vec![("heat".to_owned(), form)],
            coefficients: vec![1.0, 1.0],
        };
        for (form, level) in [
            (Form::Arrhenius, 0.0),
            (Form::Arrhenius, -3.0),
            (Form::Power, 0.0),
            (Form::Linear, f64::NAN),
        ] {
            let found = following(form).value(&levels(&[("heat", level)]));
            assert!(matches!(found, Err(ModelError::Level { .. })), "{found:?}");
        }
        let found = following(Form::Linear).value(&Levels::new());
        assert!(matches!(found, Err(ModelError::NoLevel { .. })));
    }
}
