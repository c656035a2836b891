//! The linear structure nearest to the measurements, where every mass was measured.
//!
//! M q'' + C q' + K q + elements = load - M 1 base'' holds for filtered channels as well, and is linear
//! in the entries of the matrices, in springs and dashpots, and in the stiffness and damping that
//! stand for every other element. What is known goes to the right side. Equations of masses without a
//! load have no right side of their own; entries that mirror each other tie them to those that have.

use super::filter::Lagged;
use super::linear::{self, RATES, least_squares, order, rates, without_gaps};
use super::misfit::misfit;
use crate::problem::unknown::{Place, Unknown, mirror};
use crate::test::DrivenMasses;
use masing_model::law::Basis;
use masing_model::{Masses, Model, Part};
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

/// Rows of the regression, about.
const ROWS: usize = 6000;
/// Time constants of the filter after which the initial state has faded: exp(-12) 12^3 is 1 %.
const SETTLED: f64 = 12.0;
/// Share of the samples that have to remain after that.
const REMAINING: f64 = 0.5;

/// What the regression found.
pub(super) struct Estimate {
    /// All values of the model; those of elements other than springs and dashpots are as they were.
    pub(super) values: Vec<f64>,
    /// Stiffness that stands for the first of these elements.
    pub(super) stiffness: f64,
    /// Largest displacement across it, and mean speed.
    pub(super) amplitude: f64,
    pub(super) speed: f64,
}

/// One number that the equations are linear in.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    /// An entry of a matrix (mass 2, damping 1, stiffness 0) and the one that mirrors it.
    Entry {
        order: usize,
        row: usize,
        column: usize,
    },
    /// Stiffness (0) or damping (1) across an element.
    Across { part: usize, order: usize },
}

/// The regression of a model: what is sought, and where it goes.
struct Regression<'a> {
    model: &'a Model,
    masses: &'a Masses,
    /// Terms and the value of the model that each of them gives, where it gives one.
    terms: Vec<(Term, Option<usize>)>,
}

/// The nearest linear structure; `None` where a mass was not measured or no solution moves like the
/// tests.
pub(super) fn estimate(
    model: &Model,
    tests: &[&DrivenMasses],
    sought: &[Unknown],
) -> Option<Estimate> {
    let masses = model.system()?;
    let shorter: Vec<DrivenMasses> = tests
        .iter()
        .map(|t| t.shortened().unwrap_or_else(|| (*t).clone()))
        .collect();
    let regression = Regression::new(model, masses, sought);
    let (slowest, fastest) = rates(&shorter)?;
    let mut best: Option<(f64, Vec<f64>)> = None;
    for i in 0..RATES {
        let rate = slowest * (fastest / slowest).powf(i as f64 / (RATES - 1) as f64);
        let Some(found) = regression.solve(&shorter, rate) else {
            continue;
        };
        let error = misfit(&shorter, masses, &regression.matrices(&found));
        if error < best.as_ref().map_or(f64::INFINITY, |(e, _)| *e) {
            best = Some((error, found));
        }
    }
    regression.estimate(&best?.1, &shorter)
}

/// Which derivative an element acts on that is stiffness (0) or damping (1) and nothing else.
pub(super) fn linear_order(part: &Part) -> Option<usize> {
    match part.element.law().linear().as_slice() {
        _ if part.params.len() != 1 => None,
        [(_, Basis::Displacement(1))] => Some(0),
        [(_, Basis::Velocity(1))] => Some(1),
        _ => None,
    }
}

