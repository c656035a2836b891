//! Data and model to parameters that can be trusted.

pub mod error;
pub mod fit;
mod key_figures;
pub mod loops;
pub mod names;
pub mod objective;
mod problem;
pub mod result;
pub mod search;
pub mod start;
pub mod test;
#[cfg(test)]
mod trial;
pub mod uncertainty;

pub use error::FitError;
pub use fit::{FitOptions, fit, predict_held_out};
pub use key_figures::{KeyFigures, key_figures};
pub use masing_data::Preload;
pub use names::{Names, units};
pub use objective::{Loss, Objective, Prior, Residuals, Rules, Watch, Weights, Workers};
pub use problem::unknown::{Place, Unknown, free_parameters};
pub use result::{Comparison, Estimate, Identified, Verdict};
pub use search::{CompetingMinimum, Effort, Method, Searched, search};
pub use test::{InitialState, Kind, MotionRecord, Nuisance, Test};
pub use uncertainty::{Left, Profile, Status, Uncertainty, student};
