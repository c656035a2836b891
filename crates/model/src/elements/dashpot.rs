//! Linear dashpot.
//!
//! F = c v

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::law::{Basis, Interval, Law, Mapped, ReturnMap, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

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

/// The law.
#[derive(Clone, Debug)]
pub struct Dashpot(Spec);

fn build(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    Ok(Box::new(Mapped(Dashpot(Spec::new(Memory::None, params())))))
}

impl Law for Dashpot {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        &self.0
    }

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
