//! Power-law dashpot.
//!
//! F = c sign(v) |v|^alpha

use crate::element::{Coupling, Element, Memory};
use crate::error::ModelError;
use crate::law::{Interval, Law, Mapped, Probe, ReturnMap, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

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

/// The law.
#[derive(Clone, Debug)]
pub struct PowerDashpot(Spec);

fn build(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let spec = Spec::new(Memory::None, params());
    Ok(Box::new(Mapped(PowerDashpot(spec))))
}

impl Law for PowerDashpot {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        &self.0
    }

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
