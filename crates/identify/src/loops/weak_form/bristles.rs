//! Starts for laws of bristles by regression.
//!
//! Bristles that follow the motion with a deflection d, s' = (v - |v| s) / d, make the force linear in
//! all other parameters, once d and the Stribeck speed are taken from a grid: F = fc s + (fs - fc) s
//! exp(-(v/vs)^2) + sigma1 (v - |v| s) + sigma2 v, and sigma0 = fs / d.

use super::{Path, ROWS, WeakStart, path};
use crate::loops::law::{Linear, beside_linear};
use crate::loops::regression::regress;
use crate::test::Test;
use masing_data::range;
use masing_model::{Law, Model};

/// Deflections over the largest amplitude.
const DEFLECTIONS: [f64; 9] = [0.002, 0.005, 0.012, 0.03, 0.07, 0.15, 0.3, 0.6, 1.2];
/// Stribeck speeds over the largest speed.
const SPEEDS: [f64; 7] = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.2];
/// Shares of the friction force below which nothing of it is left.
const LEAST_ONSET: f64 = 1e-3;

/// Starts by regression over all records, best first, and the element that has the bristles; `None` if
/// another law has memory too.
pub(crate) fn bristle_starts(model: &Model, tests: &[Test]) -> Option<(Vec<WeakStart>, usize)> {
    let (law, part, linear) = beside_linear(model.assembly(), Law::bristles)?;
    let paths: Vec<Path> = tests
        .iter()
        .enumerate()
        .filter_map(|(i, test)| path(i, test))
        .collect();
    let first = model.assembly().parts()[part].params.start;
    let mut starts = Vec::new();
    for deflection in grid(&paths, |p| &p.x, &DEFLECTIONS) {
        let bent: Vec<Vec<f64>> = paths.iter().map(|p| bristles(p, deflection)).collect();
        for vs in grid(&paths, |p| &p.v, &SPEEDS) {
            let own = solve(&paths, &bent, &linear, vs);
            starts.extend(own.map(|(own, theta, rest)| {
                let [fc, excess, sigma1, sigma2] = own;
                let fs = (fc + excess).max(LEAST_ONSET * fc);
                let mut values = model.element_values().to_vec();
                for (param, value) in [
                    (law.stiffness, fs / deflection),
                    (law.damping, sigma1),
                    (law.viscous, sigma2),
                    (law.friction, fc),
                    (law.onset, fs),
                    (law.speed, vs),
                ] {
                    values[first + param] = value;
                }
                for (l, theta) in linear.iter().zip(theta) {
                    values[l.param] = theta;
                }
                for (value, (_, param)) in values.iter_mut().zip(model.assembly().params()) {
                    *value = value.clamp(param.min, param.max);
                }
                let mut begin = vec![None; tests.len()];
                for p in &paths {
                    begin[p.test] = Some(p.force[0].clamp(-fs, fs));
                }
                WeakStart {
                    values,
                    begin,
                    rest,
                }
            }));
        }
    }
    starts.sort_by(|a, b| a.rest.total_cmp(&b.rest));
    Some((starts, part))
}

/// Shares of the largest half range of a channel.
fn grid(paths: &[Path], channel: impl Fn(&Path) -> &Vec<f64>, shares: &[f64]) -> Vec<f64> {
    let half = |p: &Path| {
        let (low, high) = range(channel(p));
        0.5 * (high - low)
    };
    let most = paths.iter().map(half).fold(0.0, f64::max);
    if most > 0.0 {
        shares.iter().map(|share| share * most).collect()
    } else {
        vec![]
    }
}

/// The bristles along a record, between -1 and 1, from rest.
fn bristles(path: &Path, deflection: f64) -> Vec<f64> {
    let mut out = Vec::with_capacity(path.x.len());
    let mut s = 0.0;
    for (i, x) in path.x.iter().enumerate() {
        let dx = x - path.x[i.saturating_sub(1)];
        let left = (-dx.abs() / deflection).exp();
        s = s * left + dx.signum() * (1.0 - left);
        out.push(s);
    }
    out
}

/// The parameters of the law other than deflection and Stribeck speed, those of the linear parts, and the
/// remaining sum of squares.
fn solve(
    paths: &[Path],
    bent: &[Vec<f64>],
    linear: &[Linear],
    vs: f64,
) -> Option<([f64; 4], Vec<f64>, f64)> {
    let samples = paths.iter().map(|p| p.x.len()).sum::<usize>();
    let stride = (samples / ROWS).max(1);
    // A dashpot beside the law is the same column as its viscous damping.
    let free: Vec<usize> = (0..linear.len())
        .filter(|&j| !linear[j].is_viscous())
        .collect();
    let mut columns = vec![Vec::with_capacity(ROWS); 4 + free.len()];
    let mut y = Vec::with_capacity(ROWS);
    for (p, bent) in paths.iter().zip(bent) {
        for i in (0..p.x.len()).step_by(stride) {
            let (s, v) = (bent[i], p.v[i]);
            let slow = (-(v / vs).powi(2)).exp();
            for (column, value) in columns.iter_mut().zip([s, s * slow, v - v.abs() * s, v]) {
                column.push(value);
            }
            for (column, &j) in columns[4..].iter_mut().zip(&free) {
                column.push(linear[j].at(p.x[i], v));
            }
            y.push(p.force[i]);
        }
    }
    let found = regress(&columns, &y)?;
    let own = [0, 1, 2, 3].map(|k| found.coefficients[k]);
    let mut theta = vec![0.0; linear.len()];
    for (&j, value) in free.iter().zip(&found.coefficients[4..]) {
        theta[j] = *value;
    }
    (own[0] > 0.0).then_some((own, theta, found.rest))
}
