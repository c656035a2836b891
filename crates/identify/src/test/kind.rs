//! What every kind of test provides to a fit, and what some kinds provide in addition.

use super::{DrivenMasses, InitialState, MotionRecord, Output, Row, StiffnessTable};
use crate::error::FitError;
use crate::objective::Residuals;
use crate::objective::predict::{Prediction, Question, pull_back_by_tangent};
use crate::problem::unknown::Unknown;
use masing_model::{Features, Model, Validity};
use masing_sim::Numerics;
use std::fmt::Debug;

/// A kind of test: what was measured, and how a model predicts it.
///
/// A fit needs the methods without a default from every kind; the others are for what only some
/// kinds have.
pub trait Kind: Debug + Send + Sync {
    /// A copy of it.
    fn copy(&self) -> Box<dyn Kind>;

    /// The measured values that count.
    fn rows(&self) -> Vec<Row>;

    /// Predicts the values of the test.
    fn predict(&self, question: &Question<'_>) -> Result<Prediction, FitError>;

    /// Chooses steps and numbers of cycles for the values of a model, to the default accuracy.
    /// They stay frozen during a search.
    fn choose_numerics(&mut self, model: &Model, p: &[f64]) -> Result<(), FitError>;

    /// The finest steps that it is simulated with.
    fn numerics(&self) -> Numerics;

    /// Steps of a run, where intervals of a record are cut one by one.
    fn steps(&self) -> usize {
        0
    }

    /// Cycles that it is repeated until its response counts as steady.
    fn cycles(&self) -> usize;

    /// Features that it shows directly; `None` without motion or force.
    fn features(&self) -> Option<Features>;

    /// The motion of the part, where it was prescribed; a preload given as a force becomes the
    /// displacement that the model has under it.
    fn covers(&self, model: &Model) -> Option<Validity>;

    /// What was measured, channel by channel; nothing where errors are relative to each value.
    fn outputs(&self) -> Vec<Output>;

    /// Takes the noise from the residual of a first fit, where the test does not show it.
    fn take_noise(&mut self, outcome: &Residuals);

    /// The same test with fewer samples and the coarsest steps, for a first look; `None` where it is
    /// short already.
    fn first_look(&self) -> Option<Box<dyn Kind>>;

    /// Sensitivities of a scalar to all unknowns, where `bar` gives its sensitivities to the predicted
    /// values; by the tangent, unless one run backwards does it.
    fn pull_back(
        &self,
        question: &Question<'_>,
        bar: &mut dyn FnMut(&[f64]) -> Vec<f64>,
    ) -> Result<Vec<f64>, FitError> {
        pull_back_by_tangent(question, |question| self.predict(question), bar)
    }

    /// The divisor for the mean of that many squared relative errors.
    fn share(&self, rows: usize) -> f64 {
        rows.max(1) as f64
    }

    /// Whether neighbouring rows are neighbours in time, so that their residuals may be correlated.
    fn is_history(&self) -> bool {
        true
    }

    /// Whether it has masses that move freely, so that the model needs masses.
    fn moves_masses(&self) -> bool {
        false
    }

    /// Whether forces were measured, without which only ratios to the mass can be found.
    fn shows_forces(&self) -> bool {
        true
    }

    /// The state at the beginning, where the test has one.
    fn initial_state(&self) -> Option<InitialState> {
        None
    }

    /// The nuisances of the test, which is called `name` and is number `k`.
    fn nuisance(&self, _model: &Model, _name: &str, _k: usize) -> Vec<Unknown> {
        vec![]
    }

    /// What a state that is estimated starts from: a state of an element as it is at rest, of masses
    /// their displacements, then their velocities.
    fn first_state(&self, model: &Model, state: usize) -> f64 {
        at_rest(model, 0.0, state)
    }

    /// The same test simulated with fewer rows between its samples, if it has more than that.
    fn with_fewer_rows(&self) -> Option<Box<dyn Kind>> {
        None
    }

    /// The record of motion and force, if it is one.
    fn motion_record(&self) -> Option<&MotionRecord> {
        None
    }

    /// The same, to be changed.
    fn motion_record_mut(&mut self) -> Option<&mut MotionRecord> {
        None
    }

    /// The table of dynamic stiffness, if it is one.
    fn stiffness_table(&self) -> Option<&StiffnessTable> {
        None
    }

    /// The record of masses under loads, if it is one.
    fn driven_masses(&self) -> Option<&DrivenMasses> {
        None
    }

    /// The same, to be changed.
    fn driven_masses_mut(&mut self) -> Option<&mut DrivenMasses> {
        None
    }
}

impl Clone for Box<dyn Kind> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

/// A state of the elements at rest at `x`.
pub(super) fn at_rest(model: &Model, x: f64, state: usize) -> f64 {
    let mut z = vec![0.0; model.assembly().state_count()];
    model.assembly().rest(model.element_values(), |_| x, &mut z);
    z[state]
}
