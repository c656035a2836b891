//! What a model predicts for a test at given unknowns, with derivatives by all of them.

use crate::error::FitError;
use crate::problem::unknown::{Place, Unknown};
use masing_model::Model;

/// A test asked about, and the unknowns it is asked at.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The model.
    pub model: &'a Model,
    /// All its values at these unknowns.
    pub p: &'a [f64],
    /// What is sought.
    pub unknowns: &'a [Unknown],
    /// Values of the unknowns.
    pub values: &'a [f64],
    /// Index of the test, which offsets and start states refer to.
    pub index: usize,
    /// Whether derivatives are wanted.
    pub derivatives: bool,
}

/// Predicted values of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The values, in the order of the entries of the test.
    pub values: Vec<f64>,
    /// d value/d unknown, value by value; empty if not asked for.
    pub jacobian: Vec<f64>,
}

impl Question<'_> {
    /// Columns of the Jacobian: one per unknown, or none.
    pub(crate) fn columns(&self) -> usize {
        if self.derivatives {
            self.unknowns.len()
        } else {
            0
        }
    }

    /// The column and value of an unknown, if it is sought.
    pub(crate) fn sought(&self, place: Place) -> Option<(usize, f64)> {
        let column = self.unknowns.iter().position(|u| u.place == place)?;
        Some((column, self.values[column]))
    }

    /// The values of the elements.
    pub(crate) fn elements(&self) -> &[f64] {
        &self.p[..self.model.assembly().param_count()]
    }
}

/// Sensitivities of a scalar to all unknowns by the tangent of `predict`, where `bar` gives its
/// sensitivities to the predicted values.
pub fn pull_back_by_tangent(
    question: &Question<'_>,
    predict: impl Fn(&Question<'_>) -> Result<Prediction, FitError>,
    bar: &mut dyn FnMut(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, FitError> {
    let question = Question {
        derivatives: true,
        ..*question
    };
    let at = predict(&question)?;
    let columns = question.columns();
    let mut gradient = vec![0.0; columns];
    for (row, bar) in bar(&at.values).into_iter().enumerate() {
        let of_row = &at.jacobian[row * columns..(row + 1) * columns];
        for (sum, slope) in gradient.iter_mut().zip(of_row) {
            *sum += bar * slope;
        }
    }
    Ok(gradient)
}
