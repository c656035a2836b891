//! Data and model to parameters that can be trusted.

pub mod error;
pub mod features;
pub mod fit;
pub mod objective;
pub mod optimise;
pub mod search;
pub mod start;
pub mod target;
pub mod trust;
pub mod unknown;
pub mod valley;
pub mod warning;

pub use error::FitError;
pub use fit::{Fit, FitOptions, Found, compare, fit, predict};
pub use objective::{Objective, Weights};
pub use search::{Effort, search};
pub use target::{Nuisance, Start, Target};
pub use trust::{Status, TestOutcome};
pub use unknown::{Place, Unknown, free_parameters};
pub use warning::Warning;
