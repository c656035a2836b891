//! The records as the stages need them.

use crate::error::AppError;
use crate::reading::LEAST_SAMPLES;
use masing_data::{Finding, ReadOptions};
use masing_model::MotionKind;
use std::path::{Path, PathBuf};

/// A slow record.
pub struct Slow {
    pub path: PathBuf,
    pub motion: MotionKind,
    pub angle: Vec<f64>,
    /// NaN where it is missing.
    pub torque: Vec<f64>,
    pub assumptions: Vec<String>,
    pub findings: Vec<Finding>,
}

impl Slow {
    pub fn read(path: &Path, mut options: ReadOptions) -> Result<Self, AppError> {
        let window = std::mem::take(&mut options.window);
        let mut experiment = masing_data::read(path, &options)?;
        let record = masing_data::window(experiment.record()?.clone(), window)?;
        record.require_samples(LEAST_SAMPLES)?;
        let (angle, torque) = (
            record.need_motion()?.to_vec(),
            record.need_force()?.to_vec(),
        );
        record.require_motion()?;
        record.require_complete()?;
        Ok(Self {
            path: path.to_owned(),
            motion: motion_of(record.rotation),
            angle,
            torque,
            assumptions: said(path, &experiment.assumptions),
            findings: std::mem::take(&mut experiment.findings),
        })
    }
}

pub fn motion_of(rotation: bool) -> MotionKind {
    if rotation {
        MotionKind::Rotation
    } else {
        MotionKind::Translation
    }
}

/// What was assumed about a file, below its name.
pub fn said(path: &Path, assumptions: &[String]) -> Vec<String> {
    let head = format!("read from {}", path.display());
    let below = assumptions.iter().map(|a| format!("  {a}"));
    std::iter::once(head).chain(below).collect()
}
