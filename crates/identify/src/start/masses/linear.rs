//! The linear oscillator nearest to what was measured.
//!
//! m x'' + c x' + K x = load - m base'' holds for the filtered channels as well, whichever of
//! displacement, velocity and acceleration was measured: times s^d where the d-th derivative was. The
//! free motions of the filter account for any initial state. One linear least-squares problem for every
//! rate of the filter; the estimate whose simulated response is nearest to the measured one counts.

use super::filter::{Lagged, ORDER, beginnings};
use super::misfit::misfit;
use crate::search::svd::svd;
use crate::test::{Channel, DrivenMasses, Output};
use masing_data::range;
use masing_model::Masses;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// A linear oscillator and the size of its motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linear {
    pub(super) m: f64,
    pub(super) c: f64,
    pub(super) k: f64,
    /// Largest displacement.
    pub(super) amplitude: f64,
    /// Mean speed.
    pub(super) speed: f64,
}

/// Rates of the filter that are tried.
pub(super) const RATES: usize = 16;
/// Rows of the regression, about.
const ROWS: usize = 4000;
/// Damping ratio where none can be estimated.
const DAMPED: f64 = 0.05;

/// The estimate from all tests; `mass` if it is known.
pub(super) fn estimate(tests: &[&DrivenMasses], mass: Option<f64>) -> Option<Linear> {
    let shorter: Vec<DrivenMasses> = tests
        .iter()
        .map(|t| t.shortened().unwrap_or_else(|| (*t).clone()))
        .collect();
    let (slowest, fastest) = rates(&shorter)?;
    let mut best: Option<(f64, [f64; 3])> = None;
    for i in 0..RATES {
        let share = i as f64 / (RATES - 1) as f64;
        let rate = slowest * (fastest / slowest).powf(share);
        let Some(found) = regress(&shorter, mass, rate) else {
            continue;
        };
        let error = misfit(&shorter, &Masses::oscillator(), &found);
        if error < best.map_or(f64::INFINITY, |(e, _)| e) {
            best = Some((error, found));
        }
    }
    let [m, c, k] = best.map_or_else(|| by_size(&shorter, mass), |(_, found)| Some(found))?;
    let (amplitude, speed) = motion(&shorter, (k / m).sqrt())?;
    Some(Linear {
        m,
        c,
        k,
        amplitude,
        speed,
    })
}

/// Stiffness and motion around the masses of a structure, whose matrices are given.
pub(super) fn of_matrices(
    masses: &Masses,
    values: &[f64],
    tests: &[&DrivenMasses],
) -> Option<Linear> {
    let n = masses.dofs();
    let mean = |matrix: &[f64]| {
        let sum: f64 = (0..n).map(|i| matrix[i * n + i].abs()).sum();
        sum / n as f64
    };
    let (m, c) = (mean(&values[masses.m()]), mean(&values[masses.c()]));
    let k = mean(&values[masses.k()]);
    let owned: Vec<DrivenMasses> = tests.iter().map(|t| (*t).clone()).collect();
    let k = if k > 0.0 {
        k
    } else {
        by_size(&owned, Some(m))?[2]
    };
    let (amplitude, speed) = motion(&owned, (k / m).sqrt())?;
    Some(Linear {
        m,
        c,
        k,
        amplitude,
        speed,
    })
}

/// From a few periods in the record to a few samples in a period.
pub(super) fn rates(tests: &[DrivenMasses]) -> Option<(f64, f64)> {
    let each = tests.iter().map(|test| {
        let (t, n) = (test.load().time(), test.load().len());
        let duration = t[n - 1] - t[0];
        (TAU / duration, TAU * (n - 1) as f64 / (8.0 * duration))
    });
    let (slow, fast) = each.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))?;
    (fast > slow).then_some((slow, fast))
}

/// Which derivative of the displacement a channel is; `None` for forces.
pub(super) fn order(channel: &Channel) -> Option<usize> {
    match channel.output {
        Output::Displacement => Some(0),
        Output::Velocity => Some(1),
        Output::Acceleration => Some(2),
        Output::Force => None,
    }
}

/// Mass, damping and stiffness by linear least squares on channels filtered at a rate.
fn regress(tests: &[DrivenMasses], mass: Option<f64>, rate: f64) -> Option<[f64; 3]> {
    let blocks = tests
        .iter()
        .flat_map(|test| test.channels.iter().filter_map(|c| block(test, c, rate)));
    let blocks: Vec<Block> = blocks.collect();
    let count: usize = blocks.iter().map(|b| b.rows.len()).sum();
    let fixed = usize::from(mass.is_some());
    let free = 3 - fixed;
    let columns = free + ORDER * blocks.len();
    if count <= columns {
        return None;
    }
    let mut a = DMatrix::zeros(count, columns);
    let mut b = DVector::zeros(count);
    let mut row = 0;
    for (k, block) in blocks.iter().enumerate() {
        for equation in &block.rows {
            let known = mass.map_or(0.0, |m| m * equation.terms[0]);
            b[row] = (equation.load - known) / block.size;
            for (j, term) in equation.terms[fixed..].iter().enumerate() {
                a[(row, j)] = term / block.size;
            }
            for (j, value) in equation.beginnings.iter().enumerate() {
                a[(row, free + k * ORDER + j)] = *value;
            }
            row += 1;
        }
    }
    let found = least_squares(a, &b)?;
    let (m, rest) = match mass {
        Some(m) => (m, &found[..2]),
        None => (found[0], &found[1..3]),
    };
    let (c, k) = (rest[0], rest[1]);
    let sound = m > 0.0 && k > 0.0 && (m + k + c).is_finite();
    sound.then(|| [m, c.max(2.0 * 1e-3 * (k * m).sqrt()), k])
}

