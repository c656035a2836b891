//! Eyring solid: a spring in parallel to a spring and a thermally activated dashpot in series.
//!
//! f0 asinh(z'/v0) = k (x - z)
//! F = k_inf x + k (x - z)
//!
//! The dashpot creeps at any force, faster than in proportion at forces beyond f0: polymers under
//! load. The law is written as it reads, an implicit equation for z'; step, tangent and adjoint
//! follow from it.
//!
//! Reference: Eyring, H. (1936), J. Chem. Phys. 4, 283-291.

use masing_model::law::fixed;
use masing_model::{ImplicitLaw, Law, Memory, Scalar, Spec, params};

params! {
    /// Stiffness after a long time.
    k_inf: "N/m", 1.0..=1e9, 5e4;
    /// Stiffness that relaxes.
    k: "N/m", 1.0..=1e9, 1e5;
    /// Force scale of the dashpot.
    f0: "N", 1e-3..=1e6, 10.0;
    /// Speed scale of the dashpot.
    v0: "m/s", 1e-12..=1e3, 1e-4;
}

/// The law.
pub struct Eyring(Spec);

impl Default for Eyring {
    fn default() -> Self {
        Self(Spec::new(Memory::Time, params()).state("z", "m"))
    }
}

impl Law for Eyring {
    fn name(&self) -> &'static str {
        "eyring"
    }

    fn spec(&self) -> &Spec {
        &self.0
    }
}

impl ImplicitLaw for Eyring {
    fn residual<S: Scalar>(&self, p: &[S], x: S, _v: S, z: &[S], dz: &[S], r: &mut [S]) {
        let [_, k, f0, v0] = fixed(p);
        r[0] = f0 * asinh(dz[0] / v0) - k * (x - z[0]);
    }

    fn force<S: Scalar>(&self, p: &[S], x: S, _v: S, z: &[S]) -> S {
        let [k_inf, k, ..] = fixed::<S, 4>(p);
        k_inf * x + k * (x - z[0])
    }

    fn rest<S: Scalar>(&self, x: S, z: &mut [S]) {
        z[0] = x;
    }
}

/// asinh with derivatives, to the last digit on both sides and near zero, where a law that relaxes ends:
/// without digits there the equation for its rate could not be solved.
fn asinh<S: Scalar>(x: S) -> S {
    let size = x.abs();
    let square = size * size;
    let log = (size + square / ((square + 1.0).sqrt() + 1.0)).ln_1p();
    if x.value() == 0.0 { x } else { log * x.sign() }
}
