//! Bouc-Wen hysteresis that degrades with the energy it has taken up, and may pinch.
//!
//! F  = z
//! z' = h (a v - nu (beta |v| sign(z) |z|^n + gamma v |z|^n)) / eta,  e' = z v
//! nu = 1 + dnu e (strength),  eta = 1 + deta e (stiffness)
//!
//! With `pinching = 1`, near the force q zu on the way out, zu = (a/(nu (beta + gamma)))^(1/n):
//!
//! h  = 1 - zeta exp(-((z sign(v)/zu - q)/width)^2)
//! zeta = pinch (1 - exp(-rate e)),  width = (psi + dpsi e) (lambda + zeta)
//!
//! References: Baber, T. T., Noori, M. N. (1985), J. Eng. Mech. ASCE 111(8), 1010-1026; Foliente, G. C. (1995),
//! J. Struct. Eng. 121(6), 1013-1022.

use super::bouc_wen::guards_of_force;
use crate::element::{Element, Memory, Step};
use crate::error::ModelError;
use crate::law::{Features, Law, RateLaw, Rated, by_unit, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Stiffness at the origin.
    a: "N/m", 1.0..=1e12, 1e5;
    /// Loop width.
    beta: "N^(1-n)/m", 0.0..=1e12, 500.0;
    /// Loop slant; |gamma| <= beta keeps the loop dissipative.
    gamma: "N^(1-n)/m", -1e12..=1e12, 0.0;
    /// Sharpness of the yield knee.
    n: "1", 0.5..=10.0, 1.0;
    /// Loss of strength with the energy.
    dnu: "1/J", 0.0..=1e9, 0.1;
    /// Loss of stiffness with the energy.
    deta: "1/J", 0.0..=1e9, 0.1;
    /// How much of the stiffness pinching takes at last.
    pinch: "1", 0.0..=0.99, 0.5;
    /// How fast pinching comes with the energy.
    rate: "1/J", 0.0..=1e9, 1.0;
    /// Where it pinches, as a share of the largest force.
    q: "1", 0.0..=0.9, 0.1;
    /// Width of the pinch, as a share of the largest force.
    psi: "1", 1e-3..=10.0, 0.3;
    /// Growth of the width with the energy.
    dpsi: "1/J", 0.0..=1e9, 0.0;
    /// Width before it pinches, over its growth with the pinch.
    lambda: "1", 1e-3..=10.0, 0.5;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "Bouc-Wen hysteresis whose stiffness and strength degrade with the energy taken up, with pinching",
    equations: "F = z,  z' = h (a v - nu (beta |v| sign(z) |z|^n + gamma v |z|^n)) / eta,  e' = z v\nnu = 1 + dnu e,  eta = 1 + deta e,  h = 1 without pinching",
    reference: "Baber & Noori (1985), J. Eng. Mech. ASCE 111(8), 1010-1026; Foliente (1995), J. Struct. Eng. 121(6), 1013-1022",
    options: &[(
        "pinching",
        "1 for loops that pinch: pinch, rate, q, psi, dpsi, lambda; 0 without (default)",
    )],
    on_request: PINCHING,
    build,
    ..Kind::PLAIN
};

const NAME: &str = "bouc-wen-degrading";
const PINCHING: &[&str] = &["pinch", "rate", "q", "psi", "dpsi", "lambda"];

/// The law.
#[derive(Clone, Debug)]
pub struct Degrading {
    spec: Spec,
    pinching: bool,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let given = PINCHING.iter().any(|name| shape.given.contains(*name));
    let pinching = shape.count("pinching", usize::from(given), 0..=1)? == 1;
    let mut spec = Spec::new(Memory::Path, params())
        .state("z", "N")
        .state("e", "J");
    if !pinching {
        spec.params.truncate(6);
    }
    Ok(Box::new(Rated(Degrading { spec, pinching })))
}

