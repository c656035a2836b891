//! The semi-analytic method: parameters of Dahl and Bouc-Wen from slopes and crossings of one loop.
//!
//! On the half of the loop with direction e = sign of the motion, with x0 = x(z = 0), z0 = z(x = 0),
//! (xm, zm) the tips and p0 the slope of ln(dz/dx) over z at z = 0:
//! Dahl      sigma = dz/dx at z = 0
//!           alpha = 1:  e fc ln(1 - e z0/fc) = sigma x0
//!           else:       alpha = -p0 e fc,  fc/m [(1 + zm/fc)^m - (1 - zm/fc)^m] = 2 sigma xm,  m = 1 - alpha
//! Bouc-Wen  a = dz/dx at z = 0
//!           ln(a - dz/dx) = ln(beta + gamma) + n ln |z|  where z grows
//!           ln(dz/dx - a) = ln(beta - gamma) + n ln |z|  where z falls
//! Signs of eqs (8), (13) and (14) as they follow from the laws, not as they are printed.
//!
//! Reference: the work of Onera on Dahl and Bouc-Wen parameters from the hysteresis curve, Proc. ISMA2018
//! and USD2018, Damping, to p. 1046.

mod by_formula;
mod roots;
mod slopes;

pub(crate) use by_formula::by_formula;
pub use by_formula::semi_analytic_of;

use super::law::Law;
use super::regression::regress;
use roots::{friction, friction_and_shape};
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
    /// Parameters of the law from the half with growing and with falling displacement; `None` where
    /// an equation has no solution.
    pub halves: [Option<Vec<f64>>; 2],
}

/// What the method says about a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct SemiAnalytic {
    /// The law.
    pub law: Law,
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
    /// solution. Both halves of a loop that is the same on both sides agree, also on wrong numbers.
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

/// Share of the largest force below which the logarithms of Bouc-Wen are left out: they magnify what
/// is small.
const LOG_WINDOW: f64 = 0.2;

/// Applies the method to the samples of one loop; `None` without two directions or without force.
pub fn semi_analytic(law: Law, x: &[f64], z: &[f64], crossing: Crossing) -> Option<SemiAnalytic> {
    let curve = Curve::new(x, z, crossing)?;
    let [xm, zm] = curve.tip();
    let hypotheses = match law {
        Law::Dahl => vec![
            Hypothesis {
                name: "alpha = 1",
                halves: [1.0, -1.0].map(|e| dahl_one(&curve, e)),
            },
            Hypothesis {
                name: "alpha free",
                halves: [1.0, -1.0].map(|e| dahl(&curve, e)),
            },
        ],
        Law::BoucWen => {
            let logs = [1.0, -1.0].map(|e| Logarithms::of(&curve, e));
            vec![
                Hypothesis {
                    name: "beta and gamma free",
                    halves: logs.map(|l| l.and_then(Logarithms::free)),
                },
                Hypothesis {
                    name: "beta = gamma",
                    halves: logs.map(|l| l.and_then(Logarithms::equal)),
                },
            ]
        }
    };
    Some(SemiAnalytic {
        law,
        crossing,
        damping_ratio: curve.energy() / (2.0 * std::f64::consts::PI * xm * zm),
        tip: [xm, zm],
        hypotheses,
    })
}

/// Dahl with alpha = 1, eq (8).
fn dahl_one(curve: &Curve, e: f64) -> Option<Vec<f64>> {
    let at = curve.crossing(e)?;
    let z0 = curve.force_in_the_middle(e)?;
    let fc = friction(e * z0, -e * at.slope * at.x)?;
    Some(vec![at.slope, fc, 1.0])
}

/// Dahl, eqs (9) and (10).
fn dahl(curve: &Curve, e: f64) -> Option<Vec<f64>> {
    let at = curve.crossing(e)?;
    let fall = -e * at.bend;
    let [xm, zm] = curve.tip();
    let fc = friction_and_shape(fall, zm, 2.0 * at.slope * xm)?;
    Some(vec![at.slope, fc, fall * fc])
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
    fn of(curve: &Curve, e: f64) -> Option<Self> {
        let a = curve.stiffness(e)?;
        let least = LOG_WINDOW * curve.peak();
        let line = |along: bool| {
            let points = curve.slopes(e).filter(|(z, _)| (e * z > 0.0) == along);
            let (mut logs, mut rest) = (Vec::new(), Vec::new());
            for (z, slope) in points {
                let off = if along { a - slope } else { slope - a };
                if z.abs() > least && off > 0.0 {
                    logs.push(z.abs().ln());
                    rest.push(off.ln());
                }
            }
            let found = regress(&[vec![1.0; logs.len()], logs], &rest)?;
            Some((found.coefficients[0].exp(), found.coefficients[1]))
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
