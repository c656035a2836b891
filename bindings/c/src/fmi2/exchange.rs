//! Model Exchange of FMI 2.0.

use super::{Boolean, Component, EventInfo, call};
use crate::boundary::{put, slice, slice_mut};
use std::ffi::c_int;

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterEventMode(c: Component) -> c_int {
    call(c, |i| i.expect_exchange())
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2NewDiscreteStates(c: Component, info: *mut EventInfo) -> c_int {
    call(c, |i| {
        i.expect_exchange()?;
        let changed = i.update_discrete_states()?;
        Ok(put(
            info,
            EventInfo {
                new_discrete_states_needed: 0,
                terminate_simulation: 0,
                nominals_changed: 0,
                values_changed: Boolean::from(changed),
                next_event_time_defined: 0,
                next_event_time: 0.0,
            },
        )?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterContinuousTimeMode(c: Component) -> c_int {
    call(c, |i| i.expect_exchange())
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2CompletedIntegratorStep(
    c: Component,
    _no_set_state_before: Boolean,
    enter_event_mode: *mut Boolean,
    terminate: *mut Boolean,
) -> c_int {
    call(c, |i| {
        i.expect_exchange()?;
        i.completed_step()?;
        put(enter_event_mode, 0)?;
        Ok(put(terminate, 0)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetTime(c: Component, time: f64) -> c_int {
    call(c, |i| i.set_time(time))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetContinuousStates(c: Component, states: *const f64, n: usize) -> c_int {
    call(c, |i| i.set_continuous_states(slice(states, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetDerivatives(c: Component, out: *mut f64, n: usize) -> c_int {
    call(c, |i| i.derivatives(slice_mut(out, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetEventIndicators(c: Component, out: *mut f64, n: usize) -> c_int {
    call(c, |i| i.event_indicators(slice_mut(out, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetContinuousStates(c: Component, out: *mut f64, n: usize) -> c_int {
    call(c, |i| i.continuous_states(slice_mut(out, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetNominalsOfContinuousStates(
    c: Component,
    out: *mut f64,
    n: usize,
) -> c_int {
    call(c, |i| i.nominals(slice_mut(out, n)?))
}
