//! Rig files to signals, cycles and experiments.

mod error;
mod import;
mod table;
pub mod unit;

pub use error::DataError;
pub use table::{Channel, Source, Table};
pub use unit::{Quantity, parse_quantity};
