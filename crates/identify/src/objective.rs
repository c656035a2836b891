//! The cost of a set of unknowns over all tests, with exact derivatives.

mod followed;
pub(crate) mod loss;
mod parallel;
pub mod predict;
pub(crate) mod residuals;

pub use loss::Loss;
pub use residuals::Residuals;

pub use parallel::Workers;

use crate::error::FitError;
use crate::objective::followed::{AtTest, Seen};
use crate::objective::predict::{Prediction, Question};
use crate::problem::unknown::{Place, Unknown, mirror};
use crate::search::optimise::{LeastSquares, Linearisation, Smooth};
use crate::test::{Row, Test};
use masing_model::Model;
use nalgebra::{DMatrix, DVector};

/// How tests count against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// Every test counts the same: residuals over the rms force of the test.
    #[default]
    Equal,
    /// Every sample counts by its noise.
    Noise,
}

/// A parameter that is pulled towards a value (Tikhonov): half of `weight` times the squared
/// distance is added to the cost, in logarithms or in units of the value, as the parameter is
/// searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// Which of the unknowns.
    pub unknown: usize,
    /// The value it is pulled towards.
    pub value: f64,
    /// How strongly.
    pub weight: f64,
}

/// What makes up the cost besides the tests.
#[derive(Clone, Debug)]
pub struct Rules {
    /// How tests count against each other.
    pub weights: Weights,
    /// How much large residuals count.
    pub loss: Loss,
    /// Residuals (weighted) up to which the loss is the square, one for every test.
    pub scales: Vec<f64>,
    /// Parameters pulled towards a value (Tikhonov).
    pub priors: Vec<Prior>,
    /// Threads that simulate tests at the same time.
    pub workers: Workers,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            weights: Weights::Equal,
            loss: Loss::Linear,
            scales: vec![],
            priors: vec![],
            workers: Workers::default(),
        }
    }
}

impl Rules {
    /// The same for a search over some of the unknowns only.
    pub(crate) fn among(&self, all: &[Unknown], some: &[Unknown]) -> Self {
        let priors = self.priors.iter().filter_map(|prior| {
            let own = all.get(prior.unknown)?;
            let unknown = some.iter().position(|u| u.place == own.place)?;
            Some(Prior { unknown, ..*prior })
        });
        Self {
            priors: priors.collect(),
            ..self.clone()
        }
    }
}

/// Tests, model and unknowns.
pub struct Objective<'a> {
    /// The model; those of its values that are sought are replaced.
    pub model: &'a Model,
    /// The tests.
    pub tests: &'a [Test],
    /// What is sought.
    pub unknowns: &'a [Unknown],
    /// What makes up the cost.
    pub rules: Rules,
    /// The rows of every test with the weights of their residuals.
    rows: Vec<Vec<(Row, f64)>>,
    /// What tests see instead of coefficients, where parameters follow conditions.
    seen: Option<Seen>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    watch: Option<&'a Watch<'a>>,
}

/// Told of every accepted point (unknowns, cost, evaluations); `true` asks to stop.
pub type Watch<'a> = dyn Fn(&[f64], f64, usize) -> bool + Sync + 'a;

/// Relative noise that is assumed for a test whose noise is unknown.
const GUESSED_NOISE: f64 = 1e-2;

impl<'a> Objective<'a> {
    /// The cost of tests under rules.
    pub fn new(model: &'a Model, tests: &'a [Test], unknowns: &'a [Unknown], rules: Rules) -> Self {
        let rows = tests.iter().map(|t| weighted(t, rules.weights)).collect();
        Self {
            model,
            tests,
            unknowns,
            rules,
            rows,
            seen: Seen::of(model, unknowns),
            lower: unknowns.iter().map(|u| u.internal(u.min)).collect(),
            upper: unknowns.iter().map(|u| u.internal(u.max)).collect(),
            watch: None,
        }
    }

    /// With a watcher.
    pub fn watched(self, watch: Option<&'a Watch<'a>>) -> Self {
        Self { watch, ..self }
    }

