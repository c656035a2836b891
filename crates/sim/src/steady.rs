//! Steady state under a periodic drive.
//!
//! The steady state is the one reached from rest: the drive is cycled until the state closes. The
//! map from one cycle to the next is singular for friction laws (stuck cells keep what they have),
//! so there is nothing for Newton to solve; its derivative is the tangent through those cycles.
//! Derivation: `docs/math/steady-state.md`.

use crate::columns::{Column, PartColumns};
use crate::error::SimError;
use crate::motion::Motion;
use crate::numerics::Numerics;
use crate::prescribed::{Carrier, Linearised, Prescribed};
use masing_model::{Assembly, Part, Tape};

/// When a response counts as periodic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closure {
    /// Largest change of a state over a cycle, relative to the largest state.
    pub tolerance: f64,
    /// Cycles after which to give up.
    pub cycles: usize,
}

impl Default for Closure {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            cycles: 20_000,
        }
    }
}

/// A periodic response.
#[derive(Clone, Debug, PartialEq)]
pub struct Steady {
    /// Force at the samples of the last cycle.
    pub force: Vec<f64>,
    /// State at its end, where the next cycle begins.
    pub state: Vec<f64>,
    /// Cycles that it took.
    pub cycles: usize,
}

/// When to stop repeating a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repeat {
    /// When the state closes.
    UntilClosed(Closure),
    /// After a fixed number, so that a cost stays smooth while parameters change.
    Times(usize),
}

/// A cycle that is repeated, and how it is reached.
#[derive(Clone, Copy, Debug)]
pub struct Cycled<'a> {
    /// The elements.
    pub assembly: &'a Assembly,
    /// One period of motion: first and last sample at the same displacement.
    pub cycle: &'a Motion,
    /// The run-in, which ends where the first cycle begins; without it the cycle starts at rest.
    pub run_in: Option<&'a Motion>,
    /// The sub-steps.
    pub numerics: Numerics,
}

/// Cycles one period of motion (first and last sample at the same displacement) from rest until the
/// state closes.
pub fn steady_state(
    assembly: &Assembly,
    p: &[f64],
    cycle: &Motion,
    numerics: Numerics,
    closure: Closure,
) -> Result<Steady, SimError> {
    Cycled {
        assembly,
        cycle,
        run_in: None,
        numerics,
    }
    .run(p, Repeat::UntilClosed(closure))
}

impl Cycled<'_> {
    /// Forces of the last cycle.
    pub fn run(&self, p: &[f64], repeat: Repeat) -> Result<Steady, SimError> {
        let (run, cycles) = run_cycles(self, p, repeat, &[])?;
        Ok(Steady {
            force: run.0.force,
            state: run.1,
            cycles,
        })
    }

    /// Forces of the last cycle with their derivatives along columns, and the number of cycles. A
    /// change of the motion acts on the run-in with its value at the first sample of the cycle.
    pub fn tangent(
        &self,
        p: &[f64],
        repeat: Repeat,
        columns: &[Column<'_>],
    ) -> Result<(Linearised, usize), SimError> {
        run_cycles(self, p, repeat, columns).map(|((run, _), cycles)| (run, cycles))
    }
}

/// States stepped (about a minute of work) after which a response counts as not periodic.
const MOST_WORK: usize = 1 << 29;

type Last = (Linearised, Vec<f64>);

