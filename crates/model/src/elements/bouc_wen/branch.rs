//! The flow of m' = a - b m^n on m >= 0, which is one branch of a Bouc-Wen loop.
//!
//! The distance between two values is the integral of dm / g, g = a - b m^n. How it is evaluated
//! depends on the load q = b m^n / a:
//!
//! - early, |q| <= 1/4: m/a sum q^k / (1 + n k), a series that does not mind the singular power at zero.
//! - near saturation, 1/4 < q < 4: with r = m / ms = e^(y/n), y = ln q and W = -ln |1 - r| the distance
//!   is ms/a (dW / n + the integral of 1/(1 - q) - 1/(n (1 - r)) over r). The remaining integrand is
//!   smooth through saturation, and dW/dx stays between 1 and n below it: never stiff.
//! - far, q < -1/4 or q > 4: Gauss over y = ln |q|, where the integrand is m / (n a (1 - q)).
//!
//! In y the singularities keep their distance whatever n is, so a fixed rule over panels of bounded
//! length is exact to rounding. Newton inverts the distance; it starts from the arguments alone.
//!
//! The end m1 of a run of given distance t depends on a, b and n by g1 times the integral of
//! (dg/d.) / g^2. Integration by parts leaves closed forms and one smooth integral, with no division
//! by the small rates near saturation:
//!
//! - n b  integral of m^n / g^2      = [m / g] - t
//! - n b  integral of m^n ln r / g^2 = [m ln r / g] - t - integral of ln r / g
//!
//! Derivation: `docs/math/exact-flows.md`.

use super::solve::{integral, predict, root, series};

/// The law m' = a - b m^n, a > 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub a: f64,
    pub b: f64,
    pub n: f64,
}

/// Derivatives of the end of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    /// With respect to the start.
    pub start: f64,
    /// With respect to the distance.
    pub rate: f64,
    pub a: f64,
    pub b: f64,
    /// Zero where not asked for.
    pub n: f64,
}

/// How distances are evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Zone {
    Early,
    Near,
    Far,
}

/// Load up to which the series is used: 28 terms at most.
const EDGE: f64 = 0.25;

/// Load beyond which W is no longer a good variable.
const FAR: f64 = 4.0;

/// Longest panel in y where the nearest singularities are at +-i pi.
const PANEL: f64 = 2.0;

/// Newton ends when the next correction is the square of this, relative.
const CLOSE: f64 = 1e-9;

/// (e^y - 1) / y.
fn exp_quotient(y: f64) -> f64 {
    if y == 0.0 { 1.0 } else { y.exp_m1() / y }
}

/// What rounding took below zero, put back; unlike `max` it lets through what is not a number.
fn not_below_zero(m: f64) -> f64 {
    if m < 0.0 { 0.0 } else { m }
}

/// (1 - q) / (1 - r) as a function of y = ln q: from 1 at zero load to n at saturation.
fn pace(y: f64, n: f64) -> f64 {
    n * exp_quotient(y) / exp_quotient(y / n)
}

/// (1/(1 - q) - 1/(n (1 - r))) dr/dy as a function of y = ln q.
fn lag(y: f64, n: f64) -> f64 {
    // Closer to saturation the difference is rounding; its limit is good to the square of this.
    if y.abs() < 1e-7 {
        return 0.5 * (n - 1.0) / (n * n);
    }
    let (free, gap) = (-y.exp_m1(), -(y / n).exp_m1());
    (1.0 - gap) / n * (1.0 / free - 1.0 / (n * gap))
}

fn lag_integral(y0: f64, y1: f64, n: f64) -> f64 {
    if n == 1.0 {
        return 0.0;
    }
    integral(y0, y1, PANEL, |y| lag(y, n))
}

impl Branch {
    fn load(&self, m: f64) -> f64 {
        self.b * m.powf(self.n) / self.a
    }

    fn rate(&self, m: f64) -> f64 {
        self.a - self.b * m.powf(self.n)
    }

    /// Where the load is `q` in size; infinite without b.
    fn at_load(&self, q: f64) -> f64 {
        (q * self.a / self.b.abs()).powf(1.0 / self.n)
    }

    fn zone(q: f64) -> Zone {
        if q.abs() <= EDGE {
            Zone::Early
        } else if q > 0.0 && q < FAR {
            Zone::Near
        } else {
            Zone::Far
        }
    }

    /// Whether a run of length `t` from `m` back towards zero surely ends before it.
    pub fn falls_short(&self, m: f64, t: f64) -> bool {
        self.a.max(self.rate(m)) * t < m
    }

    /// The distance from zero to `m`, infinite if it cannot be reached.
    pub fn distance(&self, m: f64) -> f64 {
        let q = self.load(m);
        if q >= 1.0 {
            f64::INFINITY
        } else if self.n == 1.0 {
            m / self.a * if q == 0.0 { 1.0 } else { -(-q).ln_1p() / q }
        } else if q.abs() <= EDGE {
            self.early(m)
        } else {
            let edge = self.at_load(EDGE);
            self.early(edge) + self.between(Self::zone(q), edge, m)
        }
    }

