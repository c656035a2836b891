//! Force laws as pure steps.
//!
//! An [`Element`] is one step of one law: parameters, the motion over an interval and the state go in, the new
//! state and the force come out, with exact derivatives. The caller owns the state. [`registry`] lists all laws,
//! an [`Assembly`] puts several in parallel or between masses, a [`Model`] adds values and reads and writes
//! `model.toml` ([`mod@file`]). Everything is in SI units.
//!
//! ```
//! use masing_model::{Assembly, Shape, Step, Tape};
//!
//! // A spring in series with dry friction that slips at 20 N.
//! let assembly = Assembly::from_names("jenkins", |_| Shape::default())?;
//! let part = &assembly.parts()[0];
//! let p = [1e5, 20.0]; // ks in N/m, zs in N
//! let mut state = [0.0];
//! part.element.rest(&p, 0.0, &mut state);
//! let pulled = Step { dt: 0.1, x: [0.0, 1e-3], v: [0.01; 2], branch: None };
//! let force = part.element.advance(&p, &pulled, &mut state, &mut Tape::off())?;
//! assert_eq!(force, 20.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod assembly;
pub mod candidates;
pub mod condition;
pub mod dense;
pub mod element;
pub mod elements;
pub mod error;
pub mod file;
pub mod law;
pub mod model;
pub mod network;
pub mod presets;
pub mod random;
pub mod registry;
mod room;
pub mod scalar;
pub mod spec;
pub mod system;
pub mod text;

pub use assembly::{Assembly, Part};
pub use condition::{Condition, Following, Form, Levels};
pub use element::{Cotangent, Coupling, Element, Flow, Memory, Step, Tangent, Tape};
pub use error::{ModelError, StepError};
pub use file::{Draft, FileError};
pub use law::{
    Features, ImplicitLaw, Interval, Law, LoopLaw, Mapped, Probe, RateLaw, Rated, ReturnMap, Solved,
};
pub use model::{Model, StepLimits, Validity};
pub use network::{Child, Parallel, Series, Softening};
pub use presets::PRESETS;
pub use random::Rng;
pub use registry::{Kind, Shape};
pub use scalar::{Dual, Lanes, Scalar};
pub use spec::{MotionKind, Param, Scale, Spec, State, unit_for};
pub use system::Masses;
