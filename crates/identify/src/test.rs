//! What a model is compared with: one test, ready for simulation.

mod covered;
mod driven;
mod high_pass;
mod past;
mod reversals;
mod rig;
mod table;

pub(crate) use driven::history;
pub use driven::{Channel, DrivenTest, Output};
pub use high_pass::HighPass;
pub(crate) use past::{Slope, TURNS};
pub use rig::{Nuisance, Rig, Start};
pub use table::{Point, Table};

use crate::error::FitError;
use crate::problem::unknown::{Place, Unknown};
use crate::start::masses::beginning;
use masing_model::{Masses, Model};
use masing_sim::{Motion, Numerics};

/// One test.
#[derive(Clone, Debug)]
pub struct Target {
    /// Name in reports and messages.
    pub name: String,
    /// Share in the cost, beside the other tests.
    pub weight: f64,
    /// Whether its noise was taken from the residual of a first fit, so that it says nothing about it.
    pub noise_guessed: bool,
    /// What was measured.
    pub content: Content,
}

/// The kinds of test.
#[derive(Clone, Debug)]
pub enum Content {
    /// A motion was prescribed and the force measured.
    Rig(Rig),
    /// Dynamic stiffness and loss angle of steady sines.
    Table(Table),
    /// Masses were loaded and their motion measured.
    Driven(DrivenTest),
}

/// A displacement or a force that a part is under before the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preload {
    /// Added to the displacement.
    Motion(f64),
    /// Force at rest, which the model turns into a displacement.
    Force(f64),
}

impl Default for Preload {
    fn default() -> Self {
        Self::Motion(0.0)
    }
}

/// One measured value that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Which of the predicted values it is compared with.
    pub entry: usize,
    /// The value.
    pub measured: f64,
    /// What its error is measured by: the rms of its channel, its own size in a table.
    pub size: f64,
    /// Standard deviation of its noise, where that is known.
    pub noise: Option<f64>,
    /// Noise below which nothing is believed.
    pub floor: f64,
}

impl Target {
    /// A record of motion and force compared over its whole length, from rest.
    pub fn new(name: impl Into<String>, motion: Motion, force: Vec<f64>) -> Self {
        Self::of(name, Content::Rig(Rig::new(motion, force)))
    }

    /// A test of any kind, with the share of one.
    pub fn of(name: impl Into<String>, content: Content) -> Self {
        Self {
            name: name.into(),
            weight: 1.0,
            noise_guessed: false,
            content,
        }
    }

    /// The record of motion and force, if it is one.
    pub fn rig(&self) -> Option<&Rig> {
        match &self.content {
            Content::Rig(rig) => Some(rig),
            _ => None,
        }
    }

    /// The values that count.
    pub fn rows(&self) -> Vec<Row> {
        match &self.content {
            Content::Rig(rig) => rig.rows(),
            Content::Table(table) => table.rows(),
            Content::Driven(driven) => driven.rows(),
        }
    }

    /// Over how many the squared relative errors of so many rows are averaged.
    pub fn share(&self, rows: usize) -> f64 {
        match &self.content {
            // A point of a table has two rows but one error.
            Content::Table(table) => table.points.len().max(1) as f64,
            _ => rows.max(1) as f64,
        }
    }

    /// Chooses steps and numbers of cycles for the values of a model, to the default accuracy.
    /// They stay frozen during a search.
    pub fn choose_numerics(&mut self, model: &Model, p: &[f64]) -> Result<(), FitError> {
        match &mut self.content {
            Content::Rig(rig) => rig.choose_numerics(model, p),
            Content::Table(table) => table.choose_numerics(model, p),
            Content::Driven(driven) => driven.choose_numerics(model, p),
        }
    }

    /// The finest steps that it was simulated with.
    pub fn numerics(&self) -> Numerics {
        match &self.content {
            Content::Rig(rig) => rig.numerics,
            Content::Table(table) => {
                let each = table.points.iter().map(|p| p.numerics);
                each.reduce(finer).unwrap_or_default()
            }
            Content::Driven(driven) => driven.numerics,
        }
    }

    /// The same test with nothing to compare.
    pub(crate) fn without_rows(&self) -> Self {
        Self {
            content: Content::Table(Table::default()),
            ..self.clone()
        }
    }

    /// The same test with about one in `stride` samples (of a record) and the coarsest steps, for a first look.
    pub fn coarse(&self, stride: usize) -> Self {
        let content = match &self.content {
            Content::Rig(rig) => rig.coarse(stride).map(Content::Rig),
            Content::Driven(driven) => driven.first_look().map(Content::Driven),
            Content::Table(table) => Some(Content::Table(table.coarse())),
        };
        Self {
            content: content.unwrap_or_else(|| self.content.clone()),
            ..self.clone()
        }
    }
}

impl Target {
    /// What an unknown of the test, beside the parameters, is first taken as.
    pub(crate) fn first_value(&self, model: &Model, unknown: &Unknown) -> f64 {
        match unknown.place {
            Place::Start { state, .. } => self.beginning(model, state),
            Place::Turn { turn, .. } => self.rig().map_or(0.0, |rig| rig.likely_turns()[turn]),
            _ => 0.0_f64.clamp(unknown.min, unknown.max),
        }
    }

    /// What a state that is free at the beginning of the test starts from: a state of an element as
    /// it is at rest, of masses their displacements, then their velocities.
    pub(crate) fn beginning(&self, model: &Model, state: usize) -> f64 {
        match &self.content {
            Content::Driven(test) => {
                let dofs = model.system().map_or(1, Masses::dofs);
                let found = beginning(test, state % dofs);
                if state < dofs { found.x } else { found.v }
            }
            _ => {
                let mut z = vec![0.0; model.assembly().state_count()];
                let x = self.rig().map_or(0.0, |rig| rig.motion.x()[0]);
                model.assembly().rest(model.element_values(), |_| x, &mut z);
                z[state]
            }
        }
    }

    /// The same test simulated with fewer rows between its samples, if it has more than that.
    pub(crate) fn with_fewer_rows(&self) -> Option<Self> {
        let Content::Driven(driven) = &self.content else {
            return None;
        };
        Some(Self {
            content: Content::Driven(driven.with_fewer_rows()?),
            ..self.clone()
        })
    }
}

/// The finer of two steps.
pub fn finer(a: Numerics, b: Numerics) -> Numerics {
    Numerics {
        increment: a.increment.min(b.increment),
        max_dt: a.max_dt.min(b.max_dt),
    }
}

/// Root mean square of the values that are numbers; 1 if there is none but zeros.
fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values
        .filter(|v| v.is_finite())
        .fold((0.0, 0_usize), |(s, n), v| (s + v * v, n + 1));
    let rms = (sum / count.max(1) as f64).sqrt();
    if rms > 0.0 { rms } else { 1.0 }
}
