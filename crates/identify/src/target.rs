//! What a model is compared with: one test, ready for simulation.

use masing_model::Assembly;
use masing_sim::{ACCURACY, Motion, Numerics, SimError, choose};
use std::ops::Range;

/// The state of the part when the record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At rest, memory unstrained.
    Rest,
    /// Any; found by the fit.
    Free,
    /// The record is one closed cycle of a periodic response.
    Periodic,
}

/// Disturbances of the measurement that the fit may find.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nuisance {
    /// A constant on the force.
    pub force_offset: bool,
    /// A constant on the displacement.
    pub motion_offset: bool,
    /// The force channel lags behind.
    pub delay: bool,
    /// Mass between specimen and load cell: sought if negative, else known (kg).
    pub moving_mass: Option<f64>,
}

/// One test.
#[derive(Clone, Debug)]
pub struct Target {
    /// Name in reports and messages.
    pub name: String,
    /// The motion, preload included.
    pub motion: Motion,
    /// Measured force; NaN is missing.
    pub force: Vec<f64>,
    /// The samples that are compared.
    pub window: Range<usize>,
    /// The state at the beginning.
    pub start: Start,
    /// Standard deviation of the force noise, where it is known (from repeated cycles).
    pub noise: Option<f64>,
    /// Share in the cost, beside the other tests.
    pub weight: f64,
    /// What else the fit may find.
    pub nuisance: Nuisance,
    /// Steps of the simulation, frozen during a fit.
    pub numerics: Numerics,
}

impl Target {
    /// A test compared over its whole length, from rest.
    pub fn new(name: impl Into<String>, motion: Motion, force: Vec<f64>) -> Self {
        let window = 0..force.len().min(motion.len());
        Self {
            name: name.into(),
            motion,
            force,
            window,
            start: Start::Rest,
            noise: None,
            weight: 1.0,
            nuisance: Nuisance::default(),
            numerics: Numerics::default(),
        }
    }

    /// Chooses the steps for the parameters `p`, to the default accuracy.
    pub fn choose_numerics(&mut self, assembly: &Assembly, p: &[f64]) -> Result<(), SimError> {
        self.numerics = choose(assembly, p, &self.motion, ACCURACY)?;
        Ok(())
    }

    /// The samples that are compared: in the window, and measured.
    pub fn samples(&self) -> impl Iterator<Item = usize> + '_ {
        self.window.clone().filter(|&i| self.force[i].is_finite())
    }

    /// Root mean square of the measured force over the samples compared.
    pub fn rms(&self) -> f64 {
        let (sum, count) = self.samples().fold((0.0, 0_usize), |(s, n), i| {
            (s + self.force[i].powi(2), n + 1)
        });
        if count == 0 {
            0.0
        } else {
            (sum / count as f64).sqrt()
        }
    }

    /// Largest measured force.
    pub fn peak(&self) -> f64 {
        self.samples().fold(0.0, |m, i| m.max(self.force[i].abs()))
    }

    /// Acceleration from the motion: second differences, straight at the ends.
    pub fn acceleration(&self) -> Vec<f64> {
        let (t, v) = (self.motion.time(), self.motion.v());
        let n = t.len();
        (0..n)
            .map(|i| {
                let (a, b) = (i.saturating_sub(1), (i + 1).min(n - 1));
                (v[b] - v[a]) / (t[b] - t[a])
            })
            .collect()
    }
}
