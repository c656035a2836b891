//! Power-law dashpot.
//!
//! F = c sign(v) |v|^alpha

use crate::element::Coupling;
use crate::law::{Interval, Law, Probe, ReturnMap, fixed};
use crate::registry::Kind;
use crate::scalar::Scalar;

crate::params! {
    /// Force at unit speed.
    c: "N (s/m)^alpha", 0.0..=1e12, 1e3;
    /// Power of the speed: 1 is viscous, towards 0 it becomes dry friction, 2 is an orifice.
    alpha: "1", 0.001..=5.0, 0.5;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "power-law dashpot, from dry friction to an orifice",
    equations: "F = c sign(v) |v|^alpha",
    reference: "Ostwald-de Waele power law",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "power-dashpot";

plain_law!(PowerDashpot, None);

impl Law for PowerDashpot {
    named_by!(0);

    /// The power, too, is one of the speed.
    fn reveals(&self, _: usize) -> Probe {
        Probe::Speed
    }
}

impl ReturnMap for PowerDashpot {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [c, alpha] = fixed(p);
        c * s.v[1].signed_pow(alpha)
    }

    fn coupling(&self) -> Coupling<'_> {
        // Below alpha = 1 the damping of a mass at rest is infinite: stiff at every reversal.
        Coupling::Implicit
    }
}
