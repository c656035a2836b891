//! An FMU behind its entry points: one instance, independent of the version of the standard.

mod access;
mod call;
mod exchange;
mod fault;
mod instance;
mod location;
mod snapshot;
mod tested_range;

pub use call::call;
pub(crate) use call::entry_points;
pub use fault::{Fault, Status};
pub use instance::{Instance, Interface, Log};
pub use location::from_uri;
pub(crate) use snapshot::write_bytes;
