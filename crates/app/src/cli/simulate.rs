//! Arguments of `masing simulate`.

use super::reading::Reading;
use crate::error::AppError;
use crate::request::{ModelSource, SimulateRequest};
use clap::Args;
use std::path::PathBuf;

/// Simulate the response of a model to a motion, or to a load if it has masses
///
/// The output has one row per row of the input, in SI units: time, displacement (angle), velocity,
/// force (torque), and acceleration where there are masses.
#[derive(Debug, Args)]
pub struct Simulate {
    /// The model, a model.toml with a value for every parameter
    model: PathBuf,
    #[command(flatten)]
    drive: Drive,
    /// The CSV file to write
    #[arg(long)]
    out: Option<PathBuf>,
    /// Largest error of the stepping, relative to the largest force (to the largest displacement
    /// where there are masses); replaces the `[numerics]` of the model
    #[arg(long, allow_hyphen_values = true)]
    accuracy: Option<f64>,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Drive {
    /// The motion: time and displacement (angle), and velocity if there is one
    #[arg(long, value_name = "FILE")]
    motion: Option<PathBuf>,
    /// The load on a model with masses
    #[arg(
        long,
        value_name = "FILE",
        help = "The load on a model with masses: time and load (load.1, ...) or base_acceleration"
    )]
    load: Option<PathBuf>,
}

impl Simulate {
    /// What is asked for.
    pub fn request(self) -> Result<SimulateRequest, AppError> {
        let test = |path: Option<PathBuf>| path.map(|p| self.reading.test(&p)).transpose();
        Ok(SimulateRequest {
            model: ModelSource::from(self.model.into_os_string()),
            motion: test(self.drive.motion)?,
            load: test(self.drive.load)?,
            accuracy: self.accuracy,
            out: self.out,
        })
    }
}
