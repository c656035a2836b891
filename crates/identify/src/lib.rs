//! Tests and a model to parameters that can be trusted.
//!
//! [`fit()`] searches the parameters of a model from [`Test`]s without start values and returns an [`Identified`]: the
//! model, [`Estimate`]s with standard errors and a status, the comparison with every test, diagnostics and a
//! [`Verdict`]. Tests that are held out are predicted. A test is a record of motion and force, a table of dynamic
//! stiffness or the response of driven masses; all of them share one objective with exact derivatives.
//! `docs/math/fit.md` derives the method.
//!
//! ```
//! use masing_identify::{FitOptions, Status, Test, fit};
//! use masing_model::{Assembly, Model, Shape};
//! use masing_sim::Motion;
//!
//! let time: Vec<f64> = (0..400).map(|i| f64::from(i) * 5e-3).collect();
//! let x: Vec<f64> = time.iter().map(|t| 1e-3 * (6.283 * t).sin()).collect();
//! let motion = Motion::new(time, x, None)?;
//! // What a rig would have measured: 2e5 x + 500 v, read off to 0.1 N.
//! let force = motion.x().iter().zip(motion.v());
//! let force = force.map(|(x, v)| (10.0 * (2e5 * x + 500.0 * v)).round() / 10.0).collect();
//!
//! let assembly = Assembly::from_names("spring+dashpot", |_| Shape::default())?;
//! let model = Model::with_defaults(assembly, None)?;
//! let found = fit(&model, vec![Test::new("sine", motion, force)], vec![], &FitOptions::default(), None)?;
//! let stiffness = &found.estimates[0];
//! assert_eq!((stiffness.address.as_str(), stiffness.status), ("spring.k", Status::Ok));
//! assert!((stiffness.value - 2e5).abs() < 50.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compare;
pub mod conditions;
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

pub use compare::{Compared, compare};
pub use conditions::{Follow, Followed, FormChoice};
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
