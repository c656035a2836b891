//! One file per command.

pub mod completions;
pub mod harmonic;
pub mod models;
pub mod signal;
pub mod simulate;
