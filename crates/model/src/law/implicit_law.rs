//! Laws given as an implicit equation F(z', z, motion, p) = 0.
//!
//! A step is one SDIRK2 step (two stages, order 2, L-stable, stiffly accurate) along the straight
//! motion. The stages are solved by Newton in `f64`; derivatives come from the converged equations.
//! Derivation: `docs/math/sdirk-derivatives.md`.

use super::{Law, constants, for_each_group, seeded, seeded_params};
use crate::dense::Lu;
use crate::element::{Cotangent, Coupling, Element, Step, Tangent, Tape};
use crate::error::StepError;
use crate::scalar::{LANES, Lanes, Scalar};

/// Diagonal of the scheme, 1 - 1/sqrt(2); the other weight is 1 - GAMMA.
pub const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// Newton steps: 3 to 6 are usual; halved steps near kinks take more.
const MOST_ITERATIONS: usize = 60;

/// A law that relates the rates of its states to motion and states, without solving for them.
pub trait ImplicitLaw: Law {
    /// Writes the left sides of F(z', z, x, v, p) = 0, one per state.
    fn residual<S: Scalar>(&self, p: &[S], x: S, v: S, z: &[S], dz: &[S], r: &mut [S]);

    /// The force.
    fn force<S: Scalar>(&self, p: &[S], x: S, v: S, z: &[S]) -> S;

    /// Rates at which Newton starts, from motion and state alone.
    fn first_rates(&self, p: &[f64], x: f64, v: f64, z: &[f64], dz: &mut [f64]) {
        let _ = (p, x, v, z);
        dz.fill(0.0);
    }

    /// The state at rest at `x`: memory unstrained. It must not depend on the parameters.
    fn rest<S: Scalar>(&self, x: S, z: &mut [S]) {
        let _ = x;
        z.fill(0.0.into());
    }

    /// See [`Element::increment`].
    fn increment(&self, p: &[f64], speed: f64) -> f64 {
        let _ = (p, speed);
        f64::INFINITY
    }
}

/// The element made of an [`ImplicitLaw`].
#[derive(Clone, Debug)]
pub struct Solved<L>(pub L);

impl<L: ImplicitLaw> Element for Solved<L> {
    made_of_law!();
    stepped_implicitly!();

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Implicit
    }
}

/// Displacement at the instant of stage `i` and the speed of the straight motion.
fn stage_motion(s: &Step, stage: usize) -> (f64, f64) {
    let c = if stage == 0 { GAMMA } else { 1.0 };
    (
        s.x[0] + c * s.dx(),
        if s.dt > 0.0 { s.dx() / s.dt } else { 0.0 },
    )
}

/// Residual and matrix dF/dz' + h gamma dF/dz of a stage.
fn linearise<L: ImplicitLaw>(
    law: &L,
    p: &[Lanes],
    (x, v): (f64, f64),
    base: &[f64],
    kappa: f64,
    rates: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let n = rates.len();
    let mut residual = vec![0.0; n];
    let mut matrix = vec![0.0; n * n];
    let mut r = vec![Lanes::constant(0.0); n];
    for_each_group(n, |group| {
        let mut dz = constants(rates);
        let mut z: Vec<Lanes> = base
            .iter()
            .zip(rates)
            .map(|(b, k)| Lanes::constant(b + kappa * k))
            .collect();
        for (lane, j) in group.clone().enumerate() {
            dz[j].eps[lane] = 1.0;
            z[j].eps[lane] = kappa;
        }
        law.residual(p, x.into(), v.into(), &z, &dz, &mut r);
        for i in 0..n {
            residual[i] = r[i].re;
            for (lane, j) in group.clone().enumerate() {
                matrix[i * n + j] = r[i].eps[lane];
            }
        }
    });
    (residual, matrix)
}

fn norm(r: &[f64]) -> f64 {
    r.iter().fold(0.0, |m, q| {
        if q.is_nan() {
            f64::INFINITY
        } else {
            m.max(q.abs())
        }
    })
}