    /// Whether whoever watches asks to stop, while nothing better than before is at hand; the values are any of the search.
    pub(crate) fn stopped(&self, values: &[f64], evaluations: usize) -> bool {
        self.watch
            .is_some_and(|watch| watch(values, f64::INFINITY, evaluations))
    }

    /// The values behind the optimiser's numbers.
    pub fn values_of(&self, x: &[f64]) -> Vec<f64> {
        let pairs = self.unknowns.iter().zip(x);
        pairs.map(|(u, &x)| u.value(x)).collect()
    }

    /// The optimiser's numbers of values, moved into their ranges.
    pub fn internal(&self, values: &[f64]) -> Vec<f64> {
        let pairs = self.unknowns.iter().zip(values);
        pairs
            .map(|(u, &v)| u.internal(v.clamp(u.min, u.max)))
            .collect()
    }

    /// All values of the model at the given unknowns; those that follow conditions in the middle of their ranges.
    pub fn parameters(&self, values: &[f64]) -> Vec<f64> {
        let p = self.plain_parameters(values);
        if self.seen.is_none() {
            return p;
        }
        let middle = self.model_of(&p, values);
        middle.map_or(p, |model| model.values().to_vec())
    }

    /// The same without what follows conditions.
    fn plain_parameters(&self, values: &[f64]) -> Vec<f64> {
        let mut p = self.model.values().to_vec();
        for (u, &value) in self.unknowns.iter().zip(values) {
            if let Place::Param(index) = u.place {
                p[index] = value;
                if let Some(other) = mirror(self.model, index) {
                    p[other] = value;
                }
            }
        }
        p
    }

    /// Twice the cost if every residual were as large as the measured value.
    pub fn norm(&self) -> f64 {
        let each = self.tests.iter().zip(&self.rows).map(|(target, rows)| {
            let squares = rows.iter().map(|(row, factor)| (factor * row.size).powi(2));
            squares.sum::<f64>() / rows.len().max(1) as f64 * target.share(rows.len())
        });
        each.sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// The rows of a test with the weights of their residuals.
    pub fn rows(&self, k: usize) -> &[(Row, f64)] {
        &self.rows[k]
    }

    /// Predicted values of test `k`, disturbances included.
    pub fn predict(
        &self,
        k: usize,
        values: &[f64],
        derivatives: bool,
    ) -> Result<Prediction, FitError> {
        let at = self.at_test(k, values)?;
        let mut out = self.tests[k].predict(&self.question(k, &at, derivatives))?;
        if let Some(seen) = self.seen.as_ref().filter(|_| derivatives) {
            out.jacobian = seen.chained(&at, &out.jacobian);
        }
        Ok(out)
    }

    fn question<'q>(&'q self, index: usize, at: &'q AtTest<'_>, derivatives: bool) -> Question<'q> {
        let seen = self.seen.as_ref();
        Question {
            model: self.model,
            p: &at.p,
            unknowns: seen.map_or(self.unknowns, |seen| &seen.unknowns),
            values: &at.values,
            index,
            derivatives,
        }
    }

    /// The loss of test `k` and the scale it knows.
    fn changed(&self, k: usize, r: f64) -> (f64, f64) {
        match self.rules.scales.get(k) {
            Some(&scale) => self.rules.loss.change(r, scale),
            None => (r, 1.0),
        }
    }

    /// Half the sum of squares at the given values of the unknowns, by plain runs.
    pub fn cost(&self, values: &[f64]) -> Option<f64> {
        let each = self.rules.workers.map(self.tests.len(), |k| {
            let predicted = self.predict(k, values, false).ok()?;
            let squares = self.rows[k].iter().map(|(row, factor)| {
                let r = factor * (predicted.values[row.entry] - row.measured);
                self.changed(k, r).0.powi(2)
            });
            Some(squares.sum::<f64>())
        });
        let mut sum = 0.0;
        for part in each {
            sum += part?;
        }
        for prior in &self.rules.priors {
            sum += self.held(prior, values[prior.unknown]).0.powi(2);
        }
        Some(0.5 * sum)
    }

    /// Residual of a prior and its slope by the optimiser's number.
    fn held(&self, prior: &Prior, value: f64) -> (f64, f64) {
        let u = &self.unknowns[prior.unknown];
        let root = prior.weight.sqrt();
        (root * (u.internal(value) - u.internal(prior.value)), root)
    }

    fn slopes(&self, values: &[f64]) -> Vec<f64> {
        let pairs = self.unknowns.iter().zip(values);
        pairs.map(|(u, &v)| u.slope(v)).collect()
    }
}

