//! Force laws as pure steps.
//!
//! An [`Element`] is one step of one law: parameters, motion over an interval and state in, new
//! state and force out, with exact derivatives. [`registry`] lists all of them, [`Assembly`] puts
//! several in parallel. Everything is in SI units.

pub mod assembly;
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
pub mod scalar;
pub mod spec;
pub mod system;
pub mod text;

pub use assembly::{Assembly, Part};
pub use element::{Cotangent, Coupling, Element, Flow, Memory, Step, Tangent, Tape};
pub use error::{ModelError, StepError};
pub use file::{Draft, FileError};
pub use law::{
    Features, ImplicitLaw, Interval, Law, LoopLaw, Mapped, Probe, RateLaw, Rated, ReturnMap, Solved,
};
pub use model::{Model, StepLimits, Validity};
pub use network::{Child, Parallel, Series};
pub use presets::PRESETS;
pub use random::Rng;
pub use registry::{Kind, Shape};
pub use scalar::{Dual, Lanes, Scalar};
pub use spec::{MotionKind, Param, Scale, Spec, State, unit_for};
pub use system::Masses;