/// Share of the displacement from no force to the largest that a step may take at first.
const PART_OF_YIELD: f64 = 0.1;

/// The largest force before anything degrades.
fn largest(p: &[f64]) -> f64 {
    let [a, beta, gamma, n] = fixed(p);
    (a / (beta + gamma)).powf(1.0 / n)
}

impl Law for Degrading {
    named_by!(spec);

    fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        self.spec.check(p)?;
        if self.pinching && !(p[1] + p[2] > 0.0) {
            return Err(ModelError::Rejected(format!(
                "`{NAME}` pinches at a share of its largest force, which it has only where beta + gamma > 0"
            )));
        }
        Ok(())
    }

    fn non_passive(&self, p: &[f64]) -> Option<&'static str> {
        let [a, beta, gamma] = fixed(p);
        let largest = largest(p);
        if gamma.abs() > beta {
            Some(
                "|gamma| is larger than beta: beyond the tested amplitudes the force may grow without limit",
            )
        } else if p[5] * largest * largest > 2.0 * a {
            Some(
                "deta times the square of its largest force is above 2 a: a spring that softens faster than it takes up energy may give some back",
            )
        } else {
            None
        }
    }

    fn falling(&self, _: &[f64]) -> Option<&'static str> {
        Some("its force falls as it degrades; expected a bouc-wen without degradation")
    }

    /// By units, with saturation at the friction force; what a few cycles take up changes little.
    fn guess(&self, f: &Features, share: f64) -> Vec<f64> {
        let mut p = by_unit::guess(&self.spec, f, share);
        p[1] = p[0] / f.friction().powf(p[3]);
        p[2] = 0.0;
        let slowly = 0.02 / f.energy.max(f.friction() * f.amplitude);
        for (value, param) in p.iter_mut().zip(&self.spec.params) {
            match param.name.as_str() {
                "dnu" | "deta" => *value = slowly,
                "rate" => *value = 10.0 * slowly,
                _ => {}
            }
        }
        p
    }

    fn common_scale(&self, p: &[f64]) -> Option<(Vec<usize>, f64)> {
        Some((vec![1, 2], f64::max(p[1].abs(), p[2].abs())))
    }
}

impl RateLaw for Degrading {
    fn rate<S: Scalar>(&self, p: &[S], _: S, v: S, z: &[S], dz: &mut [S]) {
        let [a, beta, gamma, n, dnu, deta] = fixed(p);
        let (z, e) = (z[0], z[1]);
        let nu = dnu * e + 1.0;
        let (even, odd) = (z.abs_pow(n), z.signed_pow(n));
        let plain = a * v - nu * (beta * v.abs() * odd + gamma * v * even);
        let mut h = S::from(1.0);
        if self.pinching {
            let [pinch, rate, q, psi, dpsi, lambda] = fixed(&p[6..]);
            let zeta = -(pinch * (-(rate * e)).exp_m1());
            let width = (psi + dpsi * e) * (lambda + zeta);
            let largest = (a / (nu * (beta + gamma))).abs_pow(S::from(1.0) / n);
            let off = (z * v.sign() / largest - q) / width;
            h = h - zeta * (-(off * off)).exp();
        }
        dz[0] = h * plain / (deta * e + 1.0);
        dz[1] = z * v;
    }

    fn force<S: Scalar>(&self, _: &[S], _: S, _: S, z: &[S]) -> S {
        z[0]
    }

    fn increment(&self, p: &[f64], _: f64) -> f64 {
        let yields = largest(p) / p[0];
        if yields.is_finite() && yields > 0.0 {
            PART_OF_YIELD * yields
        } else {
            f64::INFINITY
        }
    }

    fn guards(&self, p: &[f64], s: &Step, _: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        out.extend([s.v[1], -s.v[1]]);
        let [a, beta, gamma, n] = fixed(p);
        out.extend(guards_of_force(n, [beta, f64::abs(gamma)], z1[0] / a));
    }
}
