//! Bouc-Wen hysteresis.
//!
//! F  = z
//! z' = a v - beta |v| sign(z) |z|^n - gamma v |z|^n
//!
//! and `bouc-wen-asymmetric`, whose loop yields at other forces on the two sides:
//!
//! z' = ... - phi (v sign(z) + |v|) |z|^n
//!
//! Exact for any monotone step: along |dx| the force against the motion is first taken off to zero,
//! then built up, each on one branch of the loop. Derivation: `docs/math/exact-flows.md`.
//!
//! References: Wen, Y.-K. (1976), J. Eng. Mech. Div. ASCE 102(2), 249-263; Wang, C.-H., Wen, Y.-K. (1998) as in
//! Song, J., Der Kiureghian, A. (2006), J. Eng. Mech. ASCE 132(6), 610-618.

mod branch;
mod loops;
mod side;
mod solve;

use crate::element::{Cotangent, Coupling, Element, Memory, Step, Tangent, Tape};
use crate::error::{ModelError, StepError};
use crate::law::{Features, Law, LoopLaw, RateLaw, by_unit, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::{Scalar, sign};
use crate::spec::Spec;
use branch::Branch;

crate::params! {
    /// Stiffness at the origin.
    a: "N/m", 1.0..=1e12, 1e5;
    /// Loop width.
    beta: "N^(1-n)/m", 0.0..=1e12, 500.0;
    /// Loop slant; |gamma| <= beta keeps the loop dissipative.
    gamma: "N^(1-n)/m", -1e12..=1e12, 0.0;
    /// Sharpness of the yield knee.
    n: "1", 0.5..=10.0, 1.0;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: BoucWen::<false>::NAME,
    summary: "Bouc-Wen hysteresis: smooth loops with a yield knee",
    equations: "F = z,  z' = a v - beta |v| sign(z) |z|^n - gamma v |z|^n",
    reference: "Wen (1976), J. Eng. Mech. Div. ASCE 102(2), 249-263",
    build,
    ..Kind::PLAIN
};

/// Registry entry of the loop with two sides.
pub const ASYMMETRIC_KIND: Kind = Kind {
    name: BoucWen::<true>::NAME,
    summary: "Bouc-Wen hysteresis that yields at other forces on the two sides",
    equations: "F = z,  z' = a v - (beta |v| sign(z) + gamma v + phi (v sign(z) + |v|)) |z|^n",
    reference: "Wang & Wen (1998), in Song & Der Kiureghian (2006), J. Eng. Mech. ASCE 132(6), 610-618",
    build: build_asymmetric,
    ..Kind::PLAIN
};

/// The law; with or without a side.
#[derive(Clone, Debug)]
pub struct BoucWen<const ASYMMETRIC: bool>(Spec);

impl<const ASYMMETRIC: bool> BoucWen<ASYMMETRIC> {
    const NAME: &'static str = if ASYMMETRIC {
        "bouc-wen-asymmetric"
    } else {
        "bouc-wen"
    };
}

fn build(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let spec = Spec::new(Memory::Path, params()).state("z", "N");
    Ok(Box::new(BoucWen::<false>(spec)))
}

fn build_asymmetric(_: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let params = [params(), side::asymmetry()].concat();
    let spec = Spec::new(Memory::Path, params).state("z", "N");
    Ok(Box::new(BoucWen::<true>(spec)))
}

/// The parameters, with a phi of zero where the law has none.
fn named<S: Scalar>(p: &[S]) -> [S; 5] {
    let [a, beta, gamma, n] = fixed(p);
    let phi = p.get(4).copied().unwrap_or_else(|| S::from(0.0));
    [a, beta, gamma, n, phi]
}

/// The branch on which |z| falls under a motion to this side, run backwards, and the one on which it
/// grows.
fn branches(p: &[f64], side: f64) -> (Branch, Branch) {
    let [a, beta, gamma, n, phi] = named(p);
    let against = Branch {
        a,
        b: gamma - beta,
        n,
    };
    let along = Branch {
        b: beta + gamma + 2.0 * side * phi,
        ..against
    };
    (against, along)
}

