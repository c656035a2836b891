//! Spring and dashpot in series.
//!
//! F  = z
//! z' = k v - z / tau
//!
//! Exact for straight motion; a jump (dt = 0) is taken by the spring.
//!
//! Reference: Maxwell, J. C. (1867), Phil. Trans. R. Soc. 157, 49-88.

use super::decay::held;
use crate::element::Coupling;
use crate::law::{Interval, Law, Probe, RateLaw, ReturnMap, fixed};
use crate::registry::Kind;
use crate::scalar::Scalar;

crate::params! {
    /// Stiffness of the spring.
    k: "N/m", 1.0..=1e12, 1e5;
    /// Relaxation time, damping over stiffness.
    tau: "s", 1e-9..=1e9, 0.01;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "spring and dashpot in series",
    equations: "F = z,  z' = k v - z / tau",
    reference: "Maxwell (1867), Phil. Trans. R. Soc. 157, 49-88",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "maxwell";

plain_law!(Maxwell, Time, "z" in "N");

impl Law for Maxwell {
    named_by!(0);

    /// Stiffness and time are told apart by how the force falls while the motion rests.
    fn reveals(&self, _: usize) -> Probe {
        Probe::Hold
    }
}

impl ReturnMap for Maxwell {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let [k, tau] = fixed(p);
        let h = S::from(s.dt) / tau;
        z[0] = z[0] * (-h).exp() + k * s.dx() * held(h);
        z[0]
    }

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Flow(self)
    }
}

impl RateLaw for Maxwell {
    fn rate<S: Scalar>(&self, p: &[S], _: S, v: S, z: &[S], dz: &mut [S]) {
        let [k, tau] = fixed(p);
        dz[0] = k * v - z[0] / tau;
    }

    fn force<S: Scalar>(&self, _: &[S], _: S, _: S, z: &[S]) -> S {
        z[0]
    }
}
