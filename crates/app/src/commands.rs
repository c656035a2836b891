//! One file per command.

pub mod completions;
pub mod models;
pub mod signal;
