//! The entry points of FMI 3.0.
//!
//! Reference: Functional Mock-up Interface Specification, version 3.0.2.

#![allow(non_snake_case)]
// The standard documents its functions.
#![allow(missing_docs)]

mod absent;

use crate::boundary::{guarded, put, slice, slice_mut, text};
use crate::fmi::instantiate;
use crate::fmu::{Fault, Instance, Interface, Log, Status, entry_points};
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;

type References = *const u32;
/// A byte: anything but zero is true.
type Boolean = u8;

/// `fmi3LogMessageCallback`.
type Logger = Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>;

/// Messages through the callback of the simulation.
fn log(logger: Logger, environment: *mut c_void) -> Log {
    let Some(logger) = logger else {
        return Box::new(|_, _| {});
    };
    Box::new(move |status, message| {
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        let category = status.category().as_ptr();
        // SAFETY: the standard promises a logger that lives as long as the instance.
        unsafe {
            logger(environment, status as c_int, category, message.as_ptr());
        }
    })
}

fn open(
    token: *const c_char,
    resources: *const c_char,
    interface: Interface,
    (logger, environment): (Logger, *mut c_void),
) -> *mut Instance {
    guarded(std::ptr::null_mut(), || {
        let log = log(logger, environment);
        let (Some(token), Some(folder)) = (text(token), text(resources)) else {
            let message = "the token or the resource path is missing; expected a folder";
            log(Status::Error, message);
            return std::ptr::null_mut();
        };
        instantiate(Path::new(folder), token, interface, log)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: Boolean,
    _logging: Boolean,
    environment: *mut c_void,
    logger: Logger,
) -> *mut Instance {
    open(
        token,
        resources,
        Interface::ModelExchange,
        (logger, environment),
    )
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: Boolean,
    _logging: Boolean,
    _event_mode: Boolean,
    _early_return: Boolean,
    _intermediate: References,
    _intermediate_count: usize,
    environment: *mut c_void,
    logger: Logger,
    _intermediate_update: *const c_void,
) -> *mut Instance {
    open(
        token,
        resources,
        Interface::CoSimulation,
        (logger, environment),
    )
}

/// All variables are scalars: as many values as references.
fn same(references: usize, values: usize) -> Result<usize, Fault> {
    if references == values {
        return Ok(values);
    }
    let message =
        format!("{references} references, but {values} values; all variables are scalars");
    Err(Fault::error(message))
}

entry_points! {
    // Errors and warnings are always told and nothing else is.
    fmi3SetDebugLogging(_: Boolean, _: usize, _: *const *const c_char) = |_| Ok(());
    fmi3EnterInitializationMode(
        _tolerance_defined: Boolean, _tolerance: f64, start: f64, _stop_defined: Boolean, _stop: f64
    ) = |i| {
        i.set_up(start)?;
        i.enter_initialization()
    };

    fmi3GetFloat64(vr: References, n: usize, values: *mut f64, count: usize) =
        |i| i.reals(slice(vr, same(n, count)?)?, slice_mut(values, n)?);
    fmi3SetFloat64(vr: References, n: usize, values: *const f64, count: usize) =
        |i| i.set_reals(slice(vr, same(n, count)?)?, slice(values, n)?);
    fmi3GetBoolean(vr: References, n: usize, values: *mut Boolean, count: usize) =
        |i| i.booleans(slice(vr, same(n, count)?)?, slice_mut(values, n)?);
    fmi3SetBoolean(vr: References, n: usize, values: *const Boolean, count: usize) = |i| {
        let values = slice(values, same(n, count)?)?;
        i.set_booleans(slice(vr, n)?, values.iter().map(|&v| v != 0))
    };
    fmi3GetDirectionalDerivative(
        unknowns: References, unknown_count: usize,
        knowns: References, known_count: usize,
        seed: *const f64, seed_count: usize,
        out: *mut f64, out_count: usize
    ) = |i| {
        i.directional(
            slice(unknowns, same(unknown_count, out_count)?)?,
            slice(knowns, same(known_count, seed_count)?)?,
            slice(seed, seed_count)?,
            slice_mut(out, out_count)?,
        )
    };
}

// Model Exchange.
entry_points! {
    fmi3UpdateDiscreteStates(
        needs_update: *mut Boolean,
        terminate: *mut Boolean,
        nominals_changed: *mut Boolean,
        values_changed: *mut Boolean,
        next_time_defined: *mut Boolean,
        next_time: *mut f64
    ) = |i| {
        let changed = i.update_discrete_states()?;
        for flag in [needs_update, terminate, nominals_changed, next_time_defined] {
            put(flag, 0)?;
        }
        put(values_changed, Boolean::from(changed))?;
        Ok(put(next_time, 0.0)?)
    };
    fmi3EvaluateDiscreteStates() = |_| Ok(());
    fmi3CompletedIntegratorStep(
        _no_set_state_before: Boolean, enter_event_mode: *mut Boolean, terminate: *mut Boolean
    ) = |i| {
        i.completed_step()?;
        put(enter_event_mode, 0)?;
        Ok(put(terminate, 0)?)
    };
    fmi3GetNumberOfEventIndicators(count: *mut usize) = |i| Ok(put(count, i.counts()[1])?);
    fmi3GetNumberOfContinuousStates(count: *mut usize) = |i| Ok(put(count, i.counts()[0])?);
}

entry_points! {
    fmi3EnterStepMode() = |_| Ok(());
    fmi3DoStep(
        from: f64,
        step: f64,
        _no_set_state_before: Boolean,
        event_needed: *mut Boolean,
        terminate: *mut Boolean,
        early_return: *mut Boolean,
        last_time: *mut f64
    ) = |i| {
        for flag in [event_needed, terminate, early_return] {
            put(flag, 0)?;
        }
        let done = i.do_step(from, step);
        put(last_time, i.time())?;
        done
    };
}
