//! Model Exchange of FMI 3.0.

use super::{Boolean, Handle, call};
use crate::boundary::{put, slice, slice_mut};
use std::ffi::c_int;

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterEventMode(h: Handle) -> c_int {
    call(h, |i| i.expect_exchange())
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3UpdateDiscreteStates(
    h: Handle,
    needs_update: *mut Boolean,
    terminate: *mut Boolean,
    nominals_changed: *mut Boolean,
    values_changed: *mut Boolean,
    next_time_defined: *mut Boolean,
    next_time: *mut f64,
) -> c_int {
    call(h, |i| {
        i.expect_exchange()?;
        let changed = i.update_discrete_states()?;
        for flag in [needs_update, terminate, nominals_changed, next_time_defined] {
            put(flag, 0)?;
        }
        put(values_changed, Boolean::from(changed))?;
        Ok(put(next_time, 0.0)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EvaluateDiscreteStates(h: Handle) -> c_int {
    call(h, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterContinuousTimeMode(h: Handle) -> c_int {
    call(h, |i| i.expect_exchange())
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3CompletedIntegratorStep(
    h: Handle,
    _no_set_state_before: Boolean,
    enter_event_mode: *mut Boolean,
    terminate: *mut Boolean,
) -> c_int {
    call(h, |i| {
        i.expect_exchange()?;
        i.completed_step()?;
        put(enter_event_mode, 0)?;
        Ok(put(terminate, 0)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetTime(h: Handle, time: f64) -> c_int {
    call(h, |i| i.set_time(time))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetContinuousStates(h: Handle, states: *const f64, n: usize) -> c_int {
    call(h, |i| i.set_continuous_states(slice(states, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetContinuousStateDerivatives(h: Handle, out: *mut f64, n: usize) -> c_int {
    call(h, |i| i.derivatives(slice_mut(out, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetEventIndicators(h: Handle, out: *mut f64, n: usize) -> c_int {
    call(h, |i| i.event_indicators(slice_mut(out, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetContinuousStates(h: Handle, out: *mut f64, n: usize) -> c_int {
    call(h, |i| i.continuous_states(slice_mut(out, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetNominalsOfContinuousStates(h: Handle, out: *mut f64, n: usize) -> c_int {
    call(h, |i| i.nominals(slice_mut(out, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetNumberOfEventIndicators(h: Handle, count: *mut usize) -> c_int {
    call(h, |i| Ok(put(count, i.counts()[1])?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetNumberOfContinuousStates(h: Handle, count: *mut usize) -> c_int {
    call(h, |i| Ok(put(count, i.counts()[0])?))
}
