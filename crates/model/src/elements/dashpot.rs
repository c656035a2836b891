//! Linear dashpot.
//!
//! F = c v

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::law::{Interval, Mapped, ReturnMap, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Damping.
    c: "N s/m", 0.0..=1e12, 1e3;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: Dashpot::NAME,
    summary: "linear dashpot",
    equations: "F = c v",
    reference: "Newton's law of viscosity",
    build,
    ..Kind::PLAIN
};

/// The law.
#[derive(Clone, Debug)]
pub struct Dashpot(Spec);

fn build(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    Ok(Box::new(Mapped(Dashpot(Spec::new(Memory::None, params())))))
}

impl ReturnMap for Dashpot {
    const NAME: &'static str = "dashpot";

    fn spec(&self) -> &Spec {
        &self.0
    }

    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [c] = fixed(p);
        c * s.v[1]
    }
}
