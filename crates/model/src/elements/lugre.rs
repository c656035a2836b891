//! LuGre friction: bristles that bend, and slip more easily the faster they are dragged.
//!
//! F  = z + sigma1 z'/sigma0 + sigma2 v
//! z' = sigma0 (v - |v| z / g(v)),  g(v) = fc + (fs - fc) exp(-(v/vs)^2)
//!
//! The state is the force of the bristles, sigma0 times their deflection in the paper. Exact for
//! straight motion: at constant speed the law of z is linear. A jump (dt = 0) is infinitely fast, so
//! that g = fc.
//!
//! With the energy z^2 / (2 sigma0) the power that is lost is
//! |v| / g (z^2 + (sigma1 + sigma2) |v| g - sigma1 v z), and |z| never exceeds the larger of fc and fs.
//! It is never negative where sigma2 min(fc, fs) >= sigma1 |fs - fc|; beyond that, bristle damping
//! can give back energy at high speed.
//!
//! References: Canudas de Wit, C., Olsson, H., Astrom, K. J., Lischinsky, P. (1995), IEEE Trans. Autom.
//! Control 40(3), 419-425; Barabanov, N., Ortega, R. (2000), IEEE Trans. Autom. Control 45(4), 830-832
//! (the condition is also necessary).

use super::decay::held;
use crate::element::{Coupling, Step};
use crate::law::{Bristles, Interval, Law, RateLaw, ReturnMap, fixed};
use crate::registry::Kind;
use crate::scalar::Scalar;

crate::params! {
    /// Stiffness of the bristles.
    sigma0: "N/m", 1.0..=1e12, 1e5;
    /// Damping of the bristles; sigma1 |fs - fc| <= sigma2 min(fc, fs) keeps the law passive.
    sigma1: "N s/m", 0.0..=1e12, 100.0;
    /// Viscous damping.
    sigma2: "N s/m", 0.0..=1e12, 200.0;
    /// Friction force at high speed.
    fc: "N", 1e-9..=1e9, 30.0;
    /// Friction force at the onset of sliding.
    fs: "N", 1e-9..=1e9, 40.0;
    /// Speed over which the friction falls from fs to fc (Stribeck).
    vs: "m/s", 1e-9..=1e3, 5e-3;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "LuGre friction: presliding stiffness, a friction force that falls with speed, viscous damping",
    equations: "F = z + sigma1 z'/sigma0 + sigma2 v,  z' = sigma0 (v - |v| z / g),  g = fc + (fs - fc) exp(-(v/vs)^2)",
    reference: "Canudas de Wit, Olsson, Astrom & Lischinsky (1995), IEEE Trans. Autom. Control 40(3), 419-425",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "lugre";

plain_law!(LuGre, Time, "z" in "N");

/// The friction force at a steady speed, without its viscous part.
fn stribeck<S: Scalar>([fc, fs, vs]: [S; 3], v: S) -> S {
    let ratio = v / vs;
    // A mean of both forces, each with its own weight: a difference would lose the smaller one.
    let towards_fc = -(-(ratio * ratio)).exp_m1();
    fc * towards_fc + fs * (-towards_fc + 1.0)
}

/// The force for the motion and the bristles as they are.
fn force<S: Scalar>(p: &[S], v: S, z: S) -> S {
    let [_, sigma1, sigma2, fc, fs, vs] = fixed(p);
    let slip = v.abs() * z / stribeck([fc, fs, vs], v);
    z + sigma1 * (v - slip) + sigma2 * v
}

impl Law for LuGre {
    named_by!(0);

    fn non_passive(&self, p: &[f64]) -> Option<&'static str> {
        let [_, sigma1, sigma2, fc, fs, _] = fixed(p);
        (sigma1 * (fs - fc).abs() > sigma2 * fc.min(fs)).then_some(
            "sigma1 |fs - fc| is larger than sigma2 min(fc, fs): fast motions may draw energy from it",
        )
    }

    fn falling(&self, p: &[f64]) -> Option<&'static str> {
        let [_, _, _, fc, fs, _] = fixed(p);
        (fs > fc).then_some("its friction falls with the speed (fs above fc); expected fs = fc, or a slider with stribeck = 1")
    }

    fn bristles(&self) -> Option<Bristles> {
        Some(Bristles {
            stiffness: 0,
            damping: 1,
            viscous: 2,
            friction: 3,
            onset: 4,
            speed: 5,
        })
    }
}

impl ReturnMap for LuGre {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let [sigma0, _, _, fc, fs, vs] = fixed(p);
        let dx = s.dx();
        let g = if s.dt > 0.0 {
            stribeck([fc, fs, vs], dx / s.dt)
        } else {
            fc
        };
        let fade = sigma0 * dx.abs() / g;
        z[0] = z[0] * (-fade).exp() + sigma0 * dx * held(fade);
        force(p, s.v[1], z[0])
    }

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Flow(self)
    }

    fn guards(&self, _: &[f64], s: &Step, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        out.extend([s.v[1], -s.v[1]]);
    }
}

impl RateLaw for LuGre {
    fn rate<S: Scalar>(&self, p: &[S], _: S, v: S, z: &[S], dz: &mut [S]) {
        let [sigma0, _, _, fc, fs, vs] = fixed(p);
        dz[0] = sigma0 * (v - v.abs() * z[0] / stribeck([fc, fs, vs], v));
    }

    fn force<S: Scalar>(&self, p: &[S], _: S, v: S, z: &[S]) -> S {
        force(p, v, z[0])
    }
}
