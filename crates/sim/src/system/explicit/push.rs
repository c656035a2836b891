//! Derivatives of an explicit micro-step along columns.

use super::{AT, Explicit, WEIGHT};
use crate::system::columns::Columns;
use crate::system::equations::Equations;
use crate::system::march::Push;
use crate::system::stage::{self, StageColumns};
use crate::system::start::{self, Start};

/// Room for the derivatives, rows of the state by columns.
pub(super) struct Room {
    stage: StageColumns,
    origin: Vec<f64>,
    sum: Vec<f64>,
    /// Of accelerations and forces where the micro-step begins.
    observed: (Vec<f64>, Vec<f64>),
}

impl Room {
    pub fn new(eq: &Equations<'_>, columns: usize) -> Self {
        let rows = |count: usize| vec![0.0; count * columns];
        Self {
            stage: StageColumns::new(eq, columns),
            origin: rows(eq.len()),
            sum: rows(eq.len()),
            observed: (rows(eq.n), rows(eq.wires.len())),
        }
    }
}

impl Explicit<'_> {
    /// Derivatives of stage `i`, from those of the origin and those of its state.
    fn push_stage(&mut self, i: usize, columns: &Columns) {
        let Room {
            stage: d, origin, ..
        } = &mut self.push;
        let origin = (&self.origin[..], &origin[..]);
        stage::push_forward(&self.eq, origin, &self.stages[i], &self.tape, columns, d);
    }
}

impl<'a> Push<'a> for Explicit<'a> {
    fn push_start(&mut self, start: Start<'_>, columns: &Columns, d: &mut [f64]) {
        self.push = Room::new(&self.eq, columns.count);
        start::push_forward(&self.eq, start, columns, d);
    }

    fn push_begin(&mut self, columns: &Columns, d: &[f64]) {
        let rows = self.eq.n * columns.count;
        self.push.origin.copy_from_slice(d);
        self.push.stage.y.copy_from_slice(d);
        self.push_stage(0, columns);
        let Room {
            stage, observed, ..
        } = &mut self.push;
        observed.0.copy_from_slice(&stage.rate[rows..2 * rows]);
        observed.1.copy_from_slice(&stage.force);
    }

    fn push_observe(&self) -> (&[f64], &[f64]) {
        (&self.push.observed.0, &self.push.observed.1)
    }

    fn push_advance(&mut self, columns: &Columns, h: f64, d: &mut [f64]) {
        self.push.sum.fill(0.0);
        for i in 0..4 {
            let Room { stage, origin, .. } = &mut self.push;
            if i > 0 {
                let dt = AT[i] * h;
                for ((y, start), rate) in stage.y.iter_mut().zip(&*origin).zip(&stage.rate) {
                    *y = start + dt * rate;
                }
                self.push_stage(i, columns);
            }
            let Room { stage, sum, .. } = &mut self.push;
            for (sum, rate) in sum.iter_mut().zip(&stage.rate) {
                *sum += WEIGHT[i] * rate;
            }
        }
        let Room {
            stage: room,
            origin,
            sum,
            ..
        } = &mut self.push;
        for ((d, start), sum) in d.iter_mut().zip(&*origin).zip(&*sum) {
            *d = start + h * sum;
        }
        for (i, _) in stage::stepped(&self.eq) {
            let mark = &self.commits[i];
            let tape = self.tape.between(mark.start, mark.end);
            let step = stage::step_of(&self.eq.wires[i], self.eq.n, h, &self.origin, &self.end);
            stage::push_commit(&self.eq, i, (&step, tape), columns, (origin, d), room);
        }
    }
}
