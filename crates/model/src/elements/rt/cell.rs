//! The dashpot law of one cell along its graph.
//!
//! Speed v and force f = c0 sign(v) |v|^alpha are both functions of one unknown tau: tau = f where
//! the law is steep (|f| <= f*), tau = f* + ks (|v| - v*) where it is flat. The two meet with equal
//! slopes where df/dv equals ks, the stiffness that the rest of the chain shows to the cell over a
//! stage. So neither dv/dtau nor df/dtau is ever large, from dry friction to a viscous dashpot.
//!
//! The smoothed law of the literature, f = c0 tanh(s v / 2) (2/s ln(2 cosh(s v / 2)))^alpha, has no
//! steep part at zero; it runs along u = asinh(s v).

/// Below this logarithm of the speed (m/s) a cell does not move: 4e-44 m/s.
const REST: f64 = -100.0;

/// Which dashpot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Dashpot {
    /// c0 sign(v) |v|^alpha.
    Power { alpha: f64 },
    /// Its smoothed form with parameter s (s/m).
    Smoothed { alpha: f64, s: f64 },
}

/// One cell, prepared for a stage.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    c0: f64,
    inverse_c0: f64,
    /// Force below which the cell does not move.
    rest: f64,
    ks: f64,
    inverse_ks: f64,
    v_star: f64,
    f_star: f64,
    /// A change of the unknown below which the next evaluation is converged (Newton is quadratic).
    pub(super) tolerance: f64,
}

/// Point on the graph of the law, and its slopes along the unknown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    pub(super) v: f64,
    pub(super) f: f64,
    pub(super) v_slope: f64,
    pub(super) f_slope: f64,
    /// ln|v| (of the smoothed |v|); 0 for a cell at rest.
    pub(super) log_v: f64,
}

impl Cell {
    pub(super) fn new(law: Dashpot, c0: f64, ks: f64) -> Self {
        let (Dashpot::Power { alpha } | Dashpot::Smoothed { alpha, .. }) = law;
        // Logarithms, limited, so that extreme exponents neither overflow nor underflow.
        let log_v_star = ((c0 * alpha / ks).ln() / (1.0 - alpha)).clamp(REST, -REST);
        let v_star = log_v_star.exp();
        Self {
            c0,
            inverse_c0: 1.0 / c0,
            rest: c0 * (REST * alpha).exp(),
            ks,
            inverse_ks: 1.0 / ks,
            v_star,
            f_star: c0 * (alpha * log_v_star).exp(),
            tolerance: match law {
                Dashpot::Power { .. } => c0 * (1e-5 * alpha).min(1e-6),
                Dashpot::Smoothed { .. } => 1e-7,
            },
        }
    }

    /// The point at `tau`.
    #[inline]
    pub(super) fn at(&self, law: Dashpot, inverse_alpha: f64, tau: f64) -> Point {
        let alpha = match law {
            Dashpot::Power { alpha } => alpha,
            Dashpot::Smoothed { alpha, s } => return self.smoothed(alpha, s, tau),
        };
        let size = tau.abs();
        if size <= self.rest {
            return Point {
                v: 0.0,
                f: tau,
                v_slope: 0.0,
                f_slope: 1.0,
                log_v: 0.0,
            };
        }
        if size <= self.f_star {
            let log_v = (size * self.inverse_c0).ln() * inverse_alpha;
            let v = log_v.exp();
            return Point {
                v: v.copysign(tau),
                f: tau,
                v_slope: v * inverse_alpha / size,
                f_slope: 1.0,
                log_v,
            };
        }
        let v = self.v_star + (size - self.f_star) * self.inverse_ks;
        let log_v = v.ln();
        let f = self.c0 * (alpha * log_v).exp();
        Point {
            v: v.copysign(tau),
            f: f.copysign(tau),
            v_slope: self.inverse_ks,
            f_slope: alpha * f * self.inverse_ks / v,
            log_v,
        }
    }

    fn smoothed(&self, alpha: f64, s: f64, u: f64) -> Point {
        let v = u.sinh() / s;
        let half = 0.5 * s * v;
        // ln(2 cosh h) = |h| + ln(1 + exp(-2|h|)), which does not overflow.
        let size = 2.0 / s * (half.abs() + (-2.0 * half.abs()).exp().ln_1p());
        let sign = half.tanh();
        let power = size.powf(alpha);
        let slope = self.c0 * power * (0.5 * s * (1.0 - sign * sign) + alpha * sign * sign / size);
        let v_slope = u.cosh() / s;
        Point {
            v,
            f: self.c0 * sign * power,
            v_slope,
            f_slope: slope * v_slope,
            log_v: size.ln(),
        }
    }

