//! The records as the stages need them.

use crate::error::AppError;
use masing_data::{DataError, Experiment, ReadOptions, Role, range};
use masing_diagnostic::{Diagnostic, ReadingDiagnostic, TestDiagnostic};
use masing_identify::result::DataNotes;
use masing_identify::test::reading::{ReadError, assumed, cut_record, motion_of};
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
    pub fn read(path: &Path, options: ReadOptions) -> Result<Self, AppError> {
        let (mut experiment, record) = cut_record(path, options)?;
        let (angle, torque) = (
            record.need_motion()?.to_vec(),
            record.need_force()?.to_vec(),
        );
        record.require_motion()?;
        let mut diagnostics = std::mem::take(&mut experiment.diagnostics);
        // Time does not matter here.
        diagnostics.retain(|f| {
            use ReadingDiagnostic::{NoTime, TimeRounded};
            !matches!(f, Diagnostic::Reading(NoTime { .. } | TimeRounded { .. }))
        });
        diagnostics.extend(assumed_units(&experiment, path));
        if record.rotation {
            diagnostics.extend(too_wide(&angle));
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
                assumptions: assumed(path, &experiment.assumptions),
                diagnostics,
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
    pub fn read(path: &Path, options: ReadOptions, motion: MotionKind) -> Result<Self, AppError> {
        let (mut experiment, record) = cut_record(path, options)?;
        if motion_of(record.rotation) != motion {
            return Err(ReadError::MixedMotion {
                path: path.to_owned(),
            }
            .into());
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
        let mut diagnostics = std::mem::take(&mut experiment.diagnostics);
        diagnostics.extend(assumed_units(&experiment, path));
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
                assumptions: assumed(path, &experiment.assumptions),
                diagnostics,
            },
            name: experiment.name,
        })
    }
}

/// Units that nobody gave.
fn assumed_units(experiment: &Experiment, path: &Path) -> Option<Diagnostic> {
    let assumed = experiment.assumed_units();
    assumed.map(|assumed| assumed.in_file(path))
}

/// Dampers turn by some degrees: angles that go round and round are degrees taken for radians.
fn too_wide(angle: &[f64]) -> Option<Diagnostic> {
    let (low, high) = range(angle);
    let span = high - low;
    (span > std::f64::consts::PI).then(|| TestDiagnostic::WideAngle { span }.into())
}
