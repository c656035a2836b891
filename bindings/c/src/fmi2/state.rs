//! Kept states of FMI 2.0. They are numbers in the guise of pointers.

use super::{Component, call};
use crate::boundary::{put, slice, slice_mut};
use crate::fmu::write_bytes;
use std::ffi::{c_int, c_void};

/// Kept states are numbers in the guise of pointers.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetFMUstate(c: Component, state: *mut *mut c_void) -> c_int {
    call(c, |i| {
        let handle = slice_mut(state, 1)?;
        let kept = i.keep(handle[0] as usize);
        handle[0] = kept as *mut c_void;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetFMUstate(c: Component, state: *mut c_void) -> c_int {
    call(c, |i| i.restore(state as usize))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2FreeFMUstate(c: Component, state: *mut *mut c_void) -> c_int {
    call(c, |i| {
        // Nothing to free is fine.
        if let Ok([handle]) = slice_mut(state, 1) {
            i.forget(*handle as usize);
            *handle = std::ptr::null_mut();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SerializedFMUstateSize(
    c: Component,
    state: *mut c_void,
    size: *mut usize,
) -> c_int {
    call(c, |i| Ok(put(size, i.serialised(state as usize)?.len())?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SerializeFMUstate(
    c: Component,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    call(c, |i| {
        let serialised = i.serialised(state as usize)?;
        write_bytes(&serialised, slice_mut(bytes, size)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2DeSerializeFMUstate(
    c: Component,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    call(c, |i| {
        let handle = i.deserialise(slice(bytes, size)?)?;
        Ok(put(state, handle as *mut c_void)?)
    })
}
