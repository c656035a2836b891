//! Blocks of cycles with the same amplitude and frequency.

use std::ops::Range;

use serde::Serialize;

use super::Cycle;

/// Consecutive cycles of about the same amplitude and frequency.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Block {
    /// The cycles, by index.
    pub cycles: Range<usize>,
    /// Median amplitude, m or rad.
    pub amplitude: f64,
    /// Cycles over the time they took, Hz, if there is time.
    pub frequency: Option<f64>,
    /// Cycles until energy and peak force stay within 2 % of the last cycle's.
    pub run_in: usize,
    /// Relative change of the energy (or the amplitude) over the last cycle.
    pub drift: Option<f64>,
}

/// How far amplitude and frequency may be from the block's.
const SAME: f64 = 0.1;
/// How close a cycle must be to the last one to count as settled.
const SETTLED: f64 = 0.02;

/// Groups cycles. Single cycles between two blocks are ramps from one amplitude to the next and are left out.
pub fn blocks(cycles: &[Cycle]) -> Vec<Block> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (i, cycle) in cycles.iter().enumerate() {
        let joins = ranges.last().is_some_and(|range| {
            let previous = &cycles[range.end - 1];
            near(cycle.amplitude, previous.amplitude)
                && near(cycle.amplitude, median_amplitude(&cycles[range.clone()]))
                && same_pace(cycle, previous)
        });
        match ranges.last_mut() {
            Some(range) if joins => range.end = i + 1,
            _ => ranges.push(i..i + 1),
        }
    }
    if ranges.iter().any(|r| r.len() > 1) {
        ranges.retain(|r| r.len() > 1);
    }
    ranges
        .into_iter()
        .map(|range| block(cycles, range))
        .collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

fn same_pace(a: &Cycle, b: &Cycle) -> bool {
    match (a.frequency, b.frequency) {
        (Some(a), Some(b)) => near(a, b),
        _ => true,
    }
}

/// Median over at most the first 64 cycles: enough, and keeps long records linear.
fn median_amplitude(cycles: &[Cycle]) -> f64 {
    let mut sizes: Vec<f64> = cycles.iter().take(64).map(|c| c.amplitude).collect();
    let middle = sizes.len() / 2;
    *sizes.select_nth_unstable_by(middle, f64::total_cmp).1
}

fn block(cycles: &[Cycle], range: Range<usize>) -> Block {
    let members = &cycles[range.clone()];
    let time: Option<f64> = members.iter().map(|c| c.frequency.map(f64::recip)).sum();
    let measure = |c: &Cycle| -> [f64; 2] {
        let force = c.force_range.map_or(c.amplitude, |(low, high)| high - low);
        [c.energy.unwrap_or(c.amplitude), force]
    };
    let last = measure(&members[members.len() - 1]);
    let settled = |c: &Cycle| {
        let own = measure(c);
        own.iter()
            .zip(&last)
            .all(|(a, b)| (a - b).abs() <= SETTLED * b.abs())
    };
    let run_in = members
        .iter()
        .rposition(|c| !settled(c))
        .map_or(0, |i| i + 1);
    let drift = members.len().checked_sub(2).map(|i| {
        let before = measure(&members[i])[0];
        if last[0] == 0.0 {
            0.0
        } else {
            (last[0] - before) / last[0].abs()
        }
    });
    Block {
        amplitude: median_amplitude(members),
        frequency: time.map(|t| members.len() as f64 / t),
        run_in,
        drift,
        cycles: range,
    }
}
