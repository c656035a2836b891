//! Networks: elements side by side and one after another, each network again an element.
//!
//! [`Parallel`]: the displacement is shared, forces add. [`Series`]: the force is shared, displacements
//! add. [`Softening`]: wraps an element. A series splits its displacement in two, the first element against all that follow; where it
//! is split is its state. Derivation: `docs/math/networks.md`.

mod described;
mod parallel;
mod scheme;
pub(crate) mod series;
pub(crate) mod softening;
mod split;

pub use described::Child;
pub(crate) use described::address;
pub use parallel::Parallel;
pub use series::Series;
pub use softening::Softening;
