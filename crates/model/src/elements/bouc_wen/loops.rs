//! What a loop says about the parameters of the Bouc-Wen law.
//!
//! By regression, once n is taken from a grid, with zs the largest force:
//! z_k = c + A sum dx - B sum |dx| sign(z) |z/zs|^n - G sum dx |z/zs|^n.
//!
//! By formula, from the slopes of half a loop:
//! a = dz/dx at z = 0
//! ln(a - dz/dx) = ln(beta + gamma) + n ln |z|  where z grows
//! ln(dz/dx - a) = ln(beta - gamma) + n ln |z|  where z falls
//! The signs of eqs (13) and (14) are as they follow from the law, not as they are printed.
//!
//! Reference: the work of Onera on Dahl and Bouc-Wen parameters from the hysteresis curve, Proc. ISMA2018
//! and USD2018, Damping, to p. 1046.

use super::BoucWen;
use crate::law::{Combined, Formula, Given, HalfLoop, LoopLaw, fixed};

/// Sharpness of the knee that is tried: from, to, how many in equal ratios.
const KNEES: (f64, f64, usize) = (0.5, 5.0, 17);
/// Knees that a spring-slider is taken for.
const SLIDER_KNEES: [f64; 2] = [1.0, 2.0];
/// Share of the largest force below which the logarithms are left out: they magnify what is small.
const LOG_WINDOW: f64 = 0.2;

/// Where n stands.
const N: usize = 3;

impl<const ASYMMETRIC: bool> LoopLaw for BoucWen<ASYMMETRIC> {
    fn title(&self) -> &'static str {
        "Bouc-Wen"
    }

    fn shapes(&self, _: f64, given: Given<'_>) -> Vec<Vec<f64>> {
        if let Some(n) = given(N) {
            return vec![vec![n]];
        }
        let (from, to, count) = KNEES;
        let ratio = (to / from).powf(1.0 / (count - 1) as f64);
        (0..count)
            .map(|i| vec![from * ratio.powi(i as i32)])
            .collect()
    }

    fn coefficients(&self) -> usize {
        3
    }

    fn growth(&self, shape: &[f64], size: f64, dx: f64, z: f64, out: &mut [f64]) {
        let power = (z / size).abs().powf(shape[0]);
        out.copy_from_slice(&[dx, dx.abs() * power * z.signum(), dx * power]);
    }

    fn parameters(&self, shape: &[f64], size: f64, coefficients: &[f64]) -> Vec<f64> {
        let ([a, wide, slant], n) = (fixed(coefficients), shape[0]);
        let scale = size.powf(n);
        vec![a, -wide / scale, -slant / scale, n]
    }

    fn like_slider(&self, stiffness: f64, limit: f64) -> Vec<Vec<f64>> {
        let with = |&n: &f64| vec![stiffness, stiffness / limit.powf(n), 0.0, n];
        SLIDER_KNEES.iter().map(with).collect()
    }

    fn by_formula(&self, half: &HalfLoop) -> Vec<Formula> {
        let logs = Logarithms::of(half);
        let formula = |name, values| Formula {
            name,
            assumed: None,
            values,
        };
        vec![
            formula("beta and gamma free", logs.and_then(Logarithms::free)),
            formula("beta = gamma", logs.and_then(Logarithms::equal)),
        ]
    }

    fn combinations(&self, p: &[f64], z: f64) -> Vec<Combined> {
        if !(z > 0.0) {
            return vec![];
        }
        let power = z.powf(p[N]);
        let each = [(1, "beta*zref^n"), (2, "gamma*zref^n")];
        let combined = |(i, name): (usize, &'static str)| {
            let mut slopes = vec![0.0; 4];
            slopes[i] = power;
            slopes[N] = p[i] * power * z.ln();
            Combined {
                name,
                value: p[i] * power,
                unit: "N/m",
                slopes,
                // The slant may be zero; it is measured by the width.
                size: p[1] * power,
                reference: Some(z),
            }
        };
        each.map(combined).into()
    }

    fn bend(&self, p: &[f64], z: f64) -> f64 {
        let [a, beta, _, n] = fixed(p);
        beta * z.powf(n) / a
    }

    fn limit(&self, p: &[f64]) -> f64 {
        let [a, beta, _, n] = fixed(p);
        (a / beta).powf(1.0 / n)
    }

    fn simplest(&self) -> (usize, f64) {
        (N, 1.0)
    }
}

/// Stiffness and the two straight lines over ln |z|.
#[derive(Clone, Copy)]
struct Logarithms {
    a: f64,
    /// beta + gamma and n where z grows.
    along: Option<(f64, f64)>,
    /// beta - gamma and n where z falls.
    against: Option<(f64, f64)>,
}

impl Logarithms {
    fn of(half: &HalfLoop) -> Option<Self> {
        let a = half.stiffness?;
        let least = LOG_WINDOW * half.peak;
        let line = |along: bool| {
            let points = half.slopes.iter().filter_map(|&(z, slope)| {
                let off = if along { a - slope } else { slope - a };
                let counts = (half.direction * z > 0.0) == along && z.abs() > least && off > 0.0;
                counts.then(|| (z.abs().ln(), off.ln()))
            });
            let (height, n) = straight(&points.collect::<Vec<_>>())?;
            Some((height.exp(), n))
        };
        Some(Self {
            a,
            along: line(true),
            against: line(false),
        })
    }

    /// Eqs (13) and (15): the mean of both n.
    fn free(self) -> Option<Vec<f64>> {
        let ((sum, n), (difference, m)) = (self.along?, self.against?);
        let (beta, gamma) = (0.5 * (sum + difference), 0.5 * (sum - difference));
        Some(vec![self.a, beta, gamma, 0.5 * (n + m)])
    }

    /// Eq (13) alone.
    fn equal(self) -> Option<Vec<f64>> {
        let (sum, n) = self.along?;
        Some(vec![self.a, 0.5 * sum, 0.5 * sum, n])
    }
}

/// Height at zero and slope of the straight line through points, by least squares.
fn straight(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let (mut square, mut product) = (0.0, 0.0);
    for p in points {
        square += (p.0 - x).powi(2);
        product += (p.0 - x) * (p.1 - y);
    }
    let slope = product / square;
    let height = y - slope * x;
    (points.len() > 1 && slope.is_finite() && height.is_finite()).then_some((height, slope))
}
