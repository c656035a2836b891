//! What an identification found: one type for every method.

mod comparison;
mod curves;
mod error_scale;
mod estimate;
mod provenance;
pub(crate) mod tested_motion;
mod verdict;

pub use comparison::{Comparison, Noise, NoiseSource, Role, scale};
pub use curves::{Curves, MassCurves, Pair, RecordCurves, Sine};
pub use estimate::Estimate;
pub use provenance::{InputFile, Provenance};
pub use tested_motion::{Beside, untested_motion};
pub use verdict::{Level, Verdict};

use crate::compare::Compared;
use crate::conditions::Followed;
use crate::fit::Solution;
use crate::key_figures::{KeyFigures, key_figures};
use crate::loops::Loops;
use crate::names::Names;
use crate::search::optimise::Stop;
use crate::test::{Test, finer};
use crate::uncertainty::profile::Profile;
use masing_diagnostic::Diagnostic;
use masing_model::{Model, StepLimits, Validity};
use masing_sim::rate_independent;

/// The methods that identify a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodName {
    /// Parameters of a given model by least squares, or by the formulas for one loop.
    Fit,
    /// Structure and coefficients by orthogonal least squares.
    Terms,
    /// Stages of a device such as a clutch damper.
    Stages,
    /// None: a model as it is beside tests, all of them held out.
    Validate,
}

/// A model with everything that is known about it, the same type for every method.
#[derive(Clone, Debug)]
pub struct Identified {
    /// How it was found.
    pub method: MethodName,
    /// The model: values, steps, the range of the fitted tests, the part.
    pub model: Model,
    /// Its parameters, in the order of their addresses.
    pub estimates: Vec<Estimate>,
    /// What belongs to a test and not to the part: offsets, delays, masses of the rig.
    pub nuisance: Vec<Estimate>,
    /// The tests beside what the model gives, fitted ones first.
    pub comparisons: Vec<Comparison>,
    /// The error over all fitted tests.
    pub error: OverallError,
    /// What the user should know about the result.
    pub diagnostics: Vec<Diagnostic>,
    /// What was assumed and noticed while the tests were read.
    pub data: DataNotes,
    /// How the search went.
    pub search: SearchTrace,
    /// How the sought numbers depend on each other.
    pub correlations: Correlations,
    /// The parameters without each test in turn.
    pub left_out: Vec<LeftOut>,
    /// The likelihood along parameters, where it was asked for.
    pub profiles: Vec<Profile>,
    /// Rates and friction of the model, whatever its law.
    pub key_figures: Option<KeyFigures>,
    /// What only a law with one hysteresis loop has.
    pub loops: Option<Loops>,
    /// How the model was chosen, where none was given.
    pub compared: Option<Box<Compared>>,
    /// Parameters over their conditions.
    pub followed: Vec<Followed>,
    /// What was run, on which files.
    pub provenance: Provenance,
}

/// The error over all fitted tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverallError {
    /// Relative error, with equal weights for all tests.
    pub relative: f64,
    /// Root mean square of all residuals; none where tests are in different units.
    pub rms: Option<f64>,
    /// SI unit of the root mean square.
    pub unit: Option<&'static str>,
    /// Mean square of residuals over noise, where the noise of every test is known.
    pub chi2_dof: Option<f64>,
}

impl OverallError {
    /// From the fitted tests; `chi2_dof` where the noise is known.
    pub fn of(comparisons: &[Comparison], chi2_dof: Option<f64>) -> Self {
        let fitted = || comparisons.iter().filter(|c| c.role == Role::Fitted);
        let count = fitted().count().max(1) as f64;
        let samples: usize = fitted().map(|c| c.samples).sum();
        let square: f64 = fitted().map(|c| c.samples as f64 * c.rms * c.rms).sum();
        let unit = fitted().next().and_then(|first| first.unit);
        let unit = unit.filter(|unit| fitted().all(|c| c.unit == Some(*unit)));
        Self {
            relative: (fitted().map(|c| c.error.powi(2)).sum::<f64>() / count).sqrt(),
            rms: unit.map(|_| (square / samples.max(1) as f64).sqrt()),
            unit,
            chi2_dof,
        }
    }
}

/// What was assumed and noticed while the tests were read.
#[derive(Clone, Debug, Default)]
pub struct DataNotes {
    /// How the files were read: a line for each file, those about it indented below.
    pub assumptions: Vec<String>,
    /// What was noticed about the data.
    pub diagnostics: Vec<Diagnostic>,
}

/// How a search went.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTrace {
    /// Why it stopped.
    pub stop: Stop,
    /// Evaluations of all tests.
    pub evaluations: usize,
    /// How the error fell: evaluations so far and relative error.
    pub history: Vec<(usize, f64)>,
    /// How long it took, where that was measured.
    pub seconds: f64,
}

/// How the sought numbers depend on each other; initial states are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlations {
    /// How many numbers were sought, initial states included.
    pub sought: usize,
    /// Names of the rows and columns.
    pub names: Vec<String>,
    /// Rows after each other.
    pub values: Vec<f64>,
    /// Components of the least determined direction.
    pub weakest: Vec<f64>,
    /// Singular values of the scaled Jacobian over the largest, largest first.
    pub singular: Vec<f64>,
    /// Whether correlated residuals made the standard errors larger.
    pub inflated: bool,
}

/// The parameters without one test.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The test that was left out.
    pub test: String,
    /// Values in the order of the estimates; none for those that were given.
    pub values: Vec<Option<f64>>,
}

