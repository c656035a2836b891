//! Solution of an implicit micro-step.
//!
//! Newton on the velocity, from v0 + h a0 (from the state alone, so that the same state gives the
//! same bits). Where a full Newton step does not help, a power law is near its vertical tangent: see
//! `stick`.

use super::{Gap, Implicit};
use crate::system::equations::Failure;
use masing_model::StepError;
use masing_model::dense::Lu;

/// Newton steps: 3 to 6 are usual; halved steps near kinks take more.
const MOST_ITERATIONS: usize = 60;

impl Gap {
    /// Solved to rounding.
    pub(super) fn closed(&self) -> bool {
        self.size <= 1e-14 * self.force + 4.0 * self.rounding
    }

    /// Solved as far as the inner solutions of the elements allow.
    pub(super) fn nearly_closed(&self) -> bool {
        self.size <= 1e-10 * self.force + 8.0 * self.rounding
    }
}

impl Implicit<'_> {
    /// Solves a micro-step: `end` is the state after it.
    pub(super) fn solve(&mut self, h: f64) -> Result<(), Failure> {
        let (n, len) = (self.eq.n, self.eq.len());
        self.stuck.fill(false);
        let mut v: Vec<f64> = (0..n)
            .map(|i| self.origin[n + i] + h * self.origin[len + i])
            .collect();
        let mut gap = match self.follow(h, &v) {
            Ok(gap) if gap.size.is_finite() => gap,
            _ => {
                v.copy_from_slice(&self.origin[n..2 * n]);
                self.follow(h, &v)?
            }
        };
        for iteration in 0..MOST_ITERATIONS {
            if gap.closed() {
                return Ok(());
            }
            if !gap.size.is_finite() {
                return Err(Failure::Diverged);
            }
            let stuck = no_convergence(iteration, gap);
            let matrix = self.linearise(h);
            let mut move_by = self.residual.clone();
            match Lu::new(n, matrix.clone()) {
                Some(lu) => lu.solve(&mut move_by),
                None => return Err(stuck),
            }
            let before = v.clone();
            for (v, d) in v.iter_mut().zip(&move_by) {
                *v -= d;
            }
            // Rounding keeps the velocity where it is.
            if largest(&move_by) <= 2.0 * f64::EPSILON * largest(&before) {
                let solved = gap.nearly_closed() || self.settle_steepest(gap);
                return if solved { Ok(()) } else { Err(stuck) };
            }
            let residual = self.residual[0];
            let along = self.expected(&move_by);
            let new = self.follow(h, &v).ok();
            if let Some(new) = new.filter(|new| new.size <= 0.5 * gap.size) {
                gap = new;
                continue;
            }
            if gap.nearly_closed() {
                if !new.is_some_and(|new| new.size < gap.size) {
                    self.follow(h, &before)?;
                }
                return Ok(());
            }
            if n == 1 {
                return self.bracket(h, before[0], residual).ok_or(stuck);
            }
            let relaxed = new.and_then(|new| self.relax(h, &matrix, &along, v.clone(), new));
            match relaxed {
                Some((.., end, sticking)) if self.settle(&sticking, end) => return Ok(()),
                Some((at, end, _)) if end.size < gap.size || iteration < 3 => (v, gap) = (at, end),
                _ => (v, gap) = self.backtrack(h, &before, &move_by, gap).ok_or(stuck)?,
            }
        }
        if gap.nearly_closed() {
            return Ok(());
        }
        Err(no_convergence(MOST_ITERATIONS, gap))
    }

    /// Halves a step until the residual falls.
    fn backtrack(
        &mut self,
        h: f64,
        from: &[f64],
        move_by: &[f64],
        gap: Gap,
    ) -> Option<(Vec<f64>, Gap)> {
        let mut share = 1.0;
        let mut v = from.to_vec();
        for _ in 0..40 {
            share *= 0.5;
            for (v, (from, d)) in v.iter_mut().zip(from.iter().zip(move_by)) {
                *v = from - share * d;
            }
            if let Ok(new) = self.follow(h, &v)
                && new.size < (1.0 - 0.1 * share) * gap.size
            {
                return Some((v, new));
            }
        }
        None
    }
}

pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| v.abs().max(m))
}

fn no_convergence(iterations: usize, gap: Gap) -> Failure {
    Failure::Step(StepError::NoConvergence {
        element: "equations of motion",
        iterations,
        residual: gap.size / gap.force.max(f64::MIN_POSITIVE),
    })
}
