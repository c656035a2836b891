//! Derivatives of a stage along columns.

use super::{Stage, step_of};
use crate::system::columns::Columns;
use crate::system::equations::{Equations, add_product_columns};
use masing_model::scalar::LANES;
use masing_model::{Flow, Lanes, Step, Tangent, Tape};

/// Derivatives of a stage along columns, rows by columns.
pub(in crate::system) struct StageColumns {
    /// Of displacements, velocities, states.
    pub y: Vec<f64>,
    /// Of their rates.
    pub rate: Vec<f64>,
    /// Of the forces.
    pub force: Vec<f64>,
    motion: [Vec<f64>; 4],
    z: Vec<f64>,
    right: Vec<f64>,
    lanes: [Vec<Lanes>; 2],
    scratch: Vec<f64>,
}

impl StageColumns {
    pub fn new(eq: &Equations<'_>, columns: usize) -> Self {
        Self {
            y: vec![0.0; eq.len() * columns],
            rate: vec![0.0; eq.len() * columns],
            force: vec![0.0; eq.wires.len() * columns],
            motion: std::array::from_fn(|_| vec![0.0; columns]),
            z: vec![0.0; eq.states * columns],
            right: vec![0.0; eq.n * columns],
            lanes: std::array::from_fn(|_| vec![Lanes::constant(0.0); eq.states]),
            scratch: Vec::new(),
        }
    }
}

/// Derivatives of [`evaluate`]: `d.y` and those of the origin in, `d.rate` and `d.force` out.
pub(in crate::system) fn push_forward(
    eq: &Equations<'_>,
    origin: (&[f64], &[f64]),
    stage: &Stage,
    tape: &Tape,
    columns: &Columns,
    d: &mut StageColumns,
) {
    let (n, count) = (eq.n, columns.count);
    let (origin, d_origin) = origin;
    let (q, v) = stage.y[..2 * n].split_at(n);
    let (dq, dv) = d.y[..2 * n * count].split_at(n * count);
    d.right.fill(0.0);
    add_product_columns(-1.0, eq.c(), dv, &mut d.right, count);
    add_product_columns(-1.0, eq.k(), dq, &mut d.right, count);
    columns.add_masses(-1.0, [q, v, &stage.absolute], &mut d.right);
    for (i, wire) in eq.wires.iter().enumerate() {
        let p = &eq.p[wire.params.clone()];
        let states = eq.states_of(wire);
        let rows = states.start * count..states.end * count;
        let force = &mut d.force[i * count..(i + 1) * count];
        let [dx0, dx1, dv0, dv1] = &mut d.motion;
        wire.across_columns(dq, dx1);
        wire.across_columns(dv, dv1);
        if let Some(flow) = wire.flow {
            push_flow(
                flow,
                (wire.across(q), wire.across(v), &stage.y[states]),
                |group| columns.lanes_of(i, group, p.len()),
                (dx1, dv1, &d.y[rows.clone()]),
                (&mut d.rate[rows], force),
                &mut d.lanes,
            );
        } else {
            wire.across_columns(&d_origin[..n * count], dx0);
            wire.across_columns(&d_origin[n * count..2 * n * count], dv0);
            let z = &mut d.z[..rows.len()];
            z.copy_from_slice(&d_origin[rows]);
            wire.element.push_forward(
                p,
                &step_of(wire, n, stage.dt, origin, &stage.y),
                tape.between(stage.marks[i].start, stage.marks[i].end),
                &mut Tangent {
                    branch: None,
                    param: &columns.of_part[i],
                    motion: Some([dx0, dx1, dv0, dv1]),
                    z,
                    force,
                    scratch: &mut d.scratch,
                },
            );
        }
        wire.apply_columns(-1.0, force, &mut d.right);
    }
    d.rate[..n * count].copy_from_slice(dv);
    let acceleration = &mut d.rate[n * count..2 * n * count];
    acceleration.fill(0.0);
    add_product_columns(1.0, &eq.inverse, &d.right, acceleration, count);
}

/// Derivatives of the rates of one element, a group of columns at a time.
fn push_flow<'p>(
    flow: &dyn Flow,
    (x, v, z): (f64, f64, &[f64]),
    params: impl Fn(usize) -> &'p [Lanes],
    (dx, dv, dz): (&[f64], &[f64], &[f64]),
    (rates, force): (&mut [f64], &mut [f64]),
    [state, rate]: &mut [Vec<Lanes>; 2],
) {
    let (columns, states) = (dx.len(), z.len());
    let (state, rate) = (&mut state[..states], &mut rate[..states]);
    for (group, from) in (0..columns).step_by(LANES).enumerate() {
        let width = LANES.min(columns - from);
        let seeded = |value: f64, row: &[f64]| {
            let mut out = Lanes::constant(value);
            match row.get(from..from + LANES) {
                Some(full) => out.eps.copy_from_slice(full),
                None => out.eps[..width].copy_from_slice(&row[from..]),
            }
            out
        };
        for (i, lane) in state.iter_mut().enumerate() {
            *lane = seeded(z[i], &dz[i * columns..(i + 1) * columns]);
        }
        let f = flow.eval_lanes(params(group), seeded(x, dx), seeded(v, dv), state, rate);
        force[from..from + width].copy_from_slice(&f.eps[..width]);
        for (i, lane) in rate.iter().enumerate() {
            rates[i * columns + from..][..width].copy_from_slice(&lane.eps[..width]);
        }
    }
}

/// Derivatives of the state of element `i` over a whole micro-step: those of both ends in, those of
/// its state at the end in `d_end` out.
pub(in crate::system) fn push_commit(
    eq: &Equations<'_>,
    i: usize,
    (step, tape): (&Step, &[f64]),
    columns: &Columns,
    (d_origin, d_end): (&[f64], &mut [f64]),
    d: &mut StageColumns,
) {
    let (wire, rows) = (&eq.wires[i], eq.n * columns.count);
    let states = eq.states_of(wire);
    let states = states.start * columns.count..states.end * columns.count;
    let [dx0, dx1, dv0, dv1] = &mut d.motion;
    wire.across_columns(&d_origin[..rows], dx0);
    wire.across_columns(&d_origin[rows..2 * rows], dv0);
    wire.across_columns(&d_end[..rows], dx1);
    wire.across_columns(&d_end[rows..2 * rows], dv1);
    let z = &mut d_end[states.clone()];
    z.copy_from_slice(&d_origin[states]);
    wire.element.push_forward(
        &eq.p[wire.params.clone()],
        step,
        tape,
        &mut Tangent {
            branch: None,
            param: &columns.of_part[i],
            motion: Some([dx0, dx1, dv0, dv1]),
            z,
            force: &mut d.force[i * columns.count..(i + 1) * columns.count],
            scratch: &mut d.scratch,
        },
    );
}
