//! Sensitivities pulled back through an implicit micro-step.
//!
//! With S = dR/dv1 and b the sensitivity to v1 through all that follows from it, S' w = b; every
//! other input then receives its direct share minus w . dR/d input.

use super::Implicit;
use crate::system::equations::{Equations, Failure, add_transposed};
use crate::system::load::Instant;
use crate::system::march::{Pull, Scheme, Taken};
use crate::system::stage::{self, StageBars, pull_masses, step_of};
use crate::system::start::{self, Start};
use masing_model::Cotangent;
use masing_model::dense::Lu;

/// Room for the sensitivities.
pub(super) struct Room {
    weight: Vec<f64>,
    to_q: Vec<f64>,
    to_a: Vec<f64>,
    before: Vec<f64>,
    z: Vec<f64>,
    scratch: Vec<f64>,
}

impl Room {
    pub fn new(eq: &Equations<'_>) -> Self {
        Self {
            weight: vec![0.0; eq.n],
            to_q: vec![0.0; eq.n],
            to_a: vec![0.0; eq.n],
            before: vec![0.0; eq.len() + eq.n + eq.wires.len()],
            z: vec![0.0; eq.states],
            scratch: Vec::new(),
        }
    }
}

impl<'a> Pull<'a> for Implicit<'a> {
    fn pull_back(
        &mut self,
        step: &Taken<'_>,
        observed: Option<(&[f64], &[f64])>,
        bar: &mut [f64],
        to_p: &mut [f64],
    ) -> Result<(), Failure> {
        let (n, len, h) = (self.eq.n, self.eq.len(), step.h);
        self.begin(step.before, step.at)?;
        self.follow(h, &step.after[n..2 * n])?;
        // An element that stuck was given another force than its law.
        for (i, stuck) in self.stuck.iter_mut().enumerate() {
            *stuck = self.end[len + n + i] != step.after[len + n + i];
        }
        let matrix = self.linearise(h);
        let Some(lu) = Lu::new(n, matrix) else {
            bar.fill(f64::NAN);
            return Ok(());
        };
        let eq = &self.eq;
        let room = &mut self.pull;
        for i in 0..n {
            room.weight[i] = bar[n + i] + 0.5 * h * bar[i] + 2.0 / h * bar[len + i];
        }
        for (i, wire) in eq.wires.iter().enumerate() {
            let mut share = bar[len + n + i] * self.slope[i];
            for (row, z) in eq.states_of(wire).zip(wire.states.clone()) {
                share += bar[row] * self.z_slope[z];
            }
            wire.apply(share, &mut room.weight);
        }
        lu.solve_transposed(&mut room.weight);
        let (q, v) = self.end[..2 * n].split_at(n);
        pull_masses(eq, &room.weight, [q, v, &self.absolute], to_p);
        room.to_q.copy_from_slice(&bar[..n]);
        add_transposed(-1.0, eq.k(), &room.weight, &mut room.to_q);
        room.to_a.copy_from_slice(&bar[len..len + n]);
        add_transposed(-1.0, eq.m(), &room.weight, &mut room.to_a);
        room.before.fill(0.0);
        for (i, wire) in eq.wires.iter().enumerate() {
            let states = eq.states_of(wire);
            let z = &mut room.z[..states.len()];
            z.copy_from_slice(&bar[states.clone()]);
            let mut cotangent = Cotangent {
                branch: 0.0,
                force: bar[len + n + i] - wire.across(&room.weight),
                z,
                p: &mut to_p[wire.params.clone()],
                motion: [0.0; 4],
                scratch: &mut room.scratch,
            };
            wire.element.pull_back(
                &eq.p[wire.params.clone()],
                &step_of(wire, n, h, &self.origin, &self.end),
                self.tape.between(self.marks[i].start, self.marks[i].end),
                &mut cotangent,
            );
            // The share of v1 itself is what the weight was made to cancel.
            let [x0, x1, v0, _] = cotangent.motion;
            wire.apply(x0, &mut room.before[..n]);
            wire.apply(v0, &mut room.before[n..2 * n]);
            wire.apply(x1, &mut room.to_q);
            room.before[states.clone()].copy_from_slice(&room.z[..states.len()]);
        }
        for i in 0..n {
            let (to_q, to_a) = (room.to_q[i], room.to_a[i]);
            room.before[i] += to_q;
            room.before[n + i] += 0.5 * h * to_q - 2.0 / h * to_a;
            room.before[len + i] = -to_a;
        }
        bar.copy_from_slice(&room.before);
        if let Some(observed) = observed {
            self.add_observed(observed, bar);
        }
        Ok(())
    }

    fn pull_observed(
        &mut self,
        _: &[f64],
        _: Instant,
        observed: (&[f64], &[f64]),
        bar: &mut [f64],
        _: &mut [f64],
    ) -> Result<(), Failure> {
        self.add_observed(observed, bar);
        Ok(())
    }

    fn pull_start(
        &mut self,
        start: Start<'_>,
        bar: &mut [f64],
        to_p: &mut [f64],
    ) -> Result<Vec<f64>, Failure> {
        let (n, len) = (self.eq.n, self.eq.len());
        let mut y = vec![0.0; len];
        start::write(&self.eq, start, &mut y);
        self.begin_at_rest(&y)?;
        let mut room = StageBars::new(&self.eq);
        room.rate[n..2 * n].copy_from_slice(&bar[self.accelerations()]);
        room.force.copy_from_slice(&bar[self.forces()]);
        let to = (&mut bar[..len], &mut *to_p);
        stage::pull_back(&self.eq, &y, &self.stage, &self.tape, &mut room, to);
        for (out, y) in bar.iter_mut().zip(&room.y) {
            *out += y;
        }
        Ok(start::pull_back(&self.eq, start, &bar[..len], to_p))
    }
}

impl Implicit<'_> {
    /// What is observed is part of the state.
    fn add_observed(&self, (acceleration, force): (&[f64], &[f64]), bar: &mut [f64]) {
        let (_, observed) = bar.split_at_mut(self.eq.len());
        for (out, b) in observed.iter_mut().zip(acceleration.iter().chain(force)) {
            *out += b;
        }
    }
}
