//! A first descent with equal cells in a chain.
//!
//! A chain whose cells have their own stiffness and friction has many more unknowns than a loop has
//! features. With the entries of each list tied together it is the plain chain again, whose minimum is
//! a good start for the free one.

use crate::objective::Objective;
use crate::problem::unknown::Place;
use crate::search::optimise::{LeastSquares, Linearisation};
use nalgebra::DMatrix;

/// An objective whose unknowns move in groups.
pub(crate) struct Tied<'a> {
    objective: &'a Objective<'a>,
    /// The group of every unknown.
    group: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl<'a> Tied<'a> {
    /// Ties the parameters that the laws allow to move together; `None` if there are none.
    pub(crate) fn new(objective: &'a Objective<'a>) -> Option<Self> {
        let parts = objective.model.assembly().parts();
        // The part, and which of its groups.
        let tied: Vec<_> = parts.iter().map(|p| p.element.law().tied()).collect();
        let list = |index: usize| {
            let part = parts.iter().position(|p| p.params.contains(&index))?;
            let own = index - parts[part].params.start;
            let list = tied[part].iter().position(|list| list.contains(&own))?;
            Some((part, list))
        };
        let mut known: Vec<(usize, usize)> = Vec::new();
        let mut group = Vec::new();
        let mut groups = 0;
        let mut of_list: Vec<usize> = Vec::new();
        for u in objective.unknowns {
            let own = match u.place {
                Place::Param(index) => list(index),
                _ => None,
            };
            let place = own.and_then(|l| known.iter().position(|k| *k == l));
            group.push(match (own, place) {
                (_, Some(place)) => of_list[place],
                (own, None) => {
                    if let Some(own) = own {
                        known.push(own);
                        of_list.push(groups);
                    }
                    groups += 1;
                    groups - 1
                }
            });
        }
        if known.is_empty() {
            return None;
        }
        let (mut lower, mut upper) = (vec![f64::NEG_INFINITY; groups], vec![f64::INFINITY; groups]);
        for (u, &g) in objective.unknowns.iter().zip(&group) {
            lower[g] = f64::max(lower[g], u.internal(u.min));
            upper[g] = f64::min(upper[g], u.internal(u.max));
        }
        Some(Self {
            objective,
            group,
            lower,
            upper,
        })
    }

    /// The numbers of all unknowns.
    pub(crate) fn expand(&self, x: &[f64]) -> Vec<f64> {
        self.group.iter().map(|&g| x[g]).collect()
    }

    /// The mean of every group.
    pub(crate) fn reduce(&self, x: &[f64]) -> Vec<f64> {
        let mut sum = vec![(0.0, 0.0); self.lower.len()];
        for (x, &g) in x.iter().zip(&self.group) {
            sum[g] = (sum[g].0 + x, sum[g].1 + 1.0);
        }
        sum.iter().map(|(sum, count)| sum / count).collect()
    }
}

impl LeastSquares for Tied<'_> {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        let at = self.objective.linearise(&self.expand(x))?;
        let mut j = DMatrix::zeros(at.j.nrows(), self.lower.len());
        for (column, &g) in at.j.column_iter().zip(&self.group) {
            let mut sum = j.column_mut(g);
            sum += column;
        }
        Some(Linearisation { r: at.r, j })
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }

    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        LeastSquares::watch(self.objective, &self.expand(x), cost, evaluations)
    }
}
