//! Data and model to parameters that can be trusted.

pub mod character;
pub mod error;
pub mod features;
pub mod fit;
pub mod held_out;
pub mod leave_one_out;
pub mod loss;
pub mod objective;
pub mod optimise;
pub mod outcome;
mod parallel;
pub mod predict;
pub mod profile;
pub mod search;
mod set_up;
pub mod start;
pub mod target;
mod tied;
pub mod trust;
pub mod unknown;
pub mod valley;
pub mod warning;

pub use character::{Character, character};
pub use error::FitError;
pub use fit::{Fit, FitOptions, Found, fit};
pub use held_out::predict_held_out;
pub use leave_one_out::Left;
pub use loss::Loss;
pub use objective::{Objective, Prior, Rules, Watch, Weights};
pub use outcome::TestOutcome;
pub use profile::Profile;
pub use search::{Effort, Method, search};
pub use target::{Content, Nuisance, Preload, Rig, Start, Target};
pub use trust::{Status, Trust};
pub use unknown::{Place, Unknown, free_parameters};
pub use warning::Warning;
