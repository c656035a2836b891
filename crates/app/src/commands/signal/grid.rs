//! The times of a drive signal.

use super::Common;
use crate::error::AppError;
use crate::quantity;
use masing_data::unit::Quantity;
use masing_diagnostic::{SignalSampling, TestDiagnostic};

/// Longer records are refused.
const MOST_SAMPLES: f64 = 1e7;
/// Fewer samples per cycle cannot show a cycle.
const LEAST_PER_CYCLE: f64 = 4.0;
/// Fewer samples per cycle cut its tops by more than about 1 %.
const GOOD_PER_CYCLE: f64 = 20.0;

/// The times of the samples, from 0 to the duration.
pub(super) fn grid(
    common: &Common,
    duration: f64,
    default_rate: f64,
) -> Result<(Vec<f64>, Vec<TestDiagnostic>), AppError> {
    let mut notes = Vec::new();
    let limit = format!("3 to {MOST_SAMPLES} samples");
    if let Some(samples) = common.samples {
        if !(3.0..=MOST_SAMPLES).contains(&(samples as f64)) {
            return Err(AppError::option("--samples", samples, limit));
        }
        let last = (samples - 1) as f64;
        let time = (0..samples).map(|i| i as f64 * duration / last).collect();
        return Ok((time, notes));
    }
    let rate = match &common.rate {
        Some(text) => quantity::positive("--rate", text, Quantity::Frequency)?,
        None => default_rate,
    };
    let intervals = (duration * rate * (1.0 + 1e-12)).floor();
    if !(2.0..MOST_SAMPLES).contains(&intervals) {
        let found = format!("{rate} Hz over {duration} s");
        return Err(AppError::option("--rate", found, limit));
    }
    if (duration * rate - intervals).abs() > 1e-6 {
        let cut = SignalSampling::EndsAt(intervals / rate);
        notes.push(TestDiagnostic::Sampling { cut });
    }
    let time = (0..=intervals as usize).map(|i| i as f64 / rate).collect();
    Ok((time, notes))
}

/// The time from one sample to the next.
pub(super) fn step(time: &[f64]) -> f64 {
    match time {
        [first, .., last] => (last - first) / (time.len() - 1) as f64,
        _ => 0.0,
    }
}

/// Refuses too few samples per cycle, and notes when they are few.
pub(super) fn per_cycle(
    time: &[f64],
    frequency: f64,
    notes: &mut Vec<TestDiagnostic>,
) -> Result<(), AppError> {
    let samples = 1.0 / (frequency * step(time));
    // Rounding must not refuse exactly the least number.
    if samples < LEAST_PER_CYCLE * (1.0 - 1e-9) {
        let found = format!("{samples:.2} samples per cycle at {frequency} Hz");
        return Err(AppError::option(
            "--rate",
            found,
            "at least 4 samples per cycle",
        ));
    }
    if samples < GOOD_PER_CYCLE * (1.0 - 1e-9) {
        let cut = SignalSampling::PerCycle { samples, frequency };
        notes.push(TestDiagnostic::Sampling { cut });
    }
    Ok(())
}
