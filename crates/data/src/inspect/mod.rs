//! What is in a record, and what is wrong with it, before anything is fitted.

pub use sizes::implausible_sizes;

use crate::cycles::{self, Block, Cycle, Reversal};
use crate::error::DataError;
use crate::experiment::{Content, Experiment};
use crate::harmonic::HarmonicPoint;
use crate::record::{Record, range};
use crate::record_kind;
use crate::ring::{self, RingPoint};
use crate::role::Role;
use crate::signal::{self, Noise, Skew};
use crate::timing::{self, Spacing};
use masing_diagnostic::{Diagnostic, RecordKind};

mod averaged;
mod channel_faults;
mod checks;
mod loop_shape;
mod sizes;

/// Everything `inspect` tells about one test.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inspection {
    /// Samples, or rows of a table.
    pub samples: usize,
    /// How its motion goes; `None` for a table.
    pub kind: Option<RecordKind>,
    /// How time is spaced, if there is time.
    pub spacing: Option<Spacing>,
    /// Middle of the motion, m or rad.
    pub offset: f64,
    /// Frequency of the largest block, or the median one of a free decay, Hz, if there is time.
    pub frequency: Option<f64>,
    /// Noise of the motion from its differences, m or rad.
    pub motion_noise: f64,
    /// Noise of the force from repeated cycles, if there are enough.
    pub force_noise: Option<Noise>,
    /// Delay of the force behind the motion, where it can be told.
    pub skew: Option<Skew>,
    /// Turning points of the motion.
    pub reversals: Vec<Reversal>,
    /// Full cycles; none of a free decay, which has no like ones.
    pub cycles: Vec<Cycle>,
    /// Cycles that were left out because of a gap in time.
    pub broken_cycles: usize,
    /// Groups of like cycles.
    pub blocks: Vec<Block>,
    /// The stabilised cycle, by index.
    pub stabilised: Option<usize>,
    /// Dynamic stiffness and loss angle of each block, or the rows of a table.
    pub harmonic: Vec<HarmonicPoint>,
    /// Frequency and damping against amplitude, for records without force.
    pub ring_down: Vec<RingPoint>,
    /// What a user should know, those of the reader included.
    pub diagnostics: Vec<Diagnostic>,
}

/// Inspects a test. Refuses what cannot be a test: two samples, no motion at all.
pub fn inspect(experiment: &Experiment) -> Result<Inspection, DataError> {
    let mut diagnostics = experiment.diagnostics.clone();
    match &experiment.content {
        Content::Harmonic(table) => Ok(Inspection {
            samples: table.points.len(),
            harmonic: table.points.clone(),
            diagnostics,
            ..Inspection::default()
        }),
        Content::Record(record) => {
            let mut inspection = of_record(record)?;
            if !diagnostics.iter().any(Diagnostic::is_undone) {
                inspection.diagnostics.extend(averaged::diagnostics(record));
            }
            diagnostics.append(&mut inspection.diagnostics);
            inspection.diagnostics = diagnostics;
            Ok(inspection)
        }
    }
}

/// The channel cycles are looked for in: motion, or what stands for it in a response record.
fn driver(record: &Record) -> Result<(&[f64], bool), DataError> {
    if let Some(x) = record.motion() {
        return Ok((x, true));
    }
    let response = [Role::Acceleration, Role::Velocity]
        .into_iter()
        .find_map(|role| record.signal(role));
    match response {
        Some(signal) => Ok((&signal.values, false)),
        None => record.need_motion().map(|x| (x, true)),
    }
}

fn of_record(record: &Record) -> Result<Inspection, DataError> {
    record.require_samples(3)?;
    let (x, is_motion) = driver(record)?;
    if is_motion {
        record.require_motion()?;
    }
    let time = record.time.as_deref();
    let force = if is_motion { record.force() } else { None };
    let reversals = cycles::reversals(x, cycles::threshold(x));
    let ring_down = match (force, time) {
        (None, Some(time)) if record.signal(Role::Load).is_none() => ring::ring_down(time, x),
        _ => Vec::new(),
    };
    let decay = ring::is_decay(&ring_down);
    let (found, broken_cycles) = if decay {
        (Vec::new(), 0)
    } else {
        cycles::with_gaps(x, force, time)
    };
    let blocks = cycles::blocks(&found);
    // Of equally long blocks the first: a decaying record ends in cycles that say little.
    let largest = blocks.iter().rev().max_by_key(|b| b.cycles.len());
    let frequency = if decay {
        ring::frequency(&ring_down)
    } else {
        largest.and_then(|b| b.frequency)
    };
    let offset = ring::middle(&reversals)
        .filter(|_| decay)
        .unwrap_or_else(|| cycles::offset(x));
    let moving = force.filter(|f| !cycles::is_constant(range(f)));
    let force_noise = moving
        .zip(largest)
        .and_then(|(f, b)| signal::noise::from_cycles(f, &found, b));
    let skew = moving.and_then(|f| signal::skew(f, &reversals));
    let harmonic = blocks
        .iter()
        .filter_map(|b| harmonic_point(&found, b))
        .collect();
    let mut inspection = Inspection {
        samples: record.len(),
        kind: Some(record_kind::of(x, &reversals)),
        spacing: time.and_then(timing::spacing),
        offset,
        frequency,
        motion_noise: signal::noise::from_differences(x),
        force_noise,
        skew,
        reversals,
        stabilised: cycles::stabilised(&found),
        cycles: found,
        broken_cycles,
        blocks,
        harmonic,
        ring_down,
        diagnostics: Vec::new(),
    };
    let mut diagnostics = checks::channels(record, &inspection);
    if let Some(force) = moving {
        diagnostics.extend(channel_faults::diagnostics(record, x, force, &inspection));
        diagnostics.extend(loop_shape::diagnostics(record, x, force, &inspection));
    }
    inspection.diagnostics = diagnostics;
    Ok(inspection)
}

/// Mean first-harmonic answer of the settled cycles of a block.
fn harmonic_point(cycles: &[Cycle], block: &Block) -> Option<HarmonicPoint> {
    let settled =
        &cycles[(block.cycles.start + block.run_in).min(block.cycles.end - 1)..block.cycles.end];
    let (mut re, mut im, mut count) = (0.0, 0.0, 0.0);
    for (size, angle) in settled
        .iter()
        .filter_map(|c| c.dynamic_stiffness.zip(c.loss_angle))
    {
        re += size * angle.cos();
        im += size * angle.sin();
        count += 1.0;
    }
    (count > 0.0).then(|| HarmonicPoint {
        frequency: block.frequency.unwrap_or(f64::NAN),
        amplitude: block.amplitude,
        stiffness: re.hypot(im) / count,
        loss_angle: im.atan2(re),
        preload: None,
    })
}

#[cfg(test)]
mod tests;
