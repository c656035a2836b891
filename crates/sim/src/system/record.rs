//! The discrete adjoint: sensitivities of any function of a run, pulled back through its micro-steps.
//!
//! The state before every micro-step is kept, the stages are recomputed on the way back. A record
//! too long for the budget keeps only the states at some samples, about the square root of the number
//! of micro-steps apart, and runs one stretch between two of them again at a time; the same bits come
//! out, because steps are pure.

use super::driven::{Driven, Response};
use super::explicit::Explicit;
use super::implicit::Implicit;
use super::load::Instant;
use super::march::{Pull, Scheme, Taken, Watch, failed, march};
use crate::error::SimError;

/// Sensitivities of a scalar to the rows of a [`Response`], laid out as there; empty means zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// To the displacements.
    pub displacement: Vec<f64>,
    /// To the velocities.
    pub velocity: Vec<f64>,
    /// To the accelerations, relative and absolute alike.
    pub acceleration: Vec<f64>,
    /// To the forces of the elements.
    pub force: Vec<f64>,
}

/// Sensitivities of the scalar to what the run started from.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// To all values: of the assembly, then of the masses.
    pub params: Vec<f64>,
    /// To the initial states of the elements.
    pub start: Vec<f64>,
}

/// A run and what its adjoint needs.
#[derive(Debug)]
pub struct Recorded<'a> {
    driven: &'a Driven<'a>,
    p: &'a [f64],
    response: Response,
    /// States at the first sample of every stretch, and at the last sample of the run.
    checkpoints: Vec<f64>,
    /// Intervals in a stretch.
    stride: usize,
    /// The micro-steps, if all of them are kept.
    kept: Option<Trace>,
}

/// The micro-steps of a stretch.
#[derive(Debug, Default)]
struct Trace {
    /// States before the micro-steps, and after the last.
    states: Vec<f64>,
    steps: Vec<(Instant, f64)>,
}

impl Trace {
    /// Room for that many micro-steps: growing by doubling might exceed the budget.
    fn with_room(steps: usize, len: usize) -> Self {
        Self {
            states: Vec::with_capacity(steps * len),
            steps: Vec::with_capacity(steps),
        }
    }
}

impl<'s, S: Scheme<'s>> Watch<S> for Trace {
    fn begun(&mut self, _: &mut S, _: Option<usize>, y: &[f64], at: Instant) {
        self.states.extend_from_slice(y);
        self.steps.push((at, 0.0));
    }

    fn taken(&mut self, _: &mut S, h: f64) {
        if let Some(last) = self.steps.last_mut() {
            last.1 = h;
        }
    }
}

/// Keeps rows and micro-steps of a run.
struct Keeping {
    response: Response,
    checkpoints: Vec<f64>,
    stride: usize,
    kept: Option<Trace>,
}

impl<'s, S: Scheme<'s>> Watch<S> for Keeping {
    fn begun(&mut self, scheme: &mut S, sample: Option<usize>, y: &[f64], at: Instant) {
        self.response.begun(scheme, sample, y, at);
        let last = scheme.equations().drive.samples() - 1;
        if sample.is_some_and(|s| s == last || s % self.stride == 0) {
            self.checkpoints.extend_from_slice(y);
        }
        if let Some(trace) = &mut self.kept {
            trace.begun(scheme, sample, y, at);
        }
    }

    fn taken(&mut self, scheme: &mut S, h: f64) {
        self.response.taken(scheme, h);
        if let Some(trace) = &mut self.kept {
            trace.taken(scheme, h);
        }
    }
}

impl<'a> Recorded<'a> {
    pub(super) fn new<'s, S: Scheme<'s>>(
        driven: &'a Driven<'a>,
        p: &'a [f64],
        mut scheme: S,
    ) -> Result<Self, SimError> {
        let drive = &driven.drive;
        let intervals = drive.samples() - 1;
        let steps: usize = (0..intervals)
            .map(|i| driven.numerics.parts(0.0, drive.dt(i)))
            .sum();
        let row = size_of::<f64>() * scheme.len() + size_of::<(Instant, f64)>();
        // Located kinks add micro-steps; twice the count of sub-steps is rarely reached.
        let all = steps.saturating_mul(2).saturating_mul(row) <= driven.budget;
        let stride = if all {
            intervals
        } else {
            // As many checkpoints as micro-steps in a stretch.
            let per_interval = steps as f64 / intervals as f64;
            ((intervals as f64 / per_interval).sqrt().ceil() as usize).clamp(1, intervals)
        };
        let mut y = driven.started(&mut scheme)?;
        let mut watch = Keeping {
            response: Response::new(scheme.equations()),
            checkpoints: Vec::new(),
            stride,
            kept: all.then(|| Trace::with_room(steps + steps / 16, scheme.len())),
        };
        driven.run_through(&mut scheme, &mut y, &mut watch)?;
        Ok(Self {
            driven,
            p,
            response: watch.response,
            checkpoints: watch.checkpoints,
            stride,
            kept: watch.kept,
        })
    }

