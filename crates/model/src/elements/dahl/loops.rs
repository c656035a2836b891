//! What a loop says about the parameters of Dahl's law.
//!
//! By regression, with sigma as the only coefficient once fc and alpha are taken from a grid:
//! z_k = c + sigma sum max(0, 1 - s z/fc)^alpha dx, s the direction of the motion.
//!
//! By formula, on the half of a loop with direction e, with x0 = x(z = 0), z0 = z(x = 0), (xm, zm) the tips and p0 the
//! slope of ln(dz/dx) over z at z = 0:
//! sigma = dz/dx at z = 0
//! alpha = 1:  e fc ln(1 - e z0/fc) = sigma x0
//! else:       alpha = -p0 e fc,  fc/m [(1 + zm/fc)^m - (1 - zm/fc)^m] = 2 sigma xm,  m = 1 - alpha
//! The signs of eq (8) are as they follow from the law, not as they are printed.
//!
//! Reference: the work of Onera on Dahl and Bouc-Wen parameters from the hysteresis curve, Proc. ISMA2018
//! and USD2018, Damping, to p. 1046.

use super::Dahl;
use super::roots::{friction, friction_and_shape};
use crate::law::{Combined, Formula, Given, HalfLoop, LoopLaw, fixed};

/// Friction over the largest force: from a loop that all but slips to one that hardly bends.
const FRICTIONS: [f64; 11] = [1.01, 1.05, 1.12, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 25.0, 60.0];
/// Shapes, from brittle to ductile.
const SHAPES: [f64; 8] = [0.4, 0.7, 1.0, 1.4, 1.9, 2.5, 3.3, 4.5];

/// Where fc and alpha stand.
const FC: usize = 1;
const ALPHA: usize = 2;

impl LoopLaw for Dahl {
    fn title(&self) -> &'static str {
        "Dahl"
    }

    fn shapes(&self, size: f64, given: Given<'_>) -> Vec<Vec<f64>> {
        let frictions = match given(FC) {
            Some(fc) => vec![fc],
            None => FRICTIONS.iter().map(|f| f * size).collect(),
        };
        let shapes = match given(ALPHA) {
            Some(alpha) => vec![alpha],
            None => SHAPES.to_vec(),
        };
        let pairs = frictions.iter().flat_map(|&fc| {
            let with = move |&alpha: &f64| vec![fc, alpha];
            shapes.iter().map(with)
        });
        pairs.collect()
    }

    fn coefficients(&self) -> usize {
        1
    }

    fn growth(&self, shape: &[f64], _: f64, dx: f64, z: f64, out: &mut [f64]) {
        let [fc, alpha] = fixed(shape);
        out[0] = (1.0 - z * dx.signum() / fc).max(0.0).powf(alpha) * dx;
    }

    fn parameters(&self, shape: &[f64], _: f64, coefficients: &[f64]) -> Vec<f64> {
        let [fc, alpha] = fixed(shape);
        vec![coefficients[0], fc, alpha]
    }

    fn like_slider(&self, stiffness: f64, limit: f64) -> Vec<Vec<f64>> {
        vec![vec![stiffness, limit, 1.0]]
    }

    fn by_formula(&self, half: &HalfLoop) -> Vec<Formula> {
        vec![
            Formula {
                name: "alpha = 1",
                assumed: Some(ALPHA),
                values: plain(half),
            },
            Formula {
                name: "alpha free",
                assumed: None,
                values: shaped(half),
            },
        ]
    }

    fn combinations(&self, p: &[f64], _: f64) -> Vec<Combined> {
        let [_, fc, alpha] = fixed(p);
        vec![Combined {
            name: "alpha/fc",
            value: alpha / fc,
            unit: "1/N",
            slopes: vec![0.0, -alpha / (fc * fc), 1.0 / fc],
            size: 0.0,
            reference: None,
        }]
    }

    fn bend(&self, p: &[f64], z: f64) -> f64 {
        let [_, fc, alpha] = fixed(p);
        alpha / fc * z
    }

    fn limit(&self, p: &[f64]) -> f64 {
        let [_, fc, alpha] = fixed(p);
        fc / alpha
    }

    fn simplest(&self) -> (usize, f64) {
        (ALPHA, 1.0)
    }
}

/// alpha = 1, eq (8).
fn plain(half: &HalfLoop) -> Option<Vec<f64>> {
    let (e, at) = (half.direction, half.at_zero?);
    let fc = friction(e * half.middle?, -e * at.slope * at.x)?;
    Some(vec![at.slope, fc, 1.0])
}

/// Eqs (9) and (10).
fn shaped(half: &HalfLoop) -> Option<Vec<f64>> {
    let at = half.at_zero?;
    let fall = -half.direction * at.bend;
    let [xm, zm] = half.tip;
    let fc = friction_and_shape(fall, zm, 2.0 * at.slope * xm)?;
    Some(vec![at.slope, fc, fall * fc])
}
