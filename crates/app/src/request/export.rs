//! A request for a file that other programs simulate.

use super::ModelSource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Write a model as an FMU for simulations, and check it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// The model, with a value for every parameter.
    #[cfg_attr(feature = "cli", arg(help = super::model::COMPLETE, value_hint = clap::ValueHint::AnyPath))]
    pub model: ModelSource,
    /// What to write.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, help = "What to write: an FMU of FMI 2.0 or 3.0")
    )]
    pub to: Format,
    /// The file to write.
    #[cfg_attr(feature = "cli", arg(long))]
    pub out: PathBuf,
    /// Fix the conditions that the model follows: current=0.5A; otherwise they are inputs of the FMU.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "NAME=LEVEL,...", allow_hyphen_values = true)
    )]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<String>,
    /// Folder with the libraries to put in, if they are not beside this program.
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR"))]
    #[serde(default)]
    pub libraries: Option<PathBuf>,
}

/// The kinds of file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// FMI 2.0
    Fmu2,
    /// FMI 3.0
    Fmu3,
}
