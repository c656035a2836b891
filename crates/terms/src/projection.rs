//! Variable projection: slip displacements, the preload and exponents of laws are searched, and the linear part is
//! solved inside; dE_r/dr is the direction of the last slip.
//!
//! Reference: Golub, G. H., Pereyra, V. (1973), SIAM J. Numer. Anal. 10(2), 413-432; the Jacobian is Kaufman's (1975),
//! BIT 15, 49-57.

use super::algebra::{Basis, axpy, solve};
use super::chebyshev::Slider;
use super::dictionary::Term;
use super::friction::{LARGEST, RIGID};
use super::laws::Subject;
use super::set::Set;
use masing_identify::search::optimise::{LeastSquares, Linearisation, Options, trust_region};
use nalgebra::{DMatrix, DVector};

/// Largest exponent of amplitude and frequency that is tried.
const STEEPEST: f64 = 6.0;

/// The joint optimum of sliders, preload and linear part.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Sliders with positive stiffness.
    pub sliders: Vec<Slider>,
    /// Preload, where it was sought.
    pub y0: Option<f64>,
    /// Sum of squares that is left.
    pub rest: f64,
    /// Coefficients of the terms.
    pub coefficients: Vec<f64>,
    /// Exponents of the set's laws, one after the other.
    pub exponents: Vec<f64>,
}

/// Optimises slip displacements, exponents of laws and the preload (where it is estimated) from a start. Sliders whose
/// stiffness becomes negative are dropped, and the rest is optimised again.
pub fn refine(set: &Set, terms: &[Term], start: &[Slider], seek_preload: bool) -> Option<Joint> {
    let mut sliders = start.to_vec();
    let mut y0 = set.sought_preload().unwrap_or(0.0);
    let powers = || set.laws.iter().flat_map(|law| &law.powers);
    let mut exponents: Vec<f64> = powers().map(|(_, exponent, _)| *exponent).collect();
    for _ in 0..=start.len() {
        let amplitude = set.amplitude();
        let mut x: Vec<f64> = sliders.iter().map(|s| s.ys.ln()).collect();
        let mut lower = vec![(0.2 * RIGID[0] * amplitude).ln(); x.len()];
        let mut upper = vec![(2.0 * LARGEST * amplitude).ln(); x.len()];
        if seek_preload {
            x.push(y0 / amplitude);
            lower.push(-1e3);
            upper.push(1e3);
        }
        x.extend(&exponents);
        lower.resize(x.len(), -STEEPEST);
        upper.resize(x.len(), STEEPEST);
        let problem = Projected {
            set,
            terms,
            sliders: sliders.len(),
            seek_preload,
            amplitude,
            lower,
            upper,
        };
        let found = if x.is_empty() {
            x
        } else {
            let options = Options {
                cost: 1e-12,
                step: 1e-10,
                evaluations: 100,
                ..Options::default()
            };
            trust_region(&problem, &x, &options).x
        };
        let at = problem.at(&found)?;
        if seek_preload {
            y0 = found[sliders.len()] * amplitude;
        }
        exponents = found[sliders.len() + usize::from(seek_preload)..].to_vec();
        let (linear, stiffness) = at.coefficients.split_at(terms.len());
        let all: Vec<Slider> = stiffness
            .iter()
            .zip(&found)
            .map(|(ks, log)| Slider {
                ks: *ks,
                ys: log.exp(),
            })
            .collect();
        let positive: Vec<Slider> = all.iter().copied().filter(|s| s.ks > 0.0).collect();
        if positive.len() == all.len() {
            return Some(Joint {
                sliders: all,
                y0: seek_preload.then_some(y0),
                rest: at.rest,
                coefficients: linear.to_vec(),
                exponents,
            });
        }
        sliders = positive;
    }
    None
}

/// What a force is made of: columns of the terms, then of sliders that slip at `radii`, and the sliders' derivatives with
/// respect to these.
pub struct Design<'a> {
    terms: &'a [Term],
    radii: Vec<f64>,
    pub columns: Vec<Vec<f64>>,
    pub slips: Vec<Vec<f64>>,
}

