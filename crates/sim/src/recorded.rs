//! The discrete adjoint of a run under prescribed motion.
//!
//! The tape of the whole run is kept while it fits the budget. Beyond that only states at
//! checkpoints are kept; the adjoint then repeats one stretch after the other, from the last to the
//! first, with the tape of one stretch at a time. Repetition gives the same bits, because steps are
//! pure.

use crate::error::SimError;
use crate::prescribed::Prescribed;
use crate::sweep::Cut;
use masing_model::{Cotangent, Part, Tape};
use std::ops::Range;

/// Bytes of tape kept by default.
pub const TAPE_BUDGET: usize = 128 << 20;

/// A run whose adjoint can be taken.
#[derive(Debug)]
pub struct Recorded<'a> {
    run: Prescribed<'a>,
    p: &'a [f64],
    force: Vec<f64>,
    parts: Vec<Kept>,
}

/// What is kept of one element: stretches of the record, the state before each, and the tape of the
/// last one.
#[derive(Debug)]
struct Kept {
    stretches: Vec<Range<usize>>,
    states: Vec<Vec<f64>>,
    last: Stretch,
}

/// The tape of a stretch, and where each step begins on it.
#[derive(Debug)]
struct Stretch {
    tape: Tape,
    starts: Vec<usize>,
}

impl Default for Stretch {
    fn default() -> Self {
        Self {
            tape: Tape::on(),
            starts: Vec::new(),
        }
    }
}

impl Stretch {
    /// Values kept, bookkeeping included.
    fn len(&self) -> usize {
        self.tape.len() + self.starts.len()
    }
}

/// Sensitivities of a scalar function of the forces.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// To the parameters.
    pub params: Vec<f64>,
    /// To the state at the start (for a start at rest: to a change of that state).
    pub start: Vec<f64>,
    /// To the displacement at every sample.
    pub x: Vec<f64>,
    /// To the velocity at every sample.
    pub v: Vec<f64>,
}

impl<'a> Recorded<'a> {
    pub(crate) fn new(run: Prescribed<'a>, p: &'a [f64], budget: usize) -> Result<Self, SimError> {
        run.check(p, &[])?;
        let samples = run.motion.len();
        let mut force = vec![0.0; samples];
        let mut parts = Vec::with_capacity(run.assembly.parts().len());
        // Two tapes are alive at a time during the adjoint: that of the last stretch and the one being
        // repeated.
        let share = budget / 2 / size_of::<f64>() / run.assembly.parts().len().max(1);
        for part in run.assembly.parts() {
            let mut z = run.start_of(part, p);
            let mut kept = Kept {
                stretches: vec![],
                states: vec![],
                last: Stretch::default(),
            };
            let mut first = 0;
            while first < samples {
                kept.states.push(z.clone());
                // The room of the stretch before is used again: fresh memory is not free.
                let mut stretch = std::mem::take(&mut kept.last);
                stretch.tape.truncate(0);
                stretch.starts.clear();
                let mut end = first;
                // A stretch is closed before the sample that might outgrow its share of the budget.
                let mut largest = 0;
                while end < samples && (end == first || stretch.len() + largest <= share) {
                    let before = stretch.len();
                    sweep_into(&run, part, p, end..end + 1, &mut z, &mut stretch, |i, f| {
                        force[i] += f;
                    })?;
                    largest = largest.max(stretch.len() - before);
                    end += 1;
                    if end == first + 2 {
                        // The second sample shows what an interval needs; later ones need about as much.
                        stretch
                            .tape
                            .reserve(largest.saturating_mul(samples - end).min(share));
                    }
                }
                kept.stretches.push(first..end);
                kept.last = stretch;
                first = end;
            }
            parts.push(kept);
        }
        Ok(Self {
            run,
            p,
            force,
            parts,
        })
    }

    /// The force at every sample.
    pub fn force(&self) -> &[f64] {
        &self.force
    }

    /// Into how many stretches the record was cut to stay within the budget; 1 if nothing is repeated.
    pub fn stretches(&self) -> usize {
        self.parts
            .iter()
            .map(|k| k.stretches.len())
            .max()
            .unwrap_or(1)
    }