    /// The distance from zero to `m` within the edge.
    fn early(&self, m: f64) -> f64 {
        m / self.a * series(self.load(m), self.n, |_, d| 1.0 / d)
    }

    /// The distance between two values of one zone, on the same side of saturation.
    fn between(&self, zone: Zone, m0: f64, m1: f64) -> f64 {
        let n = self.n;
        match zone {
            Zone::Early => self.early(m1) - self.early(m0),
            Zone::Near => {
                let y0 = self.load(m0).ln();
                let y1 = y0 + n * (m1 / m0).ln();
                let gap = |y: f64| (y / n).exp_m1();
                let way = (gap(y0) / gap(y1)).ln() / n + lag_integral(y0, y1, n);
                m0 * (-y0 / n).exp() / self.a * way
            }
            Zone::Far => self.far(m0, self.load(m0), (m1 / m0).ln()),
        }
    }

    /// The distance from `m0`, of load `q0`, to m0 e^`log` within the far zone.
    fn far(&self, m0: f64, q0: f64, log: f64) -> f64 {
        let n = self.n;
        // Above saturation there is a pole at q = 1, also for real y.
        let panel = if q0 > 0.0 { 0.5 * PANEL } else { PANEL };
        m0 / (n * self.a)
            * integral(0.0, n * log, panel, |y| {
                (y / n).exp() / (1.0 - q0 * y.exp())
            })
    }

    /// Where a run of length `t` from `m0` ends; backwards if `t` is negative, but not beyond zero.
    /// `None` if it runs away.
    pub fn run(&self, m0: f64, t: f64) -> Option<f64> {
        if self.n == 1.0 {
            let rate = self.rate(m0);
            let moved = rate * t * exp_quotient(-self.b * t);
            return Some(if rate == 0.0 {
                m0
            } else {
                not_below_zero(m0 + moved)
            });
        }
        let (mut m, mut left, mut zone) = (m0, t, Self::zone(self.load(m0)));
        // At most through all three zones: the direction of a run never changes.
        loop {
            let rate = self.rate(m);
            let up = (rate > 0.0) == (t > 0.0);
            let exit = match (zone, up) {
                _ if rate == 0.0 => return Some(m),
                (Zone::Early, true) if self.b > 0.0 => Some((EDGE, Zone::Near)),
                (Zone::Early, true) => Some((-EDGE, Zone::Far)),
                (Zone::Near, true) if rate < 0.0 => Some((FAR, Zone::Far)),
                (Zone::Near, false) if rate > 0.0 => Some((EDGE, Zone::Early)),
                (Zone::Far, false) if self.b > 0.0 => Some((FAR, Zone::Near)),
                (Zone::Far, false) => Some((-EDGE, Zone::Early)),
                _ => None,
            };
            let mut end = (zone == Zone::Early).then_some((0.0, self.a));
            if let Some((load, next)) = exit {
                let (border, last) = (self.at_load(load.abs()), self.a * (1.0 - load));
                end = Some((border, last));
                if rate.abs().max(last.abs()) * left.abs() > (border - m).abs() {
                    let way = self.between(zone, m, border);
                    if way.abs() < left.abs() {
                        (m, left, zone) = (border, left - way, next);
                        continue;
                    }
                }
            }
            return match zone {
                Zone::Near => self.run_near(m, left),
                _ => self.run_outside(zone, m, left, end),
            };
        }
    }

    /// A run that stays in the early or far zone. `end` is where the zone ends ahead, if it does, and the
    /// rate there: on the way the rate changes monotonically.
    fn run_outside(&self, zone: Zone, m0: f64, t: f64, end: Option<(f64, f64)>) -> Option<f64> {
        let first = self.rate(m0) * t;
        let ends = match end {
            Some((border, last)) => {
                let (low, high) = (0.0_f64.min(border - m0), 0.0_f64.max(border - m0));
                [first, last * t].map(|u| u.clamp(low, high))
            }
            None => [first, f64::INFINITY],
        };
        let start = predict(t, |u| self.rate((m0 + u).max(0.0)));
        let (q0, from_zero) = match zone {
            Zone::Early => (0.0, self.early(m0)),
            _ => (self.load(m0), 0.0),
        };
        let moved = root(start, ends, |u| {
            let m1 = m0 + u;
            let gone = match zone {
                Zone::Early => self.early(m1) - from_zero,
                _ => self.far(m0, q0, (u / m0).ln_1p()),
            };
            // Next to zero the distance is known to the rounding of where it started.
            let close = CLOSE * m1 + f64::EPSILON * m0;
            (gone - t, self.rate(m1), close)
        })?;
        Some(not_below_zero(m0 + moved))
    }

