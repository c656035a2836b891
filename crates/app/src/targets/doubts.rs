//! What about a record makes a fit of it doubtful, with the remedy.

use super::{Subject, TestSpec};
use masing_data::{Experiment, Finding, Preload, Record, Role, UnitFrom, inspect};
use masing_identify::{MotionRecord, Names, Nuisance};
use masing_model::MotionKind;
use masing_report::figures::rounded;

/// What `inspect` finds that a fit would suffer from; the rest is told there.
pub fn inspected(spec: &TestSpec, experiment: &Experiment, out: &mut Vec<Finding>) {
    let Ok(inspection) = inspect(experiment) else {
        return;
    };
    let known = spec.nuisance.motion_offset || spec.preload.is_some();
    for finding in inspection.findings {
        let remedy = match finding.code {
            "offset" if !known => ", `--nuisance displacement-offset` finds it with the fit",
            "clipped" => "",
            _ => continue,
        };
        let text = format!("{}: {}{remedy}", spec.path.display(), finding.message);
        out.push(Finding::new(finding.code, text));
    }
}

/// Units that were given against what the file says.
pub fn units(record: &Record, out: &mut Vec<Finding>) {
    for signal in &record.signals {
        let header = signal.column.split_once('[');
        let said = header.and_then(|(_, rest)| rest.split_once(']'));
        let Some((said, _)) = said.filter(|_| signal.unit_from == UnitFrom::Given) else {
            continue;
        };
        if said.trim() != signal.unit {
            let text = format!(
                "{}: column `{}` is read in {} as asked for, although the file says {}",
                record.source.file.display(),
                signal.column,
                signal.unit,
                said.trim()
            );
            out.push(Finding::new("units", text));
        }
    }
}

/// Share of the largest force below which a force is none.
const NO_FORCE: f64 = 0.02;
/// Share of the amplitude within which a record begins in the middle.
const MIDDLE: f64 = 0.05;

/// A part under preload that begins without force: the load cell was zeroed under it.
pub fn zeroed(spec: &TestSpec, rig: &MotionRecord, rotation: bool) -> Option<Finding> {
    let names = Names::of(if rotation {
        MotionKind::Rotation
    } else {
        MotionKind::Translation
    });
    let first = rig.force.iter().copied().find(|f| f.is_finite())?;
    let (preload, none) = match rig.preload {
        Preload::Motion(0.0) | Preload::Force(0.0) => return None,
        Preload::Motion(x) => (rounded(x, names.length, 3), NO_FORCE * rig.peak()),
        Preload::Force(f) => (rounded(f, names.load, 3), 0.1 * f.abs()),
    };
    let from_middle = rig.motion.x()[0].abs() <= MIDDLE * rig.amplitude();
    if rig.nuisance.force_offset || first.abs() > none || !from_middle {
        return None;
    }
    let text = format!(
        "{}: the part is under a preload of {preload}, but its {} begins at {}; if the load cell was zeroed under preload, `--nuisance force-offset` allows for it",
        spec.path.display(),
        names.force,
        rounded(first, names.load, 3)
    );
    Some(Finding::new("preload", text))
}

/// Samples in a cycle below which speeds and accelerations from differences are off by percents.
const FEW: usize = 30;

/// Speeds from too few samples in a cycle.
pub fn few_samples(
    spec: &TestSpec,
    record: &Record,
    shortest: Option<usize>,
    subject: &Subject,
) -> Option<Finding> {
    let per_cycle = shortest.filter(|samples| *samples < FEW)?;
    let by_speed = !subject.rate_independent && record.velocity().is_none();
    let by_mass =
        spec.nuisance.moving_mass.is_some() && record.signal(Role::Acceleration).is_none();
    let (what, column) = match (by_speed, by_mass) {
        (true, _) => ("speed", "velocity"),
        (false, true) => ("acceleration", "acceleration"),
        (false, false) => return None,
    };
    // A sine through h rad a sample: differences are short by the factor sin(h)/h.
    let h = std::f64::consts::TAU / per_cycle as f64;
    let text = format!(
        "{}: only {per_cycle} samples in a cycle, from which the {what} comes out up to {:.0} % short; a {column} column or a higher sampling rate avoids it",
        spec.path.display(),
        (100.0 * (1.0 - h.sin() / h)).max(1.0)
    );
    Some(Finding::new("few-samples", text))
}

/// Disturbances that are sought only in records of motion and force.
pub fn not_sought(spec: &TestSpec, what: &str) -> Option<Finding> {
    (spec.nuisance != Nuisance::default()).then(|| {
        let text = format!(
            "{} is {what}; offsets, delay and moving mass are sought only in records of motion and force",
            spec.path.display()
        );
        Finding::new("nuisance", text)
    })
}
