//! The explicit scheme: classical Runge-Kutta micro-steps that end on the kinks of the laws.
//!
//! A micro-step within which a law would pass a kink is shortened so that neither its last stage nor
//! its end lies beyond; the remaining distance to the kink is of third order, and the next one is
//! shortened the same way. Only when that is negligible does a micro-step end just beyond the kink.
//! So all stages lie on one smooth branch, values keep the order of the method, and so do
//! derivatives, for which the lengths are constants: the force is continuous across a kink, so that
//! its instant has no first-order effect.

mod pull;
mod push;

use super::equations::{Equations, Failure};
use super::load::Instant;
use super::locate;
use super::march::Scheme;
use super::stage::{self, Stage, step_of};
use super::start::{self, Start};
use masing_model::Tape;
use std::ops::Range;

/// How far along the micro-step each stage lies; also the weight of the rate before it.
const AT: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
/// Weights of the rates in the result.
const WEIGHT: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// One micro-step and room for its derivatives.
pub(super) struct Explicit<'a> {
    eq: Equations<'a>,
    at: Instant,
    /// The state where the micro-step begins; those of the stages start with it.
    origin: Vec<f64>,
    stages: [Stage; 4],
    end: Vec<f64>,
    tape: Tape,
    /// Where the tape stands after the first stage.
    first: usize,
    /// What the final step of every element left on the tape.
    commits: Vec<Range<usize>>,
    kinks: Kinks,
    push: push::Room,
    pull: pull::Room,
}

/// The guards of the elements that have any.
#[derive(Default)]
struct Kinks {
    guarded: Vec<usize>,
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Kinks {
    /// Values of all guards over a step between two states.
    fn look(
        out: &mut Vec<f64>,
        guarded: &[usize],
        eq: &Equations<'_>,
        dt: f64,
        (from, to): (&[f64], &[f64]),
    ) {
        out.clear();
        for &i in guarded {
            let wire = &eq.wires[i];
            let states = eq.states_of(wire);
            wire.element.guards(
                &eq.p[wire.params.clone()],
                &step_of(wire, eq.n, dt, from, to),
                &from[states.clone()],
                &to[states],
                out,
            );
        }
    }

    /// The largest among the guards that were negative before the step: before it, and after.
    fn highest(&self) -> (f64, f64) {
        let armed = self
            .before
            .iter()
            .zip(&self.after)
            .filter(|(b, _)| **b < 0.0);
        let none = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        armed.fold(none, |(m, n), (&b, &a)| (m.max(b), n.max(a)))
    }
}

impl<'a> Explicit<'a> {
    pub fn new(eq: Equations<'a>) -> Self {
        let len = eq.len();
        let mut y = vec![0.0; len];
        start::write(&eq, Start::Rest, &mut y);
        let mut kinks = Kinks::default();
        for i in 0..eq.wires.len() {
            Kinks::look(&mut kinks.before, &[i], &eq, 0.0, (&y, &y));
            if !kinks.before.is_empty() {
                kinks.guarded.push(i);
            }
        }
        Self {
            at: Instant {
                interval: 0,
                since: 0.0,
            },
            origin: vec![0.0; len],
            stages: std::array::from_fn(|_| Stage::new(&eq)),
            end: vec![0.0; len],
            tape: Tape::off(),
            first: 0,
            commits: vec![0..0; eq.wires.len()],
            kinks,
            push: push::Room::new(&eq, 0),
            pull: pull::Room::new(&eq),
            eq,
        }
    }

    /// Stages two to four and the state after a micro-step of length `h`.
    fn complete(&mut self, h: f64) -> Result<(), Failure> {
        self.tape.truncate(self.first);
        for i in 1..4 {
            let (done, rest) = self.stages.split_at_mut(i);
            let (last, stage) = (&done[i - 1], &mut rest[0]);
            stage.dt = AT[i] * h;
            for ((y, start), rate) in stage.y.iter_mut().zip(&self.origin).zip(&last.rate) {
                *y = start + stage.dt * rate;
            }
            let at = self.at.after(stage.dt);
            stage::evaluate(&self.eq, &self.origin, stage, at, &mut self.tape)?;
        }
        let [k1, k2, k3, k4] = self.stages.each_ref().map(|s| &s.rate);
        for (i, end) in self.end.iter_mut().enumerate() {
            let sum = k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i];
            *end = self.origin[i] + h / 6.0 * sum;
        }
        for (i, wire) in stage::stepped(&self.eq) {
            let step = step_of(wire, self.eq.n, h, &self.origin, &self.end);
            let mark = self.tape.len();
            let z = &mut self.end[self.eq.states_of(wire)];
            let p = &self.eq.p[wire.params.clone()];
            wire.element.advance(p, &step, z, &mut self.tape)?;
            self.commits[i] = mark..self.tape.len();
        }
        Ok(())
    }

