//! Work on single channels: derivatives, filters, outliers, noise, skew between channels.

mod averaged;
mod causal;
mod derivative;
mod filter;
mod local_fit;
pub mod noise;
mod outlier;
mod quantised;
mod skew;
mod undo;

pub use averaged::averaged;
pub use causal::Filter;
pub use derivative::{derivative, half_window};
pub use filter::low_pass;
pub use local_fit::{Smoothed, smooth};
pub use noise::Noise;
pub use outlier::outliers;
pub use quantised::{Quantised, quantised, resolution};
pub use skew::{Skew, skew};
pub use undo::{Undone, undo_average};
