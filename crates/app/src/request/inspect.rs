//! Requests to look at data.

use super::TestSource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Show what is in data files, and what is wrong with them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InspectRequest {
    /// The files, with how they are to be read.
    pub tests: Vec<TestSource>,
    /// The folder to write inspect.html into.
    #[serde(default)]
    pub out: Option<PathBuf>,
}

/// Write a commented study for data files.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitRequest {
    /// The files, with how they are to be read.
    pub tests: Vec<TestSource>,
    /// The study to write.
    #[serde(default)]
    pub out: Option<PathBuf>,
}
