//! A request for the stages of a device.

use super::TestSource;
use super::value::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Find the stages of a clutch damper from a slow record, and from a fast one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StagesRequest {
    /// Slow record: angle and torque in both directions.
    pub slow: TestSource,
    /// Fast record: torque on the inertia, and its velocity, angle or acceleration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamic: Option<TestSource>,
    /// How to characterise.
    #[serde(default)]
    pub options: StagesOptions,
    /// The folder for model.toml, stages.json and report.html.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    /// The command as it was typed, where it was.
    #[serde(skip)]
    pub typed: Option<Vec<String>>,
}

/// How to characterise a device.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct StagesOptions {
    /// Inertia on the device in the fast test, such as 0.25 (kg m^2); a mass in kg for lengths and forces
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            value_name = "J",
            requires = "dynamic",
            allow_hyphen_values = true
        )
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Value>,
    /// Number of drive and coast stages; found from the record if left out
    #[cfg_attr(
        feature = "cli",
        arg(
            long = "stages",
            value_name = "DRIVE,COAST",
            allow_hyphen_values = true
        )
    )]
    #[serde(rename = "stages", skip_serializing_if = "Option::is_none")]
    pub counts: Option<String>,
    /// Sharpness of the friction (s/rad or s/m); from the peak speed if left out
    #[cfg_attr(
        feature = "cli",
        arg(long, requires = "dynamic", allow_hyphen_values = true)
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eta: Option<f64>,
    /// Unit of time of R4 to R6 and of the window of the linearisation, such as 0.1s
    #[cfg_attr(feature = "cli", arg(long, value_name = "TIME", requires = "dynamic"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_scale: Option<Value>,
    /// Seek friction within the clearance too
    #[cfg_attr(feature = "cli", arg(long, requires = "dynamic"))]
    pub clearance_friction: bool,
}
