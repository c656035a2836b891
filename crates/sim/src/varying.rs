//! Forces under a prescribed motion while conditions change.
//!
//! The parameters of an interval are those at its end. A step of no motion clips states at limits that have come down, so
//! that the force follows a condition also while the part stands still. The stepper does the same one step at a time.

use crate::choose::choose;
use crate::error::SimError;
use crate::motion::Motion;
use crate::numerics::Numerics;
use crate::prescribed::Prescribed;
use masing_model::{Levels, Model, Tape};

/// Levels of conditions over the samples of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VaryingLevels {
    /// Levels that stay.
    pub constant: Levels,
    /// A condition and its level at every sample.
    pub varying: Vec<(String, Vec<f64>)>,
}

impl VaryingLevels {
    /// The levels at a sample.
    pub fn at(&self, sample: usize) -> Levels {
        let mut levels = self.constant.clone();
        for (name, values) in &self.varying {
            levels.insert(name.clone(), values[sample]);
        }
        levels
    }

    /// As many levels as samples, all finite.
    fn check(&self, samples: usize) -> Result<(), SimError> {
        for (_, values) in &self.varying {
            SimError::unless_long("condition", values.len(), samples)?;
            if let Some(index) = values.iter().position(|v| !v.is_finite()) {
                let (channel, value) = ("condition", values[index]);
                return Err(SimError::NotFinite {
                    channel,
                    index,
                    value,
                });
            }
        }
        Ok(())
    }
}

/// The force at every sample and the state after the last one, from rest or from a given state.
pub fn run_varying(
    model: &Model,
    motion: &Motion,
    levels: &VaryingLevels,
    numerics: Numerics,
    start: Option<&[f64]>,
) -> Result<(Vec<f64>, Vec<f64>), SimError> {
    levels.check(motion.len())?;
    let assembly = model.assembly();
    let mut run = Prescribed::new(assembly, motion, numerics);
    if let Some(start) = start {
        run = run.from_state(start);
    }
    let mut force = vec![0.0; motion.len()];
    let mut end = vec![0.0; assembly.state_count()];
    let mut tape = Tape::off();
    for sample in 0..motion.len() {
        let now = model.at(&levels.at(sample))?;
        let p = now.element_values();
        if sample == 0 {
            run.check(p, &[])?;
            for part in assembly.parts() {
                end[part.states.clone()].copy_from_slice(&run.start_of(part, p));
            }
        }
        for part in assembly.parts() {
            let z = &mut end[part.states.clone()];
            run.sweep(part, p, sample..sample + 1, z, &mut tape, |taken, _| {
                if taken.last() {
                    force[taken.sample] += taken.force;
                }
            })?;
        }
    }
    Ok((force, end))
}

/// Sub-steps that follow a motion at the first and last levels, and at the lowest and highest of every condition.
pub fn choose_varying(
    model: &Model,
    motion: &Motion,
    levels: &VaryingLevels,
    accuracy: f64,
) -> Result<Numerics, SimError> {
    levels.check(motion.len())?;
    let mut samples = vec![0, motion.len().saturating_sub(1)];
    for (_, values) in &levels.varying {
        let each = || values.iter().enumerate();
        samples.extend(each().min_by(|a, b| a.1.total_cmp(b.1)).map(|(i, _)| i));
        samples.extend(each().max_by(|a, b| a.1.total_cmp(b.1)).map(|(i, _)| i));
    }
    samples.sort_unstable();
    samples.dedup();
    let mut finest = Numerics::default();
    for sample in samples {
        let now = model.at(&levels.at(sample))?;
        let own = choose(now.assembly(), now.element_values(), motion, accuracy)?;
        finest.increment = finest.increment.min(own.increment);
        finest.max_dt = finest.max_dt.min(own.max_dt);
    }
    Ok(finest)
}
