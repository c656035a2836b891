//! The numbers that force laws compute with: plain `f64`, or `f64` with derivatives.
//!
//! Laws are written once, generic over [`Scalar`]. Powers come as [`Scalar::abs_pow`] and
//! [`Scalar::signed_pow`], because composing them from `powf` gives NaN or wrong slopes at zero,
//! where every test starts.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number, possibly carrying derivatives.
pub trait Scalar:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + From<f64>
{
    /// The value without derivatives; branches are decided on it.
    fn value(self) -> f64;
    /// e to the power of the number.
    fn exp(self) -> Self;
    /// exp(x) - 1 without cancellation.
    fn exp_m1(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// ln(1 + x) without cancellation.
    fn ln_1p(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Inverse hyperbolic sine, with all digits near zero.
    fn asinh(self) -> Self;
    /// Absolute value; its slope at zero is taken as zero.
    fn abs(self) -> Self;
    /// Integer power.
    fn powi(self, n: i32) -> Self;
    /// |x|^n for n > 0. Zero with zero slopes at x = 0.
    fn abs_pow(self, n: Self) -> Self;
    /// sign(x) |x|^n for n > 0. At x = 0 it is zero, with slope 1 if n = 1 and 0 otherwise
    /// (for n < 1 the true slope is infinite; zero keeps derivatives finite).
    fn signed_pow(self, n: Self) -> Self;
    /// -1, 0 or 1; constant as far as derivatives go.
    fn sign(self) -> f64 {
        sign(self.value())
    }
    /// The larger of two numbers (the first on a tie).
    fn max(self, other: Self) -> Self {
        if other.value() > self.value() {
            other
        } else {
            self
        }
    }
    /// The smaller of two numbers (the first on a tie).
    fn min(self, other: Self) -> Self {
        if other.value() < self.value() {
            other
        } else {
            self
        }
    }
}

/// -1, 0 or 1 (unlike `f64::signum`, which has no zero).
pub fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// asinh(x) where sqrt(1 + x^2) is known. Only near zero does the logarithm need the help of `ln_1p`,
/// which takes several times as long.
fn asinh_beside(x: f64, root: f64) -> f64 {
    let size = x.abs();
    let value = if size > 0.5 {
        (size + root).ln()
    } else {
        (size + size * size / (root + 1.0)).ln_1p()
    };
    value.copysign(x)
}

/// Functions of a plain number that the standard library has.
macro_rules! standard {
    ($($function:ident)*) => {
        $(
            fn $function(self) -> f64 {
                f64::$function(self)
            }
        )*
    };
}

impl Scalar for f64 {
    standard!(exp exp_m1 ln ln_1p sqrt sin tanh abs);

    fn value(self) -> f64 {
        self
    }
    fn asinh(self) -> f64 {
        asinh_beside(self, (self * self + 1.0).sqrt())
    }
    fn powi(self, n: i32) -> f64 {
        f64::powi(self, n)
    }
    fn abs_pow(self, n: f64) -> f64 {
        if self == 0.0 {
            0.0
        } else {
            f64::abs(self).powf(n)
        }
    }
    fn signed_pow(self, n: f64) -> f64 {
        sign(self) * self.abs_pow(n)
    }
}

/// A number with its derivatives along `W` directions.
#[derive(Clone, Copy, Debug)]
pub struct Dual<const W: usize> {
    /// The value.
    pub re: f64,
    /// The derivatives.
    pub eps: [f64; W],
}

/// How many directions the generic laws differentiate at once.
pub const LANES: usize = 8;

/// The dual number used by the generic laws.
pub type Lanes = Dual<LANES>;

impl<const W: usize> Dual<W> {
    /// A constant.
    pub fn constant(re: f64) -> Self {
        Self { re, eps: [0.0; W] }
    }

    /// The same derivatives times `slope`, around a new value.
    fn chain(self, re: f64, slope: f64) -> Self {
        let mut eps = self.eps;
        for e in &mut eps {
            *e *= slope;
        }
        Self { re, eps }
    }

    /// Derivatives of a function of two numbers.
    fn chain2(self, other: Self, re: f64, slope: f64, slope_other: f64) -> Self {
        let mut eps = self.eps;
        for (e, o) in eps.iter_mut().zip(other.eps) {
            *e = *e * slope + o * slope_other;
        }
        Self { re, eps }
    }
}

impl<const W: usize> From<f64> for Dual<W> {
    fn from(re: f64) -> Self {
        Self::constant(re)
    }
}

/// An operator between a number with derivatives and another number.
macro_rules! operator {
    ($trait:ident, $name:ident, $other:ty, $apply:expr) => {
        impl<const W: usize> $trait<$other> for Dual<W> {
            type Output = Self;
            fn $name(self, other: $other) -> Self {
                let apply: fn(Self, $other) -> Self = $apply;
                apply(self, other)
            }
        }
    };
}

operator!(Add, add, Self, |a, b| a.chain2(b, a.re + b.re, 1.0, 1.0));
operator!(Sub, sub, Self, |a, b| a.chain2(b, a.re - b.re, 1.0, -1.0));
operator!(Mul, mul, Self, |a, b| a.chain2(b, a.re * b.re, b.re, a.re));
operator!(Div, div, Self, |a, b| {
    let q = a.re / b.re;
    a.chain2(b, q, 1.0 / b.re, -q / b.re)
});
operator!(Add, add, f64, |a, b| Self { re: a.re + b, ..a });
operator!(Sub, sub, f64, |a, b| Self { re: a.re - b, ..a });
operator!(Mul, mul, f64, |a, b| a.chain(a.re * b, b));
operator!(Div, div, f64, |a, b| a.chain(a.re / b, 1.0 / b));

impl<const W: usize> Neg for Dual<W> {
    type Output = Self;
    fn neg(self) -> Self {
        self.chain(-self.re, -1.0)
    }
}

impl<const W: usize> Scalar for Dual<W> {
    fn value(self) -> f64 {
        self.re
    }
    fn exp(self) -> Self {
        let e = self.re.exp();
        self.chain(e, e)
    }
    fn exp_m1(self) -> Self {
        self.chain(self.re.exp_m1(), self.re.exp())
    }
    fn ln(self) -> Self {
        self.chain(self.re.ln(), 1.0 / self.re)
    }
    fn ln_1p(self) -> Self {
        self.chain(self.re.ln_1p(), 1.0 / (1.0 + self.re))
    }
    fn sqrt(self) -> Self {
        let r = self.re.sqrt();
        self.chain(r, if r > 0.0 { 0.5 / r } else { 0.0 })
    }
    fn sin(self) -> Self {
        self.chain(self.re.sin(), self.re.cos())
    }
    fn tanh(self) -> Self {
        let t = self.re.tanh();
        self.chain(t, 1.0 - t * t)
    }
    fn asinh(self) -> Self {
        let root = (self.re * self.re + 1.0).sqrt();
        self.chain(asinh_beside(self.re, root), 1.0 / root)
    }
    fn abs(self) -> Self {
        self.chain(self.re.abs(), sign(self.re))
    }
    fn powi(self, n: i32) -> Self {
        if n == 0 {
            return Self::constant(1.0);
        }
        self.chain(self.re.powi(n), f64::from(n) * self.re.powi(n - 1))
    }
    fn abs_pow(self, n: Self) -> Self {
        if self.re == 0.0 {
            return Self::constant(0.0);
        }
        let a = self.re.abs();
        let p = a.powf(n.re);
        self.chain2(n, p, sign(self.re) * n.re * p / a, p * a.ln())
    }
    fn signed_pow(self, n: Self) -> Self {
        if self.re == 0.0 {
            return self.chain(0.0, f64::from(u8::from(n.re == 1.0)));
        }
        let (a, s) = (self.re.abs(), sign(self.re));
        let p = a.powf(n.re);
        self.chain2(n, s * p, n.re * p / a, s * p * a.ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(x: f64) -> Dual<1> {
        Dual { re: x, eps: [1.0] }
    }

    #[test]
    fn slopes_match_central_differences() {
        type Case = (fn(f64) -> f64, fn(Dual<1>) -> Dual<1>);
        let cases: [Case; 10] = [
            (|x| Scalar::asinh(x), |x| x.asinh()),
            (|x| Scalar::sin(x), |x| x.sin()),
            (|x| Scalar::exp_m1(x), |x| x.exp_m1()),
            (|x| Scalar::ln_1p(x), |x| x.ln_1p()),
            (|x| Scalar::tanh(x), |x| x.tanh()),
            (|x| Scalar::sqrt(x), |x| x.sqrt()),
            (|x| Scalar::powi(x, 3), |x| x.powi(3)),
            (|x| (-x).abs_pow(1.7), |x| (-x).abs_pow(1.7.into())),
            (|x| (-x).signed_pow(0.6), |x| (-x).signed_pow(0.6.into())),
            (|x| 2.0_f64.abs_pow(x), |x| Dual::constant(2.0).abs_pow(x)),
        ];
        for (i, (f, d)) in cases.into_iter().enumerate() {
            for x in [0.3, 1.1, 2.7] {
                let h = 1e-6;
                let slope = (f(x + h) - f(x - h)) / (2.0 * h);
                assert!((d(lane(x)).re - f(x)).abs() < 1e-14);
                assert!(
                    (d(lane(x)).eps[0] - slope).abs() < 1e-8 * (1.0 + slope.abs()),
                    "case {i}"
                );
            }
        }
    }

    #[test]
    fn powers_at_zero_are_finite() {
        for n in [0.05, 0.5, 1.0, 3.0] {
            let p = lane(0.0).signed_pow(n.into());
            assert_eq!(p.re, 0.0);
            assert_eq!(p.eps[0], if n == 1.0 { 1.0 } else { 0.0 });
            assert_eq!(lane(0.0).abs_pow(n.into()).eps[0], 0.0);
        }
    }
}
