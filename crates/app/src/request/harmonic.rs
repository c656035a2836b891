//! A request for dynamic stiffness.

use super::{Listed, ModelSource, Value};
use masing_sim::ACCURACY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Tabulate dynamic stiffness, loss angle and energy per cycle of a model.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct HarmonicRequest {
    /// The model, with a value for every parameter.
    #[cfg_attr(feature = "cli", arg(help = super::model::COMPLETE, value_hint = clap::ValueHint::AnyPath))]
    pub model: ModelSource,
    /// Amplitudes zero to peak: a list 0.1mm,0.5mm or a range 0.1..1mm.
    #[cfg_attr(feature = "cli", arg(long, allow_hyphen_values = true))]
    pub amplitude: Listed,
    /// Frequencies: a list 1Hz,10Hz or a range 1..100Hz.
    #[cfg_attr(feature = "cli", arg(long, allow_hyphen_values = true))]
    pub frequency: Listed,
    /// Values in a range, in equal ratios.
    #[cfg_attr(feature = "cli", arg(long, default_value_t = nine()))]
    #[serde(default = "nine")]
    pub points: usize,
    /// Mid position of the motion.
    #[cfg_attr(feature = "cli", arg(long, allow_hyphen_values = true))]
    #[serde(default)]
    pub mean: Option<Value>,
    /// Largest error of the stepping, relative to the largest force.
    #[cfg_attr(feature = "cli", arg(long, default_value_t = ACCURACY, allow_hyphen_values = true))]
    #[serde(default = "usual")]
    pub accuracy: f64,
    /// Levels of the conditions that the model follows: current=0.5A.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "NAME=LEVEL,...", allow_hyphen_values = true)
    )]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<String>,
    /// The CSV file to write.
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub out: Option<PathBuf>,
}

fn nine() -> usize {
    9
}

fn usual() -> f64 {
    ACCURACY
}
