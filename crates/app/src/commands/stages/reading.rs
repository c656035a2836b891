//! The records as the stages need them.

use crate::error::AppError;
use crate::reading::LEAST_SAMPLES;
use masing_data::{DataError, ReadOptions, Role};
use masing_diagnostic::{Diagnostic, ReadingDiagnostic, TestDiagnostic};
use masing_identify::result::DataNotes;
use masing_model::MotionKind;
use masing_stages::{FastRecord, SlowRecord};
use std::path::{Path, PathBuf};

/// A slow record.
pub struct Slow {
    pub path: PathBuf,
    pub record: SlowRecord,
    pub data: DataNotes,
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
        let mut findings = std::mem::take(&mut experiment.findings);
        // Time does not matter here.
        findings.retain(|f| {
            use ReadingDiagnostic::{NoTime, TimeRounded};
            !matches!(f, Diagnostic::Reading(NoTime { .. } | TimeRounded { .. }))
        });
        if record.rotation {
            findings.extend(too_wide(&angle));
        }
        Ok(Self {
            path: path.to_owned(),
            record: SlowRecord {
                name: experiment.name,
                motion: motion_of(record.rotation),
                time: record.time.clone(),
                angle,
                torque,
            },
            data: DataNotes {
                assumptions: said(path, &experiment.assumptions),
                diagnostics: findings,
            },
        })
    }
}

/// A fast record.
pub struct Fast {
    pub path: PathBuf,
    pub name: String,
    pub record: FastRecord,
    pub data: DataNotes,
}

impl Fast {
    pub fn read(
        path: &Path,
        mut options: ReadOptions,
        motion: MotionKind,
    ) -> Result<Self, AppError> {
        let window = std::mem::take(&mut options.window);
        let mut experiment = masing_data::read(path, &options)?;
        let record = masing_data::window(experiment.record()?.clone(), window)?;
        record.require_samples(LEAST_SAMPLES)?;
        record.require_complete()?;
        if motion_of(record.rotation) != motion {
            return Err(AppError::MixedMotion {
                path: path.to_owned(),
            });
        }
        let load = match record.signal(Role::Load) {
            Some(load) => load.values.clone(),
            None => record.need_force()?.to_vec(),
        };
        let channel = |role: Role| record.signal(role).map(|s| s.values.clone());
        let angle = record.motion().map(<[f64]>::to_vec);
        let (velocity, acceleration) = (channel(Role::Velocity), channel(Role::Acceleration));
        if angle.is_none() && velocity.is_none() && acceleration.is_none() {
            return Err(DataError::MissingRole {
                file: path.to_owned(),
                role: "velocity, angle or acceleration".to_owned(),
                available: record.available.clone(),
            }
            .into());
        }
        Ok(Self {
            path: path.to_owned(),
            record: FastRecord {
                time: record.need_time()?.to_vec(),
                torque: load,
                angle,
                velocity,
                acceleration,
            },
            data: DataNotes {
                assumptions: said(path, &experiment.assumptions),
                diagnostics: std::mem::take(&mut experiment.findings),
            },
            name: experiment.name,
        })
    }
}

fn motion_of(rotation: bool) -> MotionKind {
    if rotation {
        MotionKind::Rotation
    } else {
        MotionKind::Translation
    }
}

/// Dampers turn by some degrees: angles that go round and round are degrees taken for radians.
fn too_wide(angle: &[f64]) -> Option<Diagnostic> {
    let (low, high) = angle
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(*v), high.max(*v))
        });
    let span = high - low;
    (span > std::f64::consts::PI).then(|| TestDiagnostic::WideAngle { span }.into())
}

/// What was assumed about a file, below its name.
fn said(path: &Path, assumptions: &[String]) -> Vec<String> {
    let head = format!("read from {}", path.display());
    let below = assumptions.iter().map(|a| format!("  {a}"));
    std::iter::once(head).chain(below).collect()
}
