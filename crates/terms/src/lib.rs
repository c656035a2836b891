//! Which terms of a force model the data support: `masing terms`.
//!
//! F = sum k_i (y + y0)^i + sum c_i v^i + friction, with friction a sum of spring-sliders (stop operators), or the
//! Chebyshev series of the paper on metal rubber. Everything but the slip displacements and the preload is linear.
//! `docs/math/terms.md` has the derivations. [`identify`] returns the chosen model as every method does, and beside it what
//! only this method knows: ranking, friction, coefficients that change between tests.
//!
//! ```
//! use masing_data::Preload;
//! use masing_model::MotionKind;
//! use masing_terms::{Options, Term, Test, identify};
//!
//! // Four cycles of 1 mm at 2 Hz: 2e5 y + 4e10 y^3 + 150 v, read off to 0.1 N.
//! let time: Vec<f64> = (0..2000).map(|i| f64::from(i) * 1e-3).collect();
//! let w = 4.0 * std::f64::consts::PI;
//! let y = |t: &f64| 1e-3 * (w * t).sin();
//! let v = |t: &f64| 1e-3 * w * (w * t).cos();
//! let force = |t: &f64| 2e5 * y(t) + 4e10 * y(t).powi(3) + 150.0 * v(t);
//! let test = Test {
//!     name: "sine".to_owned(),
//!     displacement: time.iter().map(y).collect(),
//!     velocity: None,
//!     force: time.iter().map(|t| (10.0 * force(t)).round() / 10.0).collect(),
//!     window: 0..time.len(),
//!     time,
//!     noise: None,
//!     preload: Some(Preload::Motion(0.0)),
//!     columns: Vec::new(),
//! };
//! let found = identify(&[test], &[], &Options::default(), MotionKind::Translation)?;
//! let terms: Vec<&Term> = found.terms.iter().map(|c| &c.term).collect();
//! assert_eq!(terms, [&Term::Stiffness(1), &Term::Stiffness(3), &Term::Damping(1)]);
//! assert!((found.value(&Term::Stiffness(3)) / 4e10 - 1.0).abs() < 0.01);
//! # Ok::<(), masing_terms::TermsError>(())
//! ```
//!
//! Reference: Zhang, B., Lang, Z. Q., Billings, S. A., Tomlinson, G. R., Rongong, J. A. (2010), Model structure
//! detection and system identification of metal rubber devices, ACSE Research Report 1012, University of Sheffield.

mod algebra;
mod branches;
pub mod chebyshev;
mod choose;
mod columns;
pub mod criteria;
mod diagnostics;
mod dictionary;
mod disturbed;
mod error;
mod final_fit;
mod folds;
mod found;
pub mod friction;
mod identified;
mod input_diagnostics;
mod laws;
mod left_out;
mod line;
mod motion;
pub mod ols;
mod one_by_one;
mod options;
mod pipeline;
mod preload;
mod products;
mod projection;
mod ranking;
pub mod set;
mod slider;
mod smoothing;
mod soundness;
pub mod subsets;
mod test;
mod varying;

pub use chebyshev::Slider;
pub use criteria::Curve;
pub use dictionary::Term;
pub use error::TermsError;
pub use found::{
    Chebyshev, Coefficient, Estimate, FoundSlider, Friction, FrictionKind, Offer, Outcome, Power,
    Ranked, Ranking, Terms, Trend,
};
pub use laws::{By, Law, Subject};
pub use motion::Prepared;
pub use options::Options;
pub use pipeline::identify;
pub use test::{Sign, Slope, Test};
