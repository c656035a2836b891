//! Sums, integrals and roots to rounding, for the integrands of a Bouc-Wen branch.

/// Up to this length one panel of half the points does.
const SHORT: f64 = 0.25;

/// Beyond this length nothing has a meaning any more: e^1000.
const LONGEST: f64 = 1e3;

/// Bisection of the longest bracket to rounding takes 62.
const MOST_ITERATIONS: usize = 100;

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

/// The integral of `f` from `y0` to `y1`, over panels no longer than `panel`.
pub(super) fn integral(y0: f64, y1: f64, panel: f64, f: impl Fn(f64) -> f64) -> f64 {
    let length = y1 - y0;
    if length.abs() <= SHORT {
        return rule(&GAUSS_SHORT, 0.5 * (y0 + y1), 0.5 * length, f);
    }
    if !(length.abs() <= LONGEST) {
        return f64::NAN;
    }
    let panels = (length.abs() / panel).ceil();
    let half = 0.5 * length / panels;
    (0..panels as usize)
        .map(|i| rule(&GAUSS, y0 + half * (2 * i + 1) as f64, half, &f))
        .sum()
}

fn rule(points: &[(f64, f64)], middle: f64, half: f64, f: impl Fn(f64) -> f64) -> f64 {
    let pairs = points
        .iter()
        .map(|(place, weight)| weight * (f(middle - half * place) + f(middle + half * place)));
    half * pairs.sum::<f64>()
}

/// The sum of q^k term(k, 1 + n k) for |q| <= 1/4.
pub(super) fn series(q: f64, n: f64, term: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut sum, mut power, mut k) = (0.0, 1.0_f64, 0.0);
    while power.abs() > 1e-18 {
        sum += power * term(k, 1.0 + n * k);
        power *= q;
        k += 1.0;
    }
    sum
}

/// What a classical Runge-Kutta step of length `t` adds to u = 0 under u' = rate(u).
pub(super) fn predict(t: f64, rate: impl Fn(f64) -> f64) -> f64 {
    let k1 = rate(0.0);
    let k2 = rate(0.5 * t * k1);
    let k3 = rate(0.5 * t * k2);
    let k4 = rate(t * k3);
    t / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
}

/// Newton within a bracket. `eval` gives the excess of a monotone function, the reciprocal of its
/// slope, and the correction below which the next one is lost in rounding.
pub(super) fn root(
    start: f64,
    ends: [f64; 2],
    eval: impl Fn(f64) -> (f64, f64, f64),
) -> Option<f64> {
    let (mut low, mut high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
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
        if correction > 0.0 {
            high = u;
        } else {
            low = u;
        }
        u -= correction;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_integrate_what_has_poles_at_i_pi() {
        // The integral of 1/(1 + e^y) is y - ln(1 + e^y).
        let primitive = |y: f64| y - y.exp().ln_1p();
        for (y0, y1) in [(-1.0, -0.9), (-3.0, 0.5), (-0.5, 40.0), (7.0, -7.0)] {
            let exact = primitive(y1) - primitive(y0);
            let found = integral(y0, y1, 2.0, |y| 1.0 / (1.0 + y.exp()));
            assert!((found - exact).abs() < 1e-14, "{found} {exact}");
        }
        assert!(integral(0.0, f64::INFINITY, 2.0, |y| y).is_nan());
    }

    #[test]
    fn series_sums_logarithms() {
        // The sum of q^k / (1 + k) is -ln(1 - q)/q.
        for q in [0.25, -0.25, 1e-3] {
            let sum = series(q, 1.0, |_, d| 1.0 / d);
            assert!((sum + f64::ln_1p(-q) / q).abs() < 1e-15);
        }
        assert_eq!(series(0.0, 3.0, |_, d| 1.0 / d), 1.0);
    }
}
