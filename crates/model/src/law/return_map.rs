//! Laws given as the state after a step.

use super::{Law, for_each_group, seed, seeded};
use crate::element::{Cotangent, Coupling, Element, Flow, Step, Tangent, Tape};
use crate::error::StepError;
use crate::room::Room;
use crate::scalar::{Dual, LANES, Lanes, Scalar};

/// The motion over a step, with derivatives where the scalar carries them.
#[derive(Clone, Copy, Debug)]
pub struct Interval<S> {
    /// Duration (s).
    pub dt: f64,
    /// Displacement at start and end.
    pub x: [S; 2],
    /// Velocity at start and end.
    pub v: [S; 2],
    /// The displacement increment of the series that the law stands in; its own where there is none.
    pub branch: S,
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

    /// See [`Element::grips`].
    fn grips(&self) -> bool {
        false
    }

    /// See [`Element::coupling`].
    fn coupling(&self) -> Coupling<'_> {
        Coupling::Map
    }

    /// See [`Element::flow`].
    fn flow(&self) -> Option<&dyn Flow> {
        match self.coupling() {
            Coupling::Flow(flow) => Some(flow),
            Coupling::Map | Coupling::Implicit => None,
        }
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

/// Parameters and states that need no memory of their own; the widest numbers are long.
const FEW: usize = 16;
const FEW_WIDE: usize = 8;

/// Parameters and states as numbers with derivatives, all of which are zero.
fn lifted<'a, const W: usize, const N: usize>(
    p: &[f64],
    z: &[f64],
    room: &'a mut Room<Dual<W>, N>,
) -> (&'a mut [Dual<W>], &'a mut [Dual<W>]) {
    let all = room.take(p.len() + z.len());
    for (slot, &value) in all.iter_mut().zip(p.iter().chain(z)) {
        *slot = Dual::constant(value);
    }
    all.split_at_mut(p.len())
}

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
        let Step { dt, x, v, branch } = *s;
        let branch = branch.unwrap_or(s.dx());
        let force = self.0.step(p, &Interval { dt, x, v, branch }, z);
        StepError::unless_finite(self.0.name(), s, force, z)
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        let columns = d.columns();
        let n = tape.len();
        let mut room = Room::<Lanes, FEW_WIDE>::new(Lanes::constant(0.0));
        for_each_group(columns, |group| {
            let (p, z) = lifted(p, tape, &mut room);
            for (lane, column) in group.clone().enumerate() {
                if let Some(k) = d.param[column] {
                    p[k].eps[lane] = 1.0;
                }
            }
            for (i, z) in z.iter_mut().enumerate() {
                seed(z, &d.z[i * columns..][group.clone()]);
            }
            let row = |k: usize| d.motion.map(|m| m[k]);
            let x = [
                seeded(s.x[0], row(0), &group),
                seeded(s.x[1], row(1), &group),
            ];
            let v = [
                seeded(s.v[0], row(2), &group),
                seeded(s.v[1], row(3), &group),
            ];
            let branch = match s.branch {
                Some(dx) => seeded(dx, d.branch, &group),
                None => x[1] - x[0],
            };
            let dt = s.dt;
            let interval = Interval { dt, x, v, branch };
            let force = self.0.step(p, &interval, z);
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
        // Inputs in the order states, motion and branch, parameters; unit derivatives, a group of inputs at a time.
        let mut before = Room::<f64, FEW>::new(0.0);
        let before = before.take(n);
        let mut room = Room::<Lanes, FEW_WIDE>::new(Lanes::constant(0.0));
        for_each_group(n + 5 + p.len(), |group| {
            let (p, z) = lifted(p, tape, &mut room);
            let branch = s.branch.unwrap_or(0.0);
            let mut m = [s.x[0], s.x[1], s.v[0], s.v[1], branch].map(Lanes::constant);
            for (lane, input) in group.clone().enumerate() {
                let seed = if input < n {
                    &mut z[input]
                } else if input < n + 5 {
                    &mut m[input - n]
                } else {
                    &mut p[input - n - 5]
                };
                seed.eps[lane] = 1.0;
            }
            let interval = Interval {
                dt: s.dt,
                x: [m[0], m[1]],
                v: [m[2], m[3]],
                branch: if s.branch.is_some() {
                    m[4]
                } else {
                    m[1] - m[0]
                },
            };
            let force = self.0.step(p, &interval, z);
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
                } else if input == n + 4 {
                    bar.branch += share[lane];
                } else {
                    bar.p[input - n - 5] += share[lane];
                }
            }
        });
        bar.z.copy_from_slice(before);
    }

    fn response(
        &self,
        p: &[f64],
        s: &Step,
        along: [f64; 2],
        z: &mut [f64],
    ) -> Result<[f64; 2], StepError> {
        let end = |re: f64, slope: f64| Dual { re, eps: [slope] };
        let mut room = Room::<Dual<1>, FEW>::new(Dual::constant(0.0));
        let (values, states) = lifted(p, z, &mut room);
        let x = [s.x[0].into(), end(s.x[1], along[0])];
        let v = [s.v[0].into(), end(s.v[1], along[1])];
        let branch = s.branch.map_or(x[1] - x[0], Dual::from);
        let dt = s.dt;
        let force = self.0.step(values, &Interval { dt, x, v, branch }, states);
        for (z, state) in z.iter_mut().zip(states.iter()) {
            *z = state.re;
        }
        StepError::unless_finite(self.0.name(), s, force.re, z).map(|re| [re, force.eps[0]])
    }

    fn grips(&self) -> bool {
        self.0.grips()
    }

    fn coupling(&self) -> Coupling<'_> {
        self.0.coupling()
    }

    fn flow(&self) -> Option<&dyn Flow> {
        self.0.flow()
    }

    fn straight(&self) -> bool {
        self.0.straight()
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        self.0.guards(p, s, z0, z1, out);
    }
}
