//! Dry friction with a layer of creep.
//!
//! F = h tanh(eta v)

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::law::{Interval, Mapped, ReturnMap, fixed};
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
    name: Coulomb::NAME,
    summary: "dry friction with a layer of creep",
    equations: "F = h tanh(eta v)",
    reference: "Coulomb friction, regularised",
    build,
    ..Kind::PLAIN
};

/// The law.
#[derive(Clone, Debug)]
pub struct Coulomb(Spec);

fn build(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    Ok(Box::new(Mapped(Coulomb(Spec::new(Memory::None, params())))))
}

impl ReturnMap for Coulomb {
    const NAME: &'static str = "coulomb";

    fn spec(&self) -> &Spec {
        &self.0
    }

    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [h, eta] = fixed(p);
        h * (eta * s.v[1]).tanh()
    }
}
