//! Which terms of a force model the data support: `masing terms`.
//!
//! F = sum k_i (y + y0)^i + sum c_i v^i + friction, with friction a sum of spring-sliders (stop operators), or the
//! Chebyshev series of the paper on metal rubber. Everything but the slip displacements and the preload is linear.
//! `docs/math/terms.md` has the derivations.
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
mod found;
pub mod friction;
mod identified;
mod input_diagnostics;
mod laws;
mod left_out;
mod line;
mod motion;
pub mod nnls;
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
