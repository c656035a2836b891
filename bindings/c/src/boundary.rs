//! Pointers of others: all unsafe code but the calls of an importer's logger.
//!
//! Callers of a C interface promise that a pointer that is not null points to what the interface
//! says, for as many entries as they say. That promise is all that the functions here rely on.

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A pointer that cannot point to what is needed: null, not aligned, or to more than memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Null;

/// Runs `work`; a panic, which would be a defect, becomes `otherwise` instead of unwinding into the
/// caller's language.
pub fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

/// The entries at a pointer; none need no pointer.
pub fn slice<'a, T>(at: *const T, len: usize) -> Result<&'a [T], Null> {
    if len == 0 {
        return Ok(&[]);
    }
    if at.is_null() || !at.is_aligned() || !fits::<T>(len) {
        return Err(Null);
    }
    // SAFETY: not null, aligned, and `len` entries long as the caller promises.
    Ok(unsafe { std::slice::from_raw_parts(at, len) })
}

/// The entries at a pointer, to be written; none need no pointer.
pub fn slice_mut<'a, T>(at: *mut T, len: usize) -> Result<&'a mut [T], Null> {
    if len == 0 {
        return Ok(&mut []);
    }
    if at.is_null() || !at.is_aligned() || !fits::<T>(len) {
        return Err(Null);
    }
    // SAFETY: not null, aligned, and `len` entries long as the caller promises.
    Ok(unsafe { std::slice::from_raw_parts_mut(at, len) })
}

/// Whether `len` entries can lie in memory at all; a count that was never set seldom does.
fn fits<T>(len: usize) -> bool {
    len.checked_mul(size_of::<T>())
        .is_some_and(|bytes| isize::try_from(bytes).is_ok())
}

/// Writes a result where the caller wants it.
pub fn put<T>(at: *mut T, value: T) -> Result<(), Null> {
    if at.is_null() || !at.is_aligned() {
        return Err(Null);
    }
    // SAFETY: not null, aligned, and room for one value as the caller promises.
    unsafe { at.write(value) };
    Ok(())
}

/// A text; `None` if it is null or not UTF-8.
pub fn text<'a>(at: *const c_char) -> Option<&'a str> {
    if at.is_null() {
        return None;
    }
    // SAFETY: not null, and ends with a zero as the caller promises.
    unsafe { CStr::from_ptr(at) }.to_str().ok()
}

/// Hands a value over to the caller, who gives it back to [`take`].
pub fn give<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Takes back and drops what [`give`] handed out; null is left alone.
pub fn take<T>(at: *mut T) {
    if !at.is_null() {
        // SAFETY: not null, and from `give`, taken back once, as the caller promises.
        drop(unsafe { Box::from_raw(at) });
    }
}

/// What [`give`] handed out.
pub fn borrow<'a, T>(at: *mut T) -> Option<&'a mut T> {
    // SAFETY: null, or from `give`, not yet taken back and used by one call at a time, as the caller
    // promises.
    unsafe { at.as_mut() }
}

/// Writes a text into room for `size` characters, cut to fit and ended with a zero.
pub fn put_text(text: &str, at: *mut c_char, size: usize) {
    let Ok(room) = slice_mut(at.cast::<u8>(), size) else {
        return;
    };
    let Some(last) = size.checked_sub(1) else {
        return;
    };
    let mut len = text.len().min(last);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    for (to, from) in room.iter_mut().zip(text.as_bytes()[..len].iter()) {
        // A zero inside would end the text early.
        *to = if *from == 0 { b' ' } else { *from };
    }
    room[len] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_are_told_and_panics_stay_inside() {
        let room = 0.0_f64;
        assert_eq!(slice::<f64>(std::ptr::null(), 1), Err(Null));
        assert_eq!(slice::<f64>(std::ptr::null(), 0), Ok(&[][..]));
        assert_eq!(slice(&raw const room, usize::MAX / 4), Err(Null));
        assert_eq!(put(std::ptr::null_mut(), 1.0), Err(Null));
        assert_eq!(text(std::ptr::null()), None);
        take::<f64>(std::ptr::null_mut());
        assert_eq!(guarded(7, || panic!("a test of what happens then")), 7);
    }

    #[test]
    fn texts_are_cut_to_fit() {
        let mut room = [1_i8 as c_char; 4];
        put_text("aéé", room.as_mut_ptr(), room.len());
        assert_eq!(text(room.as_ptr()), Some("aé"));
        put_text("x", room.as_mut_ptr(), 0);
        put_text("x", std::ptr::null_mut(), 4);
    }
}
