//! Spring-slider: a spring in series with dry friction.
//!
//! F = z,  z = clip(z + ks dx, -zs, zs)
//!
//! Reference: Jenkins, G. M. (1962), Br. J. Appl. Phys. 13, 30-32.

use crate::element::Step;
use crate::law::{Interval, Law, ReturnMap, fixed};
use crate::registry::Kind;
use crate::scalar::Scalar;

crate::params! {
    /// Stiffness of the spring.
    ks: "N/m", 1.0..=1e12, 1e5;
    /// Force at which the slider slips.
    zs: "N", 1e-9..=1e9, 20.0;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "spring-slider: a spring in series with dry friction",
    equations: "F = z,  z = clip(z + ks dx, -zs, zs)",
    reference: "Jenkins (1962), Br. J. Appl. Phys. 13, 30-32",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "jenkins";

plain_law!(Jenkins, Path, "z" in "N");

impl Law for Jenkins {
    named_by!(0);
}

impl ReturnMap for Jenkins {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let [ks, zs] = fixed(p);
        z[0] = (z[0] + ks * s.dx()).max(-zs).min(zs);
        z[0]
    }

    fn straight(&self) -> bool {
        true
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], _: &[f64], out: &mut Vec<f64>) {
        let [ks, zs] = fixed(p);
        // How far beyond the slip limit the spring would be stretched, and the reversals that end slip.
        out.push(((z0[0] + ks * s.dx()).abs() - zs) / ks);
        out.extend([s.v[1], -s.v[1]]);
    }
}
