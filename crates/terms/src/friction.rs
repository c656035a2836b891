//! The friction part: a distribution of spring-sliders, one slider, or several.
//!
//! First estimates of each; `projection` optimises them.

use super::algebra::{Basis, axpy, dot, norm2};
use super::chebyshev::Slider;
use super::dictionary::Term;
use super::line;
use super::set::Set;
use masing_identify::search::non_negative::non_negative;

/// Number of slip displacements that are tried, in equal ratios.
pub const GRID: usize = 40;
/// Smallest slip displacement of those in equal ratios, over the amplitude.
pub(super) const SMALLEST: f64 = 0.02;
/// Smaller ones, over the amplitude: friction that hardly deflects before it slips.
pub(super) const RIGID: [f64; 4] = [0.0005, 0.002, 0.005, 0.01];
/// Largest slip displacement that is tried, over the amplitude.
pub(super) const LARGEST: f64 = 1.2;
/// Points of the first look for one slider.
const SCAN: usize = 100;
/// Ratio of neighbouring slip displacements below which they count as one slider.
const CLUSTER: f64 = 1.3;
/// Share of the friction below which a cluster is noise.
const NEGLIGIBLE: f64 = 0.01;

/// The slip displacements that are tried.
pub fn grid(set: &Set) -> Vec<f64> {
    let amplitude = set.amplitude();
    let ratio: f64 = LARGEST / SMALLEST;
    let even = (0..GRID).map(|k| SMALLEST * ratio.powf(k as f64 / (GRID - 1) as f64));
    let all = RIGID.into_iter().chain(even);
    all.map(|r| r * amplitude).collect()
}

/// A distribution over slip displacements.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Slip displacements and stiffnesses, those without stiffness left out.
    pub sliders: Vec<Slider>,
    /// The residual, row by row.
    pub left: Vec<f64>,
    /// Its sum of squares.
    pub rest: f64,
}

/// Non-negative stiffnesses over the grid, together with terms of either sign.
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
        axpy(-c, column, &mut left);
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

/// Merges neighbouring sliders and drops small ones.
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

/// One slider together with the terms: a scan of its slip displacement, then golden sections. `None` where no
/// positive stiffness helps.
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
    let (low, high) = ((RIGID[0] * amplitude).ln(), (LARGEST * amplitude).ln());
    let log = line::least(&cost, low, high, SCAN)?;
    let (ks, _) = along(log)?;
    (ks > 0.0).then(|| Slider { ks, ys: log.exp() })
}
