//! Loads on masses, from the columns of a record.

use super::ReadError;
use masing_data::unit::Quantity;
use masing_data::{Record, Role};
use masing_model::{Masses, MotionKind};
use masing_sim::{Load, SimError};

/// The loads of a record; `force` or `torque` is used where there is no `load`.
pub fn load_of(record: &Record, masses: &Masses, motion: MotionKind) -> Result<Load, ReadError> {
    let failed = |source: SimError| ReadError::simulation(record, source);
    let mut load = Load::new(record.need_time()?.to_vec()).map_err(failed)?;
    let has_load = record.signals.iter().any(|s| s.slot.role == Role::Load);
    let mut driven = false;
    let (force, acceleration) = match motion {
        MotionKind::Translation => (Quantity::Force, Quantity::Acceleration),
        MotionKind::Rotation => (Quantity::Torque, Quantity::AngularAcceleration),
    };
    for signal in &record.signals {
        let refuse = |reason: String| ReadError::from(record.unusable(signal, reason));
        let expected = match signal.slot.role {
            Role::Load => force,
            Role::Force | Role::Torque if !has_load => force,
            Role::BaseAcceleration => acceleration,
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
                    let reason = format!("acts on mass {dof}; the model has {}", masses.dofs());
                    return Err(refuse(reason));
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
        Err(record.missing("load or base_acceleration").into())
    }
}
