//! The friction part: a distribution of spring-sliders, one slider, or several.
//!
//! Everything is linear but the slip displacements r and, where it is sought, the preload. The linear part is solved
//! inside (variable projection); dE_r/dr is the direction of the last slip.
//!
//! Reference: Golub, G. H., Pereyra, V. (1973), SIAM J. Numer. Anal. 10(2), 413-432; the Jacobian is Kaufman's (1975),
//! BIT 15, 49-57.

use super::algebra::{Basis, dot, norm2, solve};
use super::chebyshev::Slider;
use super::dictionary::Term;
use super::line;
use super::nnls::non_negative;
use super::set::Set;
use crate::optimise::{LeastSquares, Linearisation, Options, trust_region};
use nalgebra::{DMatrix, DVector};

/// Slip displacements that are tried, in equal ratios.
pub const GRID: usize = 40;
/// Smallest slip displacement that is tried, over the amplitude.
const SMALLEST: f64 = 0.02;
/// Largest slip displacement that is tried, over the amplitude.
const LARGEST: f64 = 1.2;
/// Points of the first look for one slider.
const SCAN: usize = 60;
/// Ratio of neighbouring slip displacements up to which they are one slider.
const CLUSTER: f64 = 1.3;
/// Share of the friction below which a cluster is noise.
const NEGLIGIBLE: f64 = 0.01;

/// The slip displacements that are tried.
pub fn grid(set: &Set) -> Vec<f64> {
    let amplitude = set.amplitude();
    let ratio: f64 = LARGEST / SMALLEST;
    (0..GRID)
        .map(|k| SMALLEST * amplitude * ratio.powf(k as f64 / (GRID - 1) as f64))
        .collect()
}

/// A distribution over slip displacements.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Slip displacements and stiffnesses, those without stiffness left out.
    pub sliders: Vec<Slider>,
    /// What is left of the force, row by row.
    pub left: Vec<f64>,
    /// Sum of squares of it.
    pub rest: f64,
}

/// Non-negative stiffnesses over the grid, beside terms without a sign.
pub fn distribution(set: &Set, terms: &[Term]) -> Option<Distribution> {
    let y = set.force();
    let linear: Vec<Vec<f64>> = terms.iter().map(|t| set.column(t)).collect();
    let mut grid = grid(set);
    let mut sliders = Vec::new();
    grid.retain(|r| {
        let (stretch, slip) = set.slider(*r);
        let slips = slips_both_ways(&slip);
        if slips {
            sliders.push(stretch);
        }
        slips
    });
    let free: Vec<&[f64]> = linear.iter().map(Vec::as_slice).collect();
    let positive: Vec<&[f64]> = sliders.iter().map(Vec::as_slice).collect();
    let found = non_negative(&free, &positive, &y)?;
    let mut left = y;
    let all = found.free.iter().zip(&linear);
    for (c, column) in all.chain(found.positive.iter().zip(&sliders)) {
        super::algebra::axpy(-c, column, &mut left);
    }
    let kept = grid
        .iter()
        .zip(&found.positive)
        .filter(|(_, ks)| **ks > 0.0)
        .map(|(ys, ks)| Slider { ks: *ks, ys: *ys });
    Some(Distribution {
        sliders: kept.collect(),
        rest: norm2(&left),
        left,
    })
}

/// A slider that does not slip both ways is a spring.
fn slips_both_ways(slip: &[f64]) -> bool {
    slip.iter().any(|s| *s > 0.0) && slip.iter().any(|s| *s < 0.0)
}

/// Neighbouring sliders as one each, small ones left out.
pub fn clusters(sliders: &[Slider]) -> Vec<Slider> {
    let total: f64 = sliders.iter().map(Slider::zs).sum();
    let mut groups: Vec<Vec<Slider>> = Vec::new();
    for slider in sliders {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|l| slider.ys < CLUSTER * l.ys) => {
                group.push(*slider);
            }
            _ => groups.push(vec![*slider]),
        }
    }
    let merged = groups.into_iter().map(|group| {
        let ks: f64 = group.iter().map(|s| s.ks).sum();
        let zs: f64 = group.iter().map(Slider::zs).sum();
        Slider { ks, ys: zs / ks }
    });
    merged.filter(|s| s.zs() > NEGLIGIBLE * total).collect()
}

