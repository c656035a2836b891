//! A request to predict tests.

use super::{ModelSource, TestSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Predict tests with a model as it is, and compare.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateRequest {
    /// The model, with a value for every parameter.
    pub model: ModelSource,
    /// The tests.
    pub tests: Vec<TestSource>,
}
