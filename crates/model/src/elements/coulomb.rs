//! Dry friction with a layer of creep.
//!
//! F = h tanh(eta v)

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::law::{Interval, Law, Mapped, ReturnMap, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

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

/// The law.
#[derive(Clone, Debug)]
pub struct Coulomb(Spec);

fn build(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    Ok(Box::new(Mapped(Coulomb(Spec::new(Memory::None, params())))))
}

impl Law for Coulomb {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        &self.0
    }
}

impl ReturnMap for Coulomb {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [h, eta] = fixed(p);
        h * (eta * s.v[1]).tanh()
    }
}
