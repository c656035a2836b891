//! Dry friction with a layer of creep.
//!
//! F = h tanh(eta v)

use crate::law::{Interval, Law, ReturnMap, fixed};
use crate::registry::Kind;
use crate::scalar::Scalar;

crate::params! {
    /// Friction force.
    h: "N", 0.0..=1e9, 10.0;
    /// Sharpness: below the speed 1/eta the force creeps instead of holding.
    eta: "s/m", 1e-3..=1e9, 1e3;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "dry friction with a layer of creep",
    equations: "F = h tanh(eta v)",
    reference: "Coulomb friction, regularised",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "coulomb";

plain_law!(Coulomb, None);

impl Law for Coulomb {
    named_by!(0);
}

impl ReturnMap for Coulomb {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [h, eta] = fixed(p);
        h * (eta * s.v[1]).tanh()
    }
}
