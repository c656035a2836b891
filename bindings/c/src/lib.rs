//! The shared library that simulations load: a small C interface (`include/masing.h`) and the entry
//! points of FMI 2.0 and 3.0.
//!
//! Everything behind the entry points is safe Rust on [`masing_sim::Stepper`] and
//! [`masing_sim::Rates`]. What has to touch pointers of others is in [`boundary`]; every entry point
//! goes through it, which checks for null pointers and lets no panic out.

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
