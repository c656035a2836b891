//! One file per command.

pub mod completions;
pub mod export;
pub mod fit;
pub mod harmonic;
pub mod init;
pub mod inspect;
pub mod models;
pub mod reproduce;
pub mod signal;
pub mod simulate;
pub mod stages;
pub mod terms;
pub mod validate;
