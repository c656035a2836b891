//! A request to predict tests.

use super::{ModelSource, TestSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Predict tests with a model as it is, and compare.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateRequest {
    /// The model, with a value for every parameter.
    pub model: ModelSource,
    /// The tests.
    pub tests: Vec<TestSource>,
    /// The folder for validate.json and report.html.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    /// The command as it was typed, where it was.
    #[serde(skip)]
    pub typed: Option<Vec<String>>,
}
