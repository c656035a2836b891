//! Models for other programs: FMUs that simulations run.
//!
//! An [`fmu::Fmu`] is a description, a model and a library in one container.

pub mod fmu;
