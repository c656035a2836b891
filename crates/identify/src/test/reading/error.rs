//! What can keep a file from being a test.

use crate::error::FitError;
use masing_data::{DataError, Record};
use masing_sim::SimError;
use std::path::PathBuf;
use thiserror::Error;

/// A file that cannot be a test.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file, or how it is to be read.
    #[error(transparent)]
    Data(Box<DataError>),
    /// Its motion or load cannot be simulated.
    #[error("{}{}: {source}", path.display(), line.map(|l| format!(", line {l}")).unwrap_or_default())]
    Simulation {
        /// The file.
        path: PathBuf,
        /// The line of the sample concerned.
        line: Option<usize>,
        /// What went wrong.
        source: SimError,
    },
    /// A test that does not go with the model.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A record of masses at rest that nothing drives.
    #[error(
        "{}: no load or base_acceleration column; found {}; choose one with `--columns load=NAME` or \
         `--columns base_acceleration=NAME`, or, if nothing drives the masses (a free decay), say so with \
         start = \"free\" in a study",
        file.display(),
        available.join(", ")
    )]
    Undriven {
        /// The file as given.
        file: PathBuf,
        /// The columns there are.
        available: Vec<String>,
    },
    /// A row of a table that cannot be simulated.
    #[error("{}, line {line}: {role} is {value}; expected a positive number", path.display())]
    TableRow {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is missing.
        role: &'static str,
        /// What was found.
        value: f64,
    },
    /// A test of another kind of motion than the others or the model.
    #[error("{}: angle and torque cannot be mixed with displacement and force in one command", path.display())]
    MixedMotion {
        /// The file.
        path: PathBuf,
    },
    /// A loop that runs in the wrong direction.
    #[error(
        "{}: the loop runs the wrong way round (the part would give energy){}; expected force positive with positive displacement",
        path.display(),
        still.map(|share| format!(
            ", and the force stands still over {:.0} % of the samples as a clipped or dead channel does",
            100.0 * share
        )).unwrap_or_default()
    )]
    WrongWay {
        /// The file.
        path: PathBuf,
        /// Share of the samples over which the force stands still, where that is more than the resolution
        /// explains.
        still: Option<f64>,
    },
    /// A record called periodic that does not close.
    #[error(
        "{}: the record is taken as one closed cycle, but between its ends the force differs by {force:.0} % of the largest and the displacement by {motion:.0} % of the amplitude; expected a whole cycle, or a start that is \"rest\" or \"free\"",
        path.display()
    )]
    OpenLoop {
        /// The file.
        path: PathBuf,
        /// Gap of the force, per cent.
        force: f64,
        /// Gap of the displacement, per cent.
        motion: f64,
    },
    /// A preload that is neither a displacement nor a force.
    #[error(
        "preload `{text}`: expected {}",
        if *rotation {
            "an angle or a torque, such as 5deg or 12Nm"
        } else {
            "a displacement or a force, such as 2.2mm or 150N"
        }
    )]
    Preload {
        /// What was given.
        text: String,
        /// Whether the motion is one of rotation.
        rotation: bool,
    },
    /// A motion that is not periodic and has no Fourier series.
    #[error("eiv `true`: expected a periodic motion, which {} is not", path.display())]
    NoSeries {
        /// The file.
        path: PathBuf,
    },
    /// A filter of a test that is no record of motion and force.
    #[error(
        "filter for {}: expected a record of motion and force, whose measured force goes through it; masses take `decimation`",
        path.display()
    )]
    FilteredOther {
        /// The file.
        path: PathBuf,
    },
    /// A filter that the record cannot have gone through.
    #[error("filter for {}: {source}", path.display())]
    Filter {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<DataError>,
    },
    /// A record that is over before its filter has forgotten what came before it.
    #[error(
        "filter for {}: it needs {settles} samples to forget what came before the record, which leaves {found} to compare; expected a \
         longer record or window, or one that begins at rest (initial = \"rest\")",
        path.display()
    )]
    NeverSettles {
        /// The file.
        path: PathBuf,
        /// Samples that the filter needs.
        settles: usize,
        /// Samples that are left.
        found: usize,
    },
    /// Samples that are not as far apart as a filter takes them to be.
    #[error("filter for {}: expected a record that was sampled evenly", path.display())]
    FilteredUneven {
        /// The file.
        path: PathBuf,
    },
    /// Samples that a filter cannot count.
    #[error(
        "decimation `{stages:?} for {}`: expected a record that was sampled evenly",
        path.display()
    )]
    Uneven {
        /// The file.
        path: PathBuf,
        /// The stages asked for.
        stages: Vec<usize>,
    },
}

impl From<DataError> for ReadError {
    fn from(error: DataError) -> Self {
        Self::Data(Box::new(error))
    }
}

impl ReadError {
    /// A simulation driven by a record that failed.
    pub fn simulation(record: &Record, source: SimError) -> Self {
        let sample = match source {
            SimError::Time { index, .. }
            | SimError::NotFinite { index, .. }
            | SimError::Step { index, .. }
            | SimError::Diverged { index, .. } => Some(index),
            _ => None,
        };
        Self::Simulation {
            path: record.source.file.clone(),
            line: sample.map(|sample| record.line(sample)),
            source,
        }
    }
}
