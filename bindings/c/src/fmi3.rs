//! The entry points of FMI 3.0.
//!
//! Reference: Functional Mock-up Interface Specification, version 3.0.2.

#![allow(non_snake_case)]
// The standard documents its functions.
#![allow(missing_docs)]

mod absent;
mod exchange;
mod state;

use crate::boundary::{give, guarded, put, slice, slice_mut, take, text};
use crate::fmu::{Fault, Instance, Interface, Log, Status, call, from_path};
use std::ffi::{CString, c_char, c_int, c_void};

type Handle = *mut Instance;
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

fn instantiate(
    token: *const c_char,
    resources: *const c_char,
    interface: Interface,
    log: Log,
) -> Handle {
    let (Some(token), Some(folder)) = (text(token), text(resources)) else {
        log(
            Status::Error,
            "the token or the resource path is missing; expected a folder",
        );
        return std::ptr::null_mut();
    };
    match Instance::new(&from_path(folder), token, interface, log) {
        Ok(instance) => give(instance),
        Err((log, fault)) => {
            log(fault.status, &fault.message);
            std::ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetDebugLogging(
    h: Handle,
    _: Boolean,
    _: usize,
    _: *const *const c_char,
) -> c_int {
    // Errors and warnings are always told and nothing else is.
    call(h, |_| Ok(()))
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
) -> Handle {
    guarded(std::ptr::null_mut(), || {
        let log = log(logger, environment);
        instantiate(token, resources, Interface::ModelExchange, log)
    })
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
) -> Handle {
    guarded(std::ptr::null_mut(), || {
        let log = log(logger, environment);
        instantiate(token, resources, Interface::CoSimulation, log)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3FreeInstance(h: Handle) {
    guarded((), || take(h));
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterInitializationMode(
    h: Handle,
    _tolerance_defined: Boolean,
    _tolerance: f64,
    start: f64,
    _stop_defined: Boolean,
    _stop: f64,
) -> c_int {
    call(h, |i| {
        i.set_up(start)?;
        i.enter_initialization()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitInitializationMode(h: Handle) -> c_int {
    call(h, Instance::exit_initialization)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3Terminate(h: Handle) -> c_int {
    call(h, Instance::terminate)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3Reset(h: Handle) -> c_int {
    call(h, Instance::reset)
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

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetFloat64(
    h: Handle,
    vr: References,
    n: usize,
    values: *mut f64,
    count: usize,
) -> c_int {
    call(h, |i| {
        let n = same(n, count)?;
        i.reals(slice(vr, n)?, slice_mut(values, n)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetFloat64(
    h: Handle,
    vr: References,
    n: usize,
    values: *const f64,
    count: usize,
) -> c_int {
    call(h, |i| {
        let n = same(n, count)?;
        i.set_reals(slice(vr, n)?, slice(values, n)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetBoolean(
    h: Handle,
    vr: References,
    n: usize,
    values: *mut Boolean,
    count: usize,
) -> c_int {
    call(h, |i| {
        let n = same(n, count)?;
        for (&reference, out) in slice(vr, n)?.iter().zip(slice_mut(values, n)?) {
            *out = Boolean::from(i.boolean(reference)?);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetBoolean(
    h: Handle,
    vr: References,
    n: usize,
    values: *const Boolean,
    count: usize,
) -> c_int {
    call(h, |i| {
        let n = same(n, count)?;
        let values = slice(values, n)?.iter().map(|&v| v != 0);
        i.set_booleans(slice(vr, n)?, values)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetDirectionalDerivative(
    h: Handle,
    unknowns: References,
    unknown_count: usize,
    knowns: References,
    known_count: usize,
    seed: *const f64,
    seed_count: usize,
    out: *mut f64,
    out_count: usize,
) -> c_int {
    call(h, |i| {
        let (unknown_count, known_count) = (
            same(unknown_count, out_count)?,
            same(known_count, seed_count)?,
        );
        i.directional(
            slice(unknowns, unknown_count)?,
            slice(knowns, known_count)?,
            slice(seed, known_count)?,
            slice_mut(out, unknown_count)?,
        )
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterStepMode(h: Handle) -> c_int {
    call(h, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3DoStep(
    h: Handle,
    from: f64,
    step: f64,
    _no_set_state_before: Boolean,
    event_needed: *mut Boolean,
    terminate: *mut Boolean,
    early_return: *mut Boolean,
    last_time: *mut f64,
) -> c_int {
    call(h, |i| {
        for flag in [event_needed, terminate, early_return] {
            put(flag, 0)?;
        }
        let done = i.do_step(from, step);
        put(last_time, i.time())?;
        done
    })
}
