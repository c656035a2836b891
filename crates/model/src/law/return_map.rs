//! Laws given as the state after a step.

use super::{Law, constants, for_each_group, seeded, seeded_params};
use crate::element::{Cotangent, Coupling, Element, Step, Tangent, Tape};
use crate::error::StepError;
use crate::scalar::{LANES, Lanes, Scalar};

/// The motion over a step, with derivatives where the scalar carries them.
#[derive(Clone, Copy, Debug)]
pub struct Interval<S> {
    /// Duration (s).
    pub dt: f64,
    /// Displacement at start and end.
    pub x: [S; 2],
    /// Velocity at start and end.
    pub v: [S; 2],
}

impl<S: Scalar> Interval<S> {
    /// The displacement increment.
    pub fn dx(&self) -> S {
        self.x[1] - self.x[0]
    }
}

/// A law that gives the state after a step in closed form; also every law without memory.
pub trait ReturnMap: Law {
    /// Updates the state over the interval and returns the force at its end.
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S;

    /// The state at rest at `x`: memory unstrained. It must not depend on the parameters.
    fn rest<S: Scalar>(&self, x: S, z: &mut [S]) {
        let _ = x;
        z.fill(0.0.into());
    }

    /// See [`Element::coupling`].
    fn coupling(&self) -> Coupling<'_> {
        Coupling::Map
    }

    /// See [`Element::straight`].
    fn straight(&self) -> bool {
        false
    }

    /// See [`Element::guards`].
    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        let _ = (p, s, z0, z1, out);
    }
}

/// The element made of a [`ReturnMap`].
#[derive(Clone, Debug)]
pub struct Mapped<L>(pub L);

impl<L: ReturnMap> Element for Mapped<L> {
    made_of_law!();

    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        tape.push(z);
        let Step { dt, x, v } = *s;
        let force = self.0.step(p, &Interval { dt, x, v }, z);
        StepError::unless_finite(self.0.name(), s, force, z)
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        let columns = d.columns();
        let n = tape.len();
        for_each_group(columns, |group| {
            let p = seeded_params(p, d.param, &group);
            let row = |k: usize| d.motion.map(|m| m[k]);
            let interval = Interval {
                dt: s.dt,
                x: [
                    seeded(s.x[0], row(0), &group),
                    seeded(s.x[1], row(1), &group),
                ],
                v: [
                    seeded(s.v[0], row(2), &group),
                    seeded(s.v[1], row(3), &group),
                ],
            };
            let mut z: Vec<Lanes> = (0..n)
                .map(|i| seeded(tape[i], Some(&d.z[i * columns..(i + 1) * columns]), &group))
                .collect();
            let force = self.0.step(&p, &interval, &mut z);
            for (lane, column) in group.enumerate() {
                d.force[column] = force.eps[lane];
                for i in 0..n {
                    d.z[i * columns + column] = z[i].eps[lane];
                }
            }
        });
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        let n = tape.len();
        // Inputs in the order states, motion, parameters; unit derivatives, a group of inputs at a time.
        let mut before = vec![0.0; n];
        for_each_group(n + 4 + p.len(), |group| {
            let mut p = constants(p);
            let mut z = constants(tape);
            let mut m = constants(&[s.x[0], s.x[1], s.v[0], s.v[1]]);
            for (lane, input) in group.clone().enumerate() {
                let seed = if input < n {
                    &mut z[input]
                } else if input < n + 4 {
                    &mut m[input - n]
                } else {
                    &mut p[input - n - 4]
                };
                seed.eps[lane] = 1.0;
            }
            let interval = Interval {
                dt: s.dt,
                x: [m[0], m[1]],
                v: [m[2], m[3]],
            };
            let force = self.0.step(&p, &interval, &mut z);
            let mut share = [0.0; LANES];
            for (lane, out) in share.iter_mut().enumerate() {
                *out = bar.force * force.eps[lane];
                for i in 0..n {
                    *out += bar.z[i] * z[i].eps[lane];
                }
            }
            for (lane, input) in group.enumerate() {
                if input < n {
                    before[input] = share[lane];
                } else if input < n + 4 {
                    bar.motion[input - n] += share[lane];
                } else {
                    bar.p[input - n - 4] += share[lane];
                }
            }
        });
        bar.z.copy_from_slice(&before);
    }

    fn coupling(&self) -> Coupling<'_> {
        self.0.coupling()
    }

    fn straight(&self) -> bool {
        self.0.straight()
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        self.0.guards(p, s, z0, z1, out);
    }
}
