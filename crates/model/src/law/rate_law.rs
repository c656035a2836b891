//! Laws given as rates of their states.

use super::Law;
use super::implicit_law::ImplicitLaw;
use crate::element::{Cotangent, Coupling, Element, Flow, Step, Tangent, Tape};
use crate::error::StepError;
use crate::scalar::{Lanes, Scalar};
use crate::spec::Spec;

/// A law z' = rate(x, v, z) with a force that depends on motion and state.
pub trait RateLaw: Law {
    /// Writes the rates of the states.
    fn rate<S: Scalar>(&self, p: &[S], x: S, v: S, z: &[S], dz: &mut [S]);

    /// The force.
    fn force<S: Scalar>(&self, p: &[S], x: S, v: S, z: &[S]) -> S;

    /// The state at rest at `x`: memory unstrained. It must not depend on the parameters.
    fn rest<S: Scalar>(&self, x: S, z: &mut [S]) {
        let _ = x;
        z.fill(0.0.into());
    }

    /// See [`Element::increment`].
    fn increment(&self, p: &[f64], speed: f64) -> f64 {
        let _ = (p, speed);
        f64::INFINITY
    }

    /// See [`Element::guards`].
    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        let _ = (p, s, z0, z1, out);
    }
}

impl<L: RateLaw> Flow for L {
    fn eval(&self, p: &[f64], x: f64, v: f64, z: &[f64], dz: &mut [f64]) -> f64 {
        self.rate(p, x, v, z, dz);
        self.force(p, x, v, z)
    }

    fn eval_lanes(&self, p: &[Lanes], x: Lanes, v: Lanes, z: &[Lanes], dz: &mut [Lanes]) -> Lanes {
        self.rate(p, x, v, z, dz);
        self.force(p, x, v, z)
    }
}

/// A rate law read as an implicit law: 0 = z' - rate.
struct AsImplicit<'a, L>(&'a L);

impl<L: RateLaw> Law for AsImplicit<'_, L> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn spec(&self) -> &Spec {
        self.0.spec()
    }
}

impl<L: RateLaw> ImplicitLaw for AsImplicit<'_, L> {
    fn residual<S: Scalar>(&self, p: &[S], x: S, v: S, z: &[S], dz: &[S], r: &mut [S]) {
        self.0.rate(p, x, v, z, r);
        for (r, &dz) in r.iter_mut().zip(dz) {
            *r = dz - *r;
        }
    }

    fn force<S: Scalar>(&self, p: &[S], x: S, v: S, z: &[S]) -> S {
        self.0.force(p, x, v, z)
    }

    fn first_rates(&self, p: &[f64], x: f64, v: f64, z: &[f64], dz: &mut [f64]) {
        self.0.rate(p, x, v, z, dz);
    }
}

/// The element made of a [`RateLaw`]: an L-stable implicit step for prescribed motion, the rates
/// themselves for systems with mass.
#[derive(Clone, Debug)]
pub struct Rated<L>(pub L);

impl<L: RateLaw> Element for Rated<L> {
    made_of_law!();
    stepped_implicitly!(&AsImplicit);

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Flow(&self.0)
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        self.0.guards(p, s, z0, z1, out);
    }
}
