//! Solution of an implicit micro-step.
//!
//! Newton on the velocity, from v0 + h a0 (from the state alone, so that the same state gives the
//! same bits). Where a full Newton step does not help, the root of the power d . R along its direction
//! is bracketed: force laws resist motion, so that power grows along any line. With one degree of
//! freedom that is a search for the solution itself and cannot fail.

use super::{Gap, Implicit};
use crate::system::equations::Failure;
use masing_model::StepError;
use masing_model::dense::Lu;

const MOST_ITERATIONS: usize = 60;
/// Trials along one line: enough to halve any bracket of `f64` down to neighbours, and as many secants.
const MOST_TRIALS: usize = 140;

impl Gap {
    /// Solved to rounding.
    fn closed(&self) -> bool {
        self.size <= 1e-14 * self.force + 4.0 * self.rounding
    }

    /// Solved as far as the inner solutions of the elements allow.
    fn nearly_closed(&self) -> bool {
        self.size <= 1e-10 * self.force + 8.0 * self.rounding
    }
}

impl Implicit<'_> {
    /// Solves a micro-step: `end` is the state after it.
    pub(super) fn solve(&mut self, h: f64) -> Result<(), Failure> {
        let (n, len) = (self.eq.n, self.eq.len());
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
            let lu = Lu::new(n, matrix).ok_or_else(|| stuck.clone())?;
            let mut move_by = self.residual.clone();
            lu.solve(&mut move_by);
            let power: f64 = self.residual.iter().zip(&move_by).map(|(r, d)| r * d).sum();
            let before = v.clone();
            for (v, d) in v.iter_mut().zip(&move_by) {
                *v -= d;
            }
            // Rounding keeps the velocity where it is.
            if largest(&move_by) <= 2.0 * f64::EPSILON * largest(&before) {
                self.follow(h, &before)?;
                return Ok(());
            }
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
            // The direction in which the power should grow from negative to zero.
            if power <= 0.0 || !power.is_finite() {
                (v, gap) = self.backtrack(h, before, &move_by, gap).ok_or(stuck)?;
            } else if n == 1 {
                let direction = -move_by[0].signum();
                let line = (vec![0.0], vec![direction]);
                let reach = (before[0] * direction, v[0] * direction);
                // A bracket of neighbouring numbers is a solution whatever the residual.
                return match self.search(h, &line, reach, 0.0) {
                    Some(_) => Ok(()),
                    None => Err(stuck),
                };
            } else {
                let direction = move_by.iter().map(|d| -d).collect();
                let line = (before, direction);
                (v, gap) = self.search(h, &line, (0.0, 1.0), 0.1).ok_or(stuck)?;
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
        from: Vec<f64>,
        move_by: &[f64],
        gap: Gap,
    ) -> Option<(Vec<f64>, Gap)> {
        let mut share = 1.0;
        let mut v = from.clone();
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

    /// Along the line `base + s direction`: where the power direction . R changes from negative, at
    /// the near end of `reach`, to positive, at its far end or beyond; to the `share` of its value at
    /// the near end. The trial is left at the point returned.
    fn search(
        &mut self,
        h: f64,
        (base, direction): &(Vec<f64>, Vec<f64>),
        (near, far): (f64, f64),
        share: f64,
    ) -> Option<(Vec<f64>, Gap)> {
        let mut v = base.clone();
        let mut power = |this: &mut Self, s: f64| -> Option<(f64, Gap)> {
            for (v, (base, d)) in v.iter_mut().zip(base.iter().zip(direction)) {
                *v = base + s * d;
            }
            let gap = this.follow(h, &v).ok().filter(|g| g.size.is_finite())?;
            let power = this
                .residual
                .iter()
                .zip(direction)
                .map(|(r, d)| r * d)
                .sum();
            Some((power, gap))
        };
        let (mut low, mut high) = (near, far);
        let (mut at_low, _) = power(self, low)?;
        let goal = share * at_low.abs();
        let mut at_high = None;
        // Past the far end until the power is positive or the elements refuse.
        for _ in 0..40 {
            match power(self, high) {
                Some((value, _)) if value < 0.0 => {
                    let width = high - low;
                    (low, at_low) = (high, value);
                    high += 4.0 * width;
                }
                found => {
                    at_high = found.map(|(value, _)| value);
                    break;
                }
            }
        }
        for trial in 0..MOST_TRIALS {
            let secant = at_high
                .map(|high_value| (high_value * low - at_low * high) / (high_value - at_low));
            let middle = between(low, high);
            let s = match secant {
                Some(s) if trial % 2 == 0 && s > low && s < high => s,
                _ => middle,
            };
            if !(s > low && s < high) {
                break;
            }
            match power(self, s) {
                Some((value, gap)) => {
                    if gap.closed() || (goal > 0.0 && value.abs() <= goal) {
                        return Some((point(base, direction, s), gap));
                    }
                    if value < 0.0 {
                        (low, at_low) = (s, value);
                    } else {
                        (high, at_high) = (s, Some(value));
                    }
                }
                None => (high, at_high) = (s, None),
            }
        }
        // Neighbours: the one with the smaller residual.
        let candidates = [low, high].map(|s| power(self, s).map(|(_, gap)| (s, gap)));
        let (s, _) = candidates
            .into_iter()
            .flatten()
            .min_by(|a, b| a.1.size.total_cmp(&b.1.size))?;
        let (_, gap) = power(self, s)?;
        Some((point(base, direction, s), gap))
    }
}

fn point(base: &[f64], direction: &[f64], s: f64) -> Vec<f64> {
    base.iter().zip(direction).map(|(b, d)| b + s * d).collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| v.abs().max(m))
}

fn no_convergence(iterations: usize, gap: Gap) -> Failure {
    Failure::Step(StepError::NoConvergence {
        element: "equations of motion",
        iterations,
        residual: gap.size / gap.force.max(f64::MIN_POSITIVE),
    })
}

/// The number half way between two others as `f64` are ordered, so that 64 halvings lead from any
/// bracket to neighbours, also around zero.
fn between(a: f64, b: f64) -> f64 {
    // The bits of negative numbers grow downwards.
    let order = |bits: i64| bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed();
    let (a, b) = (
        order(a.to_bits().cast_signed()),
        order(b.to_bits().cast_signed()),
    );
    let middle = (a & b) + ((a ^ b) >> 1);
    f64::from_bits(order(middle).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn halving_reaches_neighbours_anywhere() {
        for (mut low, mut high, root) in [
            (-3.0, 5.0, 1e-301),
            (-1e300, 1e-5, -4e-320),
            (1.0, 2.0, 1.5),
        ] {
            let mut count = 0;
            loop {
                let middle = between(low, high);
                if !(middle > low && middle < high) {
                    break;
                }
                count += 1;
                if middle < root {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            assert!(count <= 64 && low < root && root <= high, "{low} {high}");
        }
    }
}
