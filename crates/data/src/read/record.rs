//! Signals to a record: time checked, gaps reported, averages undone, cut to the window.

use crate::error::DataError;
use crate::options::{Gaps, ReadOptions, Window};
use crate::record::{Record, Signal};
use crate::role::{Role, Slot};
use crate::signal::{Filter, undo_average};
use crate::table::Table;
use crate::timing::{self, Spacing};
use crate::unit;
use masing_diagnostic::{
    ChannelKind, Diagnostic, Missing, ReadingDiagnostic, TimeFrom, thresholds,
};

/// Signals, time apart, checked and cut to the window.
pub(super) fn record(
    table: Table,
    mut signals: Vec<Signal>,
    rotation: bool,
    options: &ReadOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Record, DataError> {
    let available = table.available();
    let time = signals
        .iter()
        .position(|s| s.slot.role == Role::Time)
        .map(|i| signals.remove(i).values);
    let time = match (time, sampling_step(&table, options)?) {
        (Some(time), _) => Some(time),
        (None, Some(from)) => {
            let step = from.step();
            diagnostics.push(ReadingDiagnostic::TimeBuilt { from }.into());
            Some((0..table.rows()).map(|i| step * i as f64).collect())
        }
        (None, None) => {
            diagnostics.push(ReadingDiagnostic::NoTime { needed: true }.into());
            None
        }
    };
    let mut record = Record {
        time,
        signals,
        rotation,
        source: table.source,
        first_row: 0,
        available,
    };
    if record.is_empty() {
        return Err(DataError::empty(&record.source.file, "no rows"));
    }
    fix_time(&mut record, options.gaps, diagnostics)?;
    gaps(&mut record, options.gaps, diagnostics);
    undo(&mut record, &options.undo, diagnostics)?;
    window(record, options.window)
}

/// Sampling step from the options or from remarks above the data.
fn sampling_step(table: &Table, options: &ReadOptions) -> Result<Option<TimeFrom>, DataError> {
    if let Some(rate) = options.rate {
        if !(rate.is_finite() && rate > 0.0) {
            let expected = "a positive number of Hz";
            return Err(DataError::argument("sampling rate", rate, expected));
        }
        return Ok(Some(TimeFrom::GivenRate(rate)));
    }
    let number = |keys: &[&str], quantity| {
        let text = table.meta(keys)?;
        unit::parse_quantity(text, quantity)
            .ok()
            .filter(|v| *v > 0.0)
    };
    let intervals = [
        "sampling interval",
        "sample interval",
        "dt",
        "delta t",
        "delta_t",
        "wf_increment",
        "time step",
    ];
    if let Some(step) = number(&intervals, unit::Quantity::Time) {
        return Ok(Some(TimeFrom::FileInterval(step)));
    }
    let rates = [
        "sampling rate",
        "sample rate",
        "sampling frequency",
        "samplerate",
        "fs",
        "rate",
    ];
    Ok(number(&rates, unit::Quantity::Frequency).map(TimeFrom::FileRate))
}

fn fix_time(
    record: &mut Record,
    gaps: Gaps,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), DataError> {
    let Some(mut time) = record.time.take() else {
        return Ok(());
    };
    if let Some(sample) = time.iter().position(|t| !t.is_finite()) {
        if gaps == Gaps::Keep {
            return Err(record.no_value(Role::Time.into(), sample, time[sample]));
        }
        let filled = fill(&mut time, None);
        let filled = ReadingDiagnostic::Filled {
            channel: Slot::from(Role::Time).channel(),
            missing: filled,
            infinite: 0,
            line: None,
        };
        diagnostics.push(filled.into());
    }
    let bad = time
        .windows(2)
        .position(|w| w[1] <= w[0] || w[0].is_nan() || w[1].is_nan());
    match (bad, timing::spacing(&time)) {
        (Some(_), Some(Spacing::Rounded { step, digit })) => {
            diagnostics.push(ReadingDiagnostic::TimeRebuilt { digit, step }.into());
            time = timing::rebuild(&time, step);
        }
        (Some(at), _) => {
            let line = record.source.line(record.first_row + at + 1);
            return Err(DataError::Time {
                file: record.source.file.clone(),
                line,
                from: time[at],
                to: time[at + 1],
            });
        }
        (None, Some(Spacing::Rounded { step, digit })) if digit > 0.01 * step => {
            diagnostics.push(ReadingDiagnostic::TimeRounded { digit, step }.into());
        }
        _ => {}
    }
    record.time = Some(time);
    Ok(())
}

fn gaps(record: &mut Record, gaps: Gaps, diagnostics: &mut Vec<Diagnostic>) {
    for i in 0..record.signals.len() {
        let signal = &record.signals[i];
        let slot = signal.slot;
        let force = matches!(slot.role, Role::Force | Role::Torque);
        let interpolate = gaps == Gaps::Interpolate && !force;
        let missing = signal.values.iter().filter(|v| v.is_nan()).count();
        let infinite = signal.values.iter().filter(|v| v.is_infinite()).count();
        let line = |wanted: fn(f64) -> bool| {
            let first = signal.values.iter().position(|v| wanted(*v));
            record.line(first.unwrap_or(0))
        };
        if interpolate && missing + infinite > 0 {
            let filled = ReadingDiagnostic::Filled {
                channel: slot.channel(),
                missing,
                infinite,
                line: Some(line(|v| !v.is_finite())),
            };
            diagnostics.push(filled.into());
            fill(&mut record.signals[i].values, record.time.as_deref());
            continue;
        }
        if missing > 0 {
            let missing = Missing::Values {
                channel: slot.channel(),
                count: missing,
                line: line(f64::is_nan),
            };
            diagnostics.push(ReadingDiagnostic::Gap { missing }.into());
        }
        if infinite > 0 {
            let not_finite = ReadingDiagnostic::NotFinite {
                channel: slot.channel(),
                count: infinite,
                line: line(f64::is_infinite),
            };
            diagnostics.push(not_finite.into());
            if force {
                let forces = record.signals[i].values.iter_mut();
                forces
                    .filter(|f| f.is_infinite())
                    .for_each(|f| *f = f64::NAN);
            }
        }
    }
}

/// Undoes the averages of channels, where noise allows it.
fn undo(
    record: &mut Record,
    averages: &[(Slot, usize)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), DataError> {
    for &(slot, samples) in averages {
        let Some(i) = record.signals.iter().position(|s| s.slot == slot) else {
            return Err(record.missing(slot));
        };
        let signal = &record.signals[i];
        Filter::MovingAverage { samples }.check_for(signal.values.len(), 1.0)?;
        if let Some(sample) = signal.values.iter().position(|v| !v.is_finite()) {
            return Err(record.no_value(slot, sample, signal.values[sample]));
        }
        let undone = undo_average(&signal.values, samples);
        let (channel, error) = (slot.channel(), undone.error);
        if error > thresholds::UNDONE_MOST {
            return Err(DataError::Undo {
                file: record.source.file.clone(),
                role: slot.to_string(),
                samples,
                error,
                noise: undone.noise,
                force: channel.kind == ChannelKind::Force,
            });
        }
        let residue = undone.residue;
        diagnostics.push(if error <= thresholds::UNDONE_GOOD {
            ReadingDiagnostic::Undone {
                channel,
                samples,
                residue,
            }
            .into()
        } else {
            let noise = undone.noise;
            ReadingDiagnostic::UndoneNoise {
                channel,
                samples,
                residue,
                noise,
                error,
            }
            .into()
        });
        record.signals[i].values = undone.values;
    }
    Ok(())
}

/// Fills missing values with straight lines, ends with the nearest value; returns how many.
fn fill(values: &mut [f64], time: Option<&[f64]>) -> usize {
    let at = |i: usize| time.map_or(i as f64, |t| t[i]);
    let mut last: Option<usize> = None;
    let mut filled = 0;
    let mut i = 0;
    while i < values.len() {
        if values[i].is_finite() {
            last = Some(i);
            i += 1;
            continue;
        }
        let next = (i..values.len()).find(|&j| values[j].is_finite());
        let end = next.unwrap_or(values.len());
        for j in i..end {
            values[j] = match (last, next) {
                (Some(a), Some(b)) => {
                    let share = (at(j) - at(a)) / (at(b) - at(a));
                    values[a] + share * (values[b] - values[a])
                }
                (Some(a), None) => values[a],
                (None, Some(b)) => values[b],
                (None, None) => f64::NAN,
            };
            filled += 1;
        }
        i = end;
    }
    filled
}

/// Cuts the record to the window asked for.
pub fn window(record: Record, window: Window) -> Result<Record, DataError> {
    match window {
        Window::All => Ok(record),
        Window::Time(from, to) => {
            let time = record.need_time()?;
            // The ends belong to the window even where the last digit disagrees.
            let slack = 1e-9 * (to - from);
            let start = time.partition_point(|t| *t < from - slack);
            let end = time.partition_point(|t| *t <= to + slack);
            if end - start < 2 {
                let (samples, first, last) = (end - start, time[0], time[time.len() - 1]);
                let reason =
                    format!("holds {samples} samples; the record runs from {first} s to {last} s");
                return Err(DataError::option("window", format!("{from}..{to}"), reason));
            }
            Ok(record.slice(start, end))
        }
        Window::Stabilised | Window::Cycle(_) => crate::cycles::cut(&record, window),
    }
}