/// One slider beside the terms: a scan of its slip displacement, then sections. `None` where no positive stiffness
/// helps.
pub fn single(set: &Set, terms: &[Term]) -> Option<Slider> {
    let y = set.force();
    let columns: Vec<Vec<f64>> = terms.iter().map(|t| set.column(t)).collect();
    let basis = Basis::of(&columns);
    let mut left = y;
    basis.take_out(&mut left);
    let whole = norm2(&left);
    let along = |log: f64| -> Option<(f64, f64)> {
        let (mut column, slip) = set.slider(log.exp());
        if !slips_both_ways(&slip) {
            return None;
        }
        let before = norm2(&column);
        basis.take_out(&mut column);
        let own = norm2(&column);
        // What a spring would do as well is no friction.
        if !(own > 1e-14 * before) {
            return None;
        }
        let ks = dot(&column, &left) / own;
        Some((ks, ks * ks * own))
    };
    let cost = |log: f64| match along(log) {
        Some((ks, gain)) if ks > 0.0 => whole - gain,
        _ => whole,
    };
    let amplitude = set.amplitude();
    let (low, high) = ((SMALLEST * amplitude).ln(), (LARGEST * amplitude).ln());
    let log = line::least(&cost, low, high, SCAN)?;
    let (ks, _) = along(log)?;
    (ks > 0.0).then(|| Slider { ks, ys: log.exp() })
}

/// Sliders, preload and the linear part, all at their best together.
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
}

/// Moves slip displacements (and the preload, where it is sought) downhill from a start. Sliders whose stiffness
/// becomes negative are left out, and the rest is sought again.
pub fn refine(set: &Set, terms: &[Term], start: &[Slider], seek_preload: bool) -> Option<Joint> {
    let mut sliders = start.to_vec();
    let mut y0 = set.tests.first().map_or(0.0, |t| t.y0);
    if let Some(sought) = set
        .tests
        .iter()
        .find(|t| !matches!(t.preload, super::motion::Preload::Displacement(_)))
    {
        y0 = sought.y0;
    }
    for _ in 0..=start.len() {
        let amplitude = set.amplitude();
        let mut x: Vec<f64> = sliders.iter().map(|s| s.ys.ln()).collect();
        let mut lower = vec![(0.2 * SMALLEST * amplitude).ln(); x.len()];
        let mut upper = vec![(2.0 * LARGEST * amplitude).ln(); x.len()];
        if seek_preload {
            x.push(y0 / amplitude);
            lower.push(-1e3);
            upper.push(1e3);
        }
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
            });
        }
        sliders = positive;
    }
    None
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

struct At {
    set: Set,
    columns: Vec<Vec<f64>>,
    slips: Vec<Vec<f64>>,
    coefficients: Vec<f64>,
    rest: f64,
}

impl Projected<'_> {
    fn at(&self, x: &[f64]) -> Option<At> {
        let set = if self.seek_preload {
            self.set.with_preload(x[self.sliders] * self.amplitude)
        } else {
            self.set.clone()
        };
        let mut columns: Vec<Vec<f64>> = self.terms.iter().map(|t| set.column(t)).collect();
        let mut slips = Vec::new();
        for log in &x[..self.sliders] {
            let (stretch, slip) = set.slider(log.exp());
            columns.push(stretch);
            slips.push(slip);
        }
        let solved = solve(&columns, &set.force())?;
        Some(At {
            set,
            columns,
            slips,
            coefficients: solved.coefficients,
            rest: solved.rest,
        })
    }
}

impl LeastSquares for Projected<'_> {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        let at = self.at(x)?;
        let basis = Basis::of(&at.columns);
        let mut left = at.set.force();
        basis.take_out(&mut left);
        let mut j = Vec::with_capacity(x.len() * left.len());
        for (k, slip) in at.slips.iter().enumerate() {
            let ks = at.coefficients[self.terms.len() + k];
            let mut column: Vec<f64> = slip.iter().map(|s| -ks * x[k].exp() * s).collect();
            basis.take_out(&mut column);
            j.append(&mut column);
        }
        if self.seek_preload {
            let mut column = vec![0.0; left.len()];
            for (term, c) in self.terms.iter().zip(&at.coefficients) {
                if let Some(slope) = at.set.by_preload(term) {
                    super::algebra::axpy(-c * self.amplitude, &slope, &mut column);
                }
            }
            basis.take_out(&mut column);
            j.append(&mut column);
        }
        Some(Linearisation {
            j: DMatrix::from_vec(left.len(), x.len(), j),
            r: DVector::from_vec(left),
        })
    }

    fn lower(&self) -> &[f64] {
        &self.lower
    }

    fn upper(&self) -> &[f64] {
        &self.upper
    }
}
