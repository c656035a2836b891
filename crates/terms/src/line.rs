//! The minimum of a function of one variable: a scan, then golden sections around its best point.

/// The place of the minimum between two ends; `None` where the function is finite nowhere.
pub(super) fn least(cost: &dyn Fn(f64) -> f64, low: f64, high: f64, points: usize) -> Option<f64> {
    let at = |k: usize| low + (high - low) * k as f64 / (points - 1) as f64;
    let best = (0..points)
        .map(|k| (k, cost(at(k))))
        .filter(|(_, c)| c.is_finite())
        .min_by(|a, b| a.1.total_cmp(&b.1))?
        .0;
    let (mut a, mut b) = (at(best.saturating_sub(1)), at((best + 1).min(points - 1)));
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut c, mut d) = (b - golden * (b - a), a + golden * (b - a));
    let (mut at_c, mut at_d) = (cost(c), cost(d));
    // Each cut keeps 0.618: sixty of them leave 3e-13 of the bracket.
    for _ in 0..60 {
        if at_c < at_d {
            (b, d, at_d) = (d, c, at_c);
            c = b - golden * (b - a);
            at_c = cost(c);
        } else {
            (a, c, at_c) = (c, d, at_d);
            d = a + golden * (b - a);
            at_d = cost(d);
        }
        if (b - a).abs() <= 1e-10 * (a.abs() + b.abs()) {
            break;
        }
    }
    Some(0.5 * (a + b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_of_two_valleys_is_found() {
        let cost = |x: f64| (x * x - 1.0).powi(2) + 0.1 * x;
        let found = least(&cost, -3.0, 3.0, 40).unwrap();
        assert!((found + 1.0122).abs() < 1e-3, "{found}");
        assert!(least(&|_| f64::NAN, 0.0, 1.0, 5).is_none());
    }
}
