//! Sizes that a part on a test rig does not have: a unit is wrong.

use crate::cycles;
use crate::experiment::{Content, Experiment};
use crate::record::range;
use crate::record_kind::record_kind;
use masing_diagnostic::{Diagnostic, ImplausibleSize, RecordDiagnostic, RecordKind, thresholds};

/// Strokes, stiffnesses and frequencies of a record that are beyond what rigs and parts have.
pub fn implausible_sizes(experiment: &Experiment) -> impl Iterator<Item = Diagnostic> + use<> {
    let mut sizes = Vec::new();
    if let Content::Record(record) = &experiment.content
        && let (Some(x), false) = (record.motion(), record.rotation)
    {
        let (low, high) = range(x);
        if high - low > thresholds::LONG_STROKE {
            sizes.push(ImplausibleSize::Stroke(high - low));
        }
        let time = record.time.as_deref();
        let found = cycles::cycles(x, record.force(), time);
        let stiffness = found.iter().filter_map(|c| c.secant_stiffness);
        let stiffest = stiffness.fold(0.0, f64::max);
        if stiffest > thresholds::STIFF_PART {
            sizes.push(ImplausibleSize::Stiffness(stiffest));
        }
        let frequency = found.iter().filter_map(|c| c.frequency).reduce(f64::min);
        let frequency = frequency.filter(|_| record_kind(x) == RecordKind::Cycles);
        if let Some(slow) = frequency.filter(|f| *f <= thresholds::SLOW_CYCLE) {
            sizes.push(ImplausibleSize::Frequency(slow));
        }
    }
    let each = sizes.into_iter();
    each.map(|size| RecordDiagnostic::ImplausibleSize { size }.into())
}
