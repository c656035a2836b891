//! Whole histories: prescribed motion, oscillators and structures, with tangents, adjoints and
//! steady states derived from the steps of `masing-model`.

pub mod choose;
pub mod columns;
pub mod error;
pub mod harmonic;
pub mod motion;
pub mod numerics;
pub mod prescribed;
pub mod rate;
pub mod rates;
pub mod recorded;
pub mod steady;
pub mod stepper;
mod sweep;
pub mod system;

pub use choose::{ACCURACY, choose, choose_within};
pub use columns::Column;
pub use error::SimError;
pub use harmonic::{Care, Harmonic, harmonic, harmonic_with, sine_cycle};
pub use motion::Motion;
pub use numerics::Numerics;
pub use prescribed::{Linearised, Prescribed};
pub use rate::rate_independent;
pub use rates::{Modes, Place, Rates};
pub use recorded::{Gradient, Recorded, TAPE_BUDGET};
pub use steady::{Closure, Cycled, Repeat, Steady, steady_state};
pub use stepper::{Moment, Stepper};
pub use system::{Driven, Load};
