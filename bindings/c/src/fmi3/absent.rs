//! What FMI 3.0 knows and these FMUs have none of: other types of variables, clocks, adjoint
//! derivatives, configuration, scheduled execution. Asking for none of them is fine.

use super::{Boolean, References};
use crate::fmi::none_of;
use crate::fmu::{Instance, entry_points};
use std::ffi::{c_char, c_int, c_void};

/// Entry points for variables of types that there are none of.
macro_rules! no_variables {
    ($($get:ident, $set:ident: $kind:ty;)*) => {
        entry_points! {$(
            $get(_: References, n: usize, _: *mut $kind, _: usize) =
                none_of(n, concat!("variables for ", stringify!($get)));
            $set(_: References, n: usize, _: *const $kind, _: usize) =
                none_of(n, concat!("variables for ", stringify!($set)));
        )*}
    };
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

entry_points! {
    fmi3GetBinary(_: References, n: usize, _: *mut usize, _: *mut *const u8, _: usize) =
        none_of(n, "binary variables");
    fmi3SetBinary(_: References, n: usize, _: *const usize, _: *const *const u8, _: usize) =
        none_of(n, "binary variables");

    fmi3GetClock(_: References, n: usize, _: *mut Boolean) = none_of(n, "clocks");
    fmi3SetClock(_: References, n: usize, _: *const Boolean) = none_of(n, "clocks");
    fmi3GetIntervalDecimal(_: References, n: usize, _: *mut f64, _: *mut c_int) =
        none_of(n, "clocks");
    fmi3GetIntervalFraction(_: References, n: usize, _: *mut u64, _: *mut u64, _: *mut c_int) =
        none_of(n, "clocks");
    fmi3GetShiftDecimal(_: References, n: usize, _: *mut f64) = none_of(n, "clocks");
    fmi3GetShiftFraction(_: References, n: usize, _: *mut u64, _: *mut u64) = none_of(n, "clocks");
    fmi3SetIntervalDecimal(_: References, n: usize, _: *const f64) = none_of(n, "clocks");
    fmi3SetIntervalFraction(_: References, n: usize, _: *const u64, _: *const u64) =
        none_of(n, "clocks");
    fmi3SetShiftDecimal(_: References, n: usize, _: *const f64) = none_of(n, "clocks");
    fmi3SetShiftFraction(_: References, n: usize, _: *const u64, _: *const u64) =
        none_of(n, "clocks");

    fmi3ActivateModelPartition(_: u32, _: f64) = none_of(1, "model partitions");
    fmi3GetNumberOfVariableDependencies(_: u32, _: *mut usize) =
        none_of(1, "dependencies beyond the description");
    fmi3GetVariableDependencies(
        _: u32, _: *mut usize, _: *mut u32, _: *mut usize, _: *mut c_int, _: usize
    ) = none_of(1, "dependencies beyond the description");
    fmi3GetAdjointDerivative(
        _: References, _: usize, _: References, _: usize, _: *const f64, _: usize, _: *mut f64, _: usize
    ) = none_of(1, "adjoint derivatives");
    fmi3EnterConfigurationMode() = none_of(1, "structural parameters");
    fmi3ExitConfigurationMode() = none_of(1, "structural parameters");
    fmi3GetOutputDerivatives(_: References, n: usize, _: *const i32, _: *mut f64, _: usize) =
        none_of(n, "derivatives of outputs");
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
) -> *mut Instance {
    std::ptr::null_mut()
}
