//! One implicit stage of the chain: f(tau) + kappa K v(tau) = pull e1 - K base.
//!
//! Newton on tau with the matrix M = diag(f') + kappa K diag(v'): tridiagonal, column diagonally
//! dominant, so it is eliminated without pivoting. Tangent and adjoint solve with the same M.

use super::super::ladder::{Ladder, PerCell, rows};
use super::cell::{Cell, Law};
use super::{NAME, WIDTH};
use crate::error::StepError;

/// Values per cell that a stage leaves on the tape: v, f, dv/dtau, df/dtau, ln|v|.
pub(super) const STAGE_ROWS: usize = 5;

/// Newton iterations before the load is applied in parts.
const PATIENCE: usize = 12;

/// The pieces of work room, one row of cells each.
const ROWS: usize = STAGE_ROWS + 8;

/// Elimination of M: reciprocal pivots and multipliers.
pub(super) struct Factors;

impl Factors {
    pub(super) const ROWS: usize = 2;
}

/// What a stage left on the tape.
#[derive(Clone, Copy)]
pub(super) struct Recorded<'a> {
    pub(super) v: &'a [f64],
    f: &'a [f64],
    pub(super) v_slope: &'a [f64],
    f_slope: &'a [f64],
    log_v: &'a [f64],
}

impl<'a> Recorded<'a> {
    pub(super) fn new(tape: &'a [f64], n: usize) -> Self {
        Self {
            v: &tape[..n],
            f: &tape[n..2 * n],
            v_slope: &tape[2 * n..3 * n],
            f_slope: &tape[3 * n..4 * n],
            log_v: &tape[4 * n..5 * n],
        }
    }

    /// df/dc0 at fixed speed; a cell at rest takes whatever force balances it.
    #[inline]
    pub(super) fn by_c0(&self, j: usize, c0: f64) -> f64 {
        if self.v[j] == 0.0 {
            0.0
        } else {
            self.f[j] / c0
        }
    }

    /// df/dalpha at fixed speed.
    #[inline]
    pub(super) fn by_alpha(&self, j: usize) -> f64 {
        self.f[j] * self.log_v[j]
    }

    pub(super) fn factor(&self, ladder: &Ladder<'_>, kappa: f64, factors: &mut [f64]) {
        let [reciprocal, multiplier] = rows::<2>(factors, ladder.cells);
        factor(
            ladder,
            kappa,
            self.f_slope,
            self.v_slope,
            reciprocal,
            multiplier,
        );
    }

    pub(super) fn solve(&self, ladder: &Ladder<'_>, kappa: f64, factors: &[f64], b: &mut [f64]) {
        let (reciprocal, multiplier) = factors.split_at(ladder.cells);
        solve(ladder, kappa, self.v_slope, reciprocal, multiplier, b);
    }

    /// The same for several right sides at once.
    pub(super) fn solve_wide(
        &self,
        ladder: &Ladder<'_>,
        kappa: f64,
        factors: &[f64],
        b: &mut [[f64; WIDTH]],
    ) {
        let (reciprocal, multiplier) = factors.split_at(ladder.cells);
        let n = ladder.cells;
        for j in 1..n {
            let before = b[j - 1];
            for l in 0..WIDTH {
                b[j][l] += multiplier[j] * before[l];
            }
        }
        for j in (0..n).rev() {
            let (upper, after) = if j + 1 < n {
                (kappa * ladder.kr.at(j) * self.v_slope[j + 1], b[j + 1])
            } else {
                (0.0, [0.0; WIDTH])
            };
            for l in 0..WIDTH {
                b[j][l] = (b[j][l] + upper * after[l]) * reciprocal[j];
            }
        }
    }
}

/// Eliminates M; `multiplier[j]` is what row j takes of row j - 1.
#[inline]
fn factor(
    ladder: &Ladder<'_>,
    kappa: f64,
    f_slope: &[f64],
    v_slope: &[f64],
    reciprocal: &mut [f64],
    multiplier: &mut [f64],
) {
    for j in 0..ladder.cells {
        let mut pivot = f_slope[j] + kappa * ladder.diagonal(j) * v_slope[j];
        if j > 0 {
            let link = kappa * ladder.kr.at(j - 1);
            multiplier[j] = link * v_slope[j - 1] * reciprocal[j - 1];
            pivot -= multiplier[j] * link * v_slope[j];
        }
        reciprocal[j] = 1.0 / pivot;
    }
}

#[inline]
fn solve(
    ladder: &Ladder<'_>,
    kappa: f64,
    v_slope: &[f64],
    reciprocal: &[f64],
    multiplier: &[f64],
    b: &mut [f64],
) {
    let n = ladder.cells;
    for j in 1..n {
        b[j] += multiplier[j] * b[j - 1];
    }
    b[n - 1] *= reciprocal[n - 1];
    for j in (0..n - 1).rev() {
        b[j] = (b[j] + kappa * ladder.kr.at(j) * v_slope[j + 1] * b[j + 1]) * reciprocal[j];
    }
}

/// Solves the stages of one step.
pub(super) struct Solver<'a> {
    ladder: Ladder<'a>,
    law: Law,
    inverse_alpha: f64,
    kappa: f64,
    cells: Vec<Cell>,
    /// v, f, dv/dtau, df/dtau, ln|v|, row by row.
    result: &'a mut [f64],
    tau: &'a mut [f64],
    /// Right side that `settled` solves, and the one sought.
    rho_settled: &'a mut [f64],
    settled: &'a mut [f64],
    rho: &'a mut [f64],
    target: &'a mut [f64],
    work: &'a mut [f64],
    reciprocal: &'a mut [f64],
    multiplier: &'a mut [f64],
}

