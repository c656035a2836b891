//! One implicit stage of the chain: f(tau) + kappa K v(tau) = pull e1 - K base.
//!
//! Newton on tau with the matrix M = diag(f') + kappa K diag(v'): tridiagonal, column diagonally
//! dominant, so it is eliminated without pivoting. Tangent and adjoint solve with the same M.

use super::super::ladder::{Ladder, PerCell, rows};
use super::NAME;
use super::cell::{Cell, Dashpot};
use crate::error::StepError;

/// Values per cell that a stage leaves on the tape: v, f, dv/dtau, df/dtau, ln|v|.
pub(super) const STAGE_ROWS: usize = 5;

/// Newton iterations before the load is applied in parts.
const PATIENCE: usize = 12;

/// Extra iterations for a front of cells that are set in motion one by one.
const MOST_FRONT: usize = 100;

/// Newton iterations of a descent, which is the last resort.
const MOST_DESCENT: usize = 300;

/// Shortest share of a Newton step that a descent tries: what does not fall along less is rounding.
const LEAST_SHARE: f64 = 1e-9;

/// Parts of the load before a path is given up.
const MOST_PARTS: usize = 200;

/// Rows of scratch room besides those of the result.
const WORK_ROWS: usize = 9;

/// Solves the stages of one step.
pub(super) struct Solver<'a> {
    ladder: Ladder<'a>,
    law: Dashpot,
    inverse_alpha: f64,
    cells: Vec<Cell>,
    /// v, f, dv/dtau, df/dtau, ln|v|, row by row.
    result: &'a mut [f64],
    tau: &'a mut [f64],
    /// The last solution and the right side that it solves.
    settled: &'a mut [f64],
    rho_settled: &'a mut [f64],
    /// The right side to solve, and the one sought during continuation.
    rho: &'a mut [f64],
    target: &'a mut [f64],
    /// Residual, then change of tau.
    change: &'a mut [f64],
    /// Coefficient with which the row takes of the row after it.
    upper: &'a mut [f64],
    /// kappa K_jj and kappa kr_j.
    diagonal: &'a mut [f64],
    link: &'a mut [f64],
    /// Largest force that enters a balance: what rounding is relative to.
    spring_forces: f64,
    /// Newton iterations of the step so far, and the last change of an unknown.
    iterations: usize,
    moved: f64,
}

impl<'a> Solver<'a> {
    /// Scratch room for a chain of `n` cells.
    pub(super) fn room(n: usize) -> usize {
        (STAGE_ROWS + WORK_ROWS) * n
    }

    pub(super) fn new(
        ladder: Ladder<'a>,
        c0: PerCell<'a>,
        law: Dashpot,
        kappa: f64,
        room: &'a mut [f64],
    ) -> Self {
        let n = ladder.cells;
        let (Dashpot::Power { alpha } | Dashpot::Smoothed { alpha, .. }) = law;
        let (result, rest) = room.split_at_mut(STAGE_ROWS * n);
        let [
            tau,
            settled,
            rho_settled,
            rho,
            target,
            change,
            upper,
            diagonal,
            link,
        ] = rows::<WORK_ROWS>(rest, n);
        let mut cells = Vec::with_capacity(n);
        ladder.scaled(kappa, diagonal, link);
        for j in 0..n {
            // All inner cells of a uniform chain are alike.
            cells.push(if j > 1 && ladder.kr.shared() && c0.shared() {
                cells[1]
            } else {
                Cell::new(law, c0.at(j), diagonal[j])
            });
        }
        Self {
            ladder,
            law,
            inverse_alpha: 1.0 / alpha,
            cells,
            result,
            tau,
            settled,
            rho_settled,
            rho,
            target,
            change,
            upper,
            diagonal,
            link,
            spring_forces: 0.0,
            iterations: 0,
            moved: 0.0,
        }
    }

    /// Computes where Newton starts from the state alone: the forces in the dashpots at the start of
    /// the step, which are exactly those of the last stage of the step before.
    pub(super) fn start(&mut self, pull: f64, y: &[f64]) {
        self.ladder.forces(pull, y, self.rho);
        for ((tau, cell), &f) in self.tau.iter_mut().zip(&self.cells).zip(&*self.rho) {
            *tau = cell.unknown_for(self.law, self.inverse_alpha, f);
        }
        self.settled.copy_from_slice(self.tau);
        self.rho_settled[0] = f64::NAN;
    }

    /// Solves for the speeds at pull `pull` from position `base`.
    pub(super) fn solve(&mut self, pull: f64, base: &[f64]) -> Result<(), StepError> {
        self.ladder.forces(pull, base, self.rho);
        self.spring_forces = (0..base.len()).fold(pull.abs(), |m, j| {
            m.max(self.ladder.diagonal(j) * base[j].abs())
        });
        if !self.newton(PATIENCE) {
            self.start_without_friction();
            if !self.newton(PATIENCE) {
                self.continuation()?;
            }
        }
        self.settled.copy_from_slice(self.tau);
        self.rho_settled.copy_from_slice(self.rho);
        Ok(())
    }

