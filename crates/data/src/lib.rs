//! Rig files to signals, cycles and experiments.
//!
//! [`read`] turns a file into an [`Experiment`] in SI, with a list of what was assumed; [`load`] gives the bare channels.

mod columns;
pub mod cycles;
mod error;
mod experiment;
pub mod figures;
mod harmonic;
mod import;
mod inspect;
mod options;
mod preload;
mod read;
mod recognise;
mod record;
mod ring;
mod role;
mod shape;
pub mod signal;
mod table;
pub mod timing;
pub mod unit;

pub use cycles::{Block, Cycle, Reversal};
pub use error::DataError;
pub use experiment::{ChannelUse, Content, Experiment, Kind, Use};
pub use harmonic::{HarmonicPoint, HarmonicTable};
pub use import::inside_guarded_reader;
pub use inspect::{Inspection, implausible_sizes, inspect};
pub use options::{AmplitudeKind, Gaps, ReadOptions, Window, Zero};
pub use preload::Preload;
pub use read::{experiment, load, read, read_all, tables, window};
pub use recognise::Match;
pub use record::{Record, Signal, UnitFrom};
pub use ring::{RingPoint, ring_down};
pub use role::{Role, Slot};
pub use table::{Channel, Source, Table};
pub use unit::{Quantity, parse_quantity};
