//! Diagnostics of channels: offset, sampling, spikes, resolution, drift.

use super::Inspection;
use crate::cycles::is_constant;
use crate::record::{Record, range};
use crate::ring;
use crate::role::Role;
use crate::signal::{self, Quantised};
use crate::timing::{self, Spacing};
use masing_diagnostic::{Centre, Diagnostic, FewSamplesSpoil, RecordDiagnostic, thresholds};

pub(super) fn channels(record: &Record, inspection: &Inspection) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let motion = record.motion();
    if motion.is_some() {
        offset(record, inspection, &mut out);
        drift(inspection, &mut out);
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
        let coarse = resolution(&s.values);
        if let Some((step, share)) = coarse
            && matches!(
                s.slot.role,
                Role::Displacement | Role::Angle | Role::Force | Role::Torque
            )
        {
            let coarse = RecordDiagnostic::Coarse {
                channel: s.slot.channel(),
                step,
                share,
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
    let cycles = inspection.cycles.iter().map(|c| c.end - c.start).min();
    cycles.or_else(|| {
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
    let blocks = inspection.blocks.iter().map(|b| b.amplitude);
    let decay = inspection.ring_down.iter().map(|p| p.amplitude);
    let amplitude = blocks.chain(decay).fold(0.0, f64::max);
    if amplitude > 0.0 && inspection.offset.abs() > thresholds::OFFSET * amplitude {
        let offset = RecordDiagnostic::Offset {
            offset: inspection.offset,
            amplitude,
            centre: centre(record),
            or_estimate: false,
        };
        out.push(offset.into());
    }
}

/// Motion about its mean or, where rests and part cycles pull the mean away, about its mid-range.
fn centre(record: &Record) -> Centre {
    let Some(x) = record.motion() else {
        return Centre::Mean;
    };
    let known = || x.iter().copied().filter(|v| v.is_finite());
    let (low, high) = range(x);
    let mean = known().sum::<f64>() / known().count().max(1) as f64;
    if (mean - f64::midpoint(low, high)).abs() < thresholds::MEAN_OFF * (high - low) {
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
        let spoils = FewSamplesSpoil::Peaks;
        out.push(RecordDiagnostic::FewSamples { per_cycle, spoils }.into());
    }
}

/// The smallest step between different values, if it is more than 1 % of the range and all values are multiples of it.
fn resolution(values: &[f64]) -> Option<(f64, f64)> {
    let (low, high) = range(values);
    if values.len() < 100 || high <= low {
        return None;
    }
    let steps = values
        .windows(2)
        .map(|w| (w[1] - w[0]).abs())
        .filter(|d| d.is_finite() && *d > 1e-9 * (high - low));
    let step = steps.fold(f64::INFINITY, f64::min);
    let share = step / (high - low);
    let whole = |v: &f64| {
        let k = (v - low) / step;
        !v.is_finite() || (k - k.round()).abs() < 0.05
    };
    (share > thresholds::COARSE_STEP && share.is_finite() && values.iter().all(whole))
        .then_some((step, share))
}
