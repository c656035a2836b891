//! Diagnostics of channels: offset, sampling, spikes, resolution, drift.

use super::Inspection;
use crate::cycles::is_constant;
use crate::record::{Record, range};
use crate::record_kind::samples_per_cycle;
use crate::ring;
use crate::role::Role;
use crate::signal::{self, Quantised};
use crate::timing::{self, Spacing};
use masing_diagnostic::{
    Centre, Diagnostic, FewSamplesSpoil, RecordDiagnostic, RecordKind, thresholds,
};

pub(super) fn channels(record: &Record, inspection: &Inspection) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let motion = record.motion();
    if motion.is_some() {
        offset(record, inspection, &mut out);
        if inspection.kind == Some(RecordKind::Cycles) {
            drift(inspection, &mut out);
        }
    }
    sampling(record, inspection, &mut out);
    constant(record, &mut out);
    let coarse_cycles = fewest_samples(inspection).is_some_and(|n| n < thresholds::SPIKES_SAMPLES);
    for s in &record.signals {
        let mut spikes = signal::outliers(&s.values);
        if coarse_cycles {
            // With few samples every corner looks like a spike.
            spikes.retain(|&i| inspection.reversals.iter().all(|r| r.index.abs_diff(i) > 2));
        }
        if let Some(&first) = spikes.first() {
            let spikes = RecordDiagnostic::Spikes {
                channel: s.slot.channel(),
                count: spikes.len(),
                line: record.line(first),
            };
            out.push(spikes.into());
        }
        let moving = matches!(s.slot.role, Role::Displacement | Role::Angle);
        if (moving || matches!(s.slot.role, Role::Force | Role::Torque))
            && let Some((step, share, per_sample)) = resolution(&s.values, moving)
        {
            let coarse = RecordDiagnostic::Coarse {
                channel: s.slot.channel(),
                step,
                share,
                per_sample,
            };
            out.push(coarse.into());
        }
    }
    if motion.is_some() && !ring::is_decay(&inspection.ring_down) {
        no_cycle(inspection, &mut out);
    }
    out
}

/// Samples in the shortest cycle, or period of a decay.
fn fewest_samples(inspection: &Inspection) -> Option<usize> {
    let kind = inspection.kind?;
    samples_per_cycle(kind, &inspection.cycles, &inspection.reversals).or_else(|| {
        let fastest = inspection.ring_down.iter().map(|p| p.frequency);
        let period = fastest.fold(0.0, f64::max).recip();
        Some((period / inspection.spacing?.step()).round() as usize).filter(|_| period.is_finite())
    })
}

/// A force that never changes says nothing about the part.
fn constant(record: &Record, out: &mut Vec<Diagnostic>) {
    let Some(force) = record.force() else { return };
    let (low, high) = range(force);
    if low <= high && is_constant((low, high)) {
        out.push(RecordDiagnostic::ConstantForce { value: low }.into());
    }
}

fn no_cycle(inspection: &Inspection, out: &mut Vec<Diagnostic>) {
    let wandering =
        |d: &Diagnostic| matches!(d, Diagnostic::Record(RecordDiagnostic::Wandering { .. }));
    if inspection.cycles.is_empty() && !out.iter().any(wandering) {
        let none = RecordDiagnostic::NoCycle {
            reversals: inspection.reversals.len(),
            broken_cycles: inspection.broken_cycles,
        };
        out.push(none.into());
    }
}

fn offset(record: &Record, inspection: &Inspection, out: &mut Vec<Diagnostic>) {
    let Some(x) = record.motion() else { return };
    let (low, high) = range(x);
    let half = 0.5 * (high - low);
    let (offset, amplitude, share, centre) = match inspection.kind {
        // It begins at rest; the middle between its largest peaks says nothing.
        Some(RecordKind::Earthquake) => {
            let first = x.iter().copied().find(|v| v.is_finite());
            (
                first.unwrap_or(0.0),
                half,
                thresholds::OFFSET,
                Centre::First,
            )
        }
        Some(RecordKind::Random) => (mean(x), half, thresholds::RANDOM_OFFSET, Centre::Mean),
        _ => {
            let blocks = inspection.blocks.iter().map(|b| b.amplitude);
            let decay = inspection.ring_down.iter().map(|p| p.amplitude);
            let amplitude = blocks.chain(decay).fold(0.0, f64::max);
            (inspection.offset, amplitude, thresholds::OFFSET, centre(x))
        }
    };
    if amplitude > 0.0 && offset.abs() > share * amplitude {
        let offset = RecordDiagnostic::Offset {
            offset,
            amplitude,
            centre,
            or_estimate: false,
        };
        out.push(offset.into());
    }
}

/// Mean of the known values.
fn mean(x: &[f64]) -> f64 {
    let known = || x.iter().copied().filter(|v| v.is_finite());
    known().sum::<f64>() / known().count().max(1) as f64
}

/// Motion about its mean or, where rests and part cycles pull the mean away, about its mid-range.
fn centre(x: &[f64]) -> Centre {
    let (low, high) = range(x);
    if (mean(x) - f64::midpoint(low, high)).abs() < thresholds::MEAN_OFF * (high - low) {
        Centre::Mean
    } else {
        Centre::MidRange
    }
}

