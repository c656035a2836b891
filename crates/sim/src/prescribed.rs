//! Forces under a prescribed motion, with tangent and adjoint.
//!
//! Elements in parallel do not influence each other, so each is run through the whole record on its
//! own and the forces are added.

use crate::columns::{Column, PartColumns};
use crate::error::SimError;
use crate::motion::Motion;
use crate::numerics::Numerics;
use crate::recorded::Recorded;
use crate::sweep::{Taken, sweep};
use masing_model::{Assembly, Part, Tangent, Tape};
use std::ops::Range;

/// An assembly driven by a motion.
#[derive(Clone, Copy, Debug)]
pub struct Prescribed<'a> {
    pub(crate) assembly: &'a Assembly,
    pub(crate) motion: &'a Motion,
    pub(crate) numerics: Numerics,
    pub(crate) start: Option<&'a [f64]>,
}

/// Forces and their derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearised {
    /// Force at every sample.
    pub force: Vec<f64>,
    /// d force/d column, sample by sample: `jacobian[i * columns + c]`.
    pub jacobian: Vec<f64>,
    /// Number of columns.
    pub columns: usize,
}

impl<'a> Prescribed<'a> {
    /// From rest at the first sample.
    pub fn new(assembly: &'a Assembly, motion: &'a Motion, numerics: Numerics) -> Self {
        Self {
            assembly,
            motion,
            numerics,
            start: None,
        }
    }

    /// From a given state.
    pub fn from_state(self, start: &'a [f64]) -> Self {
        Self {
            start: Some(start),
            ..self
        }
    }

