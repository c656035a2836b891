//! Whole histories: prescribed motion, oscillators and structures, with tangents, adjoints and
//! steady states derived from the steps of `masing-model`.

pub mod error;
pub mod motion;
pub mod numerics;

pub use error::SimError;
pub use motion::Motion;
pub use numerics::Numerics;
