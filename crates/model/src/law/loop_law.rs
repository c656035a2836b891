//! Hysteresis laws F = z whose parameters can be read off a loop.
//!
//! The first parameter is the stiffness at the origin. Over an increment dx of the displacement z grows
//! by a sum of coefficients times known functions, once the parameters that shape the loop are given:
//! that is what starts by regression are made of.

use super::Law;

/// What was given for a parameter, if anything.
pub type Given<'a> = &'a dyn Fn(usize) -> Option<f64>;

/// A law whose force is its state, which follows the path of the displacement.
pub trait LoopLaw: Law {
    /// Name for people.
    fn title(&self) -> &'static str;

    /// Shapes to try for a loop with forces up to `size`: values of the parameters that the growth
    /// of z is not linear in, those that are given kept.
    fn shapes(&self, size: f64, given: Given<'_>) -> Vec<Vec<f64>>;

    /// How many coefficients the growth of z is linear in.
    fn coefficients(&self) -> usize;

    /// Writes by how much z grows over `dx` at force `z` for a coefficient of one each.
    fn growth(&self, shape: &[f64], size: f64, dx: f64, z: f64, out: &mut [f64]);

    /// The parameters for a shape and the coefficients of the growth.
    fn parameters(&self, shape: &[f64], size: f64, coefficients: &[f64]) -> Vec<f64>;

    /// The parameters with which the law is nearest to a spring-slider of this stiffness and limit,
    /// one set for each shape worth a try.
    fn like_slider(&self, stiffness: f64, limit: f64) -> Vec<Vec<f64>>;

    /// The parameters from slopes and crossings of half a loop, assumption by assumption.
    fn by_formula(&self, half: &HalfLoop) -> Vec<Formula>;

    /// What a loop that hardly bends determines beside the stiffness; `z` is the largest force.
    fn combinations(&self, p: &[f64], z: f64) -> Vec<Combined>;

    /// The share of the stiffness that is lost between the middle of a loop and a force `z`.
    fn bend(&self, p: &[f64], z: f64) -> f64;

    /// The force that the law approaches, from what a small loop determines.
    fn limit(&self, p: &[f64]) -> f64;

    /// The parameter, and its value, that makes the law the simplest of its family.
    fn simplest(&self) -> (usize, f64);
}

/// Half a loop: the motion in one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfLoop {
    /// Sign of the motion.
    pub direction: f64,
    /// Where the force vanishes, if it does.
    pub at_zero: Option<AtZero>,
    /// The force at no displacement.
    pub middle: Option<f64>,
    /// The slope where the force vanishes, the mean of both sides.
    pub stiffness: Option<f64>,
    /// Displacement and force at the tips of the loop.
    pub tip: [f64; 2],
    /// Largest force of the loop.
    pub peak: f64,
    /// Force and slope along the way.
    pub slopes: Vec<(f64, f64)>,
}

/// Half a loop where its force vanishes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtZero {
    /// Displacement.
    pub x: f64,
    /// dz/dx.
    pub slope: f64,
    /// d ln(dz/dx)/dz.
    pub bend: f64,
}

/// Parameters under one assumption about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// The assumption.
    pub name: &'static str,
    /// The parameter that is assumed rather than found.
    pub assumed: Option<usize>,
    /// The parameters; `None` where an equation has no solution.
    pub values: Option<Vec<f64>>,
}

/// A number made of several parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Combined {
    /// Formula in terms of the parameters, such as `alpha/fc`.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// SI unit.
    pub unit: &'static str,
    /// Derivatives with respect to the parameters.
    pub slopes: Vec<f64>,
    /// What an error is compared with where the value itself may be zero; otherwise zero.
    pub size: f64,
    /// The force that powers refer to, where there are any.
    pub reference: Option<f64>,
}
