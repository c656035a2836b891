//! Records of masses under loads.

use crate::error::AppError;
use crate::loads::load_of;
use crate::names::Names;
use masing_data::{DataError, Record, Role, Window};
use masing_identify::Content;
use masing_identify::target::{Channel, DrivenTest, Output};
use masing_model::{Masses, MotionKind};

/// Load and measured motion of a record.
pub fn content(
    record: &Record,
    masses: &Masses,
    motion: MotionKind,
    window: Window,
) -> Result<Content, AppError> {
    let names = Names::of(motion);
    let load = load_of(record, masses, &names)?;
    let has_load = record.signals.iter().any(|s| s.slot.role == Role::Load);
    let has_base = load.base_acceleration().is_some();
    let mut channels = Vec::new();
    for signal in &record.signals {
        let output = match signal.slot.role {
            Role::Displacement | Role::Angle => Output::Displacement,
            Role::Velocity => Output::Velocity,
            Role::Acceleration => Output::Acceleration,
            // With a load of its own, or on a moving base, a force is that of the part.
            Role::Force | Role::Torque if has_load || has_base => Output::Force,
            _ => continue,
        };
        let dof = signal.slot.index.unwrap_or(1);
        if dof == 0 || dof > masses.dofs() {
            return Err(DataError::Channel {
                file: record.source.file.clone(),
                role: signal.slot.to_string(),
                column: signal.column.clone(),
                reason: format!("is of mass {dof}; the model has {}", masses.dofs()),
            }
            .into());
        }
        channels.push(Channel {
            output,
            dof: dof - 1,
            measured: signal.values.clone(),
            noise: None,
        });
    }
    if channels.is_empty() {
        return Err(DataError::MissingRole {
            file: record.source.file.clone(),
            role: format!("{}, velocity or acceleration", names.displacement),
            available: record.available.clone(),
        }
        .into());
    }
    let counting = masing_data::window(record.clone(), window)?;
    let start = counting.first_row - record.first_row;
    let mut test = DrivenTest::new(load, channels);
    test.window = start..start + counting.len();
    Ok(Content::Driven(test))
}
