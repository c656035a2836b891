//! The implicit scheme: average acceleration (Newmark 1/4, 1/2), elements by whole steps.
//!
//! Unknown v1: q1 = q0 + h/2 (v0 + v1), a1 = 2/h (v1 - v0) - a0, and
//! M (a1 + base1) + C v1 + K q1 + sum of B F(z0, step) - load1 = 0.
//! The velocity is the unknown, not the displacement, because power laws of the velocity stick: the
//! solution may lie at 1e-300 m/s, which no difference of displacements resolves.
//! The state carries a and F behind q, v and z. Second order, no numerical damping.

mod line;
mod newton;
mod pull;
mod push;
mod stick;

use super::equations::{Equations, Failure};
use super::load::Instant;
use super::march::Scheme;
use super::stage::{self, Stage, step_of};
use super::start::{self, Start};
use masing_model::{StepError, Tangent, Tape};
use std::ops::Range;

/// One micro-step and room for its derivatives.
pub(super) struct Implicit<'a> {
    eq: Equations<'a>,
    at: Instant,
    origin: Vec<f64>,
    /// The state at the end of the last trial.
    end: Vec<f64>,
    /// The residual of the equations of motion there.
    residual: Vec<f64>,
    /// Absolute acceleration there.
    absolute: Vec<f64>,
    /// dF/dv1 of every element, with x1 moving along, up to [`Implicit::steepest`].
    slope: Vec<f64>,
    /// The same of the states.
    z_slope: Vec<f64>,
    /// Elements that stick: no velocity gives their force; it follows from the balance with the others.
    stuck: Vec<bool>,
    tape: Tape,
    marks: Vec<Range<usize>>,
    /// The start, where elements take a step of no length.
    stage: Stage,
    scratch: Vec<f64>,
    push: push::Room,
    pull: pull::Room,
}

/// How far a trial is from a solution.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// The largest residual.
    size: f64,
    /// The largest force involved.
    force: f64,
    /// The residual that rounding of the velocities alone causes.
    rounding: f64,
}

impl<'a> Implicit<'a> {
    pub fn new(eq: Equations<'a>) -> Self {
        let (n, parts) = (eq.n, eq.wires.len());
        let len = eq.len() + n + parts;
        Self {
            at: Instant {
                interval: 0,
                since: 0.0,
            },
            origin: vec![0.0; len],
            end: vec![0.0; len],
            residual: vec![0.0; n],
            absolute: vec![0.0; n],
            slope: vec![0.0; parts],
            z_slope: vec![0.0; eq.states],
            stuck: vec![false; parts],
            tape: Tape::on(),
            marks: vec![0..0; parts],
            stage: Stage::new(&eq),
            scratch: Vec::new(),
            push: push::Room::new(&eq, 0),
            pull: pull::Room::new(&eq),
            eq,
        }
    }

    /// Where accelerations stand in the state.
    fn accelerations(&self) -> Range<usize> {
        self.eq.len()..self.eq.len() + self.eq.n
    }

    /// Where forces stand in the state.
    fn forces(&self) -> Range<usize> {
        self.eq.len() + self.eq.n..self.origin.len()
    }

    /// Follows a trial velocity over a micro-step: `end`, `residual` and tape.
    fn follow(&mut self, h: f64, velocity: &[f64]) -> Result<Gap, StepError> {
        let eq = &self.eq;
        let (n, len) = (eq.n, eq.len());
        let (origin, end) = (&self.origin[..], &mut self.end[..]);
        let (mut force, mut rounding) = (0.0_f64, 0.0_f64);
        let base = eq.drive.at(self.at.after(h), &mut self.residual);
        for (i, &v1) in velocity.iter().enumerate() {
            let (v0, a0) = (origin[n + i], origin[len + i]);
            end[i] = origin[i] + 0.5 * h * (v0 + v1);
            end[n + i] = v1;
            end[len + i] = 2.0 / h * (v1 - v0) - a0;
            self.absolute[i] = end[len + i] + base;
            let m = &eq.m()[i * n..(i + 1) * n];
            let moved = 2.0 / h * (v0.abs() + v1.abs()) + a0.abs();
            rounding = rounding.max(f64::EPSILON * moved * m.iter().map(|m| m.abs()).sum::<f64>());
            force = force.max(self.residual[i].abs());
            self.residual[i] = -self.residual[i];
        }
        for (matrix, row) in [
            (eq.m(), &self.absolute[..]),
            (eq.c(), velocity),
            (eq.k(), &end[..n]),
        ] {
            for i in 0..n {
                let part: f64 = (0..n).map(|j| matrix[i * n + j] * row[j]).sum();
                force = force.max(part.abs());
                self.residual[i] += part;
            }
        }
        self.tape.truncate(0);
        for (i, wire) in eq.wires.iter().enumerate() {
            let step = step_of(wire, n, h, origin, end);
            let states = eq.states_of(wire);
            let z = &mut end[states.clone()];
            z.copy_from_slice(&origin[states]);
            let mark = self.tape.len();
            let p = &eq.p[wire.params.clone()];
            let f = wire.element.advance(p, &step, z, &mut self.tape)?;
            self.marks[i] = mark..self.tape.len();
            end[len + n + i] = f;
            force = force.max(f.abs());
            wire.apply(f, &mut self.residual);
        }
        let size = self.residual.iter().fold(0.0_f64, |m, r| {
            if r.is_nan() {
                f64::INFINITY
            } else {
                m.max(r.abs())
            }
        });
        Ok(Gap {
            size,
            force,
            rounding: rounding + f64::EPSILON * force,
        })
    }