    /// v, f, dv/dtau, df/dtau, ln|v|, row by row.
    pub(super) fn result(&self) -> &[f64] {
        self.result
    }

    pub(super) fn speeds(&self) -> &[f64] {
        &self.result[..self.ladder.cells]
    }

    fn evaluate(&mut self) {
        let n = self.ladder.cells;
        let [v, f, v_slope, f_slope, log_v] = rows::<STAGE_ROWS>(self.result, n);
        let (cells, tau) = (&self.cells[..n], &self.tau[..n]);
        for j in 0..n {
            let point = cells[j].at(self.law, self.inverse_alpha, tau[j]);
            (v[j], f[j], v_slope[j], f_slope[j], log_v[j]) =
                (point.v, point.f, point.v_slope, point.f_slope, point.log_v);
        }
    }

    /// Newton from the present `tau` on the right side `rho`; whether it settled.
    fn newton(&mut self, patience: usize) -> bool {
        let mut before = f64::INFINITY;
        for _ in 0..patience {
            self.eliminate();
            let n = self.ladder.cells;
            let reach = Cell::reach(self.law);
            let (cells, tau, change, upper) = (
                &self.cells[..n],
                &mut self.tau[..n],
                &mut self.change[..n],
                &self.upper[..n],
            );
            let largest = tau
                .iter()
                .fold(0.0_f64, |m, t| m.max(t.abs()))
                .max(self.spring_forces);
            let mut settled = true;
            let (mut after, mut moved) = (0.0_f64, 0.0_f64);
            for j in (0..n).rev() {
                after = change[j] + upper[j] * after;
                tau[j] -= after.clamp(-reach, reach);
                moved = moved.max(after.abs());
                // Written so that NaN does not settle.
                settled &= after.abs() < cells[j].tolerance;
            }
            // Where friction is negligible beside the springs, changes fall to the rounding of the
            // spring forces long before they fall below the friction; there they stop shrinking.
            settled |= moved < 1e-10 * largest && moved > 0.25 * before;
            before = moved;
            self.iterations += 1;
            self.moved = moved;
            if settled {
                self.evaluate();
                return true;
            }
            if !after.is_finite() {
                return false;
            }
        }
        false
    }

    /// Evaluates the law, sets up M change = f + kappa K v - rho and eliminates forwards, in one pass
    /// so that the chain of divisions overlaps with the logarithms and exponentials of the next cell.
    fn eliminate(&mut self) {
        let n = self.ladder.cells;
        let (cells, tau, rho) = (&self.cells[..n], &self.tau[..n], &self.rho[..n]);
        let (diagonal, link) = (&self.diagonal[..n], &self.link[..n]);
        let (change, upper) = (&mut self.change[..n], &mut self.upper[..n]);
        let mut this = cells[0].at(self.law, self.inverse_alpha, tau[0]);
        let (mut v_before, mut slope_before) = (0.0, 0.0);
        let (mut change_before, mut upper_before, mut link_before) = (0.0, 0.0, 0.0);
        for j in 0..n {
            let next = if j + 1 < n {
                cells[j + 1].at(self.law, self.inverse_alpha, tau[j + 1])
            } else {
                super::cell::Point::default()
            };
            let residual =
                this.f + diagonal[j] * this.v - link_before * v_before - link[j] * next.v - rho[j];
            // Row j: -lower x_(j-1) + pivot x_j - link v'_(j+1) x_(j+1) = residual.
            let lower = link_before * slope_before;
            let pivot = this.f_slope + diagonal[j] * this.v_slope - lower * upper_before;
            let reciprocal = 1.0 / pivot;
            change_before = (residual + lower * change_before) * reciprocal;
            upper_before = link[j] * next.v_slope * reciprocal;
            change[j] = change_before;
            upper[j] = upper_before;
            (v_before, slope_before, link_before) = (this.v, this.v_slope, link[j]);
            this = next;
        }
    }

    /// Puts the unknowns where they would be without friction, kappa K v = rho: a start for chains whose
    /// friction is small beside the load. From rest, Newton would set one more cell in motion per
    /// iteration.
    fn start_without_friction(&mut self) {
        let n = self.ladder.cells;
        let (mut v_before, mut upper_before, mut link_before) = (0.0, 0.0, 0.0);
        for j in 0..n {
            let reciprocal = 1.0 / (self.diagonal[j] - link_before * upper_before);
            v_before = (self.rho[j] + link_before * v_before) * reciprocal;
            upper_before = self.link[j] * reciprocal;
            self.change[j] = v_before;
            self.upper[j] = upper_before;
            link_before = self.link[j];
        }
        let mut v = 0.0;
        for j in (0..n).rev() {
            v = self.change[j] + if j + 1 < n { self.upper[j] * v } else { 0.0 };
            self.tau[j] = self.cells[j].unknown_for_speed(self.law, v);
        }
    }

