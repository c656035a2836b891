//! The dashpot of a cell as the paper differentiates it: force over speed, with slope and bend.
//!
//! f = c0 sign(v) |v|^alpha, or with the paper's eq (14) for sign and |v|:
//! sign_s(v) = tanh(s v/2), |v|_s = 2/s ln(2 cosh(s v/2))

/// Which dashpot.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    pub c0: f64,
    pub alpha: f64,
    /// Smoothing (s/mm).
    pub s: Option<f64>,
}

/// A point on the curve, reached through one unknown u.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    /// Speed and its derivative by u.
    pub v: f64,
    pub v_u: f64,
    /// Force and its derivative by u.
    pub f: f64,
    pub f_u: f64,
    /// d f/d v; infinite without smoothing at rest.
    pub slope: f64,
    /// d v/d f, which is finite everywhere.
    pub ease: f64,
    /// d^2 f/d v^2.
    pub bend: f64,
    /// d f/d alpha.
    pub by_alpha: f64,
}

/// sign_s(v).
pub fn sign(s: f64, v: f64) -> f64 {
    (0.5 * s * v).tanh()
}

/// |v|_s, without the overflow of eq (14).
pub fn size(s: f64, v: f64) -> f64 {
    v.abs() + 2.0 / s * (-s * v.abs()).exp().ln_1p()
}

impl Law {
    /// The unknown is the force without smoothing, asinh(s v) with it.
    pub fn at(&self, u: f64) -> Point {
        match self.s {
            None => self.plain(u),
            Some(s) => self.smoothed(s, u),
        }
    }

    fn plain(&self, f: f64) -> Point {
        let (c0, alpha) = (self.c0, self.alpha);
        let v = (f.abs() / c0).powf(1.0 / alpha).copysign(f);
        let slope = alpha * c0 * v.abs().powf(alpha - 1.0);
        Point {
            v,
            v_u: 1.0 / slope,
            f,
            f_u: 1.0,
            slope,
            ease: 1.0 / slope,
            bend: (alpha - 1.0) * slope / v,
            by_alpha: if v == 0.0 { 0.0 } else { f * v.abs().ln() },
        }
    }

    fn smoothed(&self, s: f64, u: f64) -> Point {
        let (c0, alpha) = (self.c0, self.alpha);
        let v = u.sinh() / s;
        let (sign, size) = (sign(s, v), size(s, v));
        let sign_v = 0.5 * s * (1.0 - sign * sign);
        let power = |n: f64| size.powf(alpha - n);
        let f = c0 * sign * power(0.0);
        let slope = c0 * (sign_v * power(0.0) + alpha * sign * sign * power(1.0));
        let bend = c0
            * sign
            * (-s * sign_v * power(0.0)
                + 3.0 * alpha * sign_v * power(1.0)
                + alpha * (alpha - 1.0) * sign * sign * power(2.0));
        let v_u = u.cosh() / s;
        Point {
            v,
            v_u,
            f,
            f_u: slope * v_u,
            slope,
            ease: 1.0 / slope,
            bend,
            by_alpha: f * size.ln(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_curve() {
        for s in [None, Some(0.1), Some(1.0), Some(30.0)] {
            let law = Law {
                c0: 7.5,
                alpha: 0.15,
                s,
            };
            for u in [-2.0, -0.3, 0.4, 1.7] {
                let (h, p) = (1e-6, law.at(u));
                let (a, b) = (law.at(u - h), law.at(u + h));
                let dv = b.v - a.v;
                let near = |x: f64, y: f64| (x - y).abs() <= 1e-5 * y.abs().max(1e-3);
                assert!(near(p.v_u * 2.0 * h / dv, 1.0), "{s:?} {u}");
                assert!(near(p.f_u * 2.0 * h / (b.f - a.f), 1.0), "{s:?} {u}");
                assert!(near(p.slope * dv / (b.f - a.f), 1.0), "{s:?} {u}");
                assert!(near(p.bend * dv / (b.slope - a.slope), 1.0), "{s:?} {u}");
                let more = Law {
                    alpha: law.alpha + 1e-8,
                    ..law
                };
                // At the same speed: the unknown is the force where there is no smoothing.
                let shift = if s.is_none() {
                    p.f * p.v.abs().powf(1e-8)
                } else {
                    u
                };
                let by_alpha = (more.at(shift).f - p.f) / 1e-8;
                assert!(near(by_alpha, p.by_alpha), "{s:?} {u}: {by_alpha} {p:?}");
            }
        }
    }
}
