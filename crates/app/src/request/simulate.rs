//! A request for the response of a model.

use super::{ModelSource, TestSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Simulate the response of a model to a motion, or to a load if it has masses.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimulateRequest {
    /// The model, with a value for every parameter.
    pub model: ModelSource,
    /// The motion: time and displacement (angle), and velocity if there is one.
    #[serde(default)]
    pub motion: Option<TestSource>,
    /// The load on a model with masses.
    #[serde(default)]
    pub load: Option<TestSource>,
    /// Largest error of the stepping, relative to the largest force (displacement where there are masses).
    #[serde(default)]
    pub accuracy: Option<f64>,
    /// The CSV file to write.
    #[serde(default)]
    pub out: Option<PathBuf>,
}
