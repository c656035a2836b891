//! What FMI 3.0 knows and these FMUs have none of: other types of variables, clocks, adjoint
//! derivatives, configuration, scheduled execution. Asking for none of them is fine.

use super::{Boolean, Handle, References, call};
use crate::fmu::Fault;
use std::ffi::{c_char, c_int, c_void};

/// Fails unless nothing was asked for.
fn none_of(h: Handle, count: usize, what: &str) -> c_int {
    call(h, |_| match count {
        0 => Ok(()),
        _ => Err(Fault::error(format!("there are no {what}"))),
    })
}

/// Entry points for variables of types that there are none of.
macro_rules! no_variables {
    ($($get:ident, $set:ident: $kind:ty;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $get(h: Handle, _: References, n: usize, _: *mut $kind, _: usize) -> c_int {
            none_of(h, n, concat!("variables for ", stringify!($get)))
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $set(h: Handle, _: References, n: usize, _: *const $kind, _: usize) -> c_int {
            none_of(h, n, concat!("variables for ", stringify!($set)))
        }
    )*};
}

no_variables! {
    fmi3GetFloat32, fmi3SetFloat32: f32;
    fmi3GetInt8, fmi3SetInt8: i8;
    fmi3GetUInt8, fmi3SetUInt8: u8;
    fmi3GetInt16, fmi3SetInt16: i16;
    fmi3GetUInt16, fmi3SetUInt16: u16;
    fmi3GetInt32, fmi3SetInt32: i32;
    fmi3GetUInt32, fmi3SetUInt32: u32;
    fmi3GetInt64, fmi3SetInt64: i64;
    fmi3GetUInt64, fmi3SetUInt64: u64;
    fmi3GetString, fmi3SetString: *const c_char;
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetBinary(
    h: Handle,
    _: References,
    n: usize,
    _: *mut usize,
    _: *mut *const u8,
    _: usize,
) -> c_int {
    none_of(h, n, "binary variables")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetBinary(
    h: Handle,
    _: References,
    n: usize,
    _: *const usize,
    _: *const *const u8,
    _: usize,
) -> c_int {
    none_of(h, n, "binary variables")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetClock(h: Handle, _: References, n: usize, _: *mut Boolean) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetClock(h: Handle, _: References, n: usize, _: *const Boolean) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetIntervalDecimal(
    h: Handle,
    _: References,
    n: usize,
    _: *mut f64,
    _: *mut c_int,
) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetIntervalFraction(
    h: Handle,
    _: References,
    n: usize,
    _: *mut u64,
    _: *mut u64,
    _: *mut c_int,
) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetShiftDecimal(h: Handle, _: References, n: usize, _: *mut f64) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetShiftFraction(
    h: Handle,
    _: References,
    n: usize,
    _: *mut u64,
    _: *mut u64,
) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetIntervalDecimal(
    h: Handle,
    _: References,
    n: usize,
    _: *const f64,
) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetIntervalFraction(
    h: Handle,
    _: References,
    n: usize,
    _: *const u64,
    _: *const u64,
) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetShiftDecimal(h: Handle, _: References, n: usize, _: *const f64) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetShiftFraction(
    h: Handle,
    _: References,
    n: usize,
    _: *const u64,
    _: *const u64,
) -> c_int {
    none_of(h, n, "clocks")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3ActivateModelPartition(h: Handle, _: u32, _: f64) -> c_int {
    none_of(h, 1, "model partitions")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetNumberOfVariableDependencies(h: Handle, _: u32, _: *mut usize) -> c_int {
    none_of(h, 1, "dependencies beyond the description")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVariableDependencies(
    h: Handle,
    _: u32,
    _: *mut usize,
    _: *mut u32,
    _: *mut usize,
    _: *mut c_int,
    _: usize,
) -> c_int {
    none_of(h, 1, "dependencies beyond the description")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetAdjointDerivative(
    h: Handle,
    _: References,
    _: usize,
    _: References,
    _: usize,
    _: *const f64,
    _: usize,
    _: *mut f64,
    _: usize,
) -> c_int {
    none_of(h, 1, "adjoint derivatives")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterConfigurationMode(h: Handle) -> c_int {
    none_of(h, 1, "structural parameters")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitConfigurationMode(h: Handle) -> c_int {
    none_of(h, 1, "structural parameters")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetOutputDerivatives(
    h: Handle,
    _: References,
    n: usize,
    _: *const i32,
    _: *mut f64,
    _: usize,
) -> c_int {
    none_of(h, n, "derivatives of outputs")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateScheduledExecution(
    _: *const c_char,
    _: *const c_char,
    _: *const c_char,
    _: Boolean,
    _: Boolean,
    _: *mut c_void,
    _: *const c_void,
    _: *const c_void,
    _: *const c_void,
    _: *const c_void,
) -> Handle {
    std::ptr::null_mut()
}