/// Turns about a middle that moves on: the cycles are lost, or most of them.
fn wandering(inspection: &Inspection) -> Option<Diagnostic> {
    let turns = &inspection.reversals;
    let middles: Vec<f64> = turns
        .windows(3)
        .map(|w| 0.25 * (w[0].value + 2.0 * w[1].value + w[2].value))
        .collect();
    // Against the middle of both neighbours the drift cancels.
    let mut sizes: Vec<f64> = turns
        .windows(3)
        .map(|w| 0.5 * (w[1].value - 0.5 * (w[0].value + w[2].value)).abs())
        .collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let amplitude = *sizes.get(sizes.len() / 2)?;
    let (low, high) = range(&middles);
    let (found, about) = (
        inspection.cycles.len() + inspection.broken_cycles,
        turns.len() / 2,
    );
    if high - low <= amplitude || found + 1 >= about {
        return None;
    }
    let wandering = RecordDiagnostic::Wandering {
        cycles: about,
        amplitude,
        moved: high - low,
        counted: found,
    };
    Some(wandering.into())
}

fn drift(inspection: &Inspection, out: &mut Vec<Diagnostic>) {
    if let Some(finding) = wandering(inspection) {
        out.push(finding);
        return;
    }
    // The first and last cycle may hold a ramp or a rest.
    for block in inspection.blocks.iter().filter(|b| b.cycles.len() >= 4) {
        let members = &inspection.cycles[block.cycles.start + 1..block.cycles.end - 1];
        let change = members[members.len() - 1].offset - members[0].offset;
        if change.abs() > thresholds::OFFSET * block.amplitude {
            let cycles = members.len();
            out.push(RecordDiagnostic::Drift { change, cycles }.into());
        }
    }
}

fn sampling(record: &Record, inspection: &Inspection, out: &mut Vec<Diagnostic>) {
    if let (Some(time), Some(Spacing::Uneven { median })) =
        (record.time.as_deref(), inspection.spacing)
    {
        let gaps = timing::gaps(time);
        let longest = gaps.iter().max_by(|a, b| a.duration.total_cmp(&b.duration));
        if let Some(gap) = longest {
            let gap = RecordDiagnostic::TimeGap {
                duration: gap.duration,
                line: record.line(gap.before + 1),
                gaps: gaps.len(),
                step: median,
                broken_cycles: inspection.broken_cycles,
            };
            out.push(gap.into());
        } else {
            out.push(RecordDiagnostic::UnevenTime { step: median }.into());
        }
    }
    if let (Some(time), Some(x), None) =
        (record.time.as_deref(), record.motion(), record.velocity())
        && let Some(Quantised { step, speed }) = signal::quantised(time, x)
    {
        out.push(RecordDiagnostic::Quantised { step, speed }.into());
    }
    let few = |n: &usize| *n < thresholds::FEW_SAMPLES;
    if let Some(per_cycle) = fewest_samples(inspection).filter(few) {
        let few = RecordDiagnostic::FewSamples {
            per_cycle,
            spoils: FewSamplesSpoil::Peaks,
            kind: inspection.kind.unwrap_or(RecordKind::Cycles),
        };
        out.push(few.into());
    }
}

/// The smallest step between different values, its share of the range and, for a motion whose usual way between two samples is
/// shorter than that, this way in steps; if all values are multiples of the step, and it is visible.
fn resolution(values: &[f64], moving: bool) -> Option<(f64, f64, Option<f64>)> {
    let (low, high) = range(values);
    if values.len() < 100 || high <= low {
        return None;
    }
    let way = |w: &[f64]| (w[1] - w[0]).abs();
    let steps = values.windows(2).map(way);
    let steps = steps.filter(|d| d.is_finite() && *d > 1e-9 * (high - low));
    let step = steps.fold(f64::INFINITY, f64::min);
    let share = step / (high - low);
    let per_sample = Some(moving && share > thresholds::COARSE_MOTION_STEP)
        .filter(|asked| *asked)
        .and_then(|_| usual_way(values))
        .map(|way| way / step)
        .filter(|steps| *steps < 1.0);
    let visible = share > thresholds::COARSE_STEP || per_sample.is_some();
    let whole = |v: &f64| {
        let k = (v - low) / step;
        !v.is_finite() || (k - k.round()).abs() < 0.05
    };
    (visible && share.is_finite() && values.iter().all(whole)).then_some((step, share, per_sample))
}

/// The mean way between two samples from the first to the last move.
fn usual_way(values: &[f64]) -> Option<f64> {
    let moved = |w: &[f64]| w[1] != w[0];
    let first = values.windows(2).position(moved)?;
    let last = values.windows(2).rposition(moved)?;
    let ways = values[first..=last + 1].windows(2);
    let known: Vec<f64> = ways
        .map(|w| (w[1] - w[0]).abs())
        .filter(|d| d.is_finite())
        .collect();
    Some(known.iter().sum::<f64>() / known.len() as f64)
}
