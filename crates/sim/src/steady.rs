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
use crate::sweep::sweep;
use masing_model::{Assembly, Tape};

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
    /// What comes before the first cycle, ending where that begins; at rest there without it.
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

/// The same with derivatives of the forces of the last cycle along the columns.
pub fn steady_tangent(
    assembly: &Assembly,
    p: &[f64],
    cycle: &Motion,
    numerics: Numerics,
    closure: Closure,
    columns: &[Column<'_>],
) -> Result<(Linearised, usize), SimError> {
    Cycled {
        assembly,
        cycle,
        run_in: None,
        numerics,
    }
    .tangent(p, Repeat::UntilClosed(closure), columns)
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
    let Cycled {
        assembly,
        cycle,
        run_in,
        numerics,
    } = *cycled;
    let (samples, count) = (cycle.len(), columns.len());
    Prescribed::new(assembly, cycle, numerics).check(p, columns)?;
    let run = Prescribed::new(assembly, run_in.unwrap_or(cycle), numerics);
    let before_cycle = constant_over(run_in, columns);
    let still = vec![0.0; run_in.map_or(0, Motion::len)];
    let mut sum = Linearised {
        force: vec![0.0; samples],
        jacobian: vec![0.0; samples * count],
        columns: count,
    };
    let mut state = vec![0.0; assembly.state_count()];
    let mut most = 1;
    let mut steps = 0;
    let mut tape = if count > 0 { Tape::on() } else { Tape::off() };
    let mut force = vec![0.0; samples];
    for part in assembly.parts() {
        let own = &p[part.params.clone()];
        let own_columns = PartColumns::new(part, columns);
        let work = 1 + part.states.len();
        let mut carrier = Carrier::new(part, &own_columns, &run, p);
        let mut jacobian = vec![0.0; samples * own_columns.global.len()];
        let mut z = run.start_of(part, p);
        let width = own_columns.global.len();
        if let Some(run_in) = run_in {
            let columns = own_columns.moving_with(&before_cycle, &still);
            let mut before = Carrier::new(part, &columns, &run, p);
            let drive = (run_in, &numerics);
            sweep(
                &*part.element,
                own,
                drive,
                0..run_in.len(),
                &mut z,
                &mut tape,
                |taken, tape| {
                    steps += work;
                    if count > 0 {
                        before.push(own, taken, tape);
                    }
                },
            )?;
            carrier.z = before.z;
        }
        let mut taken_cycles = 0;
        loop {
            let before = z.clone();
            let (mut low, mut high) = (z.clone(), z.clone());
            // The zero-length step at sample 0 belongs to the first cycle only; later cycles begin
            // where the one before ended.
            let first = usize::from(taken_cycles > 0);
            if first == 1 {
                force[0] = force[samples - 1];
                jacobian.copy_within((samples - 1) * width.., 0);
            }
            for sample in first..samples {
                let drive = (cycle, &numerics);
                sweep(
                    &*part.element,
                    own,
                    drive,
                    sample..sample + 1,
                    &mut z,
                    &mut tape,
                    |taken, tape| {
                        steps += work;
                        if count > 0 {
                            carrier.push(own, taken, tape);
                        }
                        if taken.last() {
                            force[sample] = taken.force;
                            jacobian[sample * width..(sample + 1) * width]
                                .copy_from_slice(&carrier.force);
                        }
                    },
                )?;
                for (i, &z) in z.iter().enumerate() {
                    low[i] = low[i].min(z);
                    high[i] = high[i].max(z);
                }
            }
            taken_cycles += 1;
            // Sizes during the cycle, not at its ends, where a part that sticks is back at nothing;
            // states that never move (the reference of a chain) do not count.
            let largest = (0..z.len())
                .filter(|&i| high[i] > low[i])
                .fold(0.0_f64, |m, i| m.max(low[i].abs()).max(high[i].abs()));
            let change = z
                .iter()
                .zip(&before)
                .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            match repeat {
                Repeat::Times(times) if taken_cycles >= times.max(1) => break,
                Repeat::Times(_) => {}
                Repeat::UntilClosed(closure) => {
                    if change <= closure.tolerance * largest {
                        break;
                    }
                    if taken_cycles >= closure.cycles || steps > MOST_WORK {
                        return Err(SimError::NotPeriodic {
                            cycles: taken_cycles,
                            change: change / largest,
                        });
                    }
                }
            }
        }
        most = most.max(taken_cycles);
        for i in 0..samples {
            sum.force[i] += force[i];
            for (c, &global) in own_columns.global.iter().enumerate() {
                sum.jacobian[i * count + global] += jacobian[i * own_columns.global.len() + c];
            }
        }
        state[part.states.clone()].copy_from_slice(&z);
    }
    Ok(((sum, state), most))
}

/// The changes of motion that act on the run-in: each with its value at the first sample of the cycle.
fn constant_over(run_in: Option<&Motion>, columns: &[Column<'_>]) -> Vec<Vec<f64>> {
    let samples = run_in.map_or(0, Motion::len);
    let of = |column: &Column<'_>| match column {
        Column::Motion { x, .. } => vec![x[0]; samples],
        _ => vec![],
    };
    columns.iter().map(of).collect()
}
