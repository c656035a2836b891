//! Forces and accelerations at one instant, with derivatives.
//!
//! An element with rates gives its force from motion and state; the others by a trial step from the
//! start of the micro-step (the origin), with the state there.

mod pull;
mod push;

pub(super) use pull::{StageBars, pull_back, pull_commit, pull_masses};
pub(super) use push::{StageColumns, push_commit, push_forward};

use super::equations::{Equations, Wire, add_product};
use super::load::Instant;
use masing_model::{Step, StepError, Tape};
use std::ops::Range;

/// One instant: what it starts from, what comes out.
pub(super) struct Stage {
    /// Time since the origin.
    pub dt: f64,
    /// Displacements, velocities, states.
    pub y: Vec<f64>,
    /// Their rates; zero for states that elements advance by whole steps.
    pub rate: Vec<f64>,
    /// Force of every element.
    pub force: Vec<f64>,
    /// Absolute acceleration.
    absolute: Vec<f64>,
    /// What the trial step of every element left on the tape.
    marks: Vec<Range<usize>>,
    room: Vec<f64>,
}

impl Stage {
    pub fn new(eq: &Equations<'_>) -> Self {
        Self {
            dt: 0.0,
            y: vec![0.0; eq.len()],
            rate: vec![0.0; eq.len()],
            force: vec![0.0; eq.wires.len()],
            absolute: vec![0.0; eq.n],
            marks: vec![0..0; eq.wires.len()],
            room: vec![0.0; eq.n.max(eq.states)],
        }
    }
}

/// The motion across an element from the origin to a stage.
pub(super) fn step_of(wire: &Wire<'_>, n: usize, dt: f64, from: &[f64], to: &[f64]) -> Step {
    Step {
        dt,
        x: [wire.across(&from[..n]), wire.across(&to[..n])],
        v: [wire.across(&from[n..2 * n]), wire.across(&to[n..2 * n])],
    }
}

/// Rates, forces and accelerations of a stage whose `dt` and `y` are set; `at` is its instant.
pub(super) fn evaluate(
    eq: &Equations<'_>,
    origin: &[f64],
    stage: &mut Stage,
    at: Instant,
    tape: &mut Tape,
) -> Result<(), StepError> {
    let n = eq.n;
    let (rest, room) = (&mut stage.rate, &mut stage.room);
    let base = eq.drive.at(at, &mut room[..n]);
    let (q, v) = stage.y[..2 * n].split_at(n);
    add_product(-1.0, eq.c(), v, &mut room[..n]);
    add_product(-1.0, eq.k(), q, &mut room[..n]);
    // The right side is complete once every element has added its force.
    rest[n..2 * n].copy_from_slice(&room[..n]);
    for (i, wire) in eq.wires.iter().enumerate() {
        let p = &eq.p[wire.params.clone()];
        let states = eq.states_of(wire);
        let force = if let Some(flow) = wire.flow {
            let (x, v) = (wire.across(q), wire.across(v));
            flow.eval(p, x, v, &stage.y[states.clone()], &mut rest[states])
        } else {
            let z = &mut room[..states.len()];
            z.copy_from_slice(&origin[states]);
            let mark = tape.len();
            let step = step_of(wire, n, stage.dt, origin, &stage.y);
            let force = wire.element.advance(p, &step, z, tape)?;
            stage.marks[i] = mark..tape.len();
            force
        };
        stage.force[i] = force;
        wire.apply(-force, &mut rest[n..2 * n]);
    }
    stage.absolute.fill(0.0);
    add_product(1.0, &eq.inverse, &rest[n..2 * n], &mut stage.absolute);
    rest[..n].copy_from_slice(v);
    for i in 0..n {
        rest[n + i] = stage.absolute[i] - base;
    }
    Ok(())
}

/// The elements that advance their states by whole steps, which a micro-step of a scheme with rates
/// has to commit at its end.
pub(super) fn stepped<'e, 'a>(
    eq: &'e Equations<'a>,
) -> impl Iterator<Item = (usize, &'e Wire<'a>)> {
    let wires = eq.wires.iter().enumerate();
    wires.filter(|(_, w)| w.flow.is_none() && !w.states.is_empty())
}
