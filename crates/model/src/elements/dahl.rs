//! Dahl friction.
//!
//! F  = z
//! z' = sigma v sign(w) |w|^alpha,  w = 1 - z sign(v) / fc
//!
//! Exact for any monotone step: w falls by the factor (1 + (alpha - 1) u)^(-1/(alpha - 1)) with
//! u = (sigma / fc) |w|^(alpha - 1) |dx|, which is exp(-u) at alpha = 1. Below alpha = 1 the limit fc is
//! reached within a finite distance. Derivation: `docs/math/exact-flows.md`.
//!
//! Reference: Dahl, P. R. (1968), A solid friction model, TOR-0158(3107-18)-1, Aerospace Corporation.

mod loops;
mod roots;

use crate::element::{Coupling, Step};
use crate::law::{Interval, Law, LoopLaw, RateLaw, ReturnMap, fixed};
use crate::registry::Kind;
use crate::scalar::Scalar;

crate::params! {
    /// Stiffness at the origin.
    sigma: "N/m", 1.0..=1e12, 1e5;
    /// Friction force that the loop approaches.
    fc: "N", 1e-9..=1e9, 100.0;
    /// Shape of the approach.
    alpha: "1", 0.01..=10.0, 1.0;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "Dahl friction: a loop that approaches its friction force smoothly",
    equations: "F = z,  z' = sigma v sign(w) |w|^alpha,  w = 1 - z sign(v) / fc",
    reference: "Dahl (1968), TOR-0158(3107-18)-1, Aerospace Corporation",
    build,
    ..Kind::PLAIN
};

const NAME: &str = "dahl";

plain_law!(Dahl, Path, "z" in "N");

/// ln(1 + y) / y for y > -1.
fn log_quotient<S: Scalar>(y: S) -> S {
    // Below this the quotient loses digits of its derivative; the series has them all.
    if y.value().abs() < 1e-3 {
        return [1.0 / 5.0, -1.0 / 4.0, 1.0 / 3.0, -1.0 / 2.0, 1.0]
            .into_iter()
            .fold(S::from(-1.0 / 6.0), |sum, next| sum * y + next);
    }
    y.ln_1p() / y
}

impl Law for Dahl {
    named_by!(0);

    fn loop_law(&self) -> Option<&dyn LoopLaw> {
        Some(self)
    }
}

impl ReturnMap for Dahl {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let [sigma, fc, alpha] = fixed(p);
        let (dx, side) = (s.dx(), s.dx().sign());
        let gap = |side: f64| S::from(1.0) - z[0] * side / fc;
        if side == 0.0 {
            // The two directions leave with different slopes; their mean is the central difference.
            let slopes = gap(1.0).signed_pow(alpha) + gap(-1.0).signed_pow(alpha);
            z[0] = z[0] + sigma * dx * slopes * 0.5;
            return z[0];
        }
        let (w, m) = (gap(side), alpha - 1.0);
        // |w|^0 is 1 also on the limit itself.
        let power = if w.value() == 0.0 && m.value() == 0.0 {
            S::from(1.0)
        } else {
            w.abs_pow(m)
        };
        let u = sigma / fc * power * dx * side;
        let y = m * u;
        z[0] = if m.value() < 0.0 && (w.value() == 0.0 || y.value() <= -1.0) {
            fc * side
        } else {
            z[0] - fc * side * w * (-u * log_quotient(y)).exp_m1()
        };
        z[0]
    }

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Flow(self)
    }

    fn guards(&self, _: &[f64], s: &Step, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        out.extend([s.v[1], -s.v[1]]);
    }
}

impl RateLaw for Dahl {
    fn rate<S: Scalar>(&self, p: &[S], _: S, v: S, z: &[S], dz: &mut [S]) {
        let [sigma, fc, alpha] = fixed(p);
        let w = S::from(1.0) - z[0] * v.sign() / fc;
        dz[0] = sigma * v * w.signed_pow(alpha);
    }

    fn force<S: Scalar>(&self, _: &[S], _: S, _: S, z: &[S]) -> S {
        z[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    #[test]
    fn series_and_quotient_meet() {
        let at = |y: f64| log_quotient(Dual { re: y, eps: [1.0] });
        for y in [1e-3, -1e-3] {
            let (below, above) = (at(y * (1.0 - 1e-15)), at(y));
            // 1e-12: the slope of the quotient carries rounding over y.
            assert!((below.re - above.re).abs() < 1e-15);
            assert!((below.eps[0] - above.eps[0]).abs() < 1e-12);
        }
        assert_eq!((at(0.0).re, at(0.0).eps[0]), (1.0, -0.5));
    }
}
