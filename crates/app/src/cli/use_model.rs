//! Arguments of `masing simulate`, `masing harmonic` and `masing export`.

use super::reading::Reading;
use crate::error::AppError;
use crate::request::{
    ExportRequest, Format, HarmonicRequest, Listed, ModelSource, SimulateRequest, Value,
};
use clap::Args;
use masing_sim::ACCURACY;
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
            model: ModelSource::file(&self.model),
            motion: test(self.drive.motion)?,
            load: test(self.drive.load)?,
            accuracy: self.accuracy,
            out: self.out,
        })
    }
}

/// Tabulate dynamic stiffness, loss angle and energy per cycle of a model
///
/// Every amplitude is run at every frequency until the response is periodic.
#[derive(Debug, Args)]
pub struct Harmonic {
    /// The model, a model.toml with a value for every parameter
    model: PathBuf,
    /// Amplitudes zero to peak: a list 0.1mm,0.5mm or a range 0.1..1mm
    #[arg(long, allow_hyphen_values = true)]
    amplitude: Listed,
    /// Frequencies: a list 1Hz,10Hz or a range 1..100Hz
    #[arg(long, allow_hyphen_values = true)]
    frequency: Listed,
    /// Values in a range, in equal ratios
    #[arg(long, default_value_t = 9)]
    points: usize,
    /// Mid position of the motion
    #[arg(long, allow_hyphen_values = true)]
    mean: Option<Value>,
    /// Largest error of the stepping, relative to the largest force
    #[arg(long, default_value_t = ACCURACY, allow_hyphen_values = true)]
    accuracy: f64,
    /// The CSV file to write
    #[arg(long)]
    out: Option<PathBuf>,
}

impl Harmonic {
    /// What is asked for.
    pub fn request(self) -> HarmonicRequest {
        HarmonicRequest {
            model: ModelSource::file(&self.model),
            amplitude: self.amplitude,
            frequency: self.frequency,
            points: self.points,
            mean: self.mean,
            accuracy: self.accuracy,
            out: self.out,
        }
    }
}

/// Write a model as an FMU for simulations, and check it
///
/// The file is re-simulated against the model: the largest difference of the force is printed for
/// several step sizes and stored beside the file as export-check.json.
#[derive(Debug, Args)]
pub struct Export {
    /// The model, a model.toml with a value for every parameter
    model: PathBuf,
    /// What to write: an FMU of FMI 2.0 or 3.0
    #[arg(long, value_enum)]
    to: Format,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// Folder with the libraries to put in, if they are not beside this program
    #[arg(long, value_name = "DIR")]
    libraries: Option<PathBuf>,
}

impl Export {
    /// What is asked for.
    pub fn request(self) -> ExportRequest {
        ExportRequest {
            model: ModelSource::file(&self.model),
            to: self.to,
            out: self.out,
            libraries: self.libraries,
        }
    }
}
