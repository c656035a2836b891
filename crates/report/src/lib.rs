//! Results for people and programs: text, JSON, and HTML pages with plots.
//!
//! [`identified`] presents the result of any method, [`terms`] and [`stages`] what only these methods know, [`inspect`]
//! the content of a file. A page is a single file with plots that loads nothing else: a [`Page`] consists of
//! [`Section`]s, a section of [`Block`]s: facts, notes, tables, plots, other pictures. [`Page::render`] returns the
//! whole file as text. Everything that comes from data files is escaped.
//!
//! ```
//! use masing_identify::result::{Identified, MethodName};
//! use masing_model::{Assembly, Model, Shape};
//! use masing_report::identified;
//!
//! let assembly = Assembly::from_names("spring", |_| Shape::default())?;
//! let model = Model::with_defaults(assembly, None)?;
//! // A fit, terms or stages return this.
//! let found = Identified::new(MethodName::Fit, model, Vec::new(), Vec::new());
//! let text = identified::text::fit(&found, None);
//! assert!(text.starts_with(&found.verdict().text));
//! let page = identified::html::fit(&found).render()?;
//! assert!(page.contains("Force model"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chart;
pub mod compare;
pub mod csv;
mod error;
pub mod identified;
pub mod inspect;
pub mod json;
mod page;
mod plot;
mod series;
pub mod stages;
pub mod terms;
pub mod text;
pub mod validate;

pub use chart::{Bar, Bars, Interval, Intervals, Matrix};
pub use error::PageError;
pub use masing_data::figures;
pub use page::{Block, Note, Page, Section, Table};
pub use plot::{Axis, Pen, Plot, Shape};
pub use series::MOST_POINTS;