impl<'a> Regression<'a> {
    fn new(model: &'a Model, masses: &'a Masses, sought: &[Unknown]) -> Self {
        let (at, n) = (model.assembly().param_count(), masses.dofs());
        let places = sought.iter().filter_map(|u| match u.place {
            Place::Param(index) => Some(index),
            _ => None,
        });
        let mut terms: Vec<(Term, Option<usize>)> = Vec::new();
        for index in places.clone() {
            let Some(inside) = index.checked_sub(at).filter(|i| *i < 3 * n * n) else {
                continue;
            };
            let (matrix, entry) = (inside / (n * n), inside % (n * n));
            let term = Term::Entry {
                order: 2 - matrix,
                row: entry / n,
                column: entry % n,
            };
            // Matrices stand in the order mass, damping, stiffness.
            terms.push((term, Some(index)));
        }
        for (part, own) in model.assembly().parts().iter().enumerate() {
            match linear_order(own) {
                Some(order) if places.clone().any(|i| own.params.contains(&i)) => {
                    terms.push((Term::Across { part, order }, Some(own.params.start)));
                }
                Some(_) => {}
                None => {
                    let covered = |order| covered(&terms, order, own.between);
                    let hidden: Vec<usize> = (0..2).filter(|o| !covered(*o)).collect();
                    terms.extend(
                        hidden
                            .into_iter()
                            .map(|order| (Term::Across { part, order }, None)),
                    );
                }
            }
        }
        Self {
            model,
            masses,
            terms,
        }
    }

    /// The terms from all tests, with channels filtered at a rate.
    fn solve(&self, tests: &[DrivenMasses], rate: f64) -> Option<Vec<f64>> {
        if self.terms.is_empty() {
            return None;
        }
        let n = self.masses.dofs();
        let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
        for test in tests {
            let signals = Signals::new(test, n, rate)?;
            let (time, samples) = (test.load().time(), test.load().len());
            let first = time.partition_point(|t| rate * (t - time[0]) < SETTLED);
            if (samples - first) as f64 <= REMAINING * samples as f64 {
                return None;
            }
            let stride = (tests.len() * n * (samples - first) / ROWS).max(1);
            for sample in (first..samples).step_by(stride) {
                for row in 0..n {
                    let factors = self.terms.iter();
                    let factors =
                        factors.map(|(term, _)| self.factor(*term, row, &signals, sample));
                    let known = self.known(row, &signals, sample);
                    rows.push((factors.collect(), signals.load(row, sample) - known));
                }
            }
        }
        if rows.len() <= self.terms.len() {
            return None;
        }
        let a = DMatrix::from_fn(rows.len(), self.terms.len(), |i, j| rows[i].0[j]);
        let b = DVector::from_iterator(rows.len(), rows.iter().map(|r| r.1));
        least_squares(a, &b)
    }

    /// What a unit of a term adds to the equation of a mass.
    fn factor(&self, term: Term, at: usize, signals: &Signals, sample: usize) -> f64 {
        match term {
            Term::Entry { order, row, column } if row == at => signals.of(order, column, sample),
            Term::Entry { order, row, column } if column == at => signals.of(order, row, sample),
            Term::Entry { .. } => 0.0,
            Term::Across { part, order } => {
                let [from, to] = self.model.assembly().parts()[part].between;
                let end = |dof: usize| dof.checked_sub(1);
                let sign = if end(to) == Some(at) {
                    1.0
                } else if end(from) == Some(at) {
                    -1.0
                } else {
                    return 0.0;
                };
                let value = |dof| end(dof).map_or(0.0, |j| signals.relative(order, j, sample));
                sign * (value(to) - value(from))
            }
        }
    }

    /// What is not sought, in the equation of a mass.
    fn known(&self, at: usize, signals: &Signals, sample: usize) -> f64 {
        let (n, p) = (self.masses.dofs(), self.model.values());
        let offset = self.model.assembly().param_count();
        let mut sum = 0.0;
        for matrix in 0..3 {
            for column in 0..n {
                let index = offset + matrix * n * n + at * n + column;
                if p[index] != 0.0 && !self.seeks(index) {
                    sum += p[index] * signals.of(2 - matrix, column, sample);
                }
            }
        }
        for (part, own) in self.model.assembly().parts().iter().enumerate() {
            if let Some(order) = linear_order(own).filter(|_| !self.seeks(own.params.start)) {
                let term = Term::Across { part, order };
                sum += p[own.params.start] * self.factor(term, at, signals, sample);
            }
        }
        sum
    }

    /// Whether a value of the model is sought, or mirrors one that is.
    fn seeks(&self, index: usize) -> bool {
        let given = |i: usize| self.terms.iter().any(|(_, of)| *of == Some(i));
        given(index) || mirror(self.model, index).is_some_and(given)
    }