/// Newton with halved steps where the residual would grow.
fn solve_stage<L: ImplicitLaw>(
    law: &L,
    p: &[f64],
    motion: (f64, f64),
    base: &[f64],
    kappa: f64,
    rates: &mut [f64],
) -> Result<(), StepError> {
    let lanes = constants(p);
    let failure = |iterations, residual| StepError::NoConvergence {
        element: law.name(),
        iterations,
        residual,
    };
    let (mut residual, mut matrix) = linearise(law, &lanes, motion, base, kappa, rates);
    let mut size = norm(&residual);
    for iteration in 0..MOST_ITERATIONS {
        if size == 0.0 {
            return Ok(());
        }
        let lu = Lu::new(rates.len(), matrix).ok_or_else(|| failure(iteration, size))?;
        let mut move_by = residual;
        lu.solve(&mut move_by);
        let scale = rates.iter().fold(0.0_f64, |m, k| m.max(k.abs()));
        let done = norm(&move_by) <= 1e-13 * scale;
        let start = rates.to_vec();
        let mut share = 1.0;
        loop {
            for i in 0..rates.len() {
                rates[i] = start[i] - share * move_by[i];
            }
            (residual, matrix) = linearise(law, &lanes, motion, base, kappa, rates);
            let new = norm(&residual);
            if new < size || share < 1e-3 {
                size = new;
                break;
            }
            if done {
                rates.copy_from_slice(&start);
                return Ok(());
            }
            share *= 0.5;
        }
        if done {
            return Ok(());
        }
    }
    // Rounding may keep the residual from falling further: accept what moves by less than 1e-9, or what
    // the states do not show, which is all that is left of a rate once the law has relaxed.
    let lu = Lu::new(rates.len(), matrix).ok_or_else(|| failure(MOST_ITERATIONS, size))?;
    lu.solve(&mut residual);
    let scale = rates.iter().fold(0.0_f64, |m, k| m.max(k.abs()));
    let states = base.iter().zip(rates.iter());
    let unseen = states
        .zip(&residual)
        .all(|((b, k), by)| (kappa * by).abs() <= 4.0 * f64::EPSILON * (b + kappa * k).abs());
    if norm(&residual) <= 1e-9 * scale || unseen {
        Ok(())
    } else {
        Err(failure(MOST_ITERATIONS, size))
    }
}

/// One step; pushes start state and both stage rates.
pub(super) fn advance<L: ImplicitLaw>(
    law: &L,
    p: &[f64],
    s: &Step,
    z: &mut [f64],
    tape: &mut Tape,
) -> Result<f64, StepError> {
    let n = z.len();
    let kappa = s.dt * GAMMA;
    let mut rates = vec![0.0; n];
    if s.dt <= 0.0 {
        // No time passes: the state stays, and no rate is needed.
        tape.push(z);
        tape.push(&rates);
        tape.push(&rates);
        return finish(law, p, s, z);
    }
    let (_, speed) = stage_motion(s, 0);
    law.first_rates(p, s.x[0], speed, z, &mut rates);
    if rates.iter().any(|r| !r.is_finite()) {
        rates.fill(0.0);
    }
    tape.push(z);
    solve_stage(law, p, stage_motion(s, 0), z, kappa, &mut rates)?;
    tape.push(&rates);
    for i in 0..n {
        z[i] += s.dt * (1.0 - GAMMA) * rates[i];
    }
    solve_stage(law, p, stage_motion(s, 1), z, kappa, &mut rates)?;
    tape.push(&rates);
    for i in 0..n {
        z[i] += kappa * rates[i];
    }
    finish(law, p, s, z)
}

/// The force at the end of a step, if everything is finite.
fn finish<L: ImplicitLaw>(law: &L, p: &[f64], s: &Step, z: &[f64]) -> Result<f64, StepError> {
    let force = law.force(p, s.x[1], s.v[1], z);
    StepError::unless_finite(law.name(), s, force, z)
}

