//! Masses under a load or on a moving base, and what was measured of their motion.

use super::{Row, rms};
use crate::error::FitError;
use masing_model::Model;
use masing_sim::{Load, Numerics, SimError, system};
use std::ops::Range;

/// A quantity that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Displacement, relative to the base if that moves.
    Displacement,
    /// Velocity, relative to the base if that moves.
    Velocity,
    /// Acceleration, absolute.
    Acceleration,
    /// Sum of the forces of the elements.
    Force,
}

/// One measured channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What it is.
    pub output: Output,
    /// Of which degree of freedom, from 0.
    pub dof: usize,
    /// The values; NaN is missing.
    pub measured: Vec<f64>,
    /// Standard deviation of its noise, where it is known.
    pub noise: Option<f64>,
}

/// A test of a system with mass: predicted are the channels, one after the other.
#[derive(Clone, Debug)]
pub struct DrivenTest {
    /// What drives it.
    pub load: Load,
    /// What was measured: the projections of state, velocity and acceleration that are compared.
    pub channels: Vec<Channel>,
    /// The samples that are compared.
    pub window: Range<usize>,
    /// Steps of the simulation, frozen during a search.
    pub numerics: Numerics,
}

impl DrivenTest {
    /// A test compared over its whole length.
    pub fn new(load: Load, channels: Vec<Channel>) -> Self {
        Self {
            window: 0..load.len(),
            load,
            channels,
            numerics: Numerics::default(),
        }
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        let n = self.load.len();
        let mut rows = Vec::new();
        for (c, channel) in self.channels.iter().enumerate() {
            let own = &channel.measured;
            let size = rms(self.window.clone().map(|i| own[i]));
            let peak = self
                .window
                .clone()
                .filter(|&i| own[i].is_finite())
                .fold(0.0_f64, |m, i| m.max(own[i].abs()));
            let counting = self.window.clone().filter(|&i| own[i].is_finite());
            rows.extend(counting.map(|i| Row {
                entry: c * n + i,
                measured: own[i],
                size,
                noise: channel.noise,
                floor: 1e-4 * peak,
            }));
        }
        rows
    }

    pub(super) fn choose_numerics(&mut self, model: &Model, p: &[f64]) -> Result<(), FitError> {
        let masses = model.system().ok_or(FitError::NoMasses)?;
        // A fit needs the response far below the noise, not to the last digit.
        let accuracy = Some(FIT_ACCURACY);
        self.numerics = match system::choose(model.assembly(), masses, &self.load, p, accuracy) {
            Ok(numerics) => numerics,
            Err(SimError::Accuracy { max_dt, .. }) => Numerics {
                increment: f64::INFINITY,
                max_dt,
            },
            Err(error) => return Err(error.into()),
        };
        Ok(())
    }
}

/// Accuracy of the motion during a fit, of its largest value.
const FIT_ACCURACY: f64 = 1e-6;
