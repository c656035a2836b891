//! The entry points that FMI 2.0 and 3.0 have alike.

#![allow(non_snake_case)]
// The standard documents its functions.
#![allow(missing_docs)]

use crate::boundary::{give, guarded, put, slice, slice_mut, take};
use crate::fmu::{Fault, Instance, Interface, Log, entry_points, write_bytes};
use std::ffi::c_void;
use std::path::Path;

/// An instance for the simulation; null, and a message, where there can be none.
pub(crate) fn instantiate(
    resources: &Path,
    token: &str,
    interface: Interface,
    log: Log,
) -> *mut Instance {
    match Instance::new(resources, token, interface, log) {
        Ok(instance) => give(instance),
        Err((log, fault)) => {
            log(fault.status, &fault.message);
            std::ptr::null_mut()
        }
    }
}

/// Fails unless nothing was asked for.
pub(crate) fn none_of(count: usize, what: &str) -> impl FnOnce(&mut Instance) -> Result<(), Fault> {
    move |_| match count {
        0 => Ok(()),
        _ => Err(Fault::error(format!("there are no {what}"))),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2FreeInstance(instance: *mut Instance) {
    guarded((), || take(instance));
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3FreeInstance(instance: *mut Instance) {
    guarded((), || take(instance));
}

entry_points! {
    fmi2ExitInitializationMode/fmi3ExitInitializationMode() = Instance::exit_initialization;
    fmi2Terminate/fmi3Terminate() = Instance::terminate;
    fmi2Reset/fmi3Reset() = Instance::reset;
}

// Model Exchange.
entry_points! {
    fmi2EnterEventMode/fmi3EnterEventMode() = |i| i.expect_exchange();
    fmi2EnterContinuousTimeMode/fmi3EnterContinuousTimeMode() = |i| i.expect_exchange();
    fmi2SetTime/fmi3SetTime(time: f64) = |i| i.set_time(time);
    fmi2SetContinuousStates/fmi3SetContinuousStates(states: *const f64, n: usize) =
        |i| i.set_continuous_states(slice(states, n)?);
    fmi2GetContinuousStates/fmi3GetContinuousStates(out: *mut f64, n: usize) =
        |i| i.continuous_states(slice_mut(out, n)?);
    fmi2GetDerivatives/fmi3GetContinuousStateDerivatives(out: *mut f64, n: usize) =
        |i| i.derivatives(slice_mut(out, n)?);
    fmi2GetEventIndicators/fmi3GetEventIndicators(out: *mut f64, n: usize) =
        |i| i.event_indicators(slice_mut(out, n)?);
    fmi2GetNominalsOfContinuousStates/fmi3GetNominalsOfContinuousStates(out: *mut f64, n: usize) =
        |i| i.nominals(slice_mut(out, n)?);
}

// Kept states are numbers in the guise of pointers.
entry_points! {
    fmi2GetFMUstate/fmi3GetFMUState(state: *mut *mut c_void) = |i| {
        let handle = slice_mut(state, 1)?;
        let kept = i.keep(handle[0] as usize);
        handle[0] = kept as *mut c_void;
        Ok(())
    };
    fmi2SetFMUstate/fmi3SetFMUState(state: *mut c_void) = |i| i.restore(state as usize);
    fmi2FreeFMUstate/fmi3FreeFMUState(state: *mut *mut c_void) = |i| {
        // Nothing to free is fine.
        if let Ok([handle]) = slice_mut(state, 1) {
            i.forget(*handle as usize);
            *handle = std::ptr::null_mut();
        }
        Ok(())
    };
    fmi2SerializedFMUstateSize/fmi3SerializedFMUStateSize(state: *mut c_void, size: *mut usize) =
        |i| Ok(put(size, i.serialised(state as usize)?.len())?);
    fmi2SerializeFMUstate/fmi3SerializeFMUState(state: *mut c_void, bytes: *mut u8, size: usize) =
        |i| write_bytes(&i.serialised(state as usize)?, slice_mut(bytes, size)?);
    fmi2DeSerializeFMUstate/fmi3DeserializeFMUState(
        bytes: *const u8, size: usize, state: *mut *mut c_void
    ) = |i| {
        let handle = i.deserialise(slice(bytes, size)?)?;
        Ok(put(state, handle as *mut c_void)?)
    };
}
