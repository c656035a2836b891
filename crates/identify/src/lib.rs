//! Data and model to parameters that can be trusted.

pub mod features;
pub mod objective;
pub mod optimise;
pub mod search;
pub mod start;
pub mod target;
pub mod unknown;
pub mod valley;

pub use objective::{Objective, Weights};
pub use search::{Effort, search};
pub use target::{Nuisance, Start, Target};
pub use unknown::{Place, Unknown, free_parameters};
