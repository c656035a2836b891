//! Linear spring.
//!
//! F = k x

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::law::{Basis, Interval, Law, Mapped, ReturnMap, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Stiffness.
    k: "N/m", 0.0..=1e12, 1e5;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "linear spring",
    equations: "F = k x",
    reference: "Hooke's law",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "spring";

/// The law.
#[derive(Clone, Debug)]
pub struct Spring(Spec);

fn build(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    Ok(Box::new(Mapped(Spring(Spec::new(Memory::None, params())))))
}

impl Law for Spring {
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
        vec![(0, Basis::Displacement(1))]
    }
}

impl ReturnMap for Spring {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let [k] = fixed(p);
        k * s.x[1]
    }
}