    /// All values of the model with what was found.
    fn values(&self, found: &[f64]) -> Vec<f64> {
        let mut values = self.model.values().to_vec();
        for ((_, of), value) in self.terms.iter().zip(found) {
            if let Some(index) = *of {
                values[index] = *value;
                if let Some(other) = mirror(self.model, index) {
                    values[other] = *value;
                }
            }
        }
        values
    }

    /// The matrices with all elements in them.
    fn matrices(&self, found: &[f64]) -> Vec<f64> {
        let (n, values) = (self.masses.dofs(), self.values(found));
        let parts = self.model.assembly().parts();
        let mut out = values[self.model.assembly().param_count()..][..3 * n * n].to_vec();
        let mut add = |order: usize, between: [usize; 2], value: f64| {
            let ends = between.map(|dof| dof.checked_sub(1));
            for (i, a) in ends.into_iter().zip([-1.0, 1.0]) {
                for (j, b) in ends.into_iter().zip([-1.0, 1.0]) {
                    if let (Some(i), Some(j)) = (i, j) {
                        out[(2 - order) * n * n + i * n + j] += a * b * value;
                    }
                }
            }
        };
        for part in parts {
            if let Some(order) = linear_order(part) {
                add(order, part.between, values[part.params.start]);
            }
        }
        for ((term, of), value) in self.terms.iter().zip(found) {
            if let (Term::Across { part, order }, None) = (*term, *of) {
                add(order, parts[part].between, *value);
            }
        }
        out
    }

    /// Splits what was found between linear parts and elements.
    fn estimate(&self, found: &[f64], tests: &[DrivenMasses]) -> Option<Estimate> {
        let (n, offset) = (self.masses.dofs(), self.model.assembly().param_count());
        let mut values = self.values(found);
        let parts = self.model.assembly().parts();
        let first = parts.iter().position(|p| linear_order(p).is_none());
        let between = first.map_or([0, 1], |part| parts[part].between);
        let ends = between.map(|dof| dof.checked_sub(1));
        let own = self.terms.iter().zip(found).find_map(|((term, _), value)| {
            let of_first = |part| Some(part) == first;
            matches!(*term, Term::Across { part, order: 0 } if of_first(part)).then_some(*value)
        });
        // As much as lies between its ends, of which the element takes a share.
        let between_ends = |at: Range<usize>| {
            let entry = |i: usize, j: usize| values[offset + at.start + i * n + j].abs();
            match ends {
                [Some(i), Some(j)] => entry(i, j),
                [Some(i), None] | [None, Some(i)] => entry(i, i),
                [None, None] => 0.0,
            }
        };
        let (around, damping) = (between_ends(self.masses.k()), between_ends(self.masses.c()));
        let mut take = |order: usize, taken: f64| {
            let from = [self.masses.k(), self.masses.c()][order].start;
            for (i, a) in ends.into_iter().zip([-1.0, 1.0]) {
                for (j, b) in ends.into_iter().zip([-1.0, 1.0]) {
                    if let (Some(i), Some(j)) = (i, j) {
                        values[offset + from + i * n + j] -= a * b * taken;
                    }
                }
            }
        };
        if covered(&self.terms, 1, between) {
            take(1, (1.0 - super::LEFT) * damping);
        }
        let stiffness = match own {
            Some(own) if own > 0.0 => own,
            Some(_) => super::SHARE * around,
            None => {
                take(0, super::SHARE * around);
                super::SHARE * around
            }
        };
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            return None;
        }
        let rate = tests.iter().filter_map(linear::zero_crossings);
        let rate = rate.reduce(f64::max)?;
        let each = tests.iter().filter_map(|test| across(test, ends, rate));
        let amplitude = each.reduce(f64::max).filter(|a| *a > 0.0)?;
        Some(Estimate {
            values,
            stiffness,
            amplitude,
            speed: amplitude * rate * std::f64::consts::FRAC_2_PI,
        })
    }
}