    /// Checks lengths and indices before any step.
    pub(crate) fn check(&self, p: &[f64], columns: &[Column<'_>]) -> Result<(), SimError> {
        let (params, states) = (self.assembly.param_count(), self.assembly.state_count());
        let length = SimError::unless_long;
        length("parameters", p.len(), params)?;
        length("start", self.start.map_or(states, <[f64]>::len), states)?;
        for column in columns {
            let (what, index, count) = match *column {
                Column::Param(index) => ("parameter", index, params),
                Column::Start(index) => ("start state", index, states),
                Column::Motion { x, v } => {
                    length("displacement", x.len(), self.motion.len())?;
                    length("velocity", v.len(), self.motion.len())?;
                    continue;
                }
            };
            if index >= count {
                return Err(SimError::Column { what, index, count });
            }
        }
        Ok(())
    }

    /// The state of one element at the start.
    pub(crate) fn start_of(&self, part: &Part, p: &[f64]) -> Vec<f64> {
        match self.start {
            Some(start) => start[part.states.clone()].to_vec(),
            None => {
                let mut z = vec![0.0; part.states.len()];
                part.element
                    .rest(&p[part.params.clone()], self.motion.x()[0], &mut z);
                z
            }
        }
    }

    /// Steps one element through the intervals that end at the samples of `range`.
    pub(crate) fn sweep(
        &self,
        part: &Part,
        p: &[f64],
        range: Range<usize>,
        z: &mut [f64],
        tape: &mut Tape,
        visit: impl FnMut(&Taken, &mut Tape),
    ) -> Result<(), SimError> {
        let (own, drive) = (&p[part.params.clone()], (self.motion, &self.numerics));
        sweep(&*part.element, own, drive, range, z, tape, visit)
    }

    /// The force at every sample.
    pub fn run(&self, p: &[f64]) -> Result<Vec<f64>, SimError> {
        self.run_to(p).map(|(force, _)| force)
    }

    /// The force at every sample, and the state after the last one.
    pub fn run_to(&self, p: &[f64]) -> Result<(Vec<f64>, Vec<f64>), SimError> {
        self.check(p, &[])?;
        let mut force = vec![0.0; self.motion.len()];
        let mut end = vec![0.0; self.assembly.state_count()];
        let mut tape = Tape::off();
        for part in self.assembly.parts() {
            let mut z = self.start_of(part, p);
            let all = 0..self.motion.len();
            self.sweep(part, p, all, &mut z, &mut tape, |taken, _| {
                if taken.last() {
                    force[taken.sample] += taken.force;
                }
            })?;
            end[part.states.clone()].copy_from_slice(&z);
        }
        Ok((force, end))
    }

    /// Forces with their derivatives along all columns at once.
    pub fn tangent(&self, p: &[f64], columns: &[Column<'_>]) -> Result<Linearised, SimError> {
        self.check(p, columns)?;
        let count = columns.len();
        let mut out = Linearised {
            force: vec![0.0; self.motion.len()],
            jacobian: vec![0.0; self.motion.len() * count],
            columns: count,
        };
        let mut tape = Tape::on();
        for part in self.assembly.parts() {
            let own_columns = PartColumns::new(part, columns);
            let own = &p[part.params.clone()];
            let mut z = self.start_of(part, p);
            let mut carrier = Carrier::new(part, &own_columns, self, p);
            let all = 0..self.motion.len();
            self.sweep(part, p, all, &mut z, &mut tape, |taken, tape| {
                carrier.push(own, taken, tape);
                if taken.last() {
                    out.force[taken.sample] += taken.force;
                    for (c, &global) in own_columns.global.iter().enumerate() {
                        out.jacobian[taken.sample * count + global] += carrier.force[c];
                    }
                }
            })?;
        }
        Ok(out)
    }

    /// Forces, kept with what the adjoint needs; the tape stays within `budget` bytes.
    pub fn record(&self, p: &'a [f64], budget: usize) -> Result<Recorded<'a>, SimError> {
        Recorded::new(*self, p, budget)
    }
}

/// Derivatives of one element, carried through a record.
pub(crate) struct Carrier<'a> {
    part: &'a Part,
    columns: &'a PartColumns<'a>,
    /// States by columns.
    pub(crate) z: Vec<f64>,
    /// d force/d column after the last step.
    pub(crate) force: Vec<f64>,
    motion: [Vec<f64>; 4],
    scratch: Vec<f64>,
}

impl<'a> Carrier<'a> {
    pub(crate) fn new(
        part: &'a Part,
        columns: &'a PartColumns<'a>,
        run: &Prescribed<'_>,
        p: &[f64],
    ) -> Self {
        let (n, count) = (part.states.len(), columns.global.len());
        let mut z = vec![0.0; n * count];
        let (own, x) = (&p[part.params.clone()], run.motion.x()[0]);
        let rests = run.start.is_none() && n > 0;
        for c in 0..count {
            if let Some(state) = columns.start[c] {
                z[state * count + c] = 1.0;
            }
            let mut slope = vec![0.0; n];
            let by = match (columns.motion[c], columns.param[c]) {
                (Some((dx, _)), _) if rests => {
                    part.element.rest_slope(own, x, &mut slope);
                    dx[0]
                }
                (None, Some(k)) if rests => {
                    part.element.rest_by(own, x, k, &mut slope);
                    1.0
                }
                _ => continue,
            };
            for i in 0..n {
                z[i * count + c] += slope[i] * by;
            }
        }
        let motion = std::array::from_fn(|_| vec![0.0; count]);
        Self {
            part,
            columns,
            z,
            force: vec![0.0; count],
            motion,
            scratch: Vec::new(),
        }
    }

    /// Pushes the derivatives through the step just taken and clears its tape.
    pub(crate) fn push(&mut self, p: &[f64], taken: &Taken, tape: &mut Tape) {
        let moves = self.columns.moves();
        if moves {
            let (a, b) = (
                taken.cut.fraction(taken.part),
                taken.cut.fraction(taken.part + 1),
            );
            for (c, change) in self.columns.motion.iter().enumerate() {
                let Some((dx, dv)) = change else { continue };
                let i = taken.sample;
                let before = i.saturating_sub(1);
                let at = |q: &[f64], s: f64| q[before] + s * (q[i] - q[before]);
                self.motion[0][c] = at(dx, a);
                self.motion[1][c] = at(dx, b);
                self.motion[2][c] = at(dv, a);
                self.motion[3][c] = at(dv, b);
            }
        }
        let mut tangent = Tangent {
            branch: None,
            param: &self.columns.param,
            motion: moves.then(|| std::array::from_fn(|k| self.motion[k].as_slice())),
            z: &mut self.z,
            force: &mut self.force,
            scratch: &mut self.scratch,
        };
        self.part
            .element
            .push_forward(p, &taken.step, tape.from(taken.tape_start), &mut tangent);
        tape.truncate(taken.tape_start);
    }
}
