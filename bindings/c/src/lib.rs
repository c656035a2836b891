//! The shared library that simulations load: a small C interface (`include/masing.h`) and the entry
//! points of FMI 2.0 and 3.0.
//!
//! Everything behind the entry points is safe Rust on [`masing_sim::Stepper`] and
//! [`masing_sim::Rates`]. What has to touch pointers of others is in [`boundary`]; every entry point
//! goes through it, which checks for null pointers and lets no panic out.
//!
//! As a caller in C sees it (`examples/sine.c` and `examples/varsub.f90` are whole programs):
//!
//! ```
//! use masing_c::api::{masing_close, masing_open, masing_step};
//! use std::ffi::CString;
//! use std::ptr::null_mut;
//!
//! let path = CString::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bushing.toml"))?;
//! let model = masing_open(path.as_ptr(), null_mut(), 0);
//! assert!(!model.is_null());
//! let force = masing_step(model, 1e-3, 1e-4); // within 1 ms to 0.1 mm
//! assert!(force > 0.0);
//! masing_close(model);
//! # Ok::<(), std::ffi::NulError>(())
//! ```

// The only crate that may: pointers come from and go to other languages.
#![allow(unsafe_code)]
// Raw pointers of a C interface are checked inside; marking every entry point unsafe for Rust callers
// as well would only double the words.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

pub mod api;
pub mod boundary;
pub mod fmi;
pub mod fmi2;
pub mod fmi3;
pub mod fmu;