fn run_cycles(
    cycled: &Cycled<'_>,
    p: &[f64],
    repeat: Repeat,
    columns: &[Column<'_>],
) -> Result<(Last, usize), SimError> {
    let (samples, count) = (cycled.cycle.len(), columns.len());
    Prescribed::new(cycled.assembly, cycled.cycle, cycled.numerics).check(p, columns)?;
    let mut sum = Linearised {
        force: vec![0.0; samples],
        jacobian: vec![0.0; samples * count],
        columns: count,
    };
    let mut state = vec![0.0; cycled.assembly.state_count()];
    let mut most = 1;
    let mut steps = 0;
    for part in cycled.assembly.parts() {
        let own_columns = PartColumns::new(part, columns);
        let own = run_part(cycled, part, p, repeat, columns, &own_columns, &mut steps)?;
        most = most.max(own.cycles);
        let width = own_columns.global.len();
        for i in 0..samples {
            sum.force[i] += own.force[i];
            for (c, &global) in own_columns.global.iter().enumerate() {
                sum.jacobian[i * count + global] += own.jacobian[i * width + c];
            }
        }
        state[part.states.clone()].copy_from_slice(&own.z);
    }
    Ok(((sum, state), most))
}

/// The last cycle of one element.
struct PartCycle {
    force: Vec<f64>,
    jacobian: Vec<f64>,
    z: Vec<f64>,
    cycles: usize,
}

/// Cycles one element; elements in parallel do not influence each other.
fn run_part(
    cycled: &Cycled<'_>,
    part: &Part,
    p: &[f64],
    repeat: Repeat,
    columns: &[Column<'_>],
    own_columns: &PartColumns<'_>,
    steps: &mut usize,
) -> Result<PartCycle, SimError> {
    let (cycle, numerics) = (cycled.cycle, cycled.numerics);
    let (samples, width) = (cycle.len(), own_columns.global.len());
    let cycles = Prescribed::new(cycled.assembly, cycle, numerics);
    let run = Prescribed::new(cycled.assembly, cycled.run_in.unwrap_or(cycle), numerics);
    let own = &p[part.params.clone()];
    let work = 1 + part.states.len();
    let mut tape = if width > 0 { Tape::on() } else { Tape::off() };
    let mut carrier = Carrier::new(part, own_columns, &run, p);
    let mut out = PartCycle {
        force: vec![0.0; samples],
        jacobian: vec![0.0; samples * width],
        z: run.start_of(part, p),
        cycles: 0,
    };
    if let Some(run_in) = cycled.run_in {
        let (x, v) = (constant_over(run_in, columns), vec![0.0; run_in.len()]);
        let columns = own_columns.moving_with(&x, &v);
        let mut before = Carrier::new(part, &columns, &run, p);
        let all = 0..run_in.len();
        run.sweep(part, p, all, &mut out.z, &mut tape, |taken, tape| {
            *steps += work;
            if width > 0 {
                before.push(own, taken, tape);
            }
        })?;
        carrier.z = before.z;
    }
    loop {
        let before = out.z.clone();
        let mut range = Range::of(&out.z);
        // The zero-length step at sample 0 belongs to the first cycle only; later cycles begin where
        // the one before ended.
        let first = usize::from(out.cycles > 0);
        if first == 1 {
            out.force[0] = out.force[samples - 1];
            out.jacobian.copy_within((samples - 1) * width.., 0);
        }
        for sample in first..samples {
            let one = sample..sample + 1;
            cycles.sweep(part, p, one, &mut out.z, &mut tape, |taken, tape| {
                *steps += work;
                if width > 0 {
                    carrier.push(own, taken, tape);
                }
                if taken.last() {
                    out.force[sample] = taken.force;
                    out.jacobian[sample * width..(sample + 1) * width]
                        .copy_from_slice(&carrier.force);
                }
            })?;
            range.widen(&out.z);
        }
        out.cycles += 1;
        if repeat.ends(out.cycles, range.change(&before, &out.z), *steps)? {
            return Ok(out);
        }
    }
}

impl Repeat {
    /// Whether to stop after that many cycles, with that change of the state in the last one.
    fn ends(self, cycles: usize, change: f64, steps: usize) -> Result<bool, SimError> {
        match self {
            Repeat::Times(times) => Ok(cycles >= times.max(1)),
            Repeat::UntilClosed(closure) if change <= closure.tolerance => Ok(true),
            Repeat::UntilClosed(closure) if cycles >= closure.cycles || steps > MOST_WORK => {
                Err(SimError::NotPeriodic { cycles, change })
            }
            Repeat::UntilClosed(_) => Ok(false),
        }
    }
}

/// The range of the states during a cycle.
struct Range {
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Range {
    fn of(z: &[f64]) -> Self {
        Self {
            low: z.to_vec(),
            high: z.to_vec(),
        }
    }

    fn widen(&mut self, z: &[f64]) {
        for (i, &z) in z.iter().enumerate() {
            self.low[i] = self.low[i].min(z);
            self.high[i] = self.high[i].max(z);
        }
    }

    /// Largest difference of two states relative to the largest size during the cycle: at its ends a
    /// state that sticks may be zero. States that never move (the reference of a chain) do not
    /// count.
    fn change(&self, before: &[f64], after: &[f64]) -> f64 {
        let moving = (0..after.len()).filter(|&i| self.high[i] > self.low[i]);
        let largest = moving.fold(0.0_f64, |m, i| {
            m.max(self.low[i].abs()).max(self.high[i].abs())
        });
        let pairs = after.iter().zip(before);
        let change = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        if change == 0.0 { 0.0 } else { change / largest }
    }
}

/// The changes of motion that act on the run-in: each with its value at the first sample of the cycle.
fn constant_over(run_in: &Motion, columns: &[Column<'_>]) -> Vec<Vec<f64>> {
    let samples = run_in.len();
    let of = |column: &Column<'_>| match column {
        Column::Motion { x, .. } => vec![x[0]; samples],
        _ => vec![],
    };
    columns.iter().map(of).collect()
}
