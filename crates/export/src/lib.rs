//! Results for others: HTML pages that people read, FMUs that simulations run.
//!
//! A page (feature `pages`) is one file with plots, without a request to anywhere: a [`Page`] is made
//! of [`Section`]s, a section of [`Block`]s: facts, findings, tables, plots, other pictures.
//! [`Page::render`] gives the whole file as text. Everything that comes from data files is escaped.
//! An [`fmu::Fmu`] is a description, a model and a library in one container.

#[cfg(feature = "pages")]
mod chart;
#[cfg(feature = "pages")]
mod error;
pub mod fmu;
#[cfg(feature = "pages")]
mod page;
#[cfg(feature = "pages")]
mod plot;
#[cfg(feature = "pages")]
mod series;

#[cfg(feature = "pages")]
pub use chart::{Bar, Bars, Interval, Intervals, Matrix};
#[cfg(feature = "pages")]
pub use error::ExportError;
#[cfg(feature = "pages")]
pub use page::{Block, Note, Page, Section, Table};
#[cfg(feature = "pages")]
pub use plot::{Axis, Pen, Plot, Shape};
#[cfg(feature = "pages")]
pub use series::MOST_POINTS;
