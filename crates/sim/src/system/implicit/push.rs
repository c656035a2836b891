//! Derivatives of an implicit micro-step along columns: of the converged equations.

use super::Implicit;
use crate::system::columns::Columns;
use crate::system::equations::{Equations, add_product_columns};
use crate::system::march::Push;
use crate::system::stage::{self, StageColumns, step_of};
use crate::system::start::{self, Start};
use masing_model::Tangent;
use masing_model::dense::Lu;

/// Room for the derivatives, rows by columns.
pub(super) struct Room {
    motion: [Vec<f64>; 4],
    right: Vec<f64>,
    one: Vec<f64>,
    before: Vec<f64>,
    observed: (Vec<f64>, Vec<f64>),
    scratch: Vec<f64>,
}

impl Room {
    pub fn new(eq: &Equations<'_>, columns: usize) -> Self {
        let rows = |count: usize, columns: usize| vec![0.0; count * columns];
        let (n, parts) = (eq.n, eq.wires.len());
        Self {
            motion: std::array::from_fn(|_| vec![0.0; columns]),
            right: rows(n, columns),
            one: vec![0.0; n],
            before: rows(eq.len() + n + parts, columns),
            observed: (rows(n, columns), rows(parts, columns)),
            scratch: Vec::new(),
        }
    }
}

impl<'a> Push<'a> for Implicit<'a> {
    fn push_start(&mut self, start: Start<'_>, columns: &Columns, d: &mut [f64]) {
        let (eq, count) = (&self.eq, columns.count);
        self.push = Room::new(eq, count);
        let (motion, rest) = d.split_at_mut(eq.len() * count);
        start::push_forward(eq, start, columns, motion);
        let mut room = StageColumns::new(eq, count);
        room.y.copy_from_slice(motion);
        let origin = (&self.stage.y[..], &*motion);
        stage::push_forward(eq, origin, &self.stage, &self.tape, columns, &mut room);
        let (a, force) = rest.split_at_mut(eq.n * count);
        a.copy_from_slice(&room.rate[eq.n * count..2 * eq.n * count]);
        force.copy_from_slice(&room.force);
    }

    fn push_begin(&mut self, columns: &Columns, d: &[f64]) {
        let (a, force) = (self.accelerations(), self.forces());
        let count = columns.count;
        let Room { observed, .. } = &mut self.push;
        observed
            .0
            .copy_from_slice(&d[a.start * count..a.end * count]);
        observed.1.copy_from_slice(&d[force.start * count..]);
    }

    fn push_observe(&self) -> (&[f64], &[f64]) {
        (&self.push.observed.0, &self.push.observed.1)
    }

    fn push_advance(&mut self, columns: &Columns, h: f64, d: &mut [f64]) {
        let (n, len, count) = (self.eq.n, self.eq.len(), columns.count);
        let lu = Lu::new(n, self.linearise(h));
        let Some(lu) = lu else {
            // A singular step has no derivative; the caller sees that it is not a number.
            d.fill(f64::NAN);
            return;
        };
        self.push.before.copy_from_slice(d);
        // First as if v1 did not change: dq1 = dq0 + h/2 dv0, dv1 = 0, da1 = -2/h dv0 - da0.
        for i in 0..n * count {
            let (v0, a0) = (d[n * count + i], d[len * count + i]);
            d[i] += 0.5 * h * v0;
            d[n * count + i] = 0.0;
            d[len * count + i] = -2.0 / h * v0 - a0;
        }
        self.push_elements(columns, h, d);
        let Room {
            right,
            one,
            motion: [dv1, ..],
            ..
        } = &mut self.push;
        // Then the change of v1 that keeps the equations of motion.
        for c in 0..count {
            for i in 0..n {
                one[i] = -right[i * count + c];
            }
            lu.solve(one);
            for i in 0..n {
                d[i * count + c] += 0.5 * h * one[i];
                d[(n + i) * count + c] = one[i];
                d[(len + i) * count + c] += 2.0 / h * one[i];
            }
        }
        for (i, wire) in self.eq.wires.iter().enumerate() {
            wire.across_columns(&d[n * count..2 * n * count], dv1);
            let states = self.eq.states_of(wire).zip(wire.states.clone());
            let rows = states.map(|(row, z)| (row, self.z_slope[z]));
            for (row, slope) in rows.chain([(len + n + i, self.slope[i])]) {
                for (out, dv1) in d[row * count..(row + 1) * count].iter_mut().zip(&*dv1) {
                    *out += slope * dv1;
                }
            }
        }
    }
}

impl Implicit<'_> {
    /// Derivatives of the elements, in `d`, and of the residual, in `right`, with those of the motion
    /// at the end given and v1 fixed.
    fn push_elements(&mut self, columns: &Columns, h: f64, d: &mut [f64]) {
        let (eq, count) = (&self.eq, columns.count);
        let (n, len) = (eq.n, eq.len());
        let Room {
            motion: [dx0, dx1, dv0, dv1],
            right,
            before,
            scratch,
            ..
        } = &mut self.push;
        right.fill(0.0);
        add_product_columns(1.0, eq.k(), &d[..n * count], right, count);
        let a1 = &d[len * count..(len + n) * count];
        add_product_columns(1.0, eq.m(), a1, right, count);
        let (q, v) = self.end[..2 * n].split_at(n);
        columns.add_masses(1.0, [q, v, &self.absolute], right);
        dv1.fill(0.0);
        for (i, wire) in eq.wires.iter().enumerate() {
            wire.across_columns(&before[..n * count], dx0);
            wire.across_columns(&before[n * count..2 * n * count], dv0);
            wire.across_columns(&d[..n * count], dx1);
            let states = eq.states_of(wire);
            let (state, observed) = d.split_at_mut((len + n) * count);
            let force = &mut observed[i * count..(i + 1) * count];
            wire.element.push_forward(
                &eq.p[wire.params.clone()],
                &step_of(wire, n, h, &self.origin, &self.end),
                self.tape.between(self.marks[i].start, self.marks[i].end),
                &mut Tangent {
                    branch: None,
                    param: &columns.of_part[i],
                    motion: Some([dx0, dx1, dv0, dv1]),
                    z: &mut state[states.start * count..states.end * count],
                    force,
                    scratch,
                },
            );
            wire.apply_columns(1.0, force, right);
        }
    }
}
