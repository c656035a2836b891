//! From Chebyshev coefficients of a branch to stiffness and slip of one spring-slider (the paper's route).
//!
//! With phi = arccos(4 ys/Dy - 1):
//!
//! a0 = ks Dy/pi (phi cos phi - sin phi + pi sin^2(phi/2))
//! a1 = ks Dy/(2 pi) (pi - phi + sin(2 phi)/2)
//! an = ks Dy/(pi n (n^2 - 1)) (n cos(n phi) sin phi - sin(n phi) cos phi)
//!
//! a1/a0 falls from infinity (phi = 0) to 0 (phi = pi), so that eq (37) has one solution for every positive ratio and
//! none otherwise.

use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;

/// One spring-slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Stiffness.
    pub ks: f64,
    /// Slip displacement.
    pub ys: f64,
}

impl Slider {
    /// Force at slip.
    pub fn zs(&self) -> f64 {
        self.ks * self.ys
    }

    fn at(phi: f64, ks: f64, span: f64) -> Self {
        Self {
            ks,
            ys: 0.25 * span * (1.0 + phi.cos()),
        }
    }
}

/// Coefficient `n` over ks Dy.
pub fn shape(n: usize, phi: f64) -> f64 {
    match n {
        0 => (phi * phi.cos() - phi.sin() + PI * (0.5 * phi).sin().powi(2)) / PI,
        1 => (PI - phi + 0.5 * (2.0 * phi).sin()) / (2.0 * PI),
        n => {
            let n = n as f64;
            ((n * (n * phi).cos() * phi.sin()) - (n * phi).sin() * phi.cos())
                / (PI * n * (n * n - 1.0))
        }
    }
}

/// Coefficients of a slider on strokes of length `span`, which must be 2 ys or longer.
pub fn coefficients(slider: Slider, span: f64, count: usize) -> Vec<f64> {
    let phi = (4.0 * slider.ys / span - 1.0).clamp(-1.0, 1.0).acos();
    (0..count)
        .map(|n| slider.ks * span * shape(n, phi))
        .collect()
}

/// Eq (37): the slider of a0 and a1; `None` where a1/a0 is not positive.
pub fn invert(a0: f64, a1: f64, span: f64) -> Option<Slider> {
    let ratio = a1 / a0;
    if !(ratio > 0.0 && ratio.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (0.0, PI);
    // Bisection on a strictly falling ratio: as many halvings as a double has digits.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if shape(1, middle) > ratio * shape(0, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    let phi = 0.5 * (low + high);
    let ks = a0 / (span * shape(0, phi));
    (ks.is_finite() && ks > 0.0).then(|| Slider::at(phi, ks, span))
}

/// The slider that fits all coefficients best, weighted by their covariance.
pub fn generalised(
    coefficients: &[(usize, f64)],
    covariance: &DMatrix<f64>,
    span: f64,
) -> Option<Slider> {
    let factor = covariance.clone().cholesky()?;
    let whiten = |v: DVector<f64>| factor.l().solve_lower_triangular(&v);
    let data = whiten(DVector::from_iterator(
        coefficients.len(),
        coefficients.iter().map(|(_, a)| *a),
    ))?;
    let fit = |phi: f64| -> Option<(f64, f64)> {
        let own = coefficients.iter().map(|(n, _)| span * shape(*n, phi));
        let own = whiten(DVector::from_iterator(coefficients.len(), own))?;
        let size = own.norm_squared();
        let ks = if size > 0.0 {
            own.dot(&data) / size
        } else {
            0.0
        };
        Some((ks, (&data - own * ks).norm_squared()))
    };
    let cost = |phi: f64| match fit(phi) {
        Some((ks, cost)) if ks > 0.0 => cost,
        _ => f64::INFINITY,
    };
    let phi = super::line::least(&cost, 1e-3, PI - 1e-3, 200)?;
    let (ks, _) = fit(phi)?;
    (ks > 0.0).then(|| Slider::at(phi, ks, span))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed ks and zs of the paper, Dy = 3 mm: independent figures by quadrature.
    #[test]
    fn coefficients_are_those_of_the_integral() {
        let slider = Slider {
            ks: 6.8695e4,
            ys: 20.587 / 6.8695e4,
        };
        let expected = [
            25.21799, 14.64914, -11.18240, 6.71411, -2.60104, -0.15576, 1.24833, -1.04640, 0.28380,
            0.35520, -0.52959,
        ];
        let found = coefficients(slider, 3e-3, 11);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 6e-6, "{found} {expected}");
        }
        let back = invert(found[0], found[1], 3e-3).unwrap();
        assert!((back.ks / slider.ks - 1.0).abs() < 1e-9);
        assert!((back.ys / slider.ys - 1.0).abs() < 1e-9);
        let numbered: Vec<(usize, f64)> = found.iter().copied().enumerate().collect();
        let all = generalised(&numbered, &DMatrix::identity(11, 11), 3e-3).unwrap();
        assert!((all.ks / slider.ks - 1.0).abs() < 1e-6);
    }

    #[test]
    fn every_positive_ratio_has_one_slider_and_no_other_has_any() {
        let mut last = f64::INFINITY;
        for k in 1..20_000 {
            let phi = PI * f64::from(k) / 20_000.0;
            let ratio = shape(1, phi) / shape(0, phi);
            assert!(ratio < last && ratio > 0.0, "{phi}");
            last = ratio;
        }
        assert!(invert(-1.0, 1.0, 1e-3).is_none());
        assert!(invert(1.0, 0.0, 1e-3).is_none());
        assert!(invert(0.0, 1.0, 1e-3).is_none());
        assert!(invert(f64::NAN, 1.0, 1e-3).is_none());
    }
}
