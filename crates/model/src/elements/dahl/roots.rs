//! The equations of the method that have no closed solution.

/// Halvings of an interval: to the last digit.
const HALVINGS: usize = 200;
/// Points of a scan for a change of sign.
const SCAN: usize = 600;

/// fc > u with -fc ln(1 - u/fc) = way, eq (8); there is one if 0 < u < way.
pub(super) fn friction(u: f64, way: f64) -> Option<f64> {
    if !(u > 0.0 && u < way) {
        return None;
    }
    let f = |log: f64| {
        let fc = u * (1.0 + log.exp());
        -fc * (-u / fc).ln_1p() - way
    };
    let (low, high) = (-30.0, 30.0);
    (f(low) > 0.0 && f(high) < 0.0).then(|| u * (1.0 + bisect(f, low, high).exp()))
}

/// fc > zm with fc/m [(1 + zm/fc)^m - (1 - zm/fc)^m] = way and m = 1 - fall fc, eqs (9) and (10).
pub(super) fn friction_and_shape(fall: f64, zm: f64, way: f64) -> Option<f64> {
    if !(fall > 0.0 && zm > 0.0 && way > 0.0) {
        return None;
    }
    let f = |log: f64| {
        let fc = zm * (1.0 + log.exp());
        let (m, r) = (1.0 - fall * fc, zm / fc);
        let (a, b) = (r.ln_1p(), (-r).ln_1p());
        // ((1 + r)^m - (1 - r)^m)/m, smooth through m = 0.
        let quotient = if m.abs() < 1e-9 {
            a - b
        } else {
            ((m * a).exp_m1() - (m * b).exp_m1()) / m
        };
        fc * quotient - way
    };
    let (low, high) = (-25.0, 15.0);
    let at = |i: usize| low + (high - low) * i as f64 / SCAN as f64;
    let change = (0..SCAN).find(|&i| {
        let (a, b) = (f(at(i)), f(at(i + 1)));
        a.is_finite() && b.is_finite() && (a > 0.0) != (b > 0.0)
    })?;
    let root = bisect(f, at(change), at(change + 1));
    Some(zm * (1.0 + root.exp()))
}

/// The point between `low` and `high` at which the sign changes.
fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let side = f(low) > 0.0;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if (f(middle) > 0.0) == side {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frictions_are_found_where_there_are_any() {
        let (fc, u) = (3.0_f64, 0.7_f64);
        let found = friction(u, -fc * (-u / fc).ln_1p()).unwrap();
        assert!((found / fc - 1.0).abs() < 1e-12);
        assert_eq!(friction(u, 0.99 * u), None);
        assert_eq!(friction(-u, 0.1), None);
        for alpha in [0.5, 1.0, 2.5] {
            let (zm, m) = (0.8_f64, 1.0 - alpha);
            let way = if m == 0.0 {
                fc * ((1.0 + zm / fc) / (1.0 - zm / fc)).ln()
            } else {
                fc / m * ((1.0 + zm / fc).powf(m) - (1.0 - zm / fc).powf(m))
            };
            let found = friction_and_shape(alpha / fc, zm, way).unwrap();
            // The equation is flat where the loop hardly bends.
            assert!((found / fc - 1.0).abs() < 1e-8, "{alpha}: {found}");
        }
        assert_eq!(friction_and_shape(-1.0, 1.0, 1.0), None);
    }
}