    /// Applies the load in parts: from the last right side that was solved, or, should that fail (a
    /// start far from equilibrium), from no load at all. Should Newton run in circles there, as it may
    /// where friction is nearly dry and next to nothing beside the springs, residuals are made to fall.
    fn continuation(&mut self) -> Result<(), StepError> {
        let n = self.ladder.cells;
        self.target.copy_from_slice(self.rho);
        if self.rho_settled[0].is_nan() {
            // Before the first stage: the right side that the start state solves.
            self.tau.copy_from_slice(self.settled);
            self.evaluate();
            for j in 0..n {
                self.rho_settled[j] = self.borne(j);
            }
        }
        if self.follow_load() {
            return Ok(());
        }
        self.rho_settled.fill(0.0);
        self.settled.fill(0.0);
        if self.follow_load() {
            return Ok(());
        }
        self.rho.copy_from_slice(self.target);
        self.start_without_friction();
        if self.descend() {
            return Ok(());
        }
        Err(StepError::NoConvergence {
            element: NAME,
            iterations: self.iterations,
            residual: self.moved / self.spring_forces.max(f64::MIN_POSITIVE),
        })
    }

    /// The right side that the speeds and forces of the last evaluation solve, at cell `j`.
    fn borne(&self, j: usize) -> f64 {
        let n = self.ladder.cells;
        let (v, f) = self.result.split_at(n);
        let before = if j > 0 {
            self.link[j - 1] * v[j - 1]
        } else {
            0.0
        };
        let after = if j + 1 < n {
            self.link[j] * v[j + 1]
        } else {
            0.0
        };
        f[j] + self.diagonal[j] * v[j] - before - after
    }

    /// Evaluates the law at `tau`; the sum of the squares of what the balances miss.
    fn missing(&mut self) -> f64 {
        self.evaluate();
        let missed = (0..self.ladder.cells).map(|j| self.borne(j) - self.rho[j]);
        missed.map(|r| r * r).sum()
    }

    /// Newton from the present `tau`, each step shortened until the residuals fall. Forces and speeds have
    /// continuous slopes along tau and M is regular, so that they do, down to their rounding; whether it
    /// settled there.
    fn descend(&mut self) -> bool {
        let n = self.ladder.cells;
        let mut missed = self.missing();
        for _ in 0..MOST_DESCENT {
            self.eliminate();
            let (mut after, mut settled) = (0.0_f64, true);
            self.moved = 0.0;
            for j in (0..n).rev() {
                after = self.change[j] + self.upper[j] * after;
                self.change[j] = after;
                self.moved = self.moved.max(after.abs());
                settled &= after.abs() < self.cells[j].tolerance;
            }
            self.iterations += 1;
            if !self.moved.is_finite() {
                return false;
            }
            self.settled.copy_from_slice(self.tau);
            let mut share = 1.0;
            let fell = loop {
                for j in 0..n {
                    self.tau[j] = self.settled[j] - share * self.change[j];
                }
                let now = self.missing();
                if now < (1.0 - 1e-4 * share) * missed {
                    missed = now;
                    break true;
                }
                share *= 0.5;
                if share < LEAST_SHARE {
                    break false;
                }
            };
            if !fell {
                self.tau.copy_from_slice(self.settled);
                self.evaluate();
                // Residuals that are rounding of the largest forces of the chain fall no further.
                let size = n as f64 * f64::EPSILON * self.largest();
                return settled || missed.sqrt() <= 16.0 * size;
            }
            if settled {
                return true;
            }
        }
        false
    }

    /// The largest force in the chain.
    fn largest(&self) -> f64 {
        let tau = self.tau.iter().fold(0.0_f64, |m, t| m.max(t.abs()));
        tau.max(self.spring_forces)
    }

    /// Goes from `rho_settled` to `target` in parts that grow while Newton settles and shrink where
    /// it does not; whether it arrived.
    fn follow_load(&mut self) -> bool {
        let n = self.ladder.cells;
        let (mut done, mut share) = (0.0, 0.25);
        self.tau.copy_from_slice(self.settled);
        for _ in 0..MOST_PARTS {
            let next = if done + share >= 1.0 {
                1.0
            } else {
                done + share
            };
            for j in 0..n {
                self.rho[j] = self.rho_settled[j] + next * (self.target[j] - self.rho_settled[j]);
            }
            if self.newton(2 * PATIENCE + n.min(MOST_FRONT)) {
                if next == 1.0 {
                    self.rho.copy_from_slice(self.target);
                    return true;
                }
                self.settled.copy_from_slice(self.tau);
                (done, share) = (next, 2.0 * share);
            } else {
                self.tau.copy_from_slice(self.settled);
                share *= 0.25;
            }
        }
        false
    }
}
