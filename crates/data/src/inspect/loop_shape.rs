//! Diagnostics of the loop: direction, end stops, settling, skew, smoothing.

use super::Inspection;
use crate::record::{Record, range};
use masing_diagnostic::{Diagnostic, Ends, RecordDiagnostic, RecordKind, thresholds};
use std::ops::Range;

pub(super) fn diagnostics(
    record: &Record,
    x: &[f64],
    force: &[f64],
    inspection: &Inspection,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    direction(x, force, inspection, &mut out);
    end_stop(record, x, force, inspection, &mut out);
    skew(inspection, &mut out);
    if inspection.kind == Some(RecordKind::Cycles) {
        settling(inspection, &mut out);
        smoothing(inspection, &mut out);
    }
    out
}

/// A loop that gives energy back runs the wrong way.
fn direction(x: &[f64], force: &[f64], inspection: &Inspection, out: &mut Vec<Diagnostic>) {
    let energies: Vec<f64> = inspection.cycles.iter().filter_map(|c| c.energy).collect();
    let (total, scale) = if energies.is_empty() {
        let (low, high) = range(x);
        let (soft, hard) = range(force);
        let halves =
            (0..inspection.reversals.len()).map(|i| half_loop(x, force, &inspection.reversals, i));
        let sum: f64 = halves.sum();
        (sum, (high - low) * (hard - soft))
    } else {
        let size = |c: &crate::cycles::Cycle| {
            c.force_range
                .map_or(0.0, |(l, h)| 2.0 * c.amplitude * (h - l))
        };
        (
            energies.iter().sum(),
            inspection
                .cycles
                .iter()
                .filter(|c| c.energy.is_some())
                .map(size)
                .sum(),
        )
    };
    if total < -thresholds::WRONG_WAY * scale {
        let wrong = RecordDiagnostic::WrongWay {
            energy: -total,
            cycles: energies.len(),
        };
        out.push(wrong.into());
    }
}

/// Work over the stretch that the branches before and after a reversal share: positive if the part takes energy.
fn half_loop(x: &[f64], force: &[f64], reversals: &[crate::cycles::Reversal], i: usize) -> f64 {
    let turn = reversals[i].index;
    let from = i.checked_sub(1).map_or(0, |j| reversals[j].index);
    let to = reversals.get(i + 1).map_or(x.len() - 1, |r| r.index);
    let reach = (x[turn] - x[from]).abs().min((x[turn] - x[to]).abs());
    let inside = |k: &usize| (x[*k] - x[turn]).abs() <= reach;
    let first = (from..=turn)
        .rev()
        .take_while(inside)
        .last()
        .unwrap_or(turn);
    let last = (turn..=to).take_while(inside).last().unwrap_or(turn);
    let work = |k: usize| 0.5 * (force[k] + force[k + 1]) * (x[k + 1] - x[k]);
    let path: f64 = (first..last).map(work).filter(|e| e.is_finite()).sum();
    // Close the path in x, so that stored energy cancels.
    let gap = x[first] - x[last];
    let closing = 0.5 * (force[first] + force[last]) * gap;
    if closing.is_finite() {
        path + closing
    } else {
        path
    }
}

/// Force that shoots up over the last bit of the stroke.
fn end_stop(
    record: &Record,
    x: &[f64],
    force: &[f64],
    inspection: &Inspection,
    out: &mut Vec<Diagnostic>,
) {
    let (low, high) = range(force);
    let (left, right) = range(x);
    let stroke = right - left;
    let (mut top, mut bottom) = (0, 0);
    let mut first = None;
    for pair in inspection.reversals.windows(2) {
        let (from, turn) = (pair[0].index, pair[1].index);
        // Only branches that run through most of the stroke can meet a stop.
        if (x[turn] - x[from]).abs() < 0.6 * stroke {
            continue;
        }
        let edge = x[turn] - 0.05 * (x[turn] - x[from]);
        let before = (from..=turn)
            .rev()
            .find(|&i| (x[turn] - x[i]).abs() >= (x[turn] - edge).abs());
        let Some(before) = before else { continue };
        let gain = (force[turn] - force[before]) * (x[turn] - x[from]).signum();
        // A straight line gains 5 % there.
        if turn - before >= 2 && gain > thresholds::END_STOP * (high - low) {
            if pair[1].top {
                top += 1;
            } else {
                bottom += 1;
            }
            first.get_or_insert((from, turn));
        }
    }
    if let Some((from, turn)) = first.filter(|_| top + bottom >= 2) {
        let ends = match (top, bottom) {
            (_, 0) => Ends::Upper,
            (0, _) => Ends::Lower,
            _ => Ends::Both,
        };
        let (at, stiffness, before) = knee(x, force, from..turn);
        let stop = RecordDiagnostic::EndStop {
            ends,
            at,
            stiffness,
            before,
            line: record.line(turn),
            kind: inspection.kind.unwrap_or(RecordKind::Ramp),
        };
        out.push(stop.into());
    }
}

/// Where a branch turns steep: the displacement, the stiffness from there to its end, and the one before, from a tenth to
/// four fifths of the way.
fn knee(x: &[f64], force: &[f64], branch: Range<usize>) -> (f64, f64, f64) {
    let (from, turn) = (branch.start, branch.end);
    let way = x[turn] - x[from];
    let at = |share: f64| {
        let mut there = branch.clone();
        let reached = there.find(|&i| (x[i] - x[from]) / way >= share);
        reached.unwrap_or(turn)
    };
    let (a, b) = (at(0.1), at(0.8));
    let slope = |i: usize, j: usize| (force[j] - force[i]) / (x[j] - x[i]);
    let before = slope(a, b);
    let (low, high) = range(force);
    let line = |i: usize| force[b] + before * (x[i] - x[b]);
    // A twentieth of the force is more than the loop bends by.
    let bent = |i: &usize| (force[*i] - line(*i)).abs() > 0.05 * (high - low);
    let steep = (b..turn).find(bent).unwrap_or(b);
    (x[steep], slope(steep, turn), before)
}

fn settling(inspection: &Inspection, out: &mut Vec<Diagnostic>) {
    for block in &inspection.blocks {
        let drifts = |d: &f64| d.abs() > thresholds::NOT_STABILISED;
        if let Some(change) = block.drift.filter(drifts) {
            let (from, to) = (block.cycles.start + 1, block.cycles.end);
            out.push(RecordDiagnostic::NotStabilised { from, to, change }.into());
        }
    }
}

fn skew(inspection: &Inspection, out: &mut Vec<Diagnostic>) {
    let Some(skew) = inspection.skew else { return };
    let samples = skew.samples;
    if samples > thresholds::SKEW_SAMPLES && skew.spread < thresholds::SKEW_SPREAD * samples {
        let seconds = inspection.spacing.map(|s| samples * s.step());
        out.push(RecordDiagnostic::Skew { samples, seconds }.into());
    }
}

fn smoothing(inspection: &Inspection, out: &mut Vec<Diagnostic>) {
    let Some(noise) = inspection.force_noise else {
        return;
    };
    let force = inspection
        .cycles
        .iter()
        .filter_map(|c| c.force_range)
        .map(|(l, h)| h - l)
        .fold(0.0, f64::max);
    if noise.lag1 > thresholds::SMOOTHED && noise.value > thresholds::SMOOTHED_LEAST * force {
        out.push(RecordDiagnostic::Smoothed { lag1: noise.lag1 }.into());
    }
}
