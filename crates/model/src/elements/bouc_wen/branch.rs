//! The flow of m' = a - b m^n on m >= 0, which is one branch of a Bouc-Wen loop.
//!
//! The distance between two values is the integral of dm / (a - b m^n). With the load q = b m^n / a:
//!
//! - |q| <= 1/4: m/a sum q^k / (1 + n k), a series that does not mind the singular power at zero.
//! - b < 0 beyond: Gauss over y = ln |q|, where the integrand is m / (n a (1 + e^y)).
//! - b > 0 beyond: with r = m / ms = e^(y/n) and W = -ln |1 - r| the distance is
//!   ms/a (dW / n + the integral of 1/(1 - q) - 1/(n (1 - r)) over r). The remaining integrand is
//!   smooth through saturation, and dW/dx stays between 1 and n: never stiff.
//!
//! In y the singularities are at least pi away from the real axis whatever n is, so a fixed rule over
//! panels of bounded length is exact to rounding. Newton inverts the distance; it starts from the
//! arguments alone.
//!
//! The end m1 of a run of given distance t depends on a, b and n by g1 times the integral of
//! (dg/d.) / g^2. Integration by parts leaves closed forms and one smooth integral, with no division
//! by the small rates near saturation:
//!
//! - n b  integral of m^n / g^2      = [m / g] - t
//! - n b  integral of m^n ln r / g^2 = [m ln r / g] - t - integral of ln r / g
//!
//! Derivation: `docs/math/exact-flows.md`.

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

/// Load up to which the series is used: 28 terms at most.
const EDGE: f64 = 0.25;

/// Longest panel in y; the nearest singularities are at +-i pi.
const PANEL: f64 = 2.0;

/// Up to here one panel of half the points does.
const SHORT: f64 = 0.25;

/// Beyond this length in y a run has no meaning: e^1000.
const LONGEST: f64 = 1e3;

const MOST_ITERATIONS: usize = 100;

/// Newton ends when the next correction is the square of this, relative.
const CLOSE: f64 = 1e-9;

