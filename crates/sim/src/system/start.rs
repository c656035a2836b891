//! The state a run starts from: x0, v0, and the elements at rest at x0 unless their states are given.

use super::columns::Columns;
use super::equations::{Equations, Wire};

/// How the elements start.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// Memory unstrained at x0.
    Rest,
    /// With these states.
    Given(&'a [f64]),
}

/// Writes displacements, velocities and states.
pub(super) fn write(eq: &Equations<'_>, start: Start<'_>, y: &mut [f64]) {
    let n = eq.n;
    y[..n].copy_from_slice(eq.x0());
    y[n..2 * n].copy_from_slice(eq.v0());
    match start {
        Start::Given(z) => y[2 * n..eq.len()].copy_from_slice(z),
        Start::Rest => {
            for wire in &eq.wires {
                let p = &eq.p[wire.params.clone()];
                let z = &mut y[eq.states_of(wire)];
                wire.element.rest(p, wire.across(eq.x0()), z);
            }
        }
    }
}

/// Slopes of the initial states with respect to the displacement of their element.
fn slopes(eq: &Equations<'_>, start: Start<'_>) -> Vec<f64> {
    let mut out = vec![0.0; eq.states];
    if let Start::Rest = start {
        for wire in &eq.wires {
            let p = &eq.p[wire.params.clone()];
            let x = wire.across(eq.x0());
            wire.element.rest_slope(p, x, &mut out[wire.states.clone()]);
        }
    }
    out
}

/// Slopes of the initial states of an element with respect to one of its parameters.
fn by_param(eq: &Equations<'_>, start: Start<'_>, wire: &Wire<'_>, k: usize) -> Vec<f64> {
    let mut out = vec![0.0; wire.states.len()];
    if let Start::Rest = start {
        let p = &eq.p[wire.params.clone()];
        wire.element.rest_by(p, wire.across(eq.x0()), k, &mut out);
    }
    out
}

/// Derivatives of the start along columns.
pub(super) fn push_forward(eq: &Equations<'_>, start: Start<'_>, columns: &Columns, d: &mut [f64]) {
    let (n, count) = (eq.n, columns.count);
    d.fill(0.0);
    for &(column, row) in &columns.of_start {
        d[row * count + column] = 1.0;
    }
    let slopes = slopes(eq, start);
    let mut dx = vec![0.0; count];
    for (wire, params) in eq.wires.iter().zip(&columns.of_part) {
        for (column, param) in params.iter().enumerate() {
            let Some(k) = param else { continue };
            for (row, by) in eq.states_of(wire).zip(by_param(eq, start, wire, *k)) {
                d[row * count + column] += by;
            }
        }
        wire.across_columns(&d[..n * count], &mut dx);
        for (row, z) in eq.states_of(wire).zip(wire.states.clone()) {
            for (out, dx) in d[row * count..(row + 1) * count].iter_mut().zip(&dx) {
                *out += slopes[z] * dx;
            }
        }
    }
}

/// Sensitivities to the start pulled back: to the values (added), to the states (returned).
pub(super) fn pull_back(
    eq: &Equations<'_>,
    start: Start<'_>,
    bar: &[f64],
    to_p: &mut [f64],
) -> Vec<f64> {
    let n = eq.n;
    let masses = &mut to_p[eq.masses_at..];
    for (out, b) in masses[eq.masses.x0()].iter_mut().zip(&bar[..n]) {
        *out += b;
    }
    for (out, b) in masses[eq.masses.v0()].iter_mut().zip(&bar[n..2 * n]) {
        *out += b;
    }
    let slopes = slopes(eq, start);
    for wire in &eq.wires {
        for (k, out) in to_p[wire.params.clone()].iter_mut().enumerate() {
            let states = eq.states_of(wire).zip(by_param(eq, start, wire, k));
            *out += states.map(|(row, by)| bar[row] * by).sum::<f64>();
        }
    }
    let masses = &mut to_p[eq.masses_at..];
    for wire in &eq.wires {
        let states = eq.states_of(wire).zip(wire.states.clone());
        let to_x = states.map(|(row, z)| slopes[z] * bar[row]).sum();
        wire.apply(to_x, &mut masses[eq.masses.x0()]);
    }
    bar[2 * n..eq.len()].to_vec()
}