/// The parts of a recorded step: start state, rates of both stages.
fn recorded(tape: &[f64]) -> (usize, [&[f64]; 3]) {
    let n = tape.len() / 3;
    (n, [&tape[..n], &tape[n..2 * n], &tape[2 * n..3 * n]])
}

/// State before the share of stage `i` itself.
fn stage_base(s: &Step, [z0, k1, _]: [&[f64]; 3], stage: usize) -> Vec<f64> {
    let share = if stage == 0 {
        0.0
    } else {
        s.dt * (1.0 - GAMMA)
    };
    z0.iter().zip(k1).map(|(z, k)| z + share * k).collect()
}

pub(super) fn push_forward<L: ImplicitLaw>(
    law: &L,
    p: &[f64],
    s: &Step,
    tape: &[f64],
    d: &mut Tangent<'_>,
) {
    let (n, parts) = recorded(tape);
    let columns = d.columns();
    let kappa = s.dt * GAMMA;
    let lanes = constants(p);
    // d base/d column, then d z1/d column; the share of a stage is added when it is known.
    let stages = if s.dt > 0.0 { 2 } else { 0 };
    for stage in 0..stages {
        let base = stage_base(s, parts, stage);
        let rates = parts[1 + stage];
        let motion = stage_motion(s, stage);
        let (_, matrix) = linearise(law, &lanes, motion, &base, kappa, rates);
        let Some(lu) = Lu::new(n, matrix) else {
            d.z.fill(f64::NAN);
            d.force.fill(f64::NAN);
            return;
        };
        let (c, weight) = if stage == 0 {
            (GAMMA, s.dt * (1.0 - GAMMA))
        } else {
            (1.0, kappa)
        };
        for_each_group(columns, |group| {
            let p = seeded_params(p, d.param, &group);
            let mut x = Lanes::constant(motion.0);
            let mut v = Lanes::constant(motion.1);
            if let Some(m) = d.motion {
                for (lane, column) in group.clone().enumerate() {
                    let (x0, x1) = (m[0][column], m[1][column]);
                    x.eps[lane] = x0 + c * (x1 - x0);
                    v.eps[lane] = if s.dt > 0.0 { (x1 - x0) / s.dt } else { 0.0 };
                }
            }
            let dz = constants(rates);
            let z: Vec<Lanes> = (0..n)
                .map(|i| {
                    seeded(
                        base[i] + kappa * rates[i],
                        Some(&d.z[i * columns..(i + 1) * columns]),
                        &group,
                    )
                })
                .collect();
            let mut r = vec![Lanes::constant(0.0); n];
            law.residual(&p, x, v, &z, &dz, &mut r);
            let mut column_of = vec![0.0; n];
            for (lane, column) in group.enumerate() {
                for i in 0..n {
                    column_of[i] = -r[i].eps[lane];
                }
                lu.solve(&mut column_of);
                for i in 0..n {
                    d.z[i * columns + column] += weight * column_of[i];
                }
            }
        });
    }
    let z1: Vec<f64> = stage_base(s, parts, 1)
        .iter()
        .zip(parts[2])
        .map(|(b, k)| b + kappa * k)
        .collect();
    for_each_group(columns, |group| {
        let p = seeded_params(p, d.param, &group);
        let x = seeded(s.x[1], d.motion.map(|m| m[1]), &group);
        let v = seeded(s.v[1], d.motion.map(|m| m[3]), &group);
        let z: Vec<Lanes> = (0..n)
            .map(|i| seeded(z1[i], Some(&d.z[i * columns..(i + 1) * columns]), &group))
            .collect();
        let force = law.force(&p, x, v, &z);
        for (lane, column) in group.enumerate() {
            d.force[column] = force.eps[lane];
        }
    });
}

