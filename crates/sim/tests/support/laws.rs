//! Laws of a user's own, written in the generic ways.

use masing_model::law::fixed;
use masing_model::{ImplicitLaw, Law, Memory, RateLaw, Scalar, Spec, params};

params! {
    /// Bristle stiffness.
    sigma: "N/m", 1.0..=1e12, 1e5;
    /// Coulomb force.
    fc: "N", 1e-3..=1e9, 20.0;
    /// Relaxation time.
    tau: "s", 1e-6..=1e6, 0.2;
}

/// Dahl friction that also relaxes: z' = sigma v (1 - z sign(v)/fc) - z/tau.
pub struct Relaxing(pub Spec);

impl Relaxing {
    pub fn new() -> Self {
        Self(Spec::new(Memory::Time, params()).state("z", "N"))
    }
}

impl Law for Relaxing {
    fn name(&self) -> &'static str {
        "relaxing"
    }

    fn spec(&self) -> &Spec {
        &self.0
    }
}

impl RateLaw for Relaxing {
    fn rate<S: Scalar>(&self, p: &[S], _: S, v: S, z: &[S], dz: &mut [S]) {
        let [sigma, fc, tau] = fixed(p);
        dz[0] = sigma * v - sigma * v.abs() * z[0] / fc - z[0] / tau;
    }

    fn force<S: Scalar>(&self, p: &[S], x: S, v: S, z: &[S]) -> S {
        z[0] + p[0] * x * 0.1 + p[1] * v
    }
}

/// Two masses' worth of series dashpots with a nonlinear implicit relation between rates and forces:
/// c (z1' + (z1'/v0)^3) = k (x - z1) - k (z1 - z2), c z2' + tau-weighted z1' = k (z1 - z2).
pub struct Implicit(pub Spec);

impl Implicit {
    pub fn new() -> Self {
        Self(
            Spec::new(Memory::Time, params())
                .state("z1", "m")
                .state("z2", "m"),
        )
    }
}

impl Law for Implicit {
    fn name(&self) -> &'static str {
        "implicit"
    }

    fn spec(&self) -> &Spec {
        &self.0
    }
}

impl ImplicitLaw for Implicit {
    fn residual<S: Scalar>(&self, p: &[S], x: S, v: S, z: &[S], dz: &[S], r: &mut [S]) {
        let [k, f, tau] = fixed(p);
        let c = k * tau;
        let fast = dz[0] / 1e-3;
        r[0] =
            c * dz[0] + f * 0.1 * fast * fast * fast - k * (x - z[0]) + k * (z[0] - z[1]) - f * v;
        r[1] = c * dz[1] + c * dz[0] * 0.2 - k * (z[0] - z[1]);
    }

    fn force<S: Scalar>(&self, p: &[S], x: S, _: S, z: &[S]) -> S {
        p[0] * (x - z[0])
    }

    fn rest<S: Scalar>(&self, x: S, z: &mut [S]) {
        z.fill(x);
    }
}
