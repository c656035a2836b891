//! Systems with mass: oscillators and structures under loads or base acceleration.
//!
//! M q'' + C q' + K q + sum of B_e F_e = load(t) - M 1 base(t), q(0) = x0, q'(0) = v0.
//! An element between the degrees of freedom a and b sees q_b - q_a; its force acts on both.
//! The values stand in one vector: those of the assembly, then those of the masses.
//!
//! Two schemes. Where every element takes part by a map or by rates: the classical Runge-Kutta
//! method, with the kinks of the laws (stage nodes, slip limits, reversals) located and stepped onto.
//! Where an element is stiff and offers whole steps only: average acceleration (Newmark 1/4, 1/2),
//! solved by Newton. Either way a run is a list of micro-steps, and tangent and adjoint are the exact
//! derivatives of that list. Derivation: `docs/math/systems.md`.

mod choose;
mod columns;
mod decimate;
mod driven;
mod equations;
mod explicit;
mod finer;
mod implicit;
mod load;
mod locate;
mod march;
mod record;
mod stage;
mod start;

pub use choose::{EXPLICIT_ACCURACY, IMPLICIT_ACCURACY, choose};
pub use columns::Column;
pub use decimate::Decimation;
pub use driven::{Driven, Response, Sensitivity};
pub use load::Load;
pub use record::{Gradient, Outputs, Recorded};
