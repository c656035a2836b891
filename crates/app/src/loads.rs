//! Loads on masses, from the columns of a record.

use crate::error::AppError;
use masing_data::{DataError, Record, Role};
use masing_identify::Names;
use masing_model::Masses;
use masing_sim::{Load, SimError};

/// The loads of a record; `force` and `torque` serve where there is no `load`.
pub fn load_of(record: &Record, masses: &Masses, names: &Names) -> Result<Load, AppError> {
    let failed = |source: SimError| AppError::simulation(record, source);
    let mut load = Load::new(record.need_time()?.to_vec()).map_err(failed)?;
    let has_load = record.signals.iter().any(|s| s.slot.role == Role::Load);
    let mut driven = false;
    for signal in &record.signals {
        let refuse = |reason: String| {
            AppError::from(DataError::Channel {
                file: record.source.file.clone(),
                role: signal.slot.to_string(),
                column: signal.column.clone(),
                reason,
            })
        };
        let expected = match signal.slot.role {
            Role::Load => names.load,
            Role::Force | Role::Torque if !has_load => names.load,
            Role::BaseAcceleration => names.acceleration,
            _ => continue,
        };
        if signal.quantity != expected {
            return Err(refuse(format!(
                "is a {}; the model expects a {expected}",
                signal.quantity
            )));
        }
        driven = true;
        let values = signal.values.clone();
        load = if signal.slot.role == Role::BaseAcceleration {
            load.base(values).map_err(failed)?
        } else {
            let dof = match signal.slot.index {
                Some(dof) if dof <= masses.dofs() => dof,
                None if masses.dofs() == 1 => 1,
                Some(dof) => {
                    return Err(refuse(format!(
                        "acts on mass {dof}; the model has {}",
                        masses.dofs()
                    )));
                }
                None => {
                    return Err(refuse(format!(
                        "does not say on which of the {} masses it acts; expected load.1, load.2, ...",
                        masses.dofs()
                    )));
                }
            };
            load.on(dof, values).map_err(failed)?
        };
    }
    if driven {
        Ok(load)
    } else {
        Err(DataError::MissingRole {
            file: record.source.file.clone(),
            role: "load or base_acceleration".to_owned(),
            available: record.available.clone(),
        }
        .into())
    }
}
