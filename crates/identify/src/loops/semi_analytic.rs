//! The semi-analytic method: parameters of a loop law from slopes and crossings of one loop.
//!
//! The law supplies the formulas for half a loop; here the halves are read off the samples.
//!
//! Reference: the work of Onera on Dahl and Bouc-Wen parameters from the hysteresis curve, Proc. ISMA2018
//! and USD2018, Damping, to p. 1046.

mod by_formula;
mod slopes;

pub(crate) use by_formula::by_formula;
pub use by_formula::semi_analytic_of;

use masing_model::LoopLaw;
use slopes::Curve;

/// How slopes and crossings are read off the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// Between samples, from slopes between neighbours.
    Interpolated,
    /// At the nearest sample, from central differences: what the paper's numbers suggest.
    Nearest,
}

/// The parameters under one assumption about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypothesis {
    /// The assumption.
    pub name: &'static str,
    /// The parameter that is assumed, not computed.
    pub assumed: Option<usize>,
    /// Parameters of the law from the half with growing and with falling displacement; `None` where
    /// an equation has no solution.
    pub halves: [Option<Vec<f64>>; 2],
}

/// What the method gives for a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct SemiAnalytic {
    /// How the samples were read.
    pub crossing: Crossing,
    /// Dissipated energy over 4 pi times the elastic energy xm zm/2.
    pub damping_ratio: f64,
    /// Displacement and force at the tips.
    pub tip: [f64; 2],
    /// The parameters, assumption by assumption.
    pub hypotheses: Vec<Hypothesis>,
}

impl Hypothesis {
    /// The mean of the halves that have a solution.
    pub fn mean(&self) -> Option<Vec<f64>> {
        match &self.halves {
            [Some(a), Some(b)] => Some(a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect()),
            [Some(only), None] | [None, Some(only)] => Some(only.clone()),
            [None, None] => None,
        }
    }

    /// Difference of the halves over their mean, parameter by parameter; `None` unless both have a
    /// solution. The halves of a symmetric loop agree, even on wrong values.
    pub fn disparity(&self) -> Option<Vec<f64>> {
        let [Some(a), Some(b)] = &self.halves else {
            return None;
        };
        let each = a.iter().zip(b).map(|(a, b)| {
            let mean = 0.5 * (a.abs() + b.abs());
            if mean > 0.0 {
                (a - b).abs() / mean
            } else {
                0.0
            }
        });
        Some(each.collect())
    }
}

/// Applies the method to the samples of one loop; `None` without two directions or without force.
pub fn semi_analytic(
    law: &dyn LoopLaw,
    x: &[f64],
    z: &[f64],
    crossing: Crossing,
) -> Option<SemiAnalytic> {
    let curve = Curve::new(x, z, crossing)?;
    let [xm, zm] = curve.tip();
    let [growing, falling] = [1.0, -1.0].map(|e| law.by_formula(&curve.half(e)));
    let hypotheses = growing.into_iter().zip(falling).map(|(a, b)| Hypothesis {
        name: a.name,
        assumed: a.assumed,
        halves: [a.values, b.values],
    });
    Some(SemiAnalytic {
        crossing,
        damping_ratio: curve.energy() / (2.0 * std::f64::consts::PI * xm * zm),
        tip: [xm, zm],
        hypotheses: hypotheses.collect(),
    })
}