/// A model without tests, for the tests of what is made from results.
#[cfg(test)]
pub(crate) fn empty() -> Identified {
    let shape = |_: &str| masing_model::Shape::default();
    let assembly = masing_model::Assembly::from_names("spring", shape).expect("a spring");
    let model = Model::with_defaults(assembly, None).expect("a model");
    Identified::new(MethodName::Fit, model, Vec::new(), Vec::new())
}

impl Identified {
    /// A model and its parameters beside the tests, without anything else that may be known.
    pub fn new(
        method: MethodName,
        model: Model,
        estimates: Vec<Estimate>,
        comparisons: Vec<Comparison>,
    ) -> Self {
        Self {
            method,
            model,
            nuisance: Vec::new(),
            error: OverallError::of(&comparisons, None),
            comparisons,
            diagnostics: Vec::new(),
            data: DataNotes::default(),
            search: SearchTrace {
                stop: Stop::Formula,
                evaluations: 0,
                history: Vec::new(),
                seconds: 0.0,
            },
            correlations: Correlations {
                sought: estimates.iter().filter(|e| e.std_error.is_some()).count(),
                ..Correlations::default()
            },
            estimates,
            left_out: Vec::new(),
            profiles: Vec::new(),
            key_figures: None,
            loops: None,
            compared: None,
            followed: Vec::new(),
            provenance: Provenance::default(),
        }
    }

    /// Whether to trust the result, and why.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self)
    }

    /// What the channels are called.
    pub fn names(&self) -> Names {
        Names::of(self.model.motion())
    }

    /// The tests that were held out.
    pub fn held_out(&self) -> impl Iterator<Item = &Comparison> {
        self.comparisons.iter().filter(|c| c.role == Role::HeldOut)
    }

    /// ` of rms force`, or nothing where errors of tests are measured by different things.
    pub fn scale(&self) -> String {
        comparison::scale(&self.comparisons)
    }
}

/// Most unknowns in a matrix of correlations: more do not fit on a page.
const MOST_PAIRED: usize = 40;

impl Solution {
    /// The public result, without what only the search needs.
    pub(crate) fn identified(mut self) -> Identified {
        let names = Names::of(self.model.motion());
        let fitted = self.tests.len();
        let compared = self.tests.iter().chain(&self.validation);
        let compared = compared.zip(&self.simulated).zip(&self.predicted);
        let comparisons: Vec<Comparison> = compared
            .enumerate()
            .map(|(k, ((residuals, target), predicted))| {
                let role = if k < fitted {
                    Role::Fitted
                } else {
                    Role::HeldOut
                };
                Comparison::new(role, residuals, target, predicted, &names)
            })
            .collect();
        let error = OverallError {
            relative: self.relative,
            ..OverallError::of(&comparisons, self.chi2_dof)
        };
        let mut model = self.model.clone();
        finish(&mut model, &self.simulated[..fitted]);
        let speed_matters =
            !rate_independent(model.assembly(), model.element_values()).unwrap_or(false);
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.extend(untested_motion(&comparisons, speed_matters, true));
        Identified {
            correlations: self.correlations(),
            left_out: self.left_out(),
            // Figures of values that are no result yet take longer than who interrupts wants to wait.
            // Those of a model that follows conditions hold at one level only.
            key_figures: (self.stop != Stop::Interrupted && self.followed.is_empty())
                .then(|| key_figures(&model, &self.simulated))
                .flatten(),
            nuisance: self.others,
            error,
            diagnostics,
            search: SearchTrace {
                stop: self.stop,
                evaluations: self.evaluations,
                history: self.history,
                seconds: 0.0,
            },
            profiles: self.profiles,
            loops: self.loops,
            followed: self.followed,
            ..Identified::new(MethodName::Fit, model, self.parameters, comparisons)
        }
    }

    fn correlations(&self) -> Correlations {
        let shown: Vec<usize> = (0..self.unknowns.len())
            .filter(|&i| !self.unknowns[i].place.is_start())
            .take(MOST_PAIRED)
            .collect();
        let pairs = shown
            .iter()
            .flat_map(|&i| shown.iter().map(move |&j| (i, j)));
        Correlations {
            sought: self.unknowns.len(),
            names: shown
                .iter()
                .map(|&i| self.unknowns[i].name.clone())
                .collect(),
            values: pairs.map(|at| self.trust.correlation[at]).collect(),
            weakest: shown.iter().map(|&i| self.trust.weakest[i]).collect(),
            singular: self.trust.singular.clone(),
            inflated: self.trust.inflated,
        }
    }

    fn left_out(&self) -> Vec<LeftOut> {
        let each = self.left_out.iter().map(|left| {
            let mut values = vec![None; self.parameters.len()];
            for (unknown, value) in self.unknowns.iter().zip(&left.values) {
                let own = self
                    .parameters
                    .iter()
                    .position(|p| p.address == unknown.name);
                if let Some(index) = own.filter(|_| unknown.place.is_of_model()) {
                    values[index] = Some(*value);
                }
            }
            LeftOut {
                test: left.test.clone(),
                values,
            }
        });
        each.collect()
    }
}

/// Adds the steps that the model was found with, and the range of the tests that it was fitted to.
fn finish(model: &mut Model, fitted: &[Test]) {
    let finest = fitted.iter().map(|t| t.numerics()).reduce(finer);
    model.numerics = finest
        .filter(|n| n.increment.is_finite() || n.max_dt.is_finite())
        .map(|n| StepLimits {
            increment: n.increment,
            max_dt: n.max_dt,
        });
    let covered = fitted.iter().filter_map(|t| match model.at(&t.conditions) {
        Ok(at_levels) => t.covers(&at_levels),
        Err(_) => None,
    });
    model.validity = covered.reduce(Validity::and);
}
