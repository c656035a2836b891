//! Sensitivities pulled back through a stage.

use super::{Stage, step_of};
use crate::system::equations::{Equations, add_outer, add_transposed};
use masing_model::scalar::LANES;
use masing_model::{Cotangent, Flow, Lanes, Step, Tape};

/// Sensitivities to what a stage gives and to what it starts from.
pub(in crate::system) struct StageBars {
    /// To the rates: on entry.
    pub rate: Vec<f64>,
    /// To the forces: on entry.
    pub force: Vec<f64>,
    /// To displacements, velocities and states of the stage: set on return.
    pub y: Vec<f64>,
    right: Vec<f64>,
    z: Vec<f64>,
    lanes: [Vec<Lanes>; 3],
    scratch: Vec<f64>,
}

impl StageBars {
    pub fn new(eq: &Equations<'_>) -> Self {
        let params = eq.wires.iter().map(|w| w.params.len()).max().unwrap_or(0);
        let lanes = |len| vec![Lanes::constant(0.0); len];
        Self {
            rate: vec![0.0; eq.len()],
            force: vec![0.0; eq.wires.len()],
            y: vec![0.0; eq.len()],
            right: vec![0.0; eq.n],
            z: vec![0.0; eq.states],
            lanes: [lanes(eq.states), lanes(eq.states), lanes(params)],
            scratch: Vec::new(),
        }
    }
}

/// Sensitivities pulled back through [`evaluate`]; shares of the origin and of the values are added
/// to `to_origin` and `to_p`.
pub(in crate::system) fn pull_back(
    eq: &Equations<'_>,
    origin: &[f64],
    stage: &Stage,
    tape: &Tape,
    bar: &mut StageBars,
    (to_origin, to_p): (&mut [f64], &mut [f64]),
) {
    let n = eq.n;
    let (q, v) = stage.y[..2 * n].split_at(n);
    bar.right.fill(0.0);
    add_transposed(1.0, &eq.inverse, &bar.rate[n..2 * n], &mut bar.right);
    pull_masses(eq, &bar.right, [q, v, &stage.absolute], to_p);
    bar.y.fill(0.0);
    bar.y[n..2 * n].copy_from_slice(&bar.rate[..n]);
    add_transposed(-1.0, eq.k(), &bar.right, &mut bar.y[..n]);
    add_transposed(-1.0, eq.c(), &bar.right, &mut bar.y[n..2 * n]);
    for (i, wire) in eq.wires.iter().enumerate() {
        let p = &eq.p[wire.params.clone()];
        let to_p = &mut to_p[wire.params.clone()];
        let states = eq.states_of(wire);
        let force = bar.force[i] - wire.across(&bar.right);
        if let Some(flow) = wire.flow {
            let (to_x, to_v) = pull_flow(
                flow,
                (p, wire.across(q), wire.across(v), &stage.y[states.clone()]),
                (force, &bar.rate[states.clone()]),
                (to_p, &mut bar.y[states]),
                &mut bar.lanes,
            );
            wire.apply(to_x, &mut bar.y[..n]);
            wire.apply(to_v, &mut bar.y[n..2 * n]);
        } else {
            let z = &mut bar.z[..states.len()];
            z.fill(0.0);
            let mut cotangent = Cotangent {
                branch: 0.0,
                force,
                z,
                p: to_p,
                motion: [0.0; 4],
                scratch: &mut bar.scratch,
            };
            wire.element.pull_back(
                p,
                &step_of(wire, n, stage.dt, origin, &stage.y),
                tape.between(stage.marks[i].start, stage.marks[i].end),
                &mut cotangent,
            );
            let [x0, x1, v0, v1] = cotangent.motion;
            wire.apply(x0, &mut to_origin[..n]);
            wire.apply(v0, &mut to_origin[n..2 * n]);
            wire.apply(x1, &mut bar.y[..n]);
            wire.apply(v1, &mut bar.y[n..2 * n]);
            for (out, z) in to_origin[states].iter_mut().zip(&bar.z) {
                *out += z;
            }
        }
    }
}