/// The force after a step; `None` where it grows without bounds.
fn step(p: &[f64], z0: f64, dx: f64) -> Option<f64> {
    let (side, mut left) = (sign(dx), dx.abs());
    let (against, along) = branches(p, side);
    let mut m0 = side * z0;
    if side == 0.0 {
        // Also the sign of what is not a number.
        return Some(z0 + dx);
    }
    if m0 < 0.0 {
        let distance = if against.falls_short(-m0, left) {
            f64::INFINITY
        } else {
            against.distance(-m0)
        };
        if left < distance {
            return Some(-side * against.run(-m0, -left)?);
        }
        left -= distance;
        m0 = 0.0;
    }
    Some(side * along.run(m0, left)?)
}

/// Derivatives of the force after a step with respect to force before, increment and parameters.
struct Slopes {
    z: f64,
    dx: f64,
    p: [f64; 5],
}

/// Derivatives of the step from `z0` to `z1`; that with respect to n only if asked for.
fn slopes(p: &[f64], (z0, z1): (f64, f64), dx: f64, with_n: bool) -> Slopes {
    let (side, length) = (sign(dx), dx.abs());
    let (against, along) = branches(p, side);
    let (m0, m1) = (side * z0, side * z1);
    if side == 0.0 {
        // The two directions leave with different slopes; their mean is the central difference.
        let [a, _, gamma, n, phi] = named(p);
        return Slopes {
            z: 1.0,
            dx: a - (gamma + phi * sign(z0)) * z0.abs_pow(n),
            p: [0.0; 5],
        };
    }
    if m0 >= 0.0 {
        let s = along.slopes(m0, m1, length, with_n);
        return Slopes {
            z: s.start,
            dx: s.rate,
            p: [s.a, s.b, s.b, s.n, 2.0 * side * s.b].map(|slope| side * slope),
        };
    }
    if m1 < 0.0 {
        let s = against.slopes(-m0, -m1, -length, with_n);
        return Slopes {
            z: s.start,
            dx: s.rate,
            p: [-s.a, s.b, -s.b, -s.n, 0.0].map(|slope| side * slope),
        };
    }
    // What the parameters do to the distance to zero shortens the rest of the way.
    let distance = against.distance(-m0);
    let to_zero = against.slopes(0.0, -m0, distance, with_n);
    let s = along.slopes(0.0, m1, length - distance, with_n);
    let share = s.rate / to_zero.rate;
    Slopes {
        z: share,
        dx: s.rate,
        p: [
            s.a + share * to_zero.a,
            s.b - share * to_zero.b,
            s.b + share * to_zero.b,
            s.n + share * to_zero.n,
            2.0 * side * s.b,
        ]
        .map(|slope| side * slope),
    }
}

impl<const ASYMMETRIC: bool> Law for BoucWen<ASYMMETRIC> {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn spec(&self) -> &Spec {
        &self.0
    }

    /// Within |gamma| <= beta the force rises up to its limit and falls back no faster than it rose.
    fn falling(&self, p: &[f64]) -> Option<&'static str> {
        self.non_passive(p)
    }

    fn non_passive(&self, p: &[f64]) -> Option<&'static str> {
        let [_, beta, gamma, _, phi] = named(p);
        if gamma.abs() > beta {
            Some(
                "|gamma| is larger than beta: beyond the tested amplitudes the force may grow without limit",
            )
        } else if 2.0 * phi.abs() > beta + gamma {
            Some(
                "2 |phi| is larger than beta + gamma: beyond the tested amplitudes the force may grow without limit",
            )
        } else {
            None
        }
    }

    /// By units, with saturation at the friction force: a = (beta + gamma) z^n, with n as it is.
    fn guess(&self, features: &Features, share: f64) -> Vec<f64> {
        let mut p = by_unit::guess(&self.0, features, share);
        let (a, n) = (p[0], p[3]);
        p[1] = a / features.friction().powf(n);
        p[2] = 0.0;
        p
    }

    /// Width, slant and asymmetry may each be zero, and all act alike.
    fn common_scale(&self, p: &[f64]) -> Option<(Vec<usize>, f64)> {
        let alike = if ASYMMETRIC {
            vec![1, 2, 4]
        } else {
            vec![1, 2]
        };
        Some((alike, f64::max(p[1].abs(), p[2].abs())))
    }

    /// The formulas are those of a loop that is the same on both sides.
    fn loop_law(&self) -> Option<&dyn LoopLaw> {
        (!ASYMMETRIC).then_some(self as &dyn LoopLaw)
    }

    /// The asymmetric loop starts as a symmetric one.
    fn loop_start(&self) -> Option<&dyn LoopLaw> {
        Some(self)
    }
}