    /// The run.
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// Whether parts of the run are recomputed on the way back.
    pub fn is_checkpointed(&self) -> bool {
        self.kept.is_none()
    }

    /// Bytes kept for the way back.
    pub fn bytes(&self) -> usize {
        let kept = self.kept.as_ref().map_or(0, |t| {
            size_of_val(&t.states[..]) + size_of_val(&t.steps[..])
        });
        size_of_val(&self.checkpoints[..]) + kept
    }

    /// Pulls sensitivities to the rows of the run back to values and initial states.
    pub fn pull_back(&self, bar: &Outputs) -> Result<Gradient, SimError> {
        let rows = [
            ("displacement", bar.displacement.len(), self.response.dofs),
            ("velocity", bar.velocity.len(), self.response.dofs),
            ("acceleration", bar.acceleration.len(), self.response.dofs),
            ("force", bar.force.len(), self.response.parts),
        ];
        for (channel, found, width) in rows {
            let expected = self.response.samples() * width;
            if found != 0 {
                SimError::unless_long(channel, found, expected)?;
            }
        }
        let eq = self.driven.equations(self.p)?;
        if self.driven.is_implicit() {
            self.pull_back_with(Implicit::new(eq), bar)
        } else {
            self.pull_back_with(Explicit::new(eq), bar)
        }
    }

    fn pull_back_with<'s, S: Pull<'s>>(
        &self,
        mut scheme: S,
        out: &Outputs,
    ) -> Result<Gradient, SimError> {
        let (drive, len) = (&self.driven.drive, scheme.len());
        let (n, parts) = (self.response.dofs, self.response.parts);
        let last = drive.samples() - 1;
        let fail = |sample: usize| move |f| failed(drive, sample, f);
        let mut to_p = vec![0.0; self.p.len()];
        let mut bar = vec![0.0; len];
        let zeros = vec![0.0; n.max(parts)];
        let observed = |sample: usize| {
            (
                row(&out.acceleration, n, sample, &zeros),
                row(&out.force, parts, sample, &zeros),
            )
        };
        let add_motion = |sample: usize, bar: &mut [f64]| {
            let q = row(&out.displacement, n, sample, &zeros).iter();
            let v = row(&out.velocity, n, sample, &zeros);
            for (bar, out) in bar.iter_mut().zip(q.chain(v)) {
                *bar += out;
            }
        };
        scheme.keep_tape(true);
        let y = &self.checkpoints[self.checkpoints.len() - len..];
        scheme
            .pull_observed(y, drive.instant(last), observed(last), &mut bar, &mut to_p)
            .map_err(fail(last))?;
        add_motion(last, &mut bar);
        let mut again = Trace::default();
        for stretch in (0..last.div_ceil(self.stride)).rev() {
            let intervals = stretch * self.stride..last.min((stretch + 1) * self.stride);
            let trace = match &self.kept {
                Some(trace) => trace,
                None => {
                    again.states.clear();
                    again.steps.clear();
                    let mut y = self.checkpoints[stretch * len..(stretch + 1) * len].to_vec();
                    let numerics = &self.driven.numerics;
                    march(&mut scheme, numerics, intervals, &mut y, &mut again)?;
                    again.states.extend_from_slice(&y);
                    &again
                }
            };
            for (i, &(at, h)) in trace.steps.iter().enumerate().rev() {
                // The last sample of a run that was kept whole stands there without a step.
                if h == 0.0 {
                    continue;
                }
                let taken = Taken {
                    at,
                    h,
                    before: &trace.states[i * len..(i + 1) * len],
                    after: &trace.states[(i + 1) * len..(i + 2) * len],
                };
                let sample = at.interval;
                let opens = at.since == 0.0;
                scheme
                    .pull_back(&taken, opens.then(|| observed(sample)), &mut bar, &mut to_p)
                    .map_err(fail(sample + 1))?;
                if opens {
                    add_motion(sample, &mut bar);
                }
            }
        }
        let start = scheme
            .pull_start(self.driven.start(), &mut bar, &mut to_p)
            .map_err(fail(0))?;
        Ok(Gradient {
            params: to_p,
            start,
        })
    }
}

/// The row of a sample, or zeros.
fn row<'r>(rows: &'r [f64], width: usize, sample: usize, zeros: &'r [f64]) -> &'r [f64] {
    if rows.is_empty() {
        &zeros[..width]
    } else {
        &rows[sample * width..(sample + 1) * width]
    }
}
