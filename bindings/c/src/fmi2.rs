//! The entry points of FMI 2.0.
//!
//! Reference: Functional Mock-up Interface for Model Exchange and Co-Simulation, version 2.0.4.

#![allow(non_snake_case)]
// The standard documents its functions.
#![allow(missing_docs)]

mod exchange;
mod state;

use crate::boundary::{give, guarded, put, slice, slice_mut, take, text};
use crate::fmu::{Fault, Instance, Interface, Log, Status, call, from_uri};
use std::ffi::{CString, c_char, c_int, c_void};

type Component = *mut Instance;
type References = *const u32;
/// Zero is false.
type Boolean = c_int;

/// `fmi2CallbackLogger`.
type Logger =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);

/// `fmi2CallbackFunctions`.
#[repr(C)]
#[derive(Debug)]
pub struct Callbacks {
    logger: Option<Logger>,
    /// Memory is Rust's own.
    allocate: Option<unsafe extern "C" fn(usize, usize) -> *mut c_void>,
    free: Option<unsafe extern "C" fn(*mut c_void)>,
    step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    environment: *mut c_void,
}

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Debug)]
pub struct EventInfo {
    new_discrete_states_needed: Boolean,
    terminate_simulation: Boolean,
    nominals_changed: Boolean,
    values_changed: Boolean,
    next_event_time_defined: Boolean,
    next_event_time: f64,
}

