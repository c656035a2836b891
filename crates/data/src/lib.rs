//! Rig files to records in SI units.
//!
//! [`read`] turns a file into an [`Experiment`]: a [`Record`] of motion and force or a [`HarmonicTable`] of dynamic
//! stiffness, with a list of what was assumed about columns and units and of what was noticed. [`load`] returns the bare
//! channels, [`cycles`] finds the cycles of a record, [`inspect`] describes what is in it. Ten formats are
//! recognised by content.
//!
//! ```
//! use masing_data::{ReadOptions, read};
//!
//! let file = std::env::temp_dir().join("masing-data-front-page.csv");
//! std::fs::write(&file, "time [s];displacement [mm];force [kN]\n0;0;0\n0,1;0,5;0,2\n0,2;0;-0,1\n")?;
//! let test = read(&file, &ReadOptions::default())?;
//! let record = test.record()?;
//! assert_eq!(record.need_motion()?, [0.0, 0.5e-3, 0.0]);
//! assert_eq!(record.need_force()?, [0.0, 200.0, -100.0]);
//! # std::fs::remove_file(&file)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
pub mod cycles;
mod error;
mod experiment;
pub mod figures;
mod harmonic;
mod import;
mod inspect;
mod named;
mod options;
mod pairs;
mod preload;
mod read;
mod recognise;
mod record;
mod record_kind;
mod ring;
mod role;
mod shape;
pub mod signal;
mod table;
pub mod timing;
pub mod unit;

pub use cycles::{Block, Cycle, Reversal};
pub use error::DataError;
pub use experiment::{ChannelUse, Content, Experiment, Kind};
pub use harmonic::{HarmonicPoint, HarmonicTable};
pub use import::inside_guarded_reader;
pub use inspect::{Inspection, implausible_sizes, inspect};
pub use options::{AmplitudeKind, Gaps, ReadOptions, Window, Zero};
pub use preload::Preload;
pub use read::{experiment, load, read, read_all, tables, window};
pub use recognise::Match;
pub use record::{Record, Signal, UnitFrom, range};
pub use record_kind::{record_kind, samples_per_cycle};
pub use ring::{RingPoint, ring_down};
pub use role::{Role, Slot};
pub use table::{Channel, Source, Table};
pub use unit::{Quantity, parse_quantity};
