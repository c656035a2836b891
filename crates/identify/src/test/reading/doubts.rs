//! What makes a fit of a record doubtful, with advice.

use super::{Subject, TestSpec};
use crate::test::{MotionRecord, Nuisance};
use masing_data::{Experiment, Preload, Record, Role, UnitFrom, inspect};
use masing_diagnostic::{
    Diagnostic, FewSamplesSpoil, OtherTest, PreloadBy, ReadingDiagnostic, RecordDiagnostic,
    RecordKind, TestDiagnostic, thresholds,
};

/// The findings of `inspect` that would spoil a fit.
pub(super) fn inspected(spec: &TestSpec, experiment: &Experiment, out: &mut Vec<Diagnostic>) {
    let Ok(inspection) = inspect(experiment) else {
        return;
    };
    let known = spec.nuisance.motion_offset || spec.preload.is_some();
    for mut found in inspection.diagnostics {
        let matters = match &mut found {
            Diagnostic::Record(RecordDiagnostic::Offset { or_estimate, .. }) => {
                *or_estimate = true;
                !known
            }
            Diagnostic::Record(RecordDiagnostic::Averaged { .. }) => spec.filters.is_empty(),
            found => found.is_channel_fault(),
        };
        if matters {
            out.push(found.in_file(&spec.path));
        }
    }
}

/// Given units that contradict the file.
pub(super) fn units(record: &Record, out: &mut Vec<Diagnostic>) {
    for signal in &record.signals {
        let header = signal.column.split_once('[');
        let said = header.and_then(|(_, rest)| rest.split_once(']'));
        let Some((said, _)) = said.filter(|_| signal.unit_from == UnitFrom::Given) else {
            continue;
        };
        if said.trim() != signal.unit {
            let differs = ReadingDiagnostic::UnitDiffers {
                column: signal.column.clone(),
                given: signal.unit.clone(),
                in_file: said.trim().to_owned(),
            };
            out.push(differs.in_file(&record.source.file));
        }
    }
}

/// A part under preload that begins without force: the load cell was zeroed under it.
pub(super) fn zeroed(spec: &TestSpec, rig: &MotionRecord) -> Option<Diagnostic> {
    let first = rig.force.iter().copied().find(|f| f.is_finite())?;
    let (preload, none) = match rig.preload {
        Preload::Motion(0.0) | Preload::Force(0.0) => return None,
        Preload::Motion(x) => (PreloadBy::Motion(x), thresholds::NO_FORCE * rig.peak()),
        Preload::Force(f) => (PreloadBy::Force(f), thresholds::NO_PRELOAD * f.abs()),
    };
    let middle = thresholds::BEGINS_IN_MIDDLE * rig.amplitude();
    let from_middle = rig.motion.x()[0].abs() <= middle;
    if rig.nuisance.force_offset || first.abs() > none || !from_middle {
        return None;
    }
    Some(TestDiagnostic::ZeroedUnderPreload { preload, first }.in_file(&spec.path))
}

/// Speeds from too few samples in a cycle.
pub(super) fn few_samples(
    spec: &TestSpec,
    record: &Record,
    (kind, shortest): (RecordKind, Option<usize>),
    subject: &Subject,
) -> Option<Diagnostic> {
    let per_cycle = shortest.filter(|samples| *samples < thresholds::FEW_SAMPLES)?;
    let by_speed = !subject.rate_independent && record.velocity().is_none();
    let by_mass =
        spec.nuisance.moving_mass.is_some() && record.signal(Role::Acceleration).is_none();
    // A sine through h rad a sample: differences are short by the factor sin(h)/h.
    let h = std::f64::consts::TAU / per_cycle as f64;
    let short = (1.0 - h.sin() / h).max(0.01);
    let spoils = match (by_speed, by_mass) {
        (true, _) => FewSamplesSpoil::Speed(short),
        (false, true) => FewSamplesSpoil::Acceleration(short),
        (false, false) => return None,
    };
    let few = RecordDiagnostic::FewSamples {
        per_cycle,
        spoils,
        kind,
    };
    Some(few.in_file(&spec.path))
}

/// Nuisances are estimated only in records of motion and force.
pub(super) fn not_sought(spec: &TestSpec, test: OtherTest) -> Option<Diagnostic> {
    (spec.nuisance != Nuisance::default())
        .then(|| TestDiagnostic::NuisanceNotSought { test }.in_file(&spec.path))
}
