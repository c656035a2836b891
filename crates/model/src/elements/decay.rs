//! What is left of a memory that fades while it is fed.

use crate::scalar::Scalar;

/// (1 - exp(-h)) / h for h >= 0: the share of a straight motion that a fading spring still holds.
pub(super) fn held<S: Scalar>(h: S) -> S {
    // Below this the quotient loses digits of its derivative; the series has them all.
    if h.value() < 1e-3 {
        return ((h * (-1.0 / 120.0) + 1.0 / 24.0) * h * -1.0 + 1.0 / 6.0) * h * h - h * 0.5 + 1.0;
    }
    -(-h).exp_m1() / h
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    #[test]
    fn series_and_quotient_meet() {
        let at = |h: f64| held(Dual { re: h, eps: [1.0] });
        let (below, above) = (at(1e-3 * (1.0 - 1e-15)), at(1e-3));
        // 1e-12: the slope of the quotient carries rounding over h.
        assert!((below.re - above.re).abs() < 1e-15);
        assert!((below.eps[0] - above.eps[0]).abs() < 1e-12);
        assert_eq!((at(0.0).re, at(0.0).eps[0]), (1.0, -0.5));
    }
}
