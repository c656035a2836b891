//! Where a series stands at rest: no memory strained, forces of the springs in balance.

use super::super::described::Placed;
use super::super::split::{Excess, Search, root};
use super::{NAME, Series};
use crate::element::{Step, Tangent, Tape};
use crate::error::StepError;

/// Force of an element at rest at `x` and its slope.
fn at_rest(child: &Placed, p: &[f64], x: f64) -> Result<[f64; 2], StepError> {
    let own = &p[child.params.clone()];
    let mut z = vec![0.0; child.states.len()];
    let mut tape = Tape::on();
    child.element.rest(own, x, &mut z);
    let force = child
        .element
        .advance(own, &Step::still(x, 0.0), &mut z, &mut tape)?;
    let mut slope = vec![0.0; z.len()];
    child.element.rest_slope(own, x, &mut slope);
    let slope = change(child, own, x, None, Some(&[1.0]), slope, &tape);
    Ok([force, slope])
}

/// Change of the force of an element at rest with a parameter or its place, and with its states.
fn change(
    child: &Placed,
    own: &[f64],
    x: f64,
    param: Option<usize>,
    dx: Option<&[f64]>,
    mut states: Vec<f64>,
    tape: &Tape,
) -> f64 {
    let mut force = [0.0];
    child.element.push_forward(
        own,
        &Step::still(x, 0.0),
        tape.from(0),
        &mut Tangent {
            param: &[param],
            motion: dx.map(|dx| [dx, dx, &[0.0], &[0.0]]),
            branch: None,
            z: &mut states,
            force: &mut force,
            scratch: &mut Vec::new(),
        },
    );
    force[0]
}

/// The split at rest at `x`. An element that bears no force at rest takes what a spring beside it
/// leaves; of two springs, each its share.
fn split(series: &Series, p: &[f64], x: f64) -> f64 {
    let [first, second] = series.ends();
    let from = match [first, second].map(|c| c.element.elastic()) {
        [false, true] => x,
        _ => 0.0,
    };
    let search = Search {
        start: from,
        reach: x,
        rounding: f64::EPSILON * x.abs(),
        noise: 0.0,
    };
    let found = root(NAME, search, |u| {
        let [f, df] = at_rest(first, p, u)?;
        let [g, dg] = at_rest(second, p, x - u)?;
        Ok(Excess {
            value: f - g,
            slope: df + dg,
            size: f.abs() + g.abs(),
        })
    });
    // Forces at rest that never balance belong to parameters that a check refuses.
    found.unwrap_or(from)
}

pub(super) fn rest(series: &Series, p: &[f64], x: f64, z: &mut [f64]) {
    let u = split(series, p, x);
    z[0] = u;
    for (child, x) in series.ends().into_iter().zip([u, x - u]) {
        let own = &p[child.params.clone()];
        child.element.rest(own, x, &mut z[child.states.clone()]);
    }
}

/// d state/d x, or d state/d parameter.
pub(super) fn slope(series: &Series, p: &[f64], x: f64, param: Option<usize>, slope: &mut [f64]) {
    let u = split(series, p, x);
    let ends = series.ends();
    let places = [u, x - u];
    let dx = f64::from(u8::from(param.is_none()));
    let stiffness = [0, 1].map(|i| at_rest(ends[i], p, places[i]).map_or(0.0, |[_, k]| k));
    let by_param = [0, 1].map(|i| match param {
        Some(k) if ends[i].params.contains(&k) => {
            let (child, x) = (ends[i], places[i]);
            let (own, k) = (&p[child.params.clone()], k - child.params.start);
            let mut z = vec![0.0; child.states.len()];
            let mut tape = Tape::on();
            child.element.rest(own, x, &mut z);
            let still = Step::still(x, 0.0);
            if child
                .element
                .advance(own, &still, &mut z, &mut tape)
                .is_err()
            {
                return 0.0;
            }
            let mut states = vec![0.0; z.len()];
            child.element.rest_by(own, x, k, &mut states);
            change(child, own, x, Some(k), None, states, &tape)
        }
        _ => 0.0,
    });
    let sum = stiffness[0] + stiffness[1];
    let du = if sum > 0.0 {
        (stiffness[1] * dx - by_param[0] + by_param[1]) / sum
    } else if !ends[0].element.elastic() && ends[1].element.elastic() {
        dx
    } else {
        0.0
    };
    slope[0] = du;
    for (i, (child, dx)) in ends.into_iter().zip([du, dx - du]).enumerate() {
        let own = &p[child.params.clone()];
        let part = &mut slope[child.states.clone()];
        child.element.rest_slope(own, places[i], part);
        for q in part.iter_mut() {
            *q *= dx;
        }
        if let Some(k) = param.filter(|k| child.params.contains(k)) {
            let mut by = vec![0.0; part.len()];
            child
                .element
                .rest_by(own, places[i], k - child.params.start, &mut by);
            for (q, by) in part.iter_mut().zip(by) {
                *q += by;
            }
        }
    }
}