/// Messages through the callback of the simulation.
fn log(callbacks: *const Callbacks, instance: Option<&str>) -> Log {
    let callbacks = slice(callbacks, 1).ok().and_then(<[_]>::first);
    let Some((logger, environment)) = callbacks.and_then(|c| Some((c.logger?, c.environment)))
    else {
        return Box::new(|_, _| {});
    };
    let name = CString::new(instance.unwrap_or_default()).unwrap_or_default();
    Box::new(move |status, message| {
        // The callback reads its message as a format.
        let message = message.replace('%', "%%").replace('\0', " ");
        let message = CString::new(message).unwrap_or_default();
        let (status, category) = (status as c_int, status.category().as_ptr());
        // SAFETY: the standard promises a logger that lives as long as the instance.
        unsafe {
            logger(
                environment,
                name.as_ptr(),
                status,
                category,
                message.as_ptr(),
            );
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetDebugLogging(
    c: Component,
    _: Boolean,
    _: usize,
    _: *const *const c_char,
) -> c_int {
    // Errors and warnings are always told and nothing else is.
    call(c, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    resources: *const c_char,
    callbacks: *const Callbacks,
    _visible: Boolean,
    _logging: Boolean,
) -> Component {
    guarded(std::ptr::null_mut(), || {
        let log = log(callbacks, text(name));
        let interface = match kind {
            0 => Interface::ModelExchange,
            _ => Interface::CoSimulation,
        };
        let folder = text(resources).and_then(from_uri);
        let (Some(guid), Some(folder)) = (text(guid), folder) else {
            log(
                Status::Error,
                "the GUID or the resource location is missing; expected a file URI",
            );
            return std::ptr::null_mut();
        };
        match Instance::new(&folder, guid, interface, log) {
            Ok(instance) => give(instance),
            Err((log, fault)) => {
                log(fault.status, &fault.message);
                std::ptr::null_mut()
            }
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2FreeInstance(c: Component) {
    guarded((), || take(c));
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetupExperiment(
    c: Component,
    _tolerance_defined: Boolean,
    _tolerance: f64,
    start: f64,
    _stop_defined: Boolean,
    _stop: f64,
) -> c_int {
    call(c, |i| i.set_up(start))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterInitializationMode(c: Component) -> c_int {
    call(c, Instance::enter_initialization)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2ExitInitializationMode(c: Component) -> c_int {
    call(c, Instance::exit_initialization)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Terminate(c: Component) -> c_int {
    call(c, Instance::terminate)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Reset(c: Component) -> c_int {
    call(c, Instance::reset)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetReal(c: Component, vr: References, n: usize, value: *mut f64) -> c_int {
    call(c, |i| i.reals(slice(vr, n)?, slice_mut(value, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetReal(c: Component, vr: References, n: usize, value: *const f64) -> c_int {
    call(c, |i| i.set_reals(slice(vr, n)?, slice(value, n)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetBoolean(
    c: Component,
    vr: References,
    n: usize,
    value: *mut Boolean,
) -> c_int {
    call(c, |i| {
        for (&reference, out) in slice(vr, n)?.iter().zip(slice_mut(value, n)?) {
            *out = Boolean::from(i.boolean(reference)?);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetBoolean(
    c: Component,
    vr: References,
    n: usize,
    value: *const Boolean,
) -> c_int {
    call(c, |i| {
        let values = slice(value, n)?.iter().map(|&v| v != 0);
        i.set_booleans(slice(vr, n)?, values)
    })
}

/// Variables of a type that the FMU has none of.
fn none_of(c: Component, n: usize, kind: &str) -> c_int {
    call(c, |_| match n {
        0 => Ok(()),
        _ => Err(Fault::error(format!("there are no {kind} variables"))),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetInteger(c: Component, _: References, n: usize, _: *mut c_int) -> c_int {
    none_of(c, n, "integer")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetInteger(c: Component, _: References, n: usize, _: *const c_int) -> c_int {
    none_of(c, n, "integer")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetString(
    c: Component,
    _: References,
    n: usize,
    _: *mut *const c_char,
) -> c_int {
    none_of(c, n, "string")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetString(
    c: Component,
    _: References,
    n: usize,
    _: *const *const c_char,
) -> c_int {
    none_of(c, n, "string")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetDirectionalDerivative(
    c: Component,
    unknowns: References,
    unknown_count: usize,
    knowns: References,
    known_count: usize,
    seed: *const f64,
    out: *mut f64,
) -> c_int {
    call(c, |i| {
        i.directional(
            slice(unknowns, unknown_count)?,
            slice(knowns, known_count)?,
            slice(seed, known_count)?,
            slice_mut(out, unknown_count)?,
        )
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2DoStep(
    c: Component,
    from: f64,
    step: f64,
    _no_set_state_before: Boolean,
) -> c_int {
    call(c, |i| i.do_step(from, step))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2CancelStep(c: Component) -> c_int {
    call(c, |_| Err(Fault::error("steps are done when they return")))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetRealInputDerivatives(
    c: Component,
    _: References,
    _: usize,
    _: *const c_int,
    _: *const f64,
) -> c_int {
    call(c, |_| Err(Fault::error("inputs have no derivatives here")))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetRealOutputDerivatives(
    c: Component,
    _: References,
    _: usize,
    _: *const c_int,
    _: *mut f64,
) -> c_int {
    call(c, |_| Err(Fault::error("outputs have no derivatives here")))
}

/// Steps never stay under way, so that their status is what they returned.
fn no_status(c: Component) -> c_int {
    call(c, |_| Err(Fault::error("steps are done when they return")))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetStatus(c: Component, _: c_int, _: *mut c_int) -> c_int {
    no_status(c)
}

/// `fmi2LastSuccessfulTime`.
const LAST_SUCCESSFUL_TIME: c_int = 2;

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetRealStatus(c: Component, kind: c_int, value: *mut f64) -> c_int {
    if kind == LAST_SUCCESSFUL_TIME {
        call(c, |i| Ok(put(value, i.time())?))
    } else {
        no_status(c)
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetIntegerStatus(c: Component, _: c_int, _: *mut c_int) -> c_int {
    no_status(c)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetBooleanStatus(c: Component, _: c_int, value: *mut Boolean) -> c_int {
    // The only question is whether the FMU wants to end.
    call(c, |_| Ok(put(value, 0)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetStringStatus(c: Component, _: c_int, _: *mut *const c_char) -> c_int {
    no_status(c)
}
