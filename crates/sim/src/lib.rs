//! Whole histories from the steps of `masing-model`, with exact derivatives.
//!
//! [`Prescribed`] runs a model along a given [`Motion`], [`Driven`] lets masses move under loads. Both give
//! the derivatives of the discrete method itself: a tangent (all parameters at once) and an adjoint (the gradient
//! of one number). [`steady_state`] and [`harmonic()`] find periodic responses, [`Stepper`] and [`Rates`] serve external
//! solvers. [`choose()`] decides once per record how finely to step.
//!
//! ```
//! use masing_model::{Assembly, Shape};
//! use masing_sim::{Column, Motion, Numerics, Prescribed};
//!
//! let assembly = Assembly::from_names("spring+dashpot", |_| Shape::default())?;
//! let motion = Motion::new(vec![0.0, 0.5, 1.0], vec![0.0, 1e-3, 2e-3], None)?;
//! let run = Prescribed::new(&assembly, &motion, Numerics::default());
//! let p = [2e5, 1e3]; // k in N/m, c in N s/m
//! let found = run.tangent(&p, &[Column::Param(0), Column::Param(1)])?;
//! // k x + c v, and its derivatives x and v, at the last sample.
//! assert!((found.force[2] - 402.0).abs() < 1e-9);
//! assert!((found.jacobian[4] - 2e-3).abs() < 1e-15);
//! assert!((found.jacobian[5] - 2e-3).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod choose;
pub mod columns;
pub mod error;
pub mod harmonic;
pub mod motion;
pub mod numerics;
pub mod pattern;
pub mod prescribed;
pub mod rate;
pub mod rates;
pub mod recorded;
pub mod steady;
pub mod stepper;
mod sweep;
pub mod system;
pub mod varying;

pub use choose::{ACCURACY, MOST_WORK, choose, choose_within};
pub use columns::Column;
pub use error::SimError;
pub use harmonic::{Care, Harmonic, harmonic, harmonic_with, sine_cycle};
pub use motion::Motion;
pub use numerics::Numerics;
pub use pattern::{Pattern, choose_steps};
pub use prescribed::{Linearised, Prescribed};
pub use rate::rate_independent;
pub use rates::{Modes, Place, Rates};
pub use recorded::{Gradient, Recorded, TAPE_BUDGET};
pub use steady::{Closure, Cycled, Repeat, Steady, steady_state};
pub use stepper::{Moment, Stepper};
pub use system::{Driven, Load};
pub use varying::{VaryingLevels, choose_varying, run_varying};
