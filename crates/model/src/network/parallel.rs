//! Elements side by side: one displacement, forces add.

use super::described::{Child, Described, Placed};
use crate::element::{Cotangent, Coupling, Element, Step, Tangent, Tape};
use crate::error::StepError;
use crate::law::Law;
use crate::room::Room;
use std::ops::Range;

/// Elements in parallel, as one element: a branch of a series.
pub struct Parallel(Described);

impl Parallel {
    /// Elements side by side.
    pub fn new(children: Vec<Child>) -> Self {
        Self(Described::new("parallel", Vec::new(), children))
    }

    fn children(&self) -> &[Placed] {
        &self.0.children
    }
}

impl Element for Parallel {
    fn law(&self) -> &dyn Law {
        &self.0
    }

    fn rest(&self, p: &[f64], x: f64, z: &mut [f64]) {
        for c in self.children() {
            c.element
                .rest(&p[c.params.clone()], x, &mut z[c.states.clone()]);
        }
    }

    fn rest_slope(&self, p: &[f64], x: f64, slope: &mut [f64]) {
        for c in self.children() {
            let own = &mut slope[c.states.clone()];
            c.element.rest_slope(&p[c.params.clone()], x, own);
        }
    }

    fn rest_by(&self, p: &[f64], x: f64, k: usize, slope: &mut [f64]) {
        slope.fill(0.0);
        for c in self.children().iter().filter(|c| c.params.contains(&k)) {
            let own = &mut slope[c.states.clone()];
            let k = k - c.params.start;
            c.element.rest_by(&p[c.params.clone()], x, k, own);
        }
    }

    fn elastic(&self) -> bool {
        self.children().iter().any(|c| c.element.elastic())
    }

    fn grips(&self) -> bool {
        self.children().iter().any(|c| c.element.grips())
    }

    fn damped(&self) -> bool {
        self.children().iter().any(|c| c.element.damped())
    }

    fn exact(&self) -> bool {
        self.children().iter().all(|c| c.element.exact())
    }

    fn layered(&self) -> bool {
        let mut inexact = self.children().iter().filter(|c| !c.element.exact());
        inexact.all(|c| c.element.layered())
    }

    fn increment(&self, p: &[f64], speed: f64) -> f64 {
        let own = |c: &Placed| c.element.increment(&p[c.params.clone()], speed);
        self.children()
            .iter()
            .map(own)
            .fold(f64::INFINITY, f64::min)
    }

    fn response(
        &self,
        p: &[f64],
        s: &Step,
        along: [f64; 2],
        z: &mut [f64],
    ) -> Result<[f64; 2], StepError> {
        let mut sum = [0.0; 2];
        for c in self.children() {
            let own = &mut z[c.states.clone()];
            let [force, slope] = c.element.response(&p[c.params.clone()], s, along, own)?;
            sum = [sum[0] + force, sum[1] + slope];
        }
        Ok(sum)
    }

    /// Pushes what the children push, and after it how much each of them did.
    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        let mut force = 0.0;
        let mut lengths = Room::<f64, FEW>::new(0.0);
        let lengths = lengths.take(self.children().len());
        for (c, length) in self.children().iter().zip(&mut *lengths) {
            let start = tape.len();
            let own = &mut z[c.states.clone()];
            force += c.element.advance(&p[c.params.clone()], s, own, tape)?;
            *length = (tape.len() - start) as f64;
        }
        tape.push(lengths);
        Ok(force)
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        let columns = d.columns();
        let mut own_force = Room::<f64, FEW>::new(0.0);
        let own_force = own_force.take(columns);
        let mut param = Room::<Option<usize>, FEW>::new(None);
        let param = param.take(columns);
        d.force.fill(0.0);
        for (c, tape) in self.children().iter().zip(self.tapes(tape)) {
            number(d.param, &c.params, param);
            let mut own = Tangent {
                param,
                motion: d.motion,
                branch: d.branch,
                z: &mut d.z[c.states.start * columns..c.states.end * columns],
                force: own_force,
                scratch: d.scratch,
            };
            c.element
                .push_forward(&p[c.params.clone()], s, tape, &mut own);
            for (sum, own) in d.force.iter_mut().zip(&*own_force) {
                *sum += own;
            }
        }
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        for (c, tape) in self.children().iter().zip(self.tapes(tape)) {
            let mut own = Cotangent {
                force: bar.force,
                z: &mut bar.z[c.states.clone()],
                p: &mut bar.p[c.params.clone()],
                motion: bar.motion,
                branch: bar.branch,
                scratch: bar.scratch,
            };
            c.element.pull_back(&p[c.params.clone()], s, tape, &mut own);
            (bar.motion, bar.branch) = (own.motion, own.branch);
        }
    }

    fn coupling(&self) -> Coupling<'_> {
        self.0.coupling()
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        for c in self.children() {
            let (z0, z1) = (&z0[c.states.clone()], &z1[c.states.clone()]);
            c.element.guards(&p[c.params.clone()], s, z0, z1, out);
        }
    }
}

impl Parallel {
    /// The tapes of the children.
    fn tapes<'a>(&self, tape: &'a [f64]) -> impl Iterator<Item = &'a [f64]> {
        let (mut rest, lengths) = tape.split_at(tape.len() - self.children().len());
        lengths.iter().map(move |&len| {
            let (own, after) = rest.split_at(len as usize);
            rest = after;
            own
        })
    }
}

/// Columns, children and parameters of so many need no memory of their own.
pub(super) const FEW: usize = 16;

/// The parameters that columns perturb, in the numbering of a range of them.
pub(super) fn number(param: &[Option<usize>], range: &Range<usize>, own: &mut [Option<usize>]) {
    for (own, k) in own.iter_mut().zip(param) {
        *own = k.filter(|k| range.contains(k)).map(|k| k - range.start);
    }
}
