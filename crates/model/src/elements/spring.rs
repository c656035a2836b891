//! Linear spring.
//!
//! F = k x

use crate::law::{Basis, Interval, Law, ReturnMap, fixed};
use crate::registry::Kind;
use crate::scalar::Scalar;

crate::params! {
    /// Stiffness.
    k: "N/m", 0.0..=1e12, 1e5;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "linear spring",
    equations: "F = k x",
    reference: "Hooke's law",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "spring";

plain_law!(Spring, None);

impl Law for Spring {
    named_by!(0);

    fn guess_solves(&self) -> bool {
        true
    }

    fn linear(&self) -> Vec<(usize, Basis)> {
        vec![(0, Basis::Displacement(1))]
    }
}

impl ReturnMap for Spring {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [k] = fixed(p);
        k * s.x[1]
    }
}