/// The equations of one channel.
struct Block {
    /// What the rows are divided by, so that tests count alike.
    size: f64,
    rows: Vec<Equation>,
}

/// One equation between filtered channels.
struct Equation {
    /// Factors of mass, damping and stiffness.
    terms: [f64; 3],
    load: f64,
    /// Free motions of the filter.
    beginnings: [f64; ORDER],
}

fn block(test: &DrivenMasses, channel: &Channel, rate: f64) -> Option<Block> {
    let d = order(channel)?;
    let (time, n) = (test.load().time(), test.load().len());
    let zeros = || vec![0.0; n];
    let base = test
        .load()
        .base_acceleration()
        .map_or_else(zeros, <[f64]>::to_vec);
    let mut load = zeros();
    for (_, values) in test.load().loads() {
        load.iter_mut().zip(values).for_each(|(sum, v)| *sum += v);
    }
    let mut own = without_gaps(&channel.measured)?;
    if d == 2 {
        // An acceleration is absolute; damping and stiffness see what is relative to the base.
        own.iter_mut().zip(&base).for_each(|(a, b)| *a -= b);
    }
    let own = Lagged::new(time, &own, rate);
    let base = Lagged::new(time, &base, rate);
    let load = Lagged::new(time, &load, rate);
    let stride = (n / ROWS).max(1);
    let rows: Vec<_> = (1..n)
        .step_by(stride)
        .map(|i| {
            let mass = own.derivative(2, i) + base.derivative(d, i);
            Equation {
                terms: [mass, own.derivative(1, i), own.derivative(0, i)],
                load: load.derivative(d, i),
                beginnings: beginnings(time[i] - time[0], rate),
            }
        })
        .collect();
    let mean = |f: fn(&Equation) -> f64| {
        let sum: f64 = rows.iter().map(|r| f(r).powi(2)).sum();
        (sum / rows.len() as f64).sqrt()
    };
    let size = match mean(|r| r.load) {
        0.0 => mean(|r| r.terms[0]),
        size => size,
    };
    (size > 0.0 && size.is_finite()).then_some(Block { size, rows })
}

/// Interpolates missing samples linearly; `None` if all are missing.
pub(super) fn without_gaps(values: &[f64]) -> Option<Vec<f64>> {
    let mut out = values.to_vec();
    let known: Vec<usize> = (0..values.len())
        .filter(|&i| values[i].is_finite())
        .collect();
    let (&first, &last) = (known.first()?, known.last()?);
    out[..first].fill(values[first]);
    out[last..].fill(values[last]);
    for pair in known.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        for i in a + 1..b {
            let share = (i - a) as f64 / (b - a) as f64;
            out[i] = values[a] + share * (values[b] - values[a]);
        }
    }
    Some(out)
}

/// The solution with normalised columns.
pub(super) fn least_squares(mut a: DMatrix<f64>, b: &DVector<f64>) -> Option<Vec<f64>> {
    let mut sizes = Vec::with_capacity(a.ncols());
    for mut column in a.column_iter_mut() {
        let size = column.norm();
        let size = if size > 0.0 { size } else { 1.0 };
        column /= size;
        sizes.push(size);
    }
    let qr = a.qr();
    let r = qr.r();
    let mut right = b.clone();
    qr.q_tr_mul(&mut right);
    let top = right.rows(0, r.ncols()).into_owned();
    let found = svd(&r).solve(&top, 1e-10).ok()?;
    let found: Vec<f64> = found.iter().zip(&sizes).map(|(x, size)| x / size).collect();
    found.iter().all(|x| x.is_finite()).then_some(found)
}

/// Sizes where no equation could be solved: static stiffness from load over motion, mass from the
/// rate of the motion.
fn by_size(tests: &[DrivenMasses], mass: Option<f64>) -> Option<[f64; 3]> {
    let rate = tests.iter().filter_map(zero_crossings).reduce(f64::max)?;
    let (amplitude, _) = motion(tests, rate)?;
    let peak = |values: &[f64]| values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let loads = tests.iter().flat_map(|t| t.load().loads());
    let load = loads.map(|(_, values)| peak(values)).fold(0.0, f64::max);
    let m = match mass {
        Some(m) => m,
        None if load > 0.0 => load / (amplitude * rate * rate),
        None => return None,
    };
    let k = m * rate * rate;
    Some([m, 2.0 * DAMPED * m * rate, k])
}

/// Angular frequency by counting how often the first channel crosses its mean.
pub(super) fn zero_crossings(test: &DrivenMasses) -> Option<f64> {
    let channel = test.channels.iter().find(|c| order(c).is_some())?;
    let own = without_gaps(&channel.measured)?;
    let mean = own.iter().sum::<f64>() / own.len() as f64;
    let signs = own.windows(2);
    let count = signs
        .filter(|w| (w[0] < mean) != (w[1] < mean))
        .count()
        .max(1);
    let (t, n) = (test.load().time(), test.load().len());
    Some(0.5 * TAU * count as f64 / (t[n - 1] - t[0]))
}

/// Largest displacement and mean speed, from whichever channel there is.
pub(super) fn motion(tests: &[DrivenMasses], rate: f64) -> Option<(f64, f64)> {
    let channels = tests.iter().flat_map(|t| &t.channels);
    let sizes = channels.filter_map(|channel| {
        let (low, high) = range(&channel.measured);
        let size = 0.5 * (high - low) / rate.powi(order(channel)? as i32);
        (size > 0.0 && size.is_finite()).then_some(size)
    });
    let amplitude = sizes.reduce(f64::max)?;
    // A sine of that size moves at 2/pi of its largest speed on average.
    Some((amplitude, amplitude * rate * 4.0 / TAU))
}