impl<'a> Design<'a> {
    pub fn of(set: &Set, terms: &'a [Term], radii: Vec<f64>) -> Self {
        let (stretches, slips): (Vec<_>, Vec<_>) = radii.iter().map(|r| set.slider(*r)).unzip();
        let linear = terms.iter().map(|t| set.column(t));
        Self {
            columns: linear.chain(stretches).collect(),
            terms,
            radii,
            slips,
        }
    }

    /// The force that a law scales, or its derivative where the law scales the slip displacement.
    pub fn scaled(&self, coefficients: &[f64], subject: &Subject, rows: usize) -> Vec<f64> {
        let mut force = vec![0.0; rows];
        let count = self.terms.len();
        for (k, (column, c)) in self.columns.iter().zip(coefficients).enumerate() {
            match subject {
                Subject::Term(term) if self.terms.get(k) == Some(term) => {
                    axpy(*c, column, &mut force);
                }
                Subject::Friction if k >= count => axpy(*c, column, &mut force),
                Subject::Slip if k >= count => {
                    let ks = *c * self.radii[k - count];
                    axpy(ks, &self.slips[k - count], &mut force);
                }
                _ => {}
            }
        }
        force
    }

    /// Derivatives of the force with respect to the exponents of the set's laws.
    pub fn by_exponents(&self, coefficients: &[f64], set: &Set) -> Vec<Vec<f64>> {
        let mut out = Vec::new();
        for law in &set.laws {
            let force = self.scaled(coefficients, &law.subject, set.rows());
            let each = law.powers.iter();
            out.extend(each.map(|(by, _, at)| set.by_exponent(&force, *by, *at)));
        }
        out
    }
}

/// The least-squares problem in the slip displacements alone.
struct Projected<'a> {
    set: &'a Set,
    terms: &'a [Term],
    sliders: usize,
    seek_preload: bool,
    amplitude: f64,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

struct At<'a> {
    set: Set,
    design: Design<'a>,
    coefficients: Vec<f64>,
    rest: f64,
}

impl<'a> Projected<'a> {
    fn at(&self, x: &[f64]) -> Option<At<'a>> {
        let mut set = if self.seek_preload {
            self.set.with_preload(x[self.sliders] * self.amplitude)
        } else {
            self.set.clone()
        };
        let exponents = &x[self.sliders + usize::from(self.seek_preload)..];
        set.set_exponents(exponents);
        let radii = x[..self.sliders].iter().map(|log| log.exp()).collect();
        let design = Design::of(&set, self.terms, radii);
        let solved = solve(&design.columns, &set.force())?;
        Some(At {
            set,
            design,
            coefficients: solved.coefficients,
            rest: solved.rest,
        })
    }
}

impl LeastSquares for Projected<'_> {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        let at = self.at(x)?;
        let basis = Basis::of(&at.design.columns);
        let mut left = at.set.force();
        basis.take_out(&mut left);
        let mut j = Vec::with_capacity(x.len() * left.len());
        for (k, slip) in at.design.slips.iter().enumerate() {
            let ks = at.coefficients[self.terms.len() + k];
            let mut column: Vec<f64> = slip.iter().map(|s| -ks * x[k].exp() * s).collect();
            basis.take_out(&mut column);
            j.append(&mut column);
        }
        if self.seek_preload {
            let mut column = vec![0.0; left.len()];
            for (term, c) in self.terms.iter().zip(&at.coefficients) {
                if let Some(slope) = at.set.by_preload(term) {
                    axpy(-c * self.amplitude, &slope, &mut column);
                }
            }
            basis.take_out(&mut column);
            j.append(&mut column);
        }
        for mut column in at.design.by_exponents(&at.coefficients, &at.set) {
            for v in &mut column {
                *v = -*v;
            }
            basis.take_out(&mut column);
            j.append(&mut column);
        }
        Some(Linearisation {
            j: DMatrix::from_vec(left.len(), x.len(), j),
            r: DVector::from_vec(left),
        })
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }
}
