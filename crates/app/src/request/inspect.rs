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
    /// The model that the study is for, as a model text; the one that predicts best is found if left out.
    #[serde(default)]
    pub model: Option<String>,
    /// Do not compare models: take one by the kind of part.
    #[serde(default)]
    pub no_compare: bool,
    /// Most candidates that are tried, such as 40, or a time such as 60s.
    #[serde(default)]
    pub budget: Option<String>,
    /// The study to write.
    #[serde(default)]
    pub out: Option<PathBuf>,
}
