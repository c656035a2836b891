//! Findings about channels: offset, sampling, spikes, resolution, drift.

use super::Inspection;
use crate::finding::Finding;
use crate::record::{Record, range};
use crate::role::Role;
use crate::signal;
use crate::timing::Spacing;
use crate::unit::Quantity;

/// A value with the unit people read.
pub(super) fn show(value: f64, quantity: Quantity) -> String {
    let (symbol, factor) = quantity.engineering();
    let scaled = value / factor;
    let size = scaled.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        format!("{scaled:.3e} {symbol}")
    } else {
        format!("{} {symbol}", digits(scaled))
    }
}

/// Four significant digits.
fn digits(value: f64) -> String {
    let places = if value == 0.0 {
        0
    } else {
        (3 - value.abs().log10().floor() as i32).clamp(0, 9) as usize
    };
    format!("{value:.places$}")
}

pub(super) fn motion_quantity(record: &Record) -> Quantity {
    if record.rotation {
        Quantity::Angle
    } else {
        Quantity::Length
    }
}

pub(super) fn channels(record: &Record, inspection: &Inspection) -> Vec<Finding> {
    let mut out = Vec::new();
    let motion = record.motion();
    if motion.is_some() {
        offset(record, inspection, &mut out);
        drift(record, inspection, &mut out);
    }
    sampling(record, inspection, &mut out);
    let coarse_cycles = inspection.cycles.iter().any(|c| c.end - c.start < 60);
    for s in &record.signals {
        let mut spikes = signal::outliers(&s.values);
        if coarse_cycles {
            // With few samples every corner looks like a spike.
            spikes.retain(|&i| inspection.reversals.iter().all(|r| r.index.abs_diff(i) > 2));
        }
        if let Some(&first) = spikes.first() {
            let text = format!(
                "{} has {}, the first in line {}; nothing was removed",
                s.slot,
                if spikes.len() == 1 {
                    "1 spike".to_owned()
                } else {
                    format!("{} spikes", spikes.len())
                },
                record.line(first)
            );
            out.push(Finding::new("spikes", text));
        }
        let coarse = resolution(&s.values);
        if let Some((step, share)) = coarse
            && matches!(
                s.slot.role,
                Role::Displacement | Role::Angle | Role::Force | Role::Torque
            )
        {
            let text = format!(
                "{} moves in steps of {}, {:.1} % of its range",
                s.slot,
                show(step, s.quantity),
                100.0 * share
            );
            out.push(Finding::new("coarse", text));
        }
    }
    if motion.is_some() && inspection.cycles.is_empty() {
        out.push(Finding::new(
            "no-cycle",
            "the motion has no full cycle: energy, stiffness and damping per cycle are not given",
        ));
    }
    out
}

fn offset(record: &Record, inspection: &Inspection, out: &mut Vec<Finding>) {
    let amplitude = inspection
        .blocks
        .iter()
        .map(|b| b.amplitude)
        .fold(0.0, f64::max);
    if amplitude > 0.0 && inspection.offset.abs() > 0.05 * amplitude {
        let q = motion_quantity(record);
        let text = format!(
            "the motion swings about {}, not about zero (amplitude {}); `--zero displacement` removes it",
            show(inspection.offset, q),
            show(amplitude, q)
        );
        out.push(Finding::new("offset", text));
    }
}

fn drift(record: &Record, inspection: &Inspection, out: &mut Vec<Finding>) {
    // The first and last cycle may hold a ramp or a rest.
    for block in inspection.blocks.iter().filter(|b| b.cycles.len() >= 4) {
        let members = &inspection.cycles[block.cycles.start + 1..block.cycles.end - 1];
        let change = members[members.len() - 1].offset - members[0].offset;
        if change.abs() > 0.05 * block.amplitude {
            let q = motion_quantity(record);
            let text = format!(
                "the middle of the motion wanders by {} over {} cycles",
                show(change, q),
                members.len()
            );
            out.push(Finding::new("drift", text));
        }
    }
}

fn sampling(record: &Record, inspection: &Inspection, out: &mut Vec<Finding>) {
    if let (Some(time), Some(spacing @ Spacing::Uneven { median })) =
        (record.time.as_deref(), inspection.spacing)
    {
        let gap = time
            .windows(2)
            .enumerate()
            .max_by(|a, b| (a.1[1] - a.1[0]).total_cmp(&(b.1[1] - b.1[0])));
        if let Some((at, w)) = gap.filter(|(_, w)| w[1] - w[0] > 5.0 * spacing.step()) {
            let text = format!(
                "time has a gap of {:.4} s before line {}; the usual step is {median:.3e} s",
                w[1] - w[0],
                record.line(at + 1)
            );
            out.push(Finding::new("time-gap", text));
        } else {
            out.push(Finding::new(
                "uneven-time",
                format!("time steps are uneven, {median:.3e} s in the middle"),
            ));
        }
    }
    let fewest = inspection.cycles.iter().map(|c| c.end - c.start).min();
    if let Some(fewest) = fewest.filter(|n| *n < 30) {
        let text = format!("only {fewest} samples in a cycle: reversals and peaks are cut off");
        out.push(Finding::new("few-samples", text));
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
    (share > 0.01 && share.is_finite() && values.iter().all(whole)).then_some((step, share))
}
