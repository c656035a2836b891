//! Linear dashpot.
//!
//! F = c v

use crate::law::{Basis, Interval, Law, ReturnMap, fixed};
use crate::registry::Kind;
use crate::scalar::Scalar;

crate::params! {
    /// Damping.
    c: "N s/m", 0.0..=1e12, 1e3;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "linear dashpot",
    equations: "F = c v",
    reference: "Newton's law of viscosity",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "dashpot";

plain_law!(Dashpot, None);

impl Law for Dashpot {
    named_by!(0);

    fn guess_solves(&self) -> bool {
        true
    }

    fn linear(&self) -> Vec<(usize, Basis)> {
        vec![(0, Basis::Velocity(1))]
    }
}

impl ReturnMap for Dashpot {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [c] = fixed(p);
        c * s.v[1]
    }
}
