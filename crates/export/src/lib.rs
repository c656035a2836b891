//! Pages that people read: one HTML file each, with plots, without a request to anywhere.
//!
//! A [`Page`] is made of [`Section`]s, a section of [`Block`]s: facts, findings, tables, plots, other pictures.
//! [`Page::render`] gives the whole file as text. Everything that comes from data files is escaped.

mod chart;
mod error;
mod page;
mod plot;
mod series;

pub use chart::{Bar, Bars, Interval, Intervals, Matrix};
pub use error::ExportError;
pub use page::{Block, Note, Page, Section, Table};
pub use plot::{Axis, Pen, Plot, Shape};
pub use series::MOST_POINTS;