/// What M a + C v + K q, weighted by -`weight`, gives to the entries of the matrices.
pub(in crate::system) fn pull_masses(
    eq: &Equations<'_>,
    weight: &[f64],
    [q, v, a]: [&[f64]; 3],
    to_p: &mut [f64],
) {
    let masses = &mut to_p[eq.masses_at..];
    add_outer(-1.0, weight, a, &mut masses[eq.masses.m()]);
    add_outer(-1.0, weight, v, &mut masses[eq.masses.c()]);
    add_outer(-1.0, weight, q, &mut masses[eq.masses.k()]);
}

/// Pulls (force, rates) of one element back: returns the shares of x and v, adds those of the
/// parameters and states. Inputs in the order x, v, states, parameters, a group of them at a time.
fn pull_flow(
    flow: &dyn Flow,
    (p, x, v, z): (&[f64], f64, f64, &[f64]),
    (force, rates): (f64, &[f64]),
    (to_p, to_z): (&mut [f64], &mut [f64]),
    [state, rate, params]: &mut [Vec<Lanes>; 3],
) -> (f64, f64) {
    let states = z.len();
    let (state, rate) = (&mut state[..states], &mut rate[..states]);
    let params = &mut params[..p.len()];
    let mut to_motion = [0.0; 2];
    let inputs = 2 + states + p.len();
    for from in (0..inputs).step_by(LANES) {
        let mut motion = [Lanes::constant(x), Lanes::constant(v)];
        for (lane, &z) in state.iter_mut().zip(z) {
            *lane = Lanes::constant(z);
        }
        for (lane, &p) in params.iter_mut().zip(p) {
            *lane = Lanes::constant(p);
        }
        let group = from..inputs.min(from + LANES);
        for (lane, input) in group.clone().enumerate() {
            let seed = match input {
                0 | 1 => &mut motion[input],
                i if i < 2 + states => &mut state[i - 2],
                i => &mut params[i - 2 - states],
            };
            seed.eps[lane] = 1.0;
        }
        let f = flow.eval_lanes(params, motion[0], motion[1], state, rate);
        for (lane, input) in group.enumerate() {
            let mut share = force * f.eps[lane];
            for (weight, rate) in rates.iter().zip(rate.iter()) {
                share += weight * rate.eps[lane];
            }
            match input {
                0 | 1 => to_motion[input] = share,
                i if i < 2 + states => to_z[i - 2] += share,
                i => to_p[i - 2 - states] += share,
            }
        }
    }
    (to_motion[0], to_motion[1])
}

/// Pulls sensitivities to the state of element `i` after a whole micro-step back to the origin and
/// to the motion at the end.
pub(in crate::system) fn pull_commit(
    eq: &Equations<'_>,
    i: usize,
    (step, tape): (&Step, &[f64]),
    bar: &mut StageBars,
    (to_origin, to_end): (&mut [f64], &mut [f64]),
    to_p: &mut [f64],
) {
    let (wire, n) = (&eq.wires[i], eq.n);
    let states = eq.states_of(wire);
    let z = &mut bar.z[..states.len()];
    z.copy_from_slice(&to_end[states.clone()]);
    let mut cotangent = Cotangent {
        branch: 0.0,
        force: 0.0,
        z,
        p: &mut to_p[wire.params.clone()],
        motion: [0.0; 4],
        scratch: &mut bar.scratch,
    };
    let p = &eq.p[wire.params.clone()];
    wire.element.pull_back(p, step, tape, &mut cotangent);
    let [x0, x1, v0, v1] = cotangent.motion;
    to_origin[states.clone()].copy_from_slice(&bar.z[..states.len()]);
    to_end[states].fill(0.0);
    wire.apply(x0, &mut to_origin[..n]);
    wire.apply(v0, &mut to_origin[n..2 * n]);
    wire.apply(x1, &mut to_end[..n]);
    wire.apply(v1, &mut to_end[n..2 * n]);
}
