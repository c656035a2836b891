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

/// One instant: its inputs and its results.
pub(super) struct Stage {
    /// Time since the origin.
    pub dt: f64,
    /// Displacements, velocities, states; those of trial steps are set by them.
    pub y: Vec<f64>,
    /// Their rates; zero for states that elements advance by whole steps.
    pub rate: Vec<f64>,
    /// Force of every element.
    pub force: Vec<f64>,
    /// Absolute acceleration.
    absolute: Vec<f64>,
    /// What the trial step of every element left on the tape.
    marks: Vec<Range<usize>>,
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
        }
    }
}

/// The motion across an element from the origin to a stage.
pub(super) fn step_of(wire: &Wire<'_>, n: usize, dt: f64, from: &[f64], to: &[f64]) -> Step {
    Step {
        branch: None,
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
    // The right side, complete once every element has added its force.
    let right = &mut stage.rate[n..2 * n];
    let base = eq.drive.at(at, right);
    add_product(-1.0, eq.c(), &stage.y[n..2 * n], right);
    add_product(-1.0, eq.k(), &stage.y[..n], right);
    for (i, wire) in eq.wires.iter().enumerate() {
        let p = &eq.p[wire.params.clone()];
        let states = eq.states_of(wire);
        let force = if let Some(flow) = wire.flow {
            let (q, v) = stage.y[..2 * n].split_at(n);
            let (x, v) = (wire.across(q), wire.across(v));
            flow.eval(p, x, v, &stage.y[states.clone()], &mut stage.rate[states])
        } else {
            let mark = tape.len();
            let step = step_of(wire, n, stage.dt, origin, &stage.y);
            let z = &mut stage.y[states.clone()];
            z.copy_from_slice(&origin[states]);
            let force = wire.element.advance(p, &step, z, tape)?;
            stage.marks[i] = mark..tape.len();
            force
        };
        stage.force[i] = force;
        wire.apply(-force, &mut stage.rate[n..2 * n]);
    }
    stage.absolute.fill(0.0);
    add_product(1.0, &eq.inverse, &stage.rate[n..2 * n], &mut stage.absolute);
    for i in 0..n {
        stage.rate[i] = stage.y[n + i];
        stage.rate[n + i] = stage.absolute[i] - base;
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
