//! The force under a prescribed motion.

use super::disturbance::Disturbance;
use super::past::Slope;
use super::{InitialState, MotionRecord, TURNS};
use crate::error::FitError;
use crate::objective::predict::{Prediction, Question};
use crate::problem::unknown::Place;
use crate::test::preload::{displacement, shifted};
use masing_sim::{Column, Cycled, Motion, Prescribed, Repeat, TAPE_BUDGET};

/// The motion and the start that a record is simulated with.
struct Drive {
    motion: Motion,
    /// The motion before the record, if it is estimated; then `motion` contains it too.
    past: Option<Past>,
    /// How far it was shifted from where it was measured.
    by: f64,
    /// Start states, if they are estimated.
    state: Option<Vec<f64>>,
    /// d preload displacement/d value of the elements; empty if it does not depend on them.
    preload: Vec<f64>,
}

/// The samples before the record, and how they change with the turning points.
struct Past {
    before: usize,
    slopes: [Slope; TURNS],
}

impl Drive {
    fn new(question: &Question<'_>, rig: &MotionRecord) -> Result<Self, FitError> {
        let p = question.elements();
        let (pre, slope) = displacement(question.model, p, rig.preload, rig.amplitude(), true)?;
        let offset = question.sought(Place::MotionOffset(question.index));
        let by = pre + offset.map_or(0.0, |(_, by)| by);
        let mut motion = shifted(&rig.motion, by)?;
        let mut state = None;
        let mut past = None;
        if let Some(turns) = turns(question) {
            let whole = rig.with_past(turns, by)?;
            motion = whole.motion;
            past = Some(Past {
                before: whole.before,
                slopes: whole.slopes,
            });
        }
        for (u, &value) in question.unknowns.iter().zip(question.values) {
            if let Place::Start { target, state: at } = u.place
                && target == question.index
            {
                state.get_or_insert_with(|| rest(question, motion.x()[0]))[at] = value;
            }
        }
        Ok(Self {
            motion,
            past,
            by,
            state,
            preload: slope,
        })
    }
}

/// The turning points of the motion before the record, if they are sought.
fn turns(question: &Question<'_>) -> Option<[f64; TURNS]> {
    let mut turns = [0.0; TURNS];
    for (turn, value) in turns.iter_mut().enumerate() {
        let target = question.index;
        *value = question.sought(Place::Turn { target, turn })?.1;
    }
    Some(turns)
}

/// The state of all elements at rest.
fn rest(question: &Question<'_>, x: f64) -> Vec<f64> {
    let assembly = question.model.assembly();
    let mut z = vec![0.0; assembly.state_count()];
    assembly.rest(question.elements(), |_| x, &mut z);
    z
}

pub(super) fn predict(question: &Question<'_>, rig: &MotionRecord) -> Result<Prediction, FitError> {
    let drive = Drive::new(question, rig)?;
    let (n, count) = (rig.motion.len(), question.columns());
    let whole = drive.motion.len();
    let (ones, zeros) = (vec![1.0; whole], vec![0.0; whole]);
    let shift = Column::Motion {
        x: &ones,
        v: &zeros,
    };
    let (mut columns, mut of) = (Vec::new(), Vec::new());
    for (c, u) in question.unknowns.iter().enumerate().take(count) {
        let column = match u.place {
            Place::Param(index) if index < question.elements().len() => Column::Param(index),
            Place::Start { target, state } if target == question.index => Column::Start(state),
            Place::MotionOffset(target) if target == question.index => shift,
            Place::Turn { target, turn } if target == question.index => {
                let Some(past) = &drive.past else { continue };
                let slope = &past.slopes[turn];
                Column::Motion {
                    x: &slope.x,
                    v: &slope.v,
                }
            }
            _ => continue,
        };
        columns.push(column);
        of.push(c);
    }
    let moved = (count > 0 && !drive.preload.is_empty()).then_some(columns.len());
    columns.extend(moved.map(|_| shift));
    let (assembly, p) = (question.model.assembly(), question.elements());
    let mut own = match rig.initial {
        InitialState::Periodic => {
            let run_in = rig.run_in(drive.by)?;
            let cycled = Cycled {
                assembly,
                cycle: &drive.motion,
                run_in: run_in.as_ref(),
                numerics: rig.numerics,
            };
            cycled.tangent(p, Repeat::Times(rig.cycles), &columns)?.0
        }
        InitialState::AtRest | InitialState::Estimated => {
            let run = Prescribed::new(assembly, &drive.motion, rig.numerics);
            let run = match &drive.state {
                Some(state) => run.from_state(state),
                None => run,
            };
            if count > 0 {
                run.tangent(p, &columns)?
            } else {
                masing_sim::Linearised {
                    force: run.run(p)?,
                    jacobian: vec![],
                    columns: 0,
                }
            }
        }
    };
    let width = columns.len();
    if let Some(past) = &drive.past {
        own.force.drain(..past.before);
        own.jacobian
            .drain(..(past.before * width).min(own.jacobian.len()));
    }
    let mut out = Prediction {
        values: own.force,
        jacobian: vec![0.0; n * count],
    };
    if count > 0 {
        for i in 0..n {
            let row = &own.jacobian[i * width..(i + 1) * width];
            for (slope, &c) in row.iter().zip(&of) {
                out.jacobian[i * count + c] = *slope;
            }
            for (c, u) in question.unknowns.iter().enumerate() {
                if let (Place::Param(index), Some(moved)) = (u.place, moved)
                    && index < drive.preload.len()
                {
                    out.jacobian[i * count + c] += row[moved] * drive.preload[index];
                }
            }
        }
    }
    Disturbance::new(question, rig).apply(count, &mut out);
    Ok(out)
}

/// Whether the adjoint can be used: periodic responses and those with an estimated past use the
/// tangent.
pub(super) fn has_adjoint(question: &Question<'_>, rig: &MotionRecord) -> bool {
    rig.initial != InitialState::Periodic && turns(question).is_none()
}

pub(super) fn pull_back(
    question: &Question<'_>,
    rig: &MotionRecord,
    bar: &mut dyn FnMut(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, FitError> {
    let drive = Drive::new(question, rig)?;
    let run = Prescribed::new(question.model.assembly(), &drive.motion, rig.numerics);
    let run = match &drive.state {
        Some(state) => run.from_state(state),
        None => run,
    };
    let recorded = run.record(question.elements(), TAPE_BUDGET)?;
    let mut out = Prediction {
        values: recorded.force().to_vec(),
        jacobian: vec![],
    };
    let disturbance = Disturbance::new(question, rig);
    let stages = disturbance.apply(0, &mut out);
    let mut gradient = vec![0.0; question.unknowns.len()];
    let mut force_bar = bar(&out.values);
    disturbance.pull_back(&mut force_bar, &stages, &mut gradient);
    let own = recorded.pull_back(&force_bar)?;
    let moved: f64 = own.x.iter().sum();
    for (sum, u) in gradient.iter_mut().zip(question.unknowns) {
        match u.place {
            Place::Param(index) if index < own.params.len() => {
                *sum += own.params[index];
                *sum += moved * drive.preload.get(index).copied().unwrap_or(0.0);
            }
            Place::Start { target, state } if target == question.index => *sum += own.start[state],
            Place::MotionOffset(target) if target == question.index => *sum += moved,
            _ => {}
        }
    }
    Ok(gradient)
}
