//! Kept states of FMI 3.0. They are numbers in the guise of pointers.

use super::{Handle, call};
use crate::boundary::{put, slice, slice_mut};
use crate::fmu::write_bytes;
use std::ffi::{c_int, c_void};

/// Kept states are numbers in the guise of pointers.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetFMUState(h: Handle, state: *mut *mut c_void) -> c_int {
    call(h, |i| {
        let handle = slice_mut(state, 1)?;
        let kept = i.keep(handle[0] as usize);
        handle[0] = kept as *mut c_void;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetFMUState(h: Handle, state: *mut c_void) -> c_int {
    call(h, |i| i.restore(state as usize))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3FreeFMUState(h: Handle, state: *mut *mut c_void) -> c_int {
    call(h, |i| {
        // Nothing to free is fine.
        if let Ok([handle]) = slice_mut(state, 1) {
            i.forget(*handle as usize);
            *handle = std::ptr::null_mut();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SerializedFMUStateSize(
    h: Handle,
    state: *mut c_void,
    size: *mut usize,
) -> c_int {
    call(h, |i| Ok(put(size, i.serialised(state as usize)?.len())?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SerializeFMUState(
    h: Handle,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    call(h, |i| {
        let serialised = i.serialised(state as usize)?;
        write_bytes(&serialised, slice_mut(bytes, size)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3DeserializeFMUState(
    h: Handle,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    call(h, |i| {
        let handle = i.deserialise(slice(bytes, size)?)?;
        Ok(put(state, handle as *mut c_void)?)
    })
}
