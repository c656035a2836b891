//! Which terms of a force model the data support: `masing terms`.
//!
//! F = sum k_i (y + y0)^i + sum c_i v^i + friction, with friction a sum of spring-sliders (stop operators), or the
//! Chebyshev series of the paper on metal rubber. Everything but the slip displacements and the preload is linear.
//! `docs/math/terms.md` has the derivations.
//!
//! Reference: Zhang, B., Lang, Z. Q., Billings, S. A., Tomlinson, G. R., Rongong, J. A. (2010), Model structure
//! detection and system identification of metal rubber devices, ACSE Research Report 1012, University of Sheffield.

mod algebra;
mod by_test;
pub mod chebyshev;
pub mod criteria;
mod dictionary;
mod error;
mod final_fit;
mod found;
pub mod friction;
pub mod gates;
mod line;
mod motion;
pub mod nnls;
pub mod ols;
mod pipeline;
mod preload;
mod ranking;
pub mod set;
pub mod subsets;

pub use chebyshev::Slider;
pub use criteria::Curve;
pub use dictionary::Term;
pub use error::TermsError;
pub use found::{
    Chebyshev, Coefficient, Found, Friction, FrictionKind, OneTest, Outcome, Ranked, Ranking, Trend,
};
pub use motion::{Preload, Prepared, Sign, Slope, Test};
pub use pipeline::{Options, find};
