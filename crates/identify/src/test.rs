//! What a model is compared with: one test, ready for simulation.
//!
//! A kind of test is one type that implements [`Kind`]: what was measured, what a model predicts
//! for it, and the features that it shows directly.

mod driven_masses;
mod kind;
mod motion_record;
mod preload;
pub mod reading;
mod stiffness_table;

pub use driven_masses::{Channel, DrivenMasses, HighPass, Output};
pub use kind::Kind;
pub use motion_record::{ForceFilter, InitialState, MotionRecord, Nuisance};
pub use reading::{ReadError, TestSpec};
pub use stiffness_table::{Point, StiffnessTable};

use crate::error::FitError;
use crate::objective::predict::{Prediction, Question};
use crate::problem::unknown::{Place, Unknown};
use crate::test::motion_record::MOST_CYCLES;
use masing_diagnostic::{Diagnostic, TestDiagnostic};
use masing_model::{Levels, Model};
use masing_sim::{Motion, Numerics};
use std::ops::{Deref, DerefMut};

/// One test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Name in reports and messages.
    pub name: String,
    /// Weight in the cost, relative to the other tests.
    pub weight: f64,
    /// Whether its noise was taken from the residual of a first fit and so says nothing about the model.
    pub noise_guessed: bool,
    /// Levels of its conditions, in SI: current, temperature, preload, tension.
    pub conditions: Levels,
    kind: Box<dyn Kind>,
}

/// One measured value that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Which of the predicted values it is compared with.
    pub entry: usize,
    /// The value.
    pub measured: f64,
    /// What its error is relative to: the rms of its channel, or its own size in a table.
    pub size: f64,
    /// Standard deviation of its noise, where that is known.
    pub noise: Option<f64>,
    /// Smallest noise that is believed.
    pub floor: f64,
}

impl Test {
    /// A record of motion and force compared over its whole length, from rest.
    pub fn new(name: impl Into<String>, motion: Motion, force: Vec<f64>) -> Self {
        Self::of(name, MotionRecord::new(motion, force))
    }

    /// A test of any kind, with a weight of one.
    pub fn of(name: impl Into<String>, kind: impl Kind + 'static) -> Self {
        Self::boxed(name, Box::new(kind))
    }

    /// The same for a kind that is known only at run time.
    pub fn boxed(name: impl Into<String>, kind: Box<dyn Kind>) -> Self {
        Self {
            name: name.into(),
            weight: 1.0,
            noise_guessed: false,
            conditions: Levels::new(),
            kind,
        }
    }

    /// The same test with nothing to compare.
    pub(crate) fn without_rows(&self) -> Self {
        self.with(Box::new(StiffnessTable::default()))
    }

    /// The same test for a first look; unchanged if there is no quicker version.
    pub(crate) fn coarse(&self) -> Self {
        self.first_look()
            .map_or_else(|| self.clone(), |kind| self.with(kind))
    }

    /// The same test simulated with fewer rows between its samples, if it has more.
    pub(crate) fn with_fewer_rows(&self) -> Option<Self> {
        Some(self.with(self.kind.with_fewer_rows()?))
    }

    fn with(&self, kind: Box<dyn Kind>) -> Self {
        Self {
            name: self.name.clone(),
            weight: self.weight,
            noise_guessed: self.noise_guessed,
            conditions: self.conditions.clone(),
            kind,
        }
    }

    /// Predicts its values.
    pub(crate) fn predict(&self, question: &Question<'_>) -> Result<Prediction, FitError> {
        self.kind.predict(question)
    }

    /// What was noticed when its steps, cycles and accelerations were chosen.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let test = self.name.clone();
        let unsteady = |change: f64| TestDiagnostic::Unsteady {
            test: test.clone(),
            cycles: MOST_CYCLES,
            change,
        };
        let masses = self.driven_masses().and_then(DrivenMasses::unsteady);
        let smooth = self.motion_record().and_then(MotionRecord::smoothed_over);
        let smooth = smooth.map(|(samples, seconds)| TestDiagnostic::SmoothAcceleration {
            test: test.clone(),
            samples,
            seconds,
        });
        masses.map(unsteady).or(smooth).map(Into::into)
    }

    /// What an unknown of the test, beside the parameters, is first taken as.
    pub(crate) fn first_value(&self, model: &Model, unknown: &Unknown) -> f64 {
        match unknown.place {
            Place::Start { state, .. } => self.first_state(model, state),
            Place::Turn { turn, .. } => self
                .motion_record()
                .map_or(0.0, |record| record.likely_turns()[turn]),
            _ => 0.0_f64.clamp(unknown.min, unknown.max),
        }
    }
}

impl Deref for Test {
    type Target = dyn Kind;

    fn deref(&self) -> &Self::Target {
        &*self.kind
    }
}

impl DerefMut for Test {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.kind
    }
}

/// The finer of two steps.
pub fn finer(a: Numerics, b: Numerics) -> Numerics {
    Numerics {
        increment: a.increment.min(b.increment),
        max_dt: a.max_dt.min(b.max_dt),
    }
}

/// Root mean square of the finite values; 1 if all of them are zero.
fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values
        .filter(|v| v.is_finite())
        .fold((0.0, 0_usize), |(s, n), v| (s + v * v, n + 1));
    let rms = (sum / count.max(1) as f64).sqrt();
    if rms > 0.0 { rms } else { 1.0 }
}