    /// The highest armed guards of a micro-step of length `h`: at its start, at its end, and at its
    /// end or its last stage; positive if a kink was passed.
    fn try_length(&mut self, h: f64) -> Result<[f64; 3], Failure> {
        self.complete(h)?;
        let mut look = |to: &[f64]| {
            let Kinks { guarded, after, .. } = &mut self.kinks;
            Kinks::look(after, guarded, &self.eq, h, (&self.origin, to));
            self.kinks.highest()
        };
        let (start, end) = look(&self.end);
        let (_, stage) = look(&self.stages[3].y);
        // The kink itself is no place to stay: the law has no slope there.
        let any = end.max(stage);
        let any = if any == 0.0 { f64::MIN_POSITIVE } else { any };
        Ok([start, end, any])
    }

    /// Takes the longest micro-step, up to `longest`, that stays on this side of all kinks, or
    /// crosses one if that would be shorter than `least`.
    fn approach(&mut self, longest: f64, least: f64) -> Result<f64, Failure> {
        let Kinks {
            guarded, before, ..
        } = &mut self.kinks;
        Kinks::look(before, guarded, &self.eq, 0.0, (&self.origin, &self.origin));
        let [start, end, any] = self.try_length(longest)?;
        if any <= 0.0 {
            return Ok(longest);
        }
        let mut tried = longest;
        // Not onto the kink, on either side: guards cannot tell being that close to it from having
        // passed it, and several kinks at one instant (closing an inner loop) are told apart by rounding.
        let margin = 0.5 * least;
        let mut search = |this: &mut Self, high: f64, which: usize| {
            locate::crossing(longest, 0.5 * margin, (start, high), |s| {
                tried = s;
                this.try_length(s).map(|guards| guards[which])
            })
        };
        let (before, _) = search(self, any, 2)?;
        let h = if before >= least + margin {
            before - margin
        } else if end > 0.0 {
            (search(self, end, 1)?.1 + margin).min(longest)
        } else {
            // The last stage only touches the kink.
            longest
        };
        if tried != h {
            self.complete(h)?;
        }
        Ok(h)
    }
}

impl<'a> Scheme<'a> for Explicit<'a> {
    fn equations(&self) -> &Equations<'a> {
        &self.eq
    }

    fn len(&self) -> usize {
        self.eq.len()
    }

    fn keep_tape(&mut self, keep: bool) {
        self.tape = if keep { Tape::on() } else { Tape::off() };
    }

    fn start(&mut self, start: Start<'_>, y: &mut [f64]) -> Result<(), Failure> {
        start::write(&self.eq, start, y);
        Ok(())
    }

    fn begin(&mut self, y: &[f64], at: Instant) -> Result<(), Failure> {
        self.at = at;
        self.origin.copy_from_slice(y);
        self.tape.truncate(0);
        let stage = &mut self.stages[0];
        stage.y.copy_from_slice(y);
        stage::evaluate(&self.eq, &self.origin, stage, at, &mut self.tape)?;
        self.first = self.tape.len();
        Ok(())
    }

    fn observe(&self) -> (&[f64], &[f64]) {
        let n = self.eq.n;
        (&self.stages[0].rate[n..2 * n], &self.stages[0].force)
    }

    fn advance(&mut self, longest: f64, least: f64, y: &mut [f64]) -> Result<f64, Failure> {
        let h = if self.kinks.guarded.is_empty() || longest < least {
            self.complete(longest)?;
            longest
        } else {
            self.approach(longest, least)?
        };
        y.copy_from_slice(&self.end);
        Ok(h)
    }
}
