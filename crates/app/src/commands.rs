//! One file per command.

pub mod compare;
#[cfg(feature = "cli")]
pub mod completions;
pub mod export;
pub mod fit;
pub mod harmonic;
pub mod init;
pub mod inspect;
pub mod models;
#[cfg(feature = "cli")]
pub mod reproduce;
#[cfg(feature = "cli")]
pub mod schema;
#[cfg(feature = "cli")]
pub mod signal;
pub mod simulate;
pub mod stages;
pub mod terms;
pub mod validate;
