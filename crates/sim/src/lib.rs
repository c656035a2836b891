//! Whole histories: prescribed motion, oscillators and structures, with tangents, adjoints and
//! steady states derived from the steps of `masing-model`.

pub mod columns;
pub mod error;
pub mod motion;
pub mod numerics;
pub mod prescribed;
pub mod recorded;
mod sweep;

pub use columns::Column;
pub use error::SimError;
pub use motion::Motion;
pub use numerics::Numerics;
pub use prescribed::{Linearised, Prescribed};
pub use recorded::{Gradient, Recorded, TAPE_BUDGET};
