//! Parameters that follow conditions.
//!
//! Tests see an ordinary model at their levels: parameters, and columns of parameters. The search sees coefficients. The
//! chain rule between the two is here and nowhere else.

use super::Objective;
use crate::error::FitError;
use crate::problem::unknown::{Place, Unknown};
use masing_model::{Following, Model, ModelError, Param};
use std::borrow::Cow;

/// The unknowns as tests see them: parameters in place of their coefficients.
pub(super) struct Seen {
    pub(super) unknowns: Vec<Unknown>,
    /// The column of what tests see that each unknown acts through.
    column: Vec<usize>,
    /// The parameters that follow, in the order of the model.
    params: Vec<Param>,
}

/// What one test is asked at.
pub(super) struct AtTest<'a> {
    /// All values of the model at the levels of the test.
    pub(super) p: Vec<f64>,
    /// Values of the unknowns as the test sees them.
    pub(super) values: Cow<'a, [f64]>,
    /// d column/d unknown.
    slopes: Vec<f64>,
}

impl Seen {
    /// For the unknowns of a model; `None` where nothing follows.
    pub(super) fn of(model: &Model, unknowns: &[Unknown]) -> Option<Self> {
        let following = model.following();
        if following.is_empty() {
            return None;
        }
        let is_own = |u: &&Unknown| !matches!(u.place, Place::Coefficient { .. });
        let mut seen: Vec<Unknown> = unknowns.iter().filter(is_own).cloned().collect();
        let plain = seen.len();
        let all = model.params();
        let mut params = Vec::new();
        for own in following {
            let (name, param) = all[own.param].clone();
            seen.push(Unknown {
                name,
                place: Place::Param(own.param),
                min: param.min,
                max: param.max,
                scale: param.scale(),
                typical: 1.0,
            });
            params.push(param);
        }
        let mut next = 0..plain;
        let column = unknowns.iter().map(|u| match u.place {
            Place::Coefficient { param, .. } => {
                let at = following.iter().position(|f| f.param == param);
                plain + at.unwrap_or_default()
            }
            _ => next.next().unwrap_or_default(),
        });
        Some(Self {
            column: column.collect(),
            unknowns: seen,
            params,
        })
    }

    /// Rows by columns that tests see, as rows by unknowns.
    pub(super) fn chained(&self, at: &AtTest<'_>, rows: &[f64]) -> Vec<f64> {
        let mut out = Vec::with_capacity(rows.len() / self.unknowns.len() * self.column.len());
        for row in rows.chunks_exact(self.unknowns.len()) {
            let each = self.column.iter().zip(&at.slopes);
            out.extend(each.map(|(&column, slope)| row[column] * slope));
        }
        out
    }
}

impl Objective<'_> {
    /// The laws over the conditions at the given unknowns.
    pub(crate) fn following(&self, values: &[f64]) -> Vec<Following> {
        let mut all = self.model.following().to_vec();
        for (u, &value) in self.unknowns.iter().zip(values) {
            if let Place::Coefficient { param, k } = u.place
                && let Some(own) = all.iter_mut().find(|f| f.param == param)
            {
                own.coefficients[k] = value;
            }
        }
        all
    }

    /// The model with the values `p` and the coefficients among the unknowns.
    pub(super) fn model_of(&self, p: &[f64], values: &[f64]) -> Result<Model, ModelError> {
        let mut model = self.model.with(p.to_vec())?;
        if self.seen.is_some() {
            model = model.follow(self.model.conditions().to_vec(), self.following(values))?;
        }
        Ok(model)
    }

    /// The model at the given unknowns.
    pub(crate) fn model_at(&self, values: &[f64]) -> Result<Model, ModelError> {
        self.model_of(&self.parameters(values), values)
    }

    /// All values of the model at the levels of test `k`.
    pub(crate) fn parameters_of_test(
        &self,
        k: usize,
        values: &[f64],
    ) -> Result<Vec<f64>, FitError> {
        Ok(self.at_test(k, values)?.p)
    }

    /// What test `k` is asked at; an error where a parameter leaves its range at the levels of the test.
    pub(super) fn at_test<'v>(&self, k: usize, values: &'v [f64]) -> Result<AtTest<'v>, FitError> {
        let Some(seen) = &self.seen else {
            return Ok(AtTest {
                p: self.parameters(values),
                values: Cow::Borrowed(values),
                slopes: Vec::new(),
            });
        };
        let mut p = self.plain_parameters(values);
        let pairs = self.unknowns.iter().zip(values);
        let own = pairs.filter(|(u, _)| !matches!(u.place, Place::Coefficient { .. }));
        let mut as_seen: Vec<f64> = own.map(|(_, value)| *value).collect();
        let mut slopes = vec![1.0; values.len()];
        for (own, param) in self.following(values).iter().zip(&seen.params) {
            let (value, by) = own.value(&self.tests[k].conditions)?;
            param.check(value)?;
            p[own.param] = value;
            as_seen.push(value);
            for (u, slope) in self.unknowns.iter().zip(&mut slopes) {
                match u.place {
                    Place::Coefficient { param, k } if param == own.param => *slope = by[k],
                    _ => {}
                }
            }
        }
        Ok(AtTest {
            p,
            values: Cow::Owned(as_seen),
            slopes,
        })
    }
}
