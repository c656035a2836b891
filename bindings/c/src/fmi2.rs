//! The entry points of FMI 2.0.
//!
//! Reference: Functional Mock-up Interface for Model Exchange and Co-Simulation, version 2.0.4.

#![allow(non_snake_case)]
// The standard documents its functions.
#![allow(missing_docs)]

use crate::boundary::{guarded, put, slice, slice_mut, text};
use crate::fmi::{instantiate, none_of};
use crate::fmu::{Fault, Instance, Interface, Log, Status, entry_points, from_uri};
use std::ffi::{CString, c_char, c_int, c_void};

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
#[derive(Debug, Default)]
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
pub extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    resources: *const c_char,
    callbacks: *const Callbacks,
    _visible: Boolean,
    _logging: Boolean,
) -> *mut Instance {
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
        instantiate(&folder, guid, interface, log)
    })
}

entry_points! {
    // Errors and warnings are always told and nothing else is.
    fmi2SetDebugLogging(_: Boolean, _: usize, _: *const *const c_char) = |_| Ok(());
    fmi2SetupExperiment(
        _tolerance_defined: Boolean, _tolerance: f64, start: f64, _stop_defined: Boolean, _stop: f64
    ) = |i| i.set_up(start);
    fmi2EnterInitializationMode() = Instance::enter_initialization;

    fmi2GetReal(vr: References, n: usize, values: *mut f64) =
        |i| i.reals(slice(vr, n)?, slice_mut(values, n)?);
    fmi2SetReal(vr: References, n: usize, values: *const f64) =
        |i| i.set_reals(slice(vr, n)?, slice(values, n)?);
    fmi2GetBoolean(vr: References, n: usize, values: *mut Boolean) =
        |i| i.booleans(slice(vr, n)?, slice_mut(values, n)?);
    fmi2SetBoolean(vr: References, n: usize, values: *const Boolean) =
        |i| i.set_booleans(slice(vr, n)?, slice(values, n)?.iter().map(|&v| v != 0));
    fmi2GetInteger(_: References, n: usize, _: *mut c_int) = none_of(n, "integer variables");
    fmi2SetInteger(_: References, n: usize, _: *const c_int) = none_of(n, "integer variables");
    fmi2GetString(_: References, n: usize, _: *mut *const c_char) = none_of(n, "string variables");
    fmi2SetString(_: References, n: usize, _: *const *const c_char) = none_of(n, "string variables");
    fmi2GetDirectionalDerivative(
        unknowns: References, unknown_count: usize,
        knowns: References, known_count: usize,
        seed: *const f64, out: *mut f64
    ) = |i| {
        i.directional(
            slice(unknowns, unknown_count)?,
            slice(knowns, known_count)?,
            slice(seed, known_count)?,
            slice_mut(out, unknown_count)?,
        )
    };
    fmi2SetRealInputDerivatives(_: References, _: usize, _: *const c_int, _: *const f64) =
        |_| Err(Fault::error("inputs have no derivatives here"));
    fmi2GetRealOutputDerivatives(_: References, _: usize, _: *const c_int, _: *mut f64) =
        |_| Err(Fault::error("outputs have no derivatives here"));
}

// Model Exchange.
entry_points! {
    fmi2NewDiscreteStates(info: *mut EventInfo) = |i| {
        let changed = i.update_discrete_states()?;
        let changed = EventInfo { values_changed: Boolean::from(changed), ..EventInfo::default() };
        Ok(put(info, changed)?)
    };
    fmi2CompletedIntegratorStep(
        _no_set_state_before: Boolean, enter_event_mode: *mut Boolean, terminate: *mut Boolean
    ) = |i| {
        i.completed_step()?;
        put(enter_event_mode, 0)?;
        Ok(put(terminate, 0)?)
    };
}

/// Steps never stay under way, so that their status is what they returned.
fn no_status(_: &mut Instance) -> Result<(), Fault> {
    Err(Fault::error("steps are done when they return"))
}

/// `fmi2LastSuccessfulTime`.
const LAST_SUCCESSFUL_TIME: c_int = 2;

entry_points! {
    fmi2DoStep(from: f64, step: f64, _no_set_state_before: Boolean) = |i| i.do_step(from, step);
    fmi2CancelStep() = no_status;
    fmi2GetStatus(_: c_int, _: *mut c_int) = no_status;
    fmi2GetRealStatus(kind: c_int, value: *mut f64) = |i| match kind {
        LAST_SUCCESSFUL_TIME => Ok(put(value, i.time())?),
        _ => no_status(i),
    };
    fmi2GetIntegerStatus(_: c_int, _: *mut c_int) = no_status;
    // The only question is whether the FMU wants to end.
    fmi2GetBooleanStatus(_: c_int, value: *mut Boolean) = |_| Ok(put(value, 0)?);
    fmi2GetStringStatus(_: c_int, _: *mut *const c_char) = no_status;
}
