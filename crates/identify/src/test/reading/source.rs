//! What every reader of a record checks: enough samples, no gaps, the window, how the file was understood.

use super::ReadError;
use masing_data::{Experiment, Preload, ReadOptions, Record, Window};
use masing_diagnostic::{Diagnostic, TestDiagnostic};
use masing_model::MotionKind;
use std::ops::Range;
use std::path::Path;

/// Two samples are a straight line, not a test.
pub const LEAST_SAMPLES: usize = 3;

/// A whole record whose motion or load has no gaps, and the samples that are compared; earlier samples
/// are their history.
#[derive(Debug)]
pub struct Whole {
    /// The file.
    pub experiment: Experiment,
    /// Its record.
    pub record: Record,
    /// The samples that count.
    pub window: Range<usize>,
}

impl Whole {
    /// Reads a file that has to hold a record over time.
    pub fn read(path: &Path, mut options: ReadOptions) -> Result<Self, ReadError> {
        let window = std::mem::take(&mut options.window);
        let experiment = masing_data::read(path, &options)?;
        let record = experiment.record()?.clone();
        record.require_samples(LEAST_SAMPLES)?;
        record.need_time()?;
        record.require_complete()?;
        let window = counting(&record, window)?;
        Ok(Self {
            experiment,
            record,
            window,
        })
    }
}

/// A record of which only the window is left, without gaps.
pub fn cut_record(
    path: &Path,
    mut options: ReadOptions,
) -> Result<(Experiment, Record), ReadError> {
    let window = std::mem::take(&mut options.window);
    let experiment = masing_data::read(path, &options)?;
    let record = masing_data::window(experiment.record()?.clone(), window)?;
    record.require_samples(LEAST_SAMPLES)?;
    record.require_complete()?;
    Ok((experiment, record))
}

/// The samples of a record that count.
pub(super) fn counting(record: &Record, window: Window) -> Result<Range<usize>, ReadError> {
    let counting = masing_data::window(record.clone(), window)?;
    counting.require_samples(LEAST_SAMPLES)?;
    let first = counting.first_row - record.first_row;
    Ok(first..first + counting.len())
}

/// Translation or rotation.
pub fn motion_of(rotation: bool) -> MotionKind {
    if rotation {
        MotionKind::Rotation
    } else {
        MotionKind::Translation
    }
}

/// A preload as it was given: `2.2mm` or `150N`.
pub fn preload_of(text: &str, rotation: bool) -> Result<Preload, ReadError> {
    Preload::parse(text, rotation).ok_or_else(|| ReadError::Preload {
        text: text.to_owned(),
        rotation,
    })
}

/// Samples without a force, which are left out.
pub fn missing_force(path: &Path, record: &Record, force: &[f64]) -> Option<Diagnostic> {
    let first = force.iter().position(|f| !f.is_finite())?;
    let missing = TestDiagnostic::MissingForce {
        missing: force.iter().filter(|f| !f.is_finite()).count(),
        of: force.len(),
        line: record.line(first),
    };
    Some(missing.in_file(path))
}

/// What was assumed about a file, below its name.
pub fn assumed(path: &Path, assumptions: &[String]) -> Vec<String> {
    let head = format!("read from {}", path.display());
    let below = assumptions.iter().map(|a| format!("  {a}"));
    std::iter::once(head).chain(below).collect()
}
