//! Data and model to parameters that can be trusted.

pub mod error;
pub mod fit;
mod key_figures;
pub mod loops;
pub mod objective;
mod problem;
pub mod search;
pub mod start;
pub mod test;
pub mod uncertainty;

pub use error::FitError;
pub use fit::{Fit, FitOptions, Found, Other, fit, predict_held_out};
pub use key_figures::{KeyFigures, key_figures};
pub use objective::{Comparison, Loss, Objective, Prior, Rules, Watch, Weights, Workers};
pub use problem::unknown::{Place, Unknown, free_parameters};
pub use search::{CompetingMinimum, Effort, Method, Searched, search};
pub use test::{InitialState, Kind, MotionRecord, Nuisance, Test};
pub use uncertainty::{Left, Profile, Status, Uncertainty, student};