    /// A run that stays near saturation.
    fn run_near(&self, m0: f64, t: f64) -> Option<f64> {
        let n = self.n;
        let y0 = self.load(m0).ln();
        let gap = -(y0 / n).exp_m1();
        let saturation = m0 * (-y0 / n).exp();
        let tau = self.a * t / saturation;
        let y_after = |w: f64| n * (-gap * (-w).exp()).ln_1p();
        // The pace is monotone: from its present value to that at saturation or at the border.
        let (first, border) = (pace(y0, n) * tau, if y0 < 0.0 { EDGE } else { FAR });
        let last = if t > 0.0 { n } else { pace(border.ln(), n) } * tau;
        let start = predict(tau, |w| pace(y_after(w), n));
        let w = root(start, [first, last], |w| {
            let y1 = y_after(w);
            let excess = w / n + lag_integral(y0, y1, n) - tau;
            (excess, pace(y1, n), CLOSE * (1.0 + w.abs()))
        })?;
        Some(m0 - saturation * gap * (-w).exp_m1())
    }

    /// Derivatives of the end `m1` of a run of length `t` from `m0`.
    pub fn slopes(&self, m0: f64, m1: f64, t: f64, with_n: bool) -> Slopes {
        let (n, a, b) = (self.n, self.a, self.b);
        let (q0, q1) = (self.load(m0), self.load(m1));
        let (start, rate) = self.start_and_rate((m0, q0), (m1, q1), t);
        let (by_b, by_n) = if q0.abs() <= EDGE && q1.abs() <= EDGE {
            let from_zero =
                |m: f64, q: f64| m / a * m.powf(n) / a * series(q, n, |k, d| (k + 1.0) / (d + n));
            let from_zero_n = |m: f64, q: f64| {
                if m == 0.0 || !with_n {
                    return 0.0;
                }
                let log = m.ln();
                m / a * series(q, n, |k, d| k / d * (log - 1.0 / d))
            };
            (
                -rate * (from_zero(m1, q1) - from_zero(m0, q0)),
                -rate * (from_zero_n(m1, q1) - from_zero_n(m0, q0)),
            )
        } else {
            let moved = m1 - start * m0 - rate * t;
            let by_n = if with_n {
                let log = |m: f64, q: f64| if m == 0.0 { 0.0 } else { m * q.abs().ln() / n };
                let log_saturation = (a / b.abs()).ln() / n;
                let rest = log(m1, q1) - start * log(m0, q0) - rate * t;
                -(log_saturation * moved + rest - rate * self.log_integral(m0, m1)) / n
            } else {
                0.0
            };
            (-moved / (n * b), by_n)
        };
        Slopes {
            start,
            rate,
            a: (rate * t - b * by_b) / a,
            b: by_b,
            n: by_n,
        }
    }

    /// g1 / g0 and g1 for a run of length `t` between two values and their loads.
    fn start_and_rate(&self, (m0, q0): (f64, f64), (m1, q1): (f64, f64), t: f64) -> (f64, f64) {
        let n = self.n;
        if Self::zone(q1) != Zone::Near {
            let rate = self.rate(m1);
            return (rate / self.rate(m0), rate);
        }
        // Near saturation the rates are rounding, but how far W went since the zone was entered is known.
        let zone = Self::zone(q0);
        let (m, y, rate, left) = match zone {
            Zone::Near => (m0, q0.ln(), self.rate(m0), t),
            _ => {
                let load = if zone == Zone::Early { EDGE } else { FAR };
                let border = self.at_load(load);
                let left = t - self.between(zone, m0, border);
                (border, load.ln(), self.a * (1.0 - load), left)
            }
        };
        let y1 = q1.ln();
        let tau = self.a * left / (m * (-y / n).exp());
        let w = n * (tau - lag_integral(y, y1, n));
        let ratio = pace(y1, n) / pace(y, n) * (-w).exp();
        let start = match zone {
            Zone::Near => ratio,
            _ => ratio * rate / self.rate(m0),
        };
        (start, ratio * rate)
    }

    /// The integral of ln r / g from `m0` to `m1`, not both early.
    fn log_integral(&self, m0: f64, m1: f64) -> f64 {
        let (q0, q1) = (self.load(m0).abs(), self.load(m1).abs());
        if q1 <= EDGE {
            -self.log_integral(m1, m0)
        } else if q0 <= EDGE {
            let inner = self.log_early(self.at_load(EDGE)) - self.log_early(m0);
            inner + self.log_late(EDGE.ln(), m1, q1.ln())
        } else {
            self.log_late(q0.ln(), m1, q1.ln())
        }
    }

    /// The integral of ln r / g from zero to an early `m`.
    fn log_early(&self, m: f64) -> f64 {
        if m == 0.0 {
            return 0.0;
        }
        let q = self.load(m);
        let log = q.abs().ln() / self.n;
        m / self.a * series(q, self.n, |_, d| (log - 1.0 / d) / d)
    }

    /// The integral of ln r / g from ln |q| = `y0` to `m1`, where it is `y1`, neither early.
    fn log_late(&self, y0: f64, m1: f64, y1: f64) -> f64 {
        let n = self.n;
        let per_y = |y: f64| {
            let spread = if self.b < 0.0 {
                y / (1.0 + y.exp())
            } else {
                -1.0 / exp_quotient(y)
            };
            ((y - y1) / n).exp() * spread
        };
        m1 / (n * n * self.a) * integral(y0, y1, PANEL, per_y)
    }
}