    /// The unknown at which the force is `f`: where Newton starts, from the state alone.
    pub(super) fn unknown_for(&self, law: Dashpot, inverse_alpha: f64, f: f64) -> f64 {
        match law {
            Dashpot::Power { .. } => {
                if f.abs() <= self.f_star {
                    return f;
                }
                // A start far from equilibrium would have an absurd speed; the chain lets no cell go
                // much faster than its force over the stage stiffness.
                let log_v = ((f.abs() * self.inverse_c0).ln() * inverse_alpha).min(-REST);
                let most = self.v_star + 100.0 * f.abs() * self.inverse_ks;
                (self.f_star + self.ks * (log_v.exp().min(most) - self.v_star)).copysign(f)
            }
            Dashpot::Smoothed { alpha, s } => {
                // The force grows with u: bisect, as closely as a start needs.
                let (mut low, mut high) = (0.0, 40.0);
                for _ in 0..14 {
                    let mid = 0.5 * (low + high);
                    if self.smoothed(alpha, s, mid).f < f.abs() {
                        low = mid;
                    } else {
                        high = mid;
                    }
                }
                (0.5 * (low + high)).copysign(f)
            }
        }
    }

    /// The unknown at which the speed is `v`.
    pub(super) fn unknown_for_speed(&self, law: Dashpot, v: f64) -> f64 {
        match law {
            Dashpot::Power { alpha } if v.abs() <= self.v_star => {
                self.c0 * v.abs().powf(alpha).copysign(v)
            }
            Dashpot::Power { .. } => (self.f_star + self.ks * (v.abs() - self.v_star)).copysign(v),
            Dashpot::Smoothed { s, .. } => (s * v).asinh(),
        }
    }

    /// The longest change of the unknown per iteration.
    pub(super) fn reach(law: Dashpot) -> f64 {
        match law {
            Dashpot::Power { .. } => f64::INFINITY,
            Dashpot::Smoothed { .. } => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_is_the_law_with_matching_slopes() {
        for alpha in [0.001, 0.05, 0.5, 0.9] {
            for law in [
                Dashpot::Power { alpha },
                Dashpot::Smoothed { alpha, s: 1e3 },
            ] {
                let cell = Cell::new(law, 20.0, 300.0);
                for tau in [-30.0, -3.0, -0.4, 0.7, 5.0, 21.0, 40.0] {
                    if matches!(law, Dashpot::Smoothed { .. }) && f64::abs(tau) > 10.0 {
                        continue;
                    }
                    let p = cell.at(law, 1.0 / alpha, tau);
                    if let (Dashpot::Power { .. }, true) = (law, p.v != 0.0) {
                        let f = 20.0 * p.v.abs().powf(alpha) * p.v.signum();
                        assert!(
                            (p.f - f).abs() < 1e-10 * f.abs(),
                            "alpha {alpha} tau {tau}: {p:?}"
                        );
                    }
                    let h = 1e-6 * f64::abs(tau);
                    let (a, b) = (
                        cell.at(law, 1.0 / alpha, tau - h),
                        cell.at(law, 1.0 / alpha, tau + h),
                    );
                    let slope = (b.v - a.v) / (2.0 * h);
                    assert!(
                        (p.v_slope - slope).abs() <= 1e-4 * slope.abs().max(1e-30),
                        "{alpha} {tau}"
                    );
                    let slope = (b.f - a.f) / (2.0 * h);
                    assert!(
                        (p.f_slope - slope).abs() <= 1e-4 * slope.abs().max(1e-9),
                        "{alpha} {tau}"
                    );
                    if p.v != 0.0 && matches!(law, Dashpot::Power { .. }) {
                        let back = cell.unknown_for(law, 1.0 / alpha, p.f);
                        // At tiny alpha the force hardly depends on the speed, so the inverse is
                        // only as good as rounding divided by alpha allows.
                        assert!(
                            (back - tau).abs() < 1e-9 / alpha * tau.abs(),
                            "{alpha} {tau} {back}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_cell_at_rest_does_not_move_at_all() {
        let law = Dashpot::Power { alpha: 0.05 };
        let p = Cell::new(law, 20.0, 300.0).at(law, 20.0, 0.1);
        assert_eq!((p.v, p.v_slope, p.f), (0.0, 0.0, 0.1));
    }
}
