//! A request for dynamic stiffness.

use super::{Listed, ModelSource, Value};
use masing_sim::ACCURACY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Tabulate dynamic stiffness, loss angle and energy per cycle of a model.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HarmonicRequest {
    /// The model, with a value for every parameter.
    pub model: ModelSource,
    /// Amplitudes zero to peak: a list 0.1mm,0.5mm or a range 0.1..1mm.
    pub amplitude: Listed,
    /// Frequencies: a list 1Hz,10Hz or a range 1..100Hz.
    pub frequency: Listed,
    /// Values in a range, in equal ratios.
    #[serde(default = "nine")]
    pub points: usize,
    /// Mid position of the motion.
    #[serde(default)]
    pub mean: Option<Value>,
    /// Largest error of the stepping, relative to the largest force.
    #[serde(default = "usual")]
    pub accuracy: f64,
    /// The CSV file to write.
    #[serde(default)]
    pub out: Option<PathBuf>,
}

fn nine() -> usize {
    9
}

fn usual() -> f64 {
    ACCURACY
}