/// Positive half of the Gauss rule of ten points: places and weights.
const GAUSS: [(f64, f64); 5] = [
    (0.148_874_338_981_631_21, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_59),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

/// The same with five points; the one in the middle has half its weight.
const GAUSS_SHORT: [(f64, f64); 3] = [
    (0.0, 0.284_444_444_444_444_44),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

/// The integral of `f` over panels from `y0` to `y1`.
fn integral(y0: f64, y1: f64, f: impl Fn(f64) -> f64) -> f64 {
    let length = y1 - y0;
    if !(length.abs() <= LONGEST) {
        return f64::NAN;
    }
    if length.abs() <= SHORT {
        let (middle, half) = (0.5 * (y0 + y1), 0.5 * length);
        return GAUSS_SHORT.into_iter().fold(0.0, |sum, (place, weight)| {
            sum + half * weight * (f(middle - half * place) + f(middle + half * place))
        });
    }
    let panels = (length.abs() / PANEL).ceil().max(1.0);
    let half = 0.5 * length / panels;
    let mut sum = 0.0;
    for i in 0..panels as usize {
        let middle = y0 + half * (2 * i + 1) as f64;
        for (place, weight) in GAUSS {
            sum += weight * (f(middle - half * place) + f(middle + half * place));
        }
    }
    half * sum
}

/// The sum of q^k term(k, 1 + n k) for |q| <= 1/4.
fn series(q: f64, n: f64, term: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut sum, mut power, mut k) = (0.0, 1.0_f64, 0.0);
    while power.abs() > 1e-18 {
        sum += power * term(k, 1.0 + n * k);
        power *= q;
        k += 1.0;
    }
    sum
}

/// (e^y - 1) / y.
pub(super) fn exp_quotient(y: f64) -> f64 {
    if y == 0.0 { 1.0 } else { y.exp_m1() / y }
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
    let (q, r) = (-y.exp_m1(), -(y / n).exp_m1());
    (1.0 - r) / n * (1.0 / q - 1.0 / (n * r))
}

/// The integral of [`lag`].
fn lag_integral(y0: f64, y1: f64, n: f64) -> f64 {
    if n == 1.0 {
        return 0.0;
    }
    integral(y0, y1, |y| lag(y, n))
}

/// What a classical Runge-Kutta step of length `t` adds to u = 0 under u' = rate(u).
fn predict(t: f64, rate: impl Fn(f64) -> f64) -> f64 {
    let k1 = rate(0.0);
    let k2 = rate(0.5 * t * k1);
    let k3 = rate(0.5 * t * k2);
    let k4 = rate(t * k3);
    t / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
}

/// Newton within a bracket. `eval` gives the excess of an increasing function, the reciprocal of its
/// slope, and the correction below which the next one would be lost in rounding.
fn root(
    start: f64,
    (mut low, mut high): (f64, f64),
    eval: impl Fn(f64) -> (f64, f64, f64),
) -> Option<f64> {
    let mut u = start;
    for _ in 0..MOST_ITERATIONS {
        if !(u >= low && u <= high) {
            u = match (low.is_finite(), high.is_finite()) {
                (true, true) => 0.5 * (low + high),
                (true, false) => low,
                _ => high,
            };
        }
        let (excess, speed, close) = eval(u);
        let correction = excess * speed;
        if !correction.is_finite() {
            return None;
        }
        if correction.abs() <= close {
            return Some(u - correction);
        }
        if excess > 0.0 {
            high = u;
        } else {
            low = u;
        }
        u -= correction;
    }
    None
}

impl Branch {
    fn load(&self, m: f64) -> f64 {
        self.b * m.powf(self.n) / self.a
    }

    fn rate(&self, m: f64) -> f64 {
        self.a - self.b * m.powf(self.n)
    }

    /// Where the load is 1/4; infinite without b.
    fn edge(&self) -> f64 {
        (EDGE * self.a / self.b.abs()).powf(1.0 / self.n)
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
            let edge = self.edge();
            self.early(edge) + self.late(edge, m)
        }
    }

    /// The distance from zero to `m` within the edge.
    fn early(&self, m: f64) -> f64 {
        m / self.a * series(self.load(m), self.n, |_, d| 1.0 / d)
    }

    /// The distance between two values beyond the edge, on the same side of saturation.
    fn late(&self, m0: f64, m1: f64) -> f64 {
        let n = self.n;
        let y0 = self.load(m0).abs().ln();
        let y1 = y0 + n * (m1 / m0).ln();
        if self.b < 0.0 {
            return m0 / (n * self.a)
                * integral(y0, y1, |y| ((y - y0) / n).exp() / (1.0 + y.exp()));
        }
        let gap = |y: f64| (y / n).exp_m1();
        let saturation = m0 * (-y0 / n).exp();
        saturation / self.a * ((gap(y0) / gap(y1)).ln() / n + lag_integral(y0, y1, n))
    }

    /// Where a run of length `t` from `m0` ends; backwards if `t` is negative, but not beyond zero.
    /// `None` if it runs away.
    pub fn run(&self, m0: f64, t: f64) -> Option<f64> {
        let (a, q0) = (self.a, self.load(m0));
        let m1 = if self.n == 1.0 {
            Some(m0 + self.rate(m0) * t * exp_quotient(-self.b * t))
        } else if q0 == 1.0 {
            Some(m0)
        } else if q0.abs() <= EDGE {
            // Within the edge nothing is faster than 5/4 a.
            let edge = self.edge();
            if m0 + (1.0 + EDGE) * a * t > edge {
                let left = t - (self.early(edge) - self.early(m0));
                if left > 0.0 {
                    return self.run_late(edge, left);
                }
            }
            self.run_early(m0, t)
        } else {
            let edge = self.edge();
            if t < 0.0 && q0 < 1.0 && m0 + a.max(self.rate(m0)) * t < edge {
                let left = t + self.late(edge, m0);
                if left < 0.0 {
                    return self.run_early(edge, left);
                }
            }
            self.run_late(m0, t)
        };
        m1.filter(|m1| m1.is_finite()).map(|m1| m1.max(0.0))
    }

    /// A run that stays within the edge.
    fn run_early(&self, m0: f64, t: f64) -> Option<f64> {
        let goal = self.early(m0) + t;
        let ends = [1.0 - EDGE, 1.0 + EDGE].map(|speed| speed * self.a * t);
        let bracket = (ends[0].min(ends[1]).max(-m0), ends[0].max(ends[1]));
        let start = predict(t, |u| self.rate((m0 + u).max(0.0)));
        let moved = root(start, bracket, |u| {
            let m1 = m0 + u;
            let close = CLOSE * m1 + f64::EPSILON * m0;
            (self.early(m1) - goal, self.rate(m1), close)
        })?;
        Some((m0 + moved).max(0.0))
    }

    /// A run that stays beyond the edge.
    fn run_late(&self, m0: f64, t: f64) -> Option<f64> {
        let n = self.n;
        let q0 = self.load(m0);
        let y0 = q0.abs().ln();
        if self.b < 0.0 {
            let fast = self.rate(m0) * t;
            let bracket = if t > 0.0 {
                (fast, f64::INFINITY)
            } else {
                (fast.max(self.edge() - m0), self.a * t)
            };
            let start = predict(t, |u| self.rate((m0 + u).max(0.0)));
            let moved = root(start, bracket, |u| {
                let m1 = m0 + u;
                let y1 = y0 + n * (u / m0).ln_1p();
                let gone = integral(y0, y1, |y| ((y - y0) / n).exp() / (1.0 + y.exp()));
                let excess = m0 / (n * self.a) * gone - t;
                (excess, self.rate(m1), CLOSE * m1)
            })?;
            return Some(m0 + moved);
        }
        let gap = -(y0 / n).exp_m1();
        let saturation = m0 * (-y0 / n).exp();
        let tau = self.a * t / saturation;
        let y_after = |w: f64| n * (-gap * (-w).exp()).ln_1p();
        let first = pace(y0, n) * tau;
        let bracket = if t > 0.0 {
            (first.min(n * tau), first.max(n * tau))
        } else if q0 < 1.0 {
            let edge = (gap / (1.0 - EDGE.powf(1.0 / n))).ln();
            (first.min(tau).max(edge), first.max(tau))
        } else if n > 1.0 {
            (f64::NEG_INFINITY, first)
        } else {
            (first, 0.0)
        };
        let start = predict(tau, |w| pace(y_after(w), n));
        let w = root(start, bracket, |w| {
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
        let rate = a - b * m1.powf(n);
        let start = if q0 > EDGE && q1 > EDGE {
            // Near saturation both rates are rounding, but how far W went is known.
            let (y0, y1) = (q0.ln(), q1.ln());
            let tau = a * t / (m0 * (-y0 / n).exp());
            let w = n * (tau - lag_integral(y0, y1, n));
            pace(y1, n) / pace(y0, n) * (-w).exp()
        } else {
            rate / self.rate(m0)
        };
        let (by_b, by_n) = if q0.abs() <= EDGE && q1.abs() <= EDGE {
            let from_zero = |m: f64, q: f64| {
                let sum = series(q, n, |k, d| (k + 1.0) / (d + n));
                m / a * m.powf(n) / a * sum
            };
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

    /// The integral of ln r / (a - b m^n) from `m0` to `m1`, not both within the edge.
    fn log_integral(&self, m0: f64, m1: f64) -> f64 {
        let (q0, q1) = (self.load(m0).abs(), self.load(m1).abs());
        if q1 <= EDGE {
            -self.log_integral(m1, m0)
        } else if q0 <= EDGE {
            let inner = self.log_early(self.edge()) - self.log_early(m0);
            inner + self.log_late(EDGE.ln(), m1, q1.ln())
        } else {
            self.log_late(q0.ln(), m1, q1.ln())
        }
    }

    /// The integral of ln r / (a - b m^n) from zero to `m` within the edge.
    fn log_early(&self, m: f64) -> f64 {
        if m == 0.0 {
            return 0.0;
        }
        let q = self.load(m);
        let log = q.abs().ln() / self.n;
        m / self.a * series(q, self.n, |_, d| (log - 1.0 / d) / d)
    }

    /// The integral of ln r / (a - b m^n) beyond the edge, from ln |q| = `y0` to `m1`, where it is `y1`.
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
        m1 / (n * n * self.a) * integral(y0, y1, per_y)
    }
}