    /// The derivative of the residual of the last trial with respect to the velocity; also sets the
    /// slopes of forces and states.
    fn linearise(&mut self, h: f64) -> Vec<f64> {
        let steepest = self.steepest(h);
        let eq = &self.eq;
        let n = eq.n;
        let mut matrix: Vec<f64> = (eq.m().iter().zip(eq.c()).zip(eq.k()))
            .map(|((m, c), k)| 2.0 / h * m + c + 0.5 * h * k)
            .collect();
        for (i, wire) in eq.wires.iter().enumerate() {
            let z = &mut self.z_slope[wire.states.clone()];
            z.fill(0.0);
            wire.element.push_forward(
                &eq.p[wire.params.clone()],
                &step_of(wire, n, h, &self.origin, &self.end),
                self.tape.between(self.marks[i].start, self.marks[i].end),
                &mut Tangent {
                    branch: None,
                    param: &[None],
                    motion: Some([&[0.0], &[0.5 * h], &[0.0], &[1.0]]),
                    z,
                    force: &mut self.slope[i..=i],
                    scratch: &mut self.scratch,
                },
            );
            self.slope[i] = if self.stuck[i] {
                steepest
            } else {
                self.slope[i].clamp(-steepest, steepest)
            };
            wire.stiffen(self.slope[i], n, &mut matrix);
        }
        matrix
    }

    /// Slopes above this count as infinite (a power law that sticks): in a structure they would
    /// swamp the masses by rounding.
    fn steepest(&self, h: f64) -> f64 {
        if self.eq.n == 1 {
            return 1e290;
        }
        1e8 * 2.0 / h
            * self
                .eq
                .m()
                .iter()
                .fold(0.0_f64, |most, m| most.max(m.abs()))
    }
}

impl<'a> Scheme<'a> for Implicit<'a> {
    fn equations(&self) -> &Equations<'a> {
        &self.eq
    }

    fn len(&self) -> usize {
        self.origin.len()
    }

    fn keep_tape(&mut self, _: bool) {
        // Newton needs the tape in any case.
    }

    fn start(&mut self, start: Start<'_>, y: &mut [f64]) -> Result<(), Failure> {
        let len = self.eq.len();
        start::write(&self.eq, start, &mut y[..len]);
        self.begin_at_rest(&y[..len])?;
        y[self.accelerations()].copy_from_slice(&self.stage.rate[self.eq.n..2 * self.eq.n]);
        y[self.forces()].copy_from_slice(&self.stage.force);
        Ok(())
    }

    fn begin(&mut self, y: &[f64], at: Instant) -> Result<(), Failure> {
        self.at = at;
        self.origin.copy_from_slice(y);
        Ok(())
    }

    fn observe(&self) -> (&[f64], &[f64]) {
        (
            &self.origin[self.accelerations()],
            &self.origin[self.forces()],
        )
    }

    fn advance(&mut self, longest: f64, least: f64, y: &mut [f64]) -> Result<f64, Failure> {
        let mut h = longest;
        // What cannot be solved is halved; the list of micro-steps remains what it is.
        while let Err(failure) = self.solve(h) {
            h *= 0.5;
            if h < least {
                return Err(failure);
            }
        }
        y.copy_from_slice(&self.end);
        Ok(h)
    }
}

impl Implicit<'_> {
    /// Forces and accelerations at the start of the run.
    fn begin_at_rest(&mut self, y: &[f64]) -> Result<(), StepError> {
        let at = self.eq.drive.instant(0);
        self.tape.truncate(0);
        self.stage.y.copy_from_slice(y);
        stage::evaluate(&self.eq, y, &mut self.stage, at, &mut self.tape)
    }
}
