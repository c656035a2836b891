//! Where along a step a kink lies.
//!
//! The ITP method (Oliveira and Takahashi, ACM Trans. Math. Softw. 47(1), 2020): never more
//! evaluations than bisection plus one, superlinear where the guard is smooth.

/// Lengths just before and just beyond a sign change of `f`, at most `width` apart; `f` is negative
/// (`low`) at no length and positive (`high`) at the length `h`.
pub(super) fn crossing<E>(
    h: f64,
    width: f64,
    (mut low, mut high): (f64, f64),
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<(f64, f64), E> {
    let (mut a, mut b) = (0.0, h);
    // What bisection needs to come down to the width, and one more.
    let most = (h / width).log2().ceil().clamp(0.0, 60.0) as i32 + 1;
    let mut slack = 0.5 * width * 2.0_f64.powi(most);
    for _ in 0..=most {
        if b - a <= width {
            break;
        }
        let middle = 0.5 * (a + b);
        let secant = (high * a - low * b) / (high - low);
        let side = if secant <= middle { 1.0 } else { -1.0 };
        let truncation = 0.2 / h * (b - a) * (b - a);
        let nudged = if truncation <= (middle - secant).abs() {
            secant + side * truncation
        } else {
            middle
        };
        let radius = (slack - 0.5 * (b - a)).max(0.0);
        let mut at = if (nudged - middle).abs() <= radius {
            nudged
        } else {
            middle - side * radius
        };
        // Also where guards are not numbers or infinite.
        if !(at > a && at < b) {
            at = middle;
        }
        let value = f(at)?;
        if value <= 0.0 {
            (a, low) = (at, value);
        } else {
            (b, high) = (at, value);
        }
        slack *= 0.5;
    }
    Ok((a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: f64 = 1e-13;

    /// Root and number of evaluations.
    fn count(h: f64, f: impl Fn(f64) -> f64) -> (f64, usize) {
        let mut calls = 0;
        let ends = crossing(h, WIDTH * h, (f(0.0), f(h)), |s| {
            calls += 1;
            Ok::<_, ()>(f(s))
        });
        let (a, b) = ends.expect("never fails");
        assert!(a < b && f(a) <= 0.0 && (f(b) > 0.0 || f(b).is_nan()));
        (b, calls)
    }

    #[test]
    fn brackets_the_root_with_few_evaluations() {
        for (h, root) in [(1e-3, 0.3e-3), (2.0, 1.999), (1.0, 1e-9)] {
            let f = |s: f64| (s - root) * (1.0 + s / h);
            let (found, calls) = count(h, f);
            assert!(found - root <= 1.1e-13 * h);
            assert!(calls <= 14, "{calls}");
        }
    }

    #[test]
    fn jumps_and_nonsense_cost_no_more_than_bisection() {
        let (found, calls) = count(1.0, |s| if s < 0.7 { -1.0 } else { 1e9 });
        assert!((found - 0.7).abs() < 2e-13 && calls <= 46, "{calls}");
        let (_, calls) = count(1.0, |s| if s == 0.0 { -1.0 } else { f64::NAN });
        assert!(calls <= 46);
    }
}