    /// Sensitivities of a scalar whose sensitivities to the forces are `force_bar`.
    pub fn pull_back(&self, force_bar: &[f64]) -> Result<Gradient, SimError> {
        let samples = self.run.motion.len();
        SimError::unless_long("force", force_bar.len(), samples)?;
        let mut out = Gradient {
            params: vec![0.0; self.run.assembly.param_count()],
            start: vec![0.0; self.run.assembly.state_count()],
            x: vec![0.0; samples],
            v: vec![0.0; samples],
        };
        let mut scratch = Vec::new();
        let mut repeated = Stretch::default();
        for (part, kept) in self.run.assembly.parts().iter().zip(&self.parts) {
            let mut z_bar = vec![0.0; part.states.len()];
            for (k, range) in kept.stretches.iter().enumerate().rev() {
                let stretch = if k + 1 == kept.stretches.len() {
                    &kept.last
                } else {
                    repeated.tape.truncate(0);
                    repeated.starts.clear();
                    let (mut z, range) = (kept.states[k].clone(), range.clone());
                    let (run, again) = (&self.run, &mut repeated);
                    sweep_into(run, part, self.p, range, &mut z, again, |_, _| ())?;
                    &repeated
                };
                self.reverse(
                    part,
                    range.clone(),
                    stretch,
                    force_bar,
                    &mut z_bar,
                    &mut out,
                    &mut scratch,
                );
            }
            out.start[part.states.clone()].copy_from_slice(&z_bar);
            if self.run.start.is_none() {
                let (own, x) = (&self.p[part.params.clone()], self.run.motion.x()[0]);
                let mut slope = vec![0.0; part.states.len()];
                let dot = |slope: &[f64]| slope.iter().zip(&z_bar).map(|(s, b)| s * b).sum::<f64>();
                part.element.rest_slope(own, x, &mut slope);
                out.x[0] += dot(&slope);
                for (k, sum) in out.params[part.params.clone()].iter_mut().enumerate() {
                    part.element.rest_by(own, x, k, &mut slope);
                    *sum += dot(&slope);
                }
            }
        }
        Ok(out)
    }

    /// Goes backwards through one stretch of one element.
    #[expect(
        clippy::too_many_arguments,
        reason = "the accumulators of one backward sweep"
    )]
    fn reverse(
        &self,
        part: &Part,
        range: Range<usize>,
        stretch: &Stretch,
        force_bar: &[f64],
        z_bar: &mut [f64],
        out: &mut Gradient,
        scratch: &mut Vec<f64>,
    ) {
        let own = &self.p[part.params.clone()];
        let mut index = stretch.starts.len();
        let mut end = stretch.tape.len();
        for i in range.rev() {
            let motion = self.run.motion;
            let parts = motion.parts(i, &self.run.numerics);
            let cut = Cut::new(&*part.element, motion, i, parts);
            for k in (0..cut.parts).rev() {
                index -= 1;
                let start = stretch.starts[index];
                let mut bar = Cotangent {
                    branch: 0.0,
                    force: if k + 1 == cut.parts {
                        force_bar[i]
                    } else {
                        0.0
                    },
                    z: z_bar,
                    p: &mut out.params[part.params.clone()],
                    motion: [0.0; 4],
                    scratch,
                };
                part.element.pull_back(
                    own,
                    &cut.step(k),
                    stretch.tape.between(start, end),
                    &mut bar,
                );
                end = start;
                let [x0, x1, v0, v1] = bar.motion;
                let (a, b) = (cut.fraction(k), cut.fraction(k + 1));
                let before = i.saturating_sub(1);
                out.x[before] += (1.0 - a) * x0 + (1.0 - b) * x1;
                out.x[i] += a * x0 + b * x1;
                out.v[before] += (1.0 - a) * v0 + (1.0 - b) * v1;
                out.v[i] += a * v0 + b * v1;
            }
        }
    }
}

/// Steps one element through the samples of `range`, keeping its tape.
fn sweep_into(
    run: &Prescribed<'_>,
    part: &Part,
    p: &[f64],
    range: Range<usize>,
    z: &mut [f64],
    stretch: &mut Stretch,
    mut force: impl FnMut(usize, f64),
) -> Result<(), SimError> {
    let Stretch { tape, starts } = stretch;
    run.sweep(part, p, range, z, tape, |taken, _| {
        starts.push(taken.tape_start);
        if taken.last() {
            force(taken.sample, taken.force);
        }
    })
}
