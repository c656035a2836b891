//! Reproductions of the source papers: every table and figure computed again, beside the paper's own numbers.
//!
//! A [`Paper`] of the list [`PAPERS`] makes a [`Report`], which is text, JSON (`masing.reproduce/1`) and a page from one
//! definition: [`Part`]s of [`Row`]s and [`Column`]s. A row says who its numbers are from; independent figures, where
//! there are any, are compared with ours, and the largest difference is told. Data are made by the reproductions
//! themselves, so that anybody can check them; only the hysteretic benchmark reads [`Records`].
//!
//! One part can be had alone, which is how each is tested:
//!
//! ```
//! use masing_papers::{Records, paper};
//!
//! let bushing = paper("bushing").expect("one of the list");
//! let part = bushing.part("figure-12", &Records::default())?;
//! // Without an error of the slope the inversion is exact.
//! let exact = part.row("Tg2 x 1").expect("a row of Figure 12");
//! assert!(exact.values.iter().all(|ratio| (ratio - 1.0).abs() < 1e-9));
//! # Ok::<(), masing_papers::PapersError>(())
//! ```

mod benchmark;
mod bushing;
mod clutch;
mod error;
mod loops;
mod metal_rubber;
mod paper;
mod random;
mod report;

pub use error::PapersError;
pub use paper::{Paper, Progress, Records};
pub use report::{Column, Difference, Part, Report, Row, Source};

/// All papers.
pub static PAPERS: [Paper; 5] = [
    bushing::PAPER,
    loops::PAPER,
    clutch::PAPER,
    metal_rubber::PAPER,
    benchmark::PAPER,
];

/// The paper of that name.
pub fn paper(name: &str) -> Option<&'static Paper> {
    PAPERS.iter().find(|paper| paper.name == name)
}
