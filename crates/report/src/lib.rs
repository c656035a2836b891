//! Results for people: text tables and HTML pages with plots.
//!
//! A page is one file with plots, without a request to anywhere: a [`Page`] is made of [`Section`]s, a section of
//! [`Block`]s: facts, notes, tables, plots, other pictures. [`Page::render`] gives the whole file as text. Everything
//! that comes from data files is escaped.

mod chart;
mod error;
pub mod figures;
mod page;
mod plot;
mod series;
pub mod text;

pub use chart::{Bar, Bars, Interval, Intervals, Matrix};
pub use error::PageError;
pub use page::{Block, Note, Page, Section, Table};
pub use plot::{Axis, Pen, Plot, Shape};
pub use series::MOST_POINTS;
