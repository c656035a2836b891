//! Laws near their vertical: power laws of the velocity that stick.
//!
//! The force of such a law is searched along the response of everything else to that force. Where
//! even neighbouring velocities give forces on either side of it, the law sticks, and its force
//! follows from the balance with the others.

use super::line::{End, dot};
use super::newton::largest;
use super::{Gap, Implicit};
use masing_model::dense::Lu;

impl Implicit<'_> {
    /// Solves the micro-step of a single mass, from a velocity and the residual there.
    pub(super) fn bracket(&mut self, h: f64, from: f64, residual: f64) -> Option<()> {
        let direction = -residual.signum();
        let near = from * direction;
        // Elements only add to the resistance of the mass, which alone would take this far.
        let far = near + residual.abs() * 0.5 * h / self.eq.m()[0];
        let line = (vec![0.0], vec![direction]);
        let (_, gap, end) = self.search(h, &line, (near, far), 0.0)?;
        let solved = gap.nearly_closed() || {
            self.linearise(h);
            end == End::Jump && self.settle_steepest(gap)
        };
        solved.then_some(())
    }

    /// Takes the steepest law as the one that sticks; `false` if that does not close the gap.
    pub(super) fn settle_steepest(&mut self, gap: Gap) -> bool {
        let slopes = self.slope.iter().enumerate();
        match slopes.max_by(|a, b| a.1.total_cmp(b.1)) {
            Some((steepest, _)) => self.settle(&[steepest], gap),
            None => false,
        }
    }

    /// Gives elements that stick the forces that balance the others; `false` if that does not close
    /// the gap.
    pub(super) fn settle(&mut self, sticking: &[usize], gap: Gap) -> bool {
        let mut left = self.residual.clone();
        let mut more = vec![0.0; sticking.len()];
        // Several in a row share what is left: a few rounds.
        for _ in 0..20 * sticking.len() {
            for (&i, more) in sticking.iter().zip(&mut more) {
                let wire = &self.eq.wires[i];
                let share = wire.across(&left) / wire.ends().max(1) as f64;
                wire.apply(-share, &mut left);
                *more -= share;
            }
        }
        let size = largest(&left);
        if sticking.is_empty() || !(Gap { size, ..gap }).nearly_closed() {
            return false;
        }
        let forces = self.forces();
        for (&i, more) in sticking.iter().zip(more) {
            self.end[forces.start + i] += more;
            self.stuck[i] = true;
        }
        self.residual = left;
        true
    }

    /// The forces of the elements along their slopes, the velocity less by `move_by`.
    pub(super) fn expected(&self, move_by: &[f64]) -> Vec<f64> {
        let found = self.end[self.forces()].iter().zip(&self.slope);
        let wires = self.eq.wires.iter().zip(found);
        wires
            .map(|(wire, (force, slope))| force - slope * wire.across(move_by))
            .collect()
    }

    /// Gives the elements that differ most from their slopes, in turn, the force that balances them,
    /// the others linear as in `matrix`; also which of them stick, so that no velocity does. `expected`
    /// are the forces along the slopes.
    pub(super) fn relax(
        &mut self,
        h: f64,
        matrix: &[f64],
        expected: &[f64],
        mut v: Vec<f64>,
        mut gap: Gap,
    ) -> Option<(Vec<f64>, Gap, Vec<usize>)> {
        let (n, slopes) = (self.eq.n, self.slope.clone());
        let found = &self.end[self.forces()];
        let mut off: Vec<(usize, f64)> = found
            .iter()
            .zip(expected)
            .map(|(found, expected)| (found - expected).abs())
            .enumerate()
            .collect();
        off.sort_by(|a, b| b.1.total_cmp(&a.1));
        let least = 1e-3 * off.first()?.1;
        let mut sticking = Vec::new();
        for (i, off) in off.into_iter().take_while(|(_, off)| *off >= least) {
            let wire = &self.eq.wires[i];
            let mut others = matrix.to_vec();
            wire.stiffen(-slopes[i], n, &mut others);
            let mut direction = vec![0.0; n];
            wire.apply(1.0, &mut direction);
            Lu::new(n, others)?.solve(&mut direction);
            let power: f64 = dot(&self.residual, &direction);
            for d in &mut direction {
                *d *= -power.signum();
            }
            let line = (v, direction);
            let (at, left, end) = self.search(h, &line, (0.0, off), 1e-9)?;
            (v, gap) = (at, left);
            if end == End::Jump {
                sticking.push(i);
            }
        }
        Some((v, gap, sticking))
    }
}
