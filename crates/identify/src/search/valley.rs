//! The valley of the triboelastic chains.
//!
//! A smooth cycle fixes k0, 1/kpa - 1/(2 kr) and the product kr c0 (kr ff); kr alone comes from the
//! kinks, so that along kr c0 = const there is one local minimum per number of cells that the test
//! reaches. A scan along that line finds the right one, which descent alone misses about every other
//! time.

use crate::problem::unknown::{Place, Unknown};
use masing_model::Assembly;

/// Factors on kr that are tried.
const FACTORS: usize = 81;

/// Where the parameters of a chain stand among the unknowns.
#[derive(Clone, Copy, Debug)]
pub struct Valley {
    kpa: usize,
    kr: usize,
    friction: usize,
}

impl Valley {
    /// The valley of the first chain whose three parameters are all sought as single numbers.
    pub fn find(assembly: &Assembly, unknowns: &[Unknown]) -> Option<Self> {
        assembly.parts().iter().find_map(|part| {
            let friction = match part.kind.as_str() {
                "rt" => "c0",
                "sts" => "ff",
                _ => return None,
            };
            let spec = part.element.spec();
            let at = |name: &str| {
                let index = spec.params.iter().position(|p| p.name == name)? + part.params.start;
                unknowns.iter().position(|u| u.place == Place::Param(index))
            };
            Some(Self {
                kpa: at("kpa")?,
                kr: at("kr")?,
                friction: at(friction)?,
            })
        })
    }

    /// Which of the unknowns is kr.
    pub fn kr(&self) -> usize {
        self.kr
    }

    /// The point of the valley through `values` with kr that many times as large.
    pub fn moved(&self, values: &[f64], factor: f64) -> Vec<f64> {
        let flexibility = 1.0 / values[self.kpa] - 0.5 / values[self.kr];
        let mut point = values.to_vec();
        point[self.kr] *= factor;
        point[self.friction] /= factor;
        point[self.kpa] = 1.0 / (flexibility + 0.5 / point[self.kr]);
        point
    }

    /// Points along the valley through `values`, from 0.4 to 2.5 times kr.
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