/// Inputs of residual or force in the order x, v, states, parameters, with unit derivatives for the
/// inputs of `group`.
fn unit_inputs(
    (x, v): (f64, f64),
    z: &[f64],
    p: &[f64],
    group: &std::ops::Range<usize>,
) -> (Lanes, Lanes, Vec<Lanes>, Vec<Lanes>) {
    let (mut x, mut v, mut z, mut p) = (
        Lanes::constant(x),
        Lanes::constant(v),
        constants(z),
        constants(p),
    );
    for (lane, input) in group.clone().enumerate() {
        let seed = match input {
            0 => &mut x,
            1 => &mut v,
            i if i < 2 + z.len() => &mut z[i - 2],
            i => &mut p[i - 2 - z.len()],
        };
        seed.eps[lane] = 1.0;
    }
    (x, v, z, p)
}

pub(super) fn pull_back<L: ImplicitLaw>(
    law: &L,
    p: &[f64],
    s: &Step,
    tape: &[f64],
    bar: &mut Cotangent<'_>,
) {
    let (n, parts) = recorded(tape);
    let kappa = s.dt * GAMMA;
    let lanes = constants(p);
    let inputs = 2 + n + p.len();
    let z1: Vec<f64> = stage_base(s, parts, 1)
        .iter()
        .zip(parts[2])
        .map(|(b, k)| b + kappa * k)
        .collect();
    let mut share = vec![0.0; inputs];
    for_each_group(inputs, |group| {
        let (x, v, z, p) = unit_inputs((s.x[1], s.v[1]), &z1, p, &group);
        let force = law.force(&p, x, v, &z);
        for (lane, input) in group.enumerate() {
            share[input] = bar.force * force.eps[lane];
        }
    });
    bar.motion[1] += share[0];
    bar.motion[3] += share[1];
    for i in 0..n {
        bar.z[i] += share[2 + i];
    }
    for (sum, own) in bar.p.iter_mut().zip(&share[2 + n..]) {
        *sum += own;
    }
    // bar.z is now the sensitivity to z1 = z0 + h (1-gamma) k1 + h gamma k2.
    let mut first_rate: Vec<f64> = bar.z.iter().map(|b| b * s.dt * (1.0 - GAMMA)).collect();
    let stages: &[usize] = if s.dt > 0.0 { &[1, 0] } else { &[] };
    for &stage in stages {
        let base = stage_base(s, parts, stage);
        let rates = parts[1 + stage];
        let motion = stage_motion(s, stage);
        let (_, matrix) = linearise(law, &lanes, motion, &base, kappa, rates);
        let Some(lu) = Lu::new(n, matrix) else {
            bar.z.fill(f64::NAN);
            return;
        };
        let mut weight: Vec<f64> = if stage == 1 {
            bar.z.iter().map(|b| b * kappa).collect()
        } else {
            first_rate.clone()
        };
        lu.solve_transposed(&mut weight);
        let z: Vec<f64> = base.iter().zip(rates).map(|(b, k)| b + kappa * k).collect();
        let dz = constants(rates);
        let mut r = vec![Lanes::constant(0.0); n];
        for_each_group(inputs, |group| {
            let (x, v, z, p) = unit_inputs(motion, &z, p, &group);
            law.residual(&p, x, v, &z, &dz, &mut r);
            let mut sums = [0.0; LANES];
            for i in 0..n {
                for (sum, e) in sums.iter_mut().zip(r[i].eps) {
                    *sum -= weight[i] * e;
                }
            }
            for (lane, input) in group.enumerate() {
                share[input] = sums[lane];
            }
        });
        let c = if stage == 0 { GAMMA } else { 1.0 };
        let by_speed = if s.dt > 0.0 { share[1] / s.dt } else { 0.0 };
        bar.motion[0] += (1.0 - c) * share[0] - by_speed;
        bar.motion[1] += c * share[0] + by_speed;
        for i in 0..n {
            bar.z[i] += share[2 + i];
            if stage == 1 {
                first_rate[i] += s.dt * (1.0 - GAMMA) * share[2 + i];
            }
        }
        for (sum, own) in bar.p.iter_mut().zip(&share[2 + n..]) {
            *sum += own;
        }
    }
}
