//! Findings about channels: offset, sampling, spikes, resolution, drift.

use super::Inspection;
use crate::cycles::is_constant;
use crate::finding::Finding;
use crate::record::{Record, range};
use crate::ring;
use crate::role::Role;
use crate::signal;
use crate::timing::{self, Spacing};
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
    constant(record, &mut out);
    let coarse_cycles = fewest_samples(inspection).is_some_and(|n| n < 60);
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
fn constant(record: &Record, out: &mut Vec<Finding>) {
    let Some(force) = record.force() else { return };
    let (low, high) = range(force);
    if low <= high && is_constant((low, high)) {
        let (name, q) = if record.rotation {
            ("torque", Quantity::Torque)
        } else {
            ("force", Quantity::Force)
        };
        let text = format!(
            "the {name} is {} throughout: a dead channel, or another column is meant; it has no stiffness and no energy",
            show(low, q)
        );
        out.push(Finding::new("constant-force", text));
    }
}

fn no_cycle(inspection: &Inspection, out: &mut Vec<Finding>) {
    if !inspection.cycles.is_empty() || out.iter().any(|f| f.code == "wandering") {
        return;
    }
    let seen = match (inspection.broken_cycles, inspection.reversals.len()) {
        (0, 0) => "the motion never turns".to_owned(),
        (0, 1) => "the motion turns only once".to_owned(),
        (0, turns) => format!("the motion turns {turns} times"),
        (1, _) => "the only cycle has a gap in time".to_owned(),
        (n, _) => format!("all {n} cycles have gaps in time"),
    };
    out.push(Finding::new(
        "no-cycle",
        format!(
            "{seen}, so there is no full cycle: energy, stiffness and damping per cycle are not given"
        ),
    ));
}

fn offset(record: &Record, inspection: &Inspection, out: &mut Vec<Finding>) {
    let blocks = inspection.blocks.iter().map(|b| b.amplitude);
    let decay = inspection.ring_down.iter().map(|p| p.amplitude);
    let amplitude = blocks.chain(decay).fold(0.0, f64::max);
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

/// Turns about a middle that moves on: the cycles are lost, or most of them.
fn wandering(record: &Record, inspection: &Inspection) -> Option<Finding> {
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
    let q = motion_quantity(record);
    let lost = match found {
        0 => "none of them crosses the middle of the whole record, so no full cycle was found"
            .to_owned(),
        n => format!("only {n} cross the middle of the whole record and are counted"),
    };
    let text = format!(
        "the motion makes about {about} cycles of amplitude {} while their middle moves by {}: {lost}",
        show(amplitude, q),
        show(high - low, q)
    );
    Some(Finding::new("wandering", text))
}

fn drift(record: &Record, inspection: &Inspection, out: &mut Vec<Finding>) {
    if let Some(finding) = wandering(record, inspection) {
        out.push(finding);
        return;
    }
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
    if let (Some(time), Some(Spacing::Uneven { median })) =
        (record.time.as_deref(), inspection.spacing)
    {
        let gaps = timing::gaps(time);
        let longest = gaps.iter().max_by(|a, b| a.duration.total_cmp(&b.duration));
        if let Some(gap) = longest {
            let more = match gaps.len() {
                1 => String::new(),
                n => format!(", the longest of {n}"),
            };
            let cycles = match inspection.broken_cycles {
                0 => String::new(),
                1 => "; one cycle that it breaks was left out".to_owned(),
                n => format!("; {n} cycles with a gap were left out"),
            };
            let text = format!(
                "time has a gap of {:.4} s before line {}{more}; the usual step is {median:.3e} s{cycles}",
                gap.duration,
                record.line(gap.before + 1)
            );
            out.push(Finding::new("time-gap", text));
        } else {
            out.push(Finding::new(
                "uneven-time",
                format!("time steps are uneven, {median:.3e} s in the middle"),
            ));
        }
    }
    if let Some(fewest) = fewest_samples(inspection).filter(|n| *n < 30) {
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