/// Whether entries of a matrix that are sought can take the place of an element between two masses.
fn covered(terms: &[(Term, Option<usize>)], order: usize, between: [usize; 2]) -> bool {
    let has = |i: usize, j: usize| {
        terms.iter().any(|(term, _)| {
            matches!(*term, Term::Entry { order: o, row, column }
                if o == order && ((row, column) == (i, j) || (row, column) == (j, i)))
        })
    };
    match between.map(|dof| dof.checked_sub(1)) {
        [Some(i), Some(j)] => has(i, i) && has(j, j) && has(i, j),
        [Some(i), None] | [None, Some(i)] => has(i, i),
        [None, None] => true,
    }
}

/// Largest displacement between two ends, from channels of one kind.
fn across(test: &DrivenMasses, ends: [Option<usize>; 2], rate: f64) -> Option<f64> {
    let history = |end: Option<usize>, d: usize| match end {
        None => Some(vec![0.0; test.load().len()]),
        Some(dof) => test
            .channels
            .iter()
            .find(|c| c.dof == dof && order(c) == Some(d))
            .and_then(|c| without_gaps(&c.measured)),
    };
    (0..3).find_map(|d| {
        let (from, to) = (history(ends[0], d)?, history(ends[1], d)?);
        let pairs = from.iter().zip(&to);
        let peak = pairs.fold(0.0_f64, |m, (a, b)| m.max((b - a).abs()));
        Some(peak / rate.powi(d as i32))
    })
}

/// The channels of a test, one of every mass, and what drives it, all filtered alike.
struct Signals {
    /// Which derivative of the displacement was measured, and the channel.
    own: Vec<(usize, Lagged)>,
    base: Option<Lagged>,
    loads: Vec<Option<Lagged>>,
    /// How often the equations are differentiated: as often as any of the channels.
    times: usize,
}

impl Signals {
    /// `None` if nothing was measured of a mass.
    fn new(test: &DrivenMasses, dofs: usize, rate: f64) -> Option<Self> {
        let time = test.load().time();
        let lagged = |values: &[f64]| Lagged::new(time, values, rate);
        let has = |dof: usize, d: usize| {
            let mut channels = test.channels.iter();
            channels.find(|c| c.dof == dof && order(c) == Some(d))
        };
        // One kind of channel for all masses where there is one; it needs the fewest derivatives.
        let common = (0..3).find(|&d| (0..dofs).all(|dof| has(dof, d).is_some()));
        let base = test.load().base_acceleration();
        let mut own = Vec::with_capacity(dofs);
        for dof in 0..dofs {
            let d = match common {
                Some(d) => d,
                None => (0..3).rev().find(|&d| has(dof, d).is_some())?,
            };
            let mut values = without_gaps(&has(dof, d)?.measured)?;
            if let Some(base) = base.filter(|_| d == 2) {
                // An acceleration is absolute; damping and stiffness see what is relative to the base.
                values.iter_mut().zip(base).for_each(|(a, b)| *a -= b);
            }
            own.push((d, lagged(&values)));
        }
        let mut loads: Vec<Option<Lagged>> = (0..dofs).map(|_| None).collect();
        for (dof, values) in test.load().loads() {
            if let Some(slot) = dof.checked_sub(1).and_then(|dof| loads.get_mut(dof)) {
                *slot = Some(lagged(values));
            }
        }
        Some(Self {
            times: own.iter().map(|(d, _)| *d).max().unwrap_or(0),
            own,
            base: base.map(lagged),
            loads,
        })
    }

    /// Displacement (0), velocity (1) or acceleration (2) of a mass relative to the base.
    fn relative(&self, order: usize, dof: usize, sample: usize) -> f64 {
        let (d, channel) = &self.own[dof];
        channel.derivative(order + self.times - d, sample)
    }

    /// The same, but accelerations absolute.
    fn of(&self, order: usize, dof: usize, sample: usize) -> f64 {
        let base = self.base.as_ref().filter(|_| order == 2);
        let base = base.map_or(0.0, |b| b.derivative(self.times, sample));
        self.relative(order, dof, sample) + base
    }

    fn load(&self, dof: usize, sample: usize) -> f64 {
        let load = self.loads[dof].as_ref();
        load.map_or(0.0, |load| load.derivative(self.times, sample))
    }
}
