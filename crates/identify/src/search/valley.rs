//! Valleys: curves along which the response of a law hardly changes.
//!
//! A law declares its own valley. The minima along it differ by little, and a descent alone misses
//! the right one about every other time; a scan along the curve finds it.

use crate::problem::unknown::{Place, Unknown};
use masing_model::Assembly;

/// Points that are tried along the curve.
const FACTORS: usize = 81;

/// The valley of a law among the unknowns.
#[derive(Clone, Debug)]
pub struct Valley {
    /// Indices of its parameters among the unknowns; the first one measures the distance along the valley.
    at: Vec<usize>,
    walk: fn(&mut [f64], f64),
}

impl Valley {
    /// The valley of the first law that has one, if all parameters along it are estimated.
    pub fn find(assembly: &Assembly, unknowns: &[Unknown]) -> Option<Self> {
        assembly.parts().iter().find_map(|part| {
            let valley = part.element.law().valley()?;
            let sought = |own: &usize| {
                let place = Place::Param(part.params.start + own);
                unknowns.iter().position(|u| u.place == place)
            };
            let at: Option<Vec<usize>> = valley.params.iter().map(sought).collect();
            Some(Self {
                at: at?,
                walk: valley.walk,
            })
        })
    }

    /// The unknown that measures the distance.
    pub fn measure(&self) -> usize {
        self.at[0]
    }

    /// The point of the valley through `values` where that unknown is `factor` times as large.
    pub fn moved(&self, values: &[f64], factor: f64) -> Vec<f64> {
        let mut own: Vec<f64> = self.at.iter().map(|&i| values[i]).collect();
        (self.walk)(&mut own, factor);
        let mut point = values.to_vec();
        for (&i, value) in self.at.iter().zip(own) {
            point[i] = value;
        }
        point
    }

    /// Points along the valley through `values`, where that unknown is 0.4 to 2.5 times as large.
    pub fn points(&self, values: &[f64], unknowns: &[Unknown]) -> Vec<Vec<f64>> {
        (0..FACTORS)
            .filter_map(|i| {
                let factor = 0.4 * (2.5_f64 / 0.4).powf(i as f64 / (FACTORS - 1) as f64);
                let point = self.moved(values, factor);
                let inside = point
                    .iter()
                    .zip(unknowns)
                    .all(|(&v, u)| v >= u.min && v <= u.max);
                inside.then_some(point)
            })
            .collect()
    }

    /// The points worth a descent: local minima of the cost along the scan, and the best of each
    /// sixth of it.
    pub fn candidates(costs: &[f64]) -> Vec<usize> {
        let n = costs.len();
        let mut picked: Vec<usize> = (0..n)
            .filter(|&i| {
                (i == 0 || costs[i] < costs[i - 1]) && (i + 1 == n || costs[i] < costs[i + 1])
            })
            .collect();
        let bin = n.div_ceil(6).max(1);
        for first in (0..n).step_by(bin) {
            let best = (first..(first + bin).min(n)).min_by(|&a, &b| costs[a].total_cmp(&costs[b]));
            picked.extend(best);
        }
        picked.sort_by(|&a, &b| costs[a].total_cmp(&costs[b]).then(a.cmp(&b)));
        picked.dedup();
        picked.retain(|&i| costs[i].is_finite());
        picked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::unknown::free_parameters;
    use crate::trial::model;

    #[test]
    fn a_scan_is_finer_than_the_minima_along_it() {
        // A chain of 15 cells has a minimum per cell that slips: between 5 and 15 of them a factor of three
        // on its measure, in which the scan has at least four points for each.
        let rt = model("rt");
        let unknowns = free_parameters(&rt, &[], &[]).expect("parameters");
        let valley = Valley::find(rt.assembly(), &unknowns).expect("a valley");
        let points = valley.points(rt.values(), &unknowns);
        assert_eq!(points.len(), FACTORS);
        let measure = |p: &[f64]| p[valley.measure()];
        let factors: Vec<f64> = points
            .iter()
            .map(|p| measure(p) / measure(rt.values()))
            .collect();
        assert!((factors[0] - 0.4).abs() < 1e-9 && (factors[80] - 2.5).abs() < 1e-9);
        let per_cell = (15.0_f64 / 14.0).ln() / (factors[1] / factors[0]).ln();
        assert!(per_cell > 3.0, "{per_cell}");
        // The way back leads home.
        let there = valley.moved(rt.values(), 2.0);
        let back = valley.moved(&there, 0.5);
        for (a, b) in back.iter().zip(rt.values()) {
            assert!((a / b - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn every_minimum_along_the_scan_is_tried_and_every_sixth_of_it() {
        let mut costs = vec![5.0; 60];
        (costs[7], costs[31], costs[32]) = (1.0, 2.0, 3.0);
        costs[50] = f64::INFINITY;
        let picked = Valley::candidates(&costs);
        assert_eq!(picked[..2], [7, 31]);
        assert!(!picked.contains(&50));
        for sixth in 0..6 {
            assert!(picked.iter().any(|i| i / 10 == sixth), "{sixth}");
        }
        assert!(Valley::candidates(&[]).is_empty());
    }
}