/// The rows of a test and the factors that make their residuals comparable.
fn weighted(target: &Test, weights: Weights) -> Vec<(Row, f64)> {
    let rows = target.rows();
    let share = target.share(rows.len());
    let each = rows.into_iter().map(|row| {
        let factor = match weights {
            Weights::Equal => 1.0 / (row.size * share.sqrt()),
            Weights::Noise => {
                let noise = row.noise.unwrap_or(GUESSED_NOISE * row.size);
                1.0 / noise.max(row.floor)
            }
        };
        let factor = factor * target.weight.sqrt();
        (row, if factor.is_finite() { factor } else { 0.0 })
    });
    each.collect()
}

impl LeastSquares for Objective<'_> {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        let values = self.values_of(x);
        let slopes = self.slopes(&values);
        let count = self.unknowns.len();
        let predicted = self
            .rules
            .workers
            .map(self.tests.len(), |k| self.predict(k, &values, true));
        let rows = self.rows.iter().map(Vec::len).sum::<usize>() + self.rules.priors.len();
        let mut at = Linearisation {
            r: DVector::zeros(rows),
            j: DMatrix::zeros(rows, count),
        };
        let mut i = 0;
        for (k, predicted) in predicted.into_iter().enumerate() {
            let predicted = predicted.ok()?;
            for (row, factor) in &self.rows[k] {
                let difference = predicted.values[row.entry] - row.measured;
                let (r, slope) = self.changed(k, factor * difference);
                at.r[i] = r;
                let of_row = &predicted.jacobian[row.entry * count..(row.entry + 1) * count];
                for (c, derivative) in of_row.iter().enumerate() {
                    at.j[(i, c)] = slope * factor * derivative * slopes[c];
                }
                i += 1;
            }
        }
        for prior in &self.rules.priors {
            let (r, slope) = self.held(prior, values[prior.unknown]);
            at.r[i] = r;
            at.j[(i, prior.unknown)] = slope;
            i += 1;
        }
        Some(at)
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }

    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        self.watch
            .is_some_and(|watch| watch(&self.values_of(x), cost, evaluations))
    }
}

impl Smooth for Objective<'_> {
    /// Cost and gradient by the adjoint: about the price of a plain run, whatever the number of
    /// unknowns.
    fn slope(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let values = self.values_of(x);
        let each = self.rules.workers.map(self.tests.len(), |k| {
            let mut cost = 0.0;
            let at = self.at_test(k, &values).ok()?;
            let question = self.question(k, &at, false);
            let gradient = self.tests[k].pull_back(&question, &mut |predicted| {
                let mut bar = vec![0.0; predicted.len()];
                for (row, factor) in &self.rows[k] {
                    let difference = predicted[row.entry] - row.measured;
                    let (r, slope) = self.changed(k, factor * difference);
                    cost += 0.5 * r * r;
                    bar[row.entry] = r * slope * factor;
                }
                bar
            });
            let gradient = gradient.ok()?;
            let gradient = match &self.seen {
                Some(seen) => seen.chained(&at, &gradient),
                None => gradient,
            };
            Some((cost, gradient))
        });
        let mut cost = 0.0;
        let mut gradient = vec![0.0; self.unknowns.len()];
        for part in each {
            let (own, slopes) = part?;
            cost += own;
            for (sum, slope) in gradient.iter_mut().zip(slopes) {
                *sum += slope;
            }
        }
        for (sum, slope) in gradient.iter_mut().zip(self.slopes(&values)) {
            *sum *= slope;
        }
        for prior in &self.rules.priors {
            let (r, slope) = self.held(prior, values[prior.unknown]);
            cost += 0.5 * r * r;
            gradient[prior.unknown] += r * slope;
        }
        cost.is_finite().then_some((cost, gradient))
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }

    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        LeastSquares::watch(self, x, cost, evaluations)
    }
}