impl<const ASYMMETRIC: bool> Element for BoucWen<ASYMMETRIC> {
    fn law(&self) -> &dyn Law {
        self
    }

    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        let z1 = step(p, z[0], s.dx()).unwrap_or(f64::NAN);
        let z1 = StepError::unless_finite(Self::NAME, s, z1, &[])?;
        tape.push(&[z[0], z1]);
        z[0] = z1;
        Ok(z1)
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        let own = slopes(p, (tape[0], tape[1]), s.dx(), d.param.contains(&Some(3)));
        for (c, param) in d.param.iter().enumerate() {
            let mut slope = own.z * d.z[c] + param.map_or(0.0, |k| own.p[k]);
            if let Some([x0, x1, ..]) = d.motion {
                slope += own.dx * (x1[c] - x0[c]);
            }
            d.z[c] = slope;
            d.force[c] = slope;
        }
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        let own = slopes(p, (tape[0], tape[1]), s.dx(), true);
        let after = bar.z[0] + bar.force;
        bar.z[0] = after * own.z;
        bar.motion[0] -= after * own.dx;
        bar.motion[1] += after * own.dx;
        for (sum, slope) in bar.p.iter_mut().zip(own.p) {
            *sum += after * slope;
        }
    }

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Flow(self)
    }

    fn guards(&self, p: &[f64], s: &Step, _: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        out.extend([s.v[1], -s.v[1]]);
        let [_, beta, gamma, n, phi] = named(p);
        let even = gamma.abs() + phi.abs();
        out.extend(guards_of_force(n, [beta, even], z1[0] / p[0]));
    }
}

/// Share of terms in |z|^n beside those in sign(z) |z|^n above which z = 0 is a kink for every n.
const EVEN_SHARE: f64 = 0.05;

/// How near to a whole number n is one.
const WHOLE: f64 = 0.01;

/// Guards of z = 0, given as a displacement. Odd terms (coefficient `odd`) have a continuous slope there; for n
/// between whole numbers neither side is smoother than both together, and a step that stops there errs by
/// h^(n+1) like any other, but with a length that follows the parameters, which derivatives do not know
/// (`docs/math/events.md`). So it stops only for powers below 1, for whole ones and for even terms.
pub(super) fn guards_of_force(n: f64, [odd, even]: [f64; 2], stretch: f64) -> [f64; 2] {
    let kink = n < 1.0 + WHOLE || (n - n.round()).abs() < WHOLE || even > EVEN_SHARE * odd;
    if kink { [stretch, -stretch] } else { [-1.0; 2] }
}

impl<const ASYMMETRIC: bool> RateLaw for BoucWen<ASYMMETRIC> {
    fn rate<S: Scalar>(&self, p: &[S], _: S, v: S, z: &[S], dz: &mut [S]) {
        let [a, beta, gamma, n, phi] = named(p);
        let (even, odd) = (z[0].abs_pow(n), z[0].signed_pow(n));
        dz[0] = (a - gamma * even) * v - beta * v.abs() * odd - phi * (v * odd + v.abs() * even);
    }

    fn force<S: Scalar>(&self, _: &[S], _: S, _: S, z: &[S]) -> S {
        z[0]
    }
}
