//! Dashpot whose force grows ever more slowly with the speed.
//!
//! F = f asinh(v/v0)
//!
//! Viscous far below v0, nearly constant far above.
//!
//! Reference: Eyring, H. (1936), J. Chem. Phys. 4(4), 283-291.

use crate::element::{Coupling, Element, Memory};
use crate::error::ModelError;
use crate::law::{Features, Interval, Law, Mapped, Probe, ReturnMap, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Force by which the logarithm of the speed is multiplied.
    f: "N", 0.0..=1e9, 100.0;
    /// Speed at which the force stops being proportional to it.
    v0: "m/s", 1e-12..=1e6, 1e-3;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "dashpot that saturates: viscous at low speed, nearly dry friction at high speed",
    equations: "F = f asinh(v/v0)",
    reference: "Eyring (1936), J. Chem. Phys. 4(4), 283-291",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "eyring-dashpot";

/// The law.
#[derive(Clone, Debug)]
pub struct EyringDashpot(Spec);

fn build(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    Ok(Box::new(Mapped(EyringDashpot(Spec::new(
        Memory::None,
        params(),
    )))))
}

impl Law for EyringDashpot {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        &self.0
    }

    /// The dissipated energy at a speed ten times that of saturation.
    fn guess(&self, f: &Features, share: f64) -> Vec<f64> {
        let v0 = 0.1 * f.speed_above_zero();
        vec![share * f.friction() / 10.0_f64.asinh(), v0]
    }

    fn reveals(&self, _: usize) -> Probe {
        Probe::Speed
    }
}

impl ReturnMap for EyringDashpot {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [f, v0] = fixed(p);
        f * (s.v[1] / v0).asinh()
    }

    fn coupling(&self) -> Coupling<'_> {
        // f/v0 may be any damping at rest.
        Coupling::Implicit
    }
}
