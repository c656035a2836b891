//! Hysteresis loops: where to start, what a loop determines, whether the law suits.

mod combination;
mod fourier;
mod law;
mod regression;
mod semi_analytic;
pub(crate) mod start;
mod suitability;
mod weak_form;

pub use combination::Combination;
pub use fourier::{Fourier, fourier};
pub use law::{LoopModel, loop_model};
pub(crate) use semi_analytic::by_formula;
pub use semi_analytic::{Crossing, Hypothesis, SemiAnalytic, semi_analytic, semi_analytic_of};
pub use suitability::{Assessment, CompetingLaw, Preference, Suits, assess};
pub use weak_form::{WeakStart, weak_starts};