impl<'a> Solver<'a> {
    /// Scratch room for a chain of `n` cells.
    pub(super) fn room(n: usize) -> usize {
        ROWS * n
    }

    pub(super) fn new(
        ladder: Ladder<'a>,
        c0: PerCell<'a>,
        law: Law,
        kappa: f64,
        room: &'a mut [f64],
    ) -> Self {
        let n = ladder.cells;
        let (Law::Power { alpha } | Law::Smoothed { alpha, .. }) = law;
        let mut cells = vec![Cell::default(); n];
        for j in 0..n {
            // All inner cells of a uniform chain are alike.
            cells[j] = if j > 1 && ladder.kr.shared() && c0.shared() {
                cells[1]
            } else {
                Cell::new(law, c0.at(j), kappa * ladder.diagonal(j))
            };
        }
        let (result, rest) = room.split_at_mut(STAGE_ROWS * n);
        let [
            tau,
            rho_settled,
            settled,
            rho,
            target,
            work,
            reciprocal,
            multiplier,
        ] = rows::<8>(rest, n);
        Self {
            ladder,
            law,
            inverse_alpha: 1.0 / alpha,
            kappa,
            cells,
            result,
            tau,
            rho_settled,
            settled,
            rho,
            target,
            work,
            reciprocal,
            multiplier,
        }
    }

    /// Computes where Newton starts from the state alone: the forces in the dashpots at the start of
    /// the step, which are exactly those of the last stage of the step before.
    pub(super) fn start(&mut self, pull: f64, y: &[f64]) {
        for j in 0..self.ladder.cells {
            let f = if j == 0 { pull } else { 0.0 } - self.ladder.row(y, j);
            self.tau[j] = self.cells[j].unknown_for(self.law, self.inverse_alpha, f);
        }
        self.settled.copy_from_slice(self.tau);
        self.rho_settled[0] = f64::NAN;
    }

    /// Solves for the speeds at pull `pull` from position `base`.
    pub(super) fn solve(&mut self, pull: f64, base: &[f64]) -> Result<(), StepError> {
        for j in 0..self.ladder.cells {
            self.rho[j] = if j == 0 { pull } else { 0.0 } - self.ladder.row(base, j);
        }
        if self.newton(PATIENCE).is_none() {
            self.continuation()?;
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
        let [v, f, v_slope, f_slope, log_v] = rows::<5>(self.result, self.ladder.cells);
        for (j, cell) in self.cells.iter().enumerate() {
            let point = cell.at(self.law, self.inverse_alpha, self.tau[j]);
            v[j] = point.v;
            f[j] = point.f;
            v_slope[j] = point.v_slope;
            f_slope[j] = point.f_slope;
            log_v[j] = point.log_v;
        }
    }

    /// Newton from the present `tau` on the right side `rho`; the number of evaluations, or `None`.
    fn newton(&mut self, patience: usize) -> Option<usize> {
        let n = self.ladder.cells;
        let reach = Cell::reach(self.law);
        for evaluations in 1..=patience {
            self.evaluate();
            let (v, rest) = self.result.split_at(n);
            let (f, rest) = rest.split_at(n);
            let (v_slope, rest) = rest.split_at(n);
            let (f_slope, _) = rest.split_at(n);
            for j in 0..n {
                self.work[j] = f[j] + self.kappa * self.ladder.row(v, j) - self.rho[j];
            }
            factor(
                &self.ladder,
                self.kappa,
                f_slope,
                v_slope,
                self.reciprocal,
                self.multiplier,
            );
            solve(
                &self.ladder,
                self.kappa,
                v_slope,
                self.reciprocal,
                self.multiplier,
                self.work,
            );
            let mut settled = true;
            for j in 0..n {
                let change = self.work[j];
                if !change.is_finite() {
                    return None;
                }
                self.tau[j] -= change.clamp(-reach, reach);
                settled &= change.abs() < self.cells[j].tolerance(self.law);
            }
            if settled {
                self.evaluate();
                return Some(evaluations + 1);
            }
        }
        None
    }

    /// Applies the load in parts, from the last right side that was solved.
    fn continuation(&mut self) -> Result<(), StepError> {
        let n = self.ladder.cells;
        self.target.copy_from_slice(self.rho);
        self.tau.copy_from_slice(self.settled);
        if self.rho_settled[0].is_nan() {
            // Before the first stage: the right side that the start state solves.
            self.evaluate();
            for j in 0..n {
                self.rho_settled[j] =
                    self.result[n + j] + self.kappa * self.ladder.row(&self.result[..n], j);
            }
        }
        let (mut done, mut share, mut iterations) = (0.0, 0.25, PATIENCE);
        while done < 1.0 {
            let next = if done + share >= 1.0 {
                1.0
            } else {
                done + share
            };
            for j in 0..n {
                self.rho[j] = self.rho_settled[j] + next * (self.target[j] - self.rho_settled[j]);
            }
            iterations += PATIENCE;
            if self.newton(2 * PATIENCE).is_some() {
                self.settled.copy_from_slice(self.tau);
                done = next;
                share *= 2.0;
            } else {
                self.tau.copy_from_slice(self.settled);
                share *= 0.25;
                if share < 1e-9 {
                    return Err(StepError::NoConvergence {
                        element: NAME,
                        iterations,
                        residual: 1.0 - done,
                    });
                }
            }
        }
        self.rho.copy_from_slice(self.target);
        Ok(())
    }
}
