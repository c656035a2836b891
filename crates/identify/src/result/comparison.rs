//! One test beside what the model gives.

use super::curves::Curves;
use super::error_scale::{alternating, measured_by, unit};
use crate::names::Names;
use crate::objective::Residuals;
use crate::test::{InitialState, Test};

/// What a test was used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The model was fitted to it.
    Fitted,
    /// It was left out of a fit that helped to choose a model.
    LeftOut,
    /// It had no part in any choice.
    HeldOut,
}

impl Role {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Role::Fitted => "fit",
            Role::LeftOut => "left-out",
            Role::HeldOut => "validate",
        }
    }
}

/// The noise of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation, in the unit of the residuals.
    pub value: f64,
    /// Where it comes from.
    pub source: NoiseSource,
}

/// Where a noise comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseSource {
    /// The differences of repeated cycles.
    Cycles,
    /// How rough the record itself is, from sample to sample.
    Record,
    /// The residual itself, which says nothing about the model.
    Residual,
}

impl NoiseSource {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            NoiseSource::Cycles => "cycles",
            NoiseSource::Record => "record",
            NoiseSource::Residual => "residual",
        }
    }
}

/// One test beside what the model gives.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Name of the test.
    pub name: String,
    /// What it was used for.
    pub role: Role,
    /// Values compared.
    pub samples: usize,
    /// sqrt(sum (F - Fexp)^2 / sum Fexp^2); for tables the rms of relative stiffness and angle.
    pub error: f64,
    /// What the error is relative to, in words: `rms force`.
    pub scale: String,
    /// Error over the alternating part of the force, where the mean is large.
    pub alternating: Option<f64>,
    /// Root mean square of the residuals.
    pub rms: f64,
    /// SI unit of the residuals; none where channels of several kinds are compared.
    pub unit: Option<&'static str>,
    /// Correlation of neighbouring residuals.
    pub lag1: f64,
    /// Noise, in the unit of the residuals.
    pub noise: Noise,
    /// State at the first sample; none for a table.
    pub initial_state: Option<InitialState>,
    /// What was measured and what the model gives.
    pub curves: Curves,
}

impl Comparison {
    /// A test with its residuals and what the model predicts for it.
    pub fn new(
        role: Role,
        residuals: &Residuals,
        target: &Test,
        predicted: &[f64],
        names: &Names,
    ) -> Self {
        Self {
            name: target.name.clone(),
            role,
            samples: residuals.samples,
            error: residuals.relative,
            scale: measured_by(target, names),
            alternating: alternating(target).map(|by| by * residuals.relative),
            rms: residuals.rms,
            unit: unit(target, names),
            lag1: residuals.lag1,
            noise: Noise {
                value: residuals.noise,
                source: if residuals.noise_known {
                    NoiseSource::Cycles
                } else {
                    NoiseSource::Residual
                },
            },
            initial_state: target.initial_state(),
            curves: Curves::of(target, predicted, names),
        }
    }
}

#[cfg(test)]
impl Comparison {
    /// A test of which only the error matters.
    pub(crate) fn of_error(name: &str, role: Role, error: f64) -> Self {
        Self {
            name: name.to_owned(),
            role,
            samples: 1,
            error,
            scale: "rms force".to_owned(),
            alternating: None,
            rms: error,
            unit: Some("N"),
            lag1: 0.0,
            noise: Noise {
                value: error,
                source: NoiseSource::Residual,
            },
            initial_state: None,
            curves: Curves::Sines(Vec::new()),
        }
    }
}

/// ` of rms force` where that holds for all tests.
pub fn scale(comparisons: &[Comparison]) -> String {
    match comparisons.split_first() {
        Some((first, rest)) if rest.iter().all(|c| c.scale == first.scale) => {
            format!(" of {}", first.scale)
        }
        _ => String::new(),
    }
}
