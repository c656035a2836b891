//! Sensitivities pulled back through an explicit micro-step.

use super::{AT, Explicit, WEIGHT};
use crate::system::equations::{Equations, Failure};
use crate::system::load::Instant;
use crate::system::march::{Pull, Scheme, Taken};
use crate::system::stage::{self, StageBars};
use crate::system::start::{self, Start};

/// Room for the sensitivities.
pub(super) struct Room {
    stage: StageBars,
    to_origin: Vec<f64>,
    to_end: Vec<f64>,
}

impl Room {
    pub fn new(eq: &Equations<'_>) -> Self {
        Self {
            stage: StageBars::new(eq),
            to_origin: vec![0.0; eq.len()],
            to_end: vec![0.0; eq.len()],
        }
    }
}

impl Explicit<'_> {
    /// Pulls what the room holds back through stage `i`: to its state, and from there to the origin.
    fn pull_stage(&mut self, i: usize, to_p: &mut [f64]) {
        let Room {
            stage: bar,
            to_origin,
            ..
        } = &mut self.pull;
        let to = (&mut to_origin[..], to_p);
        stage::pull_back(&self.eq, &self.origin, &self.stages[i], &self.tape, bar, to);
        add(&bar.y, to_origin);
    }
}

impl<'a> Pull<'a> for Explicit<'a> {
    fn pull_back(
        &mut self,
        step: &Taken<'_>,
        observed: Option<(&[f64], &[f64])>,
        bar: &mut [f64],
        to_p: &mut [f64],
    ) -> Result<(), Failure> {
        let n = self.eq.n;
        self.begin(step.before, step.at)?;
        self.complete(step.h)?;
        let Room {
            stage: room,
            to_origin,
            to_end,
        } = &mut self.pull;
        to_end.copy_from_slice(bar);
        to_origin.fill(0.0);
        for (i, wire) in stage::stepped(&self.eq) {
            let mark = &self.commits[i];
            let tape = self.tape.between(mark.start, mark.end);
            let s = stage::step_of(wire, n, step.h, &self.origin, &self.end);
            stage::pull_commit(&self.eq, i, (&s, tape), room, (to_origin, to_end), to_p);
        }
        add(to_end, to_origin);
        for i in (0..4).rev() {
            let Room { stage, to_end, .. } = &mut self.pull;
            for (k, rate) in stage.rate.iter_mut().enumerate() {
                *rate = step.h * WEIGHT[i] * to_end[k];
                if i < 3 {
                    *rate += AT[i + 1] * step.h * stage.y[k];
                }
            }
            stage.force.fill(0.0);
            if let (0, Some((acceleration, force))) = (i, observed) {
                add(acceleration, &mut stage.rate[n..2 * n]);
                stage.force.copy_from_slice(force);
            }
            self.pull_stage(i, to_p);
        }
        bar.copy_from_slice(&self.pull.to_origin);
        Ok(())
    }

    fn pull_observed(
        &mut self,
        y: &[f64],
        at: Instant,
        (acceleration, force): (&[f64], &[f64]),
        bar: &mut [f64],
        to_p: &mut [f64],
    ) -> Result<(), Failure> {
        let n = self.eq.n;
        self.begin(y, at)?;
        let Room {
            stage, to_origin, ..
        } = &mut self.pull;
        stage.rate.fill(0.0);
        stage.rate[n..2 * n].copy_from_slice(acceleration);
        stage.force.copy_from_slice(force);
        to_origin.copy_from_slice(bar);
        self.pull_stage(0, to_p);
        bar.copy_from_slice(&self.pull.to_origin);
        Ok(())
    }

    fn pull_start(
        &mut self,
        start: Start<'_>,
        bar: &mut [f64],
        to_p: &mut [f64],
    ) -> Result<Vec<f64>, Failure> {
        Ok(start::pull_back(&self.eq, start, bar, to_p))
    }
}

/// out += x.
fn add(x: &[f64], out: &mut [f64]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out += x;
    }
}
