//! A file to experiments.

use std::path::{Path, PathBuf};

use crate::columns::{self, Term};
use crate::error::DataError;
use crate::experiment::{Content, Experiment, Kind, Use};
use crate::finding::Finding;
use crate::import;
use crate::options::{Gaps, ReadOptions, Window, Zero};
use crate::recognise::{self, Match};
use crate::record::{Record, Signal, UnitFrom, range};
use crate::role::{Role, Slot};
use crate::table::Table;
use crate::timing::{self, Spacing};
use crate::unit;

mod tabular;

/// Reads one test; a file with several parts needs `file#part` unless only one of them fits.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Experiment, DataError> {
    let path = path.as_ref();
    let mut all = read_all(path, options)?;
    if all.len() > 1 {
        return Err(DataError::SeveralParts {
            file: path.to_owned(),
            parts: all.into_iter().map(|e| e.part).collect(),
        });
    }
    all.pop().ok_or_else(|| DataError::Empty {
        file: path.to_owned(),
        what: "no data".into(),
    })
}

/// Reads every part of a file that can be read as a test.
pub fn read_all(
    path: impl AsRef<Path>,
    options: &ReadOptions,
) -> Result<Vec<Experiment>, DataError> {
    let path = path.as_ref();
    let tables = load(path)?;
    let mut found = Vec::new();
    let mut first_error = None;
    for table in tables {
        match experiment(table, options) {
            Ok(experiment) => found.push(experiment),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    match (found.is_empty(), first_error) {
        (true, Some(error)) => Err(error),
        (true, None) => Err(DataError::Empty {
            file: path.to_owned(),
            what: "no data".into(),
        }),
        _ => Ok(found),
    }
}

/// Reads the tables of a file without giving them a meaning; `file#part` picks one.
pub fn load(path: impl AsRef<Path>) -> Result<Vec<Table>, DataError> {
    let (file, part) = split_part(path.as_ref());
    let tables = import::load(&file)?;
    let Some(part) = part else { return Ok(tables) };
    let parts: Vec<String> = tables.iter().map(|t| t.part.clone()).collect();
    let exact = tables.iter().any(|t| t.part == part);
    let same = |t: &Table| {
        if exact {
            t.part == part
        } else {
            t.part.eq_ignore_ascii_case(&part)
        }
    };
    let chosen: Vec<Table> = tables.into_iter().filter(same).collect();
    if chosen.is_empty() {
        return Err(DataError::MissingPart { file, part, parts });
    }
    Ok(chosen)
}

/// `file#part`, unless a file of that very name exists.
fn split_part(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    match text.rsplit_once('#') {
        Some((file, part)) if !file.is_empty() && !path.exists() => {
            (PathBuf::from(file), Some(part.to_owned()))
        }
        _ => (path.to_owned(), None),
    }
}

/// Gives the columns of a table their meaning.
pub fn experiment(table: Table, options: &ReadOptions) -> Result<Experiment, DataError> {
    let mut table = table;
    let mut findings = Vec::new();
    let wide = tabular::unfold(&mut table, options, &mut findings)?;
    let mut signals = signals(&table, options)?;
    let rotation = is_rotation(&signals);
    let has = |role| signals.iter().any(|s: &Signal| s.slot.role == role);
    let table_like = wide
        || ((has(Role::Stiffness) || has(Role::Storage))
            && (has(Role::Frequency) || has(Role::Amplitude)));
    let kind = options.kind.unwrap_or(if table_like {
        Kind::Harmonic
    } else {
        Kind::Record
    });
    let wanted = |role: Role| match kind {
        Kind::Harmonic => role >= Role::Frequency,
        Kind::Record => role < Role::Frequency,
    };
    signals.retain(|s| wanted(s.slot.role));
    if signals.is_empty() {
        let role = if kind == Kind::Harmonic {
            Role::Stiffness
        } else {
            Role::Displacement
        };
        return Err(DataError::MissingRole {
            file: table.source.file,
            role: role.to_string(),
            available: table_labels(&table.channels),
        });
    }
    let name = experiment_name(&table);
    let assumptions = signals.iter().map(describe).collect();
    let used: Vec<&str> = signals.iter().map(|s| s.column.as_str()).collect();
    let ignored = table
        .labels()
        .into_iter()
        .filter(|l| !used.iter().any(|u| u.contains(l.as_str())))
        .collect();
    let (file, format, part) = (
        table.source.file.clone(),
        table.source.format,
        table.part.clone(),
    );
    let content = match kind {
        Kind::Harmonic => Content::Harmonic(tabular::table(&table, &signals, rotation, options)?),
        Kind::Record => Content::Record(record(table, signals, rotation, options, &mut findings)?),
    };
    Ok(Experiment {
        name,
        file,
        format,
        part,
        role: Use::Fit,
        content,
        assumptions,
        findings,
        ignored,
    })
}

fn table_labels(channels: &[crate::table::Channel]) -> Vec<String> {
    channels.iter().map(crate::table::Channel::label).collect()
}

fn experiment_name(table: &Table) -> String {
    let stem = table
        .source
        .file
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default();
    if table.part.is_empty() {
        stem
    } else {
        format!("{stem}#{}", table.part)
    }
}

/// Angle or torque, and not the straight pair.
fn is_rotation(signals: &[Signal]) -> bool {
    let has = |role| signals.iter().any(|s| s.slot.role == role);
    let turning = signals.iter().any(|s| {
        matches!(
            s.quantity,
            unit::Quantity::Torque
                | unit::Quantity::AngularVelocity
                | unit::Quantity::AngularAcceleration
                | unit::Quantity::AngularStiffness
        ) || s.slot.role == Role::Angle
    });
    turning && !has(Role::Displacement) && !has(Role::Force)
}

fn describe(signal: &Signal) -> String {
    let how = match signal.matched {
        Match::Given => "as given",
        Match::Name => "by its name",
        Match::Synonym | Match::Word => "from its name",
        Match::Unit => "from its unit",
        Match::Position => "from its position, the file has no header",
    };
    let unit = match signal.unit_from {
        UnitFrom::Given => "as given",
        UnitFrom::File => "from the file",
        UnitFrom::Assumed => "assumed, the file gives none",
    };
    format!(
        "{}: column `{}` ({how}), unit {} ({unit})",
        signal.slot, signal.column, signal.unit
    )
}

/// Every column that plays a role, in SI.
fn signals(table: &Table, options: &ReadOptions) -> Result<Vec<Signal>, DataError> {
    let taken: Vec<Slot> = options.columns.iter().map(|c| c.0).collect();
    let units: Vec<Option<String>> = table
        .channels
        .iter()
        .map(|c| {
            options
                .unit(None, &c.name)
                .map(str::to_owned)
                .or_else(|| c.unit.clone())
        })
        .collect();
    let mut plans: Vec<(Slot, Vec<Term>, Match, String)> = Vec::new();
    for (slot, text) in &options.columns {
        plans.push((
            *slot,
            columns::parse(text, table)?,
            Match::Given,
            text.clone(),
        ));
    }
    let mentioned = |column: usize| plans.iter().any(|p| p.1.iter().any(|t| t.column == column));
    let found: Vec<_> = recognise::recognise(table, &taken, &units)?
        .into_iter()
        .filter(|f| !mentioned(f.1))
        .collect();
    for (slot, column, matched) in found {
        plans.push((
            slot,
            vec![Term { sign: 1.0, column }],
            matched,
            table.channels[column].label(),
        ));
    }
    plans.sort_by_key(|p| p.0);
    // Displacement and angle of the same node exclude each other: the straight pair wins unless asked otherwise.
    let rotation = plans
        .iter()
        .any(|p| matches!(p.0.role, Role::Angle | Role::Torque))
        && !plans
            .iter()
            .any(|p| matches!(p.0.role, Role::Displacement | Role::Force));
    plans
        .into_iter()
        .map(|(slot, terms, matched, text)| {
            signal(table, options, slot, &terms, matched, text, rotation)
        })
        .collect()
}

fn signal(
    table: &Table,
    options: &ReadOptions,
    slot: Slot,
    terms: &[Term],
    matched: Match,
    text: String,
    rotation: bool,
) -> Result<Signal, DataError> {
    let quantities = slot.role.quantities(rotation);
    let mut values: Vec<f64> = Vec::new();
    let mut quantity = quantities[0];
    let mut unit_text = quantity.si().to_owned();
    let mut unit_from = UnitFrom::Assumed;
    for (i, term) in terms.iter().enumerate() {
        let channel = &table.channels[term.column];
        let given = options.unit(Some(slot), &channel.name);
        let place = match given {
            Some(_) => format!("unit of {slot}"),
            None => format!(
                "{}, column `{}`",
                table.source.file.display(),
                channel.label()
            ),
        };
        let mut factor = 1.0;
        if let Some(unit) = given.or(channel.unit.as_deref()) {
            let allowed = if i == 0 {
                quantities
            } else {
                std::slice::from_ref(&quantity)
            };
            (factor, quantity) = unit::factor(unit, allowed, &place)?;
            unit.clone_into(&mut unit_text);
            unit_from = if given.is_some() {
                UnitFrom::Given
            } else {
                UnitFrom::File
            };
        }
        let scale = term.sign * factor;
        if i == 0 {
            values = channel.values.iter().map(|v| v * scale).collect();
        } else {
            for (value, v) in values.iter_mut().zip(&channel.values) {
                *value += v * scale;
            }
        }
    }
    let mut signal = Signal {
        slot,
        quantity,
        column: text,
        unit: unit_text,
        unit_from,
        matched,
        values,
    };
    if slot.role < Role::Frequency
        && !signal.values.is_empty()
        && signal.values.iter().all(|v| v.is_nan())
    {
        return Err(DataError::Channel {
            file: table.source.file.clone(),
            role: slot.to_string(),
            column: signal.column,
            reason: "has no numbers".into(),
        });
    }
    if options.flips(slot) {
        signal.values.iter_mut().for_each(|v| *v = -*v);
    }
    if let Some(zero) = options.zero_of(slot) {
        remove_offset(&mut signal, zero)?;
    }
    Ok(signal)
}

fn remove_offset(signal: &mut Signal, zero: &Zero) -> Result<(), DataError> {
    let finite = || signal.values.iter().copied().filter(|v| v.is_finite());
    let offset = match zero {
        Zero::Mean => finite().sum::<f64>() / finite().count().max(1) as f64,
        Zero::First => finite().next().unwrap_or(0.0),
        Zero::Midrange => {
            let (low, high) = range(&signal.values);
            if low <= high {
                f64::midpoint(low, high)
            } else {
                0.0
            }
        }
        Zero::Value(text) => unit::parse_quantity(text, signal.quantity)?,
    };
    signal.values.iter_mut().for_each(|v| *v -= offset);
    Ok(())
}

fn record(
    table: Table,
    mut signals: Vec<Signal>,
    rotation: bool,
    options: &ReadOptions,
    findings: &mut Vec<Finding>,
) -> Result<Record, DataError> {
    let available = table.labels();
    let time = signals
        .iter()
        .position(|s| s.slot.role == Role::Time)
        .map(|i| signals.remove(i).values);
    let time = match (time, sampling_step(&table, options)?) {
        (Some(time), _) => Some(time),
        (None, Some((step, words))) => {
            findings.push(Finding::new(
                "time-built",
                format!("no time column; time was built from {words}"),
            ));
            Some((0..table.rows()).map(|i| step * i as f64).collect())
        }
        (None, None) => {
            findings.push(Finding::new(
                "no-time",
                "no time column: rates and frequencies are not known".to_owned(),
            ));
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
        return Err(DataError::Empty {
            file: record.source.file,
            what: "no rows".into(),
        });
    }
    fix_time(&mut record, options.gaps, findings)?;
    gaps(&mut record, options.gaps, findings);
    window(record, options.window)
}

/// Sampling step from the options or from remarks above the data.
fn sampling_step(table: &Table, options: &ReadOptions) -> Result<Option<(f64, String)>, DataError> {
    if let Some(rate) = options.rate {
        if !(rate.is_finite() && rate > 0.0) {
            return Err(DataError::Argument {
                what: "sampling rate",
                found: rate,
                expected: "a positive number of Hz",
            });
        }
        return Ok(Some((1.0 / rate, format!("the given rate of {rate} Hz"))));
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
        return Ok(Some((
            step,
            format!("the sampling interval of {step} s in the file"),
        )));
    }
    let rates = [
        "sampling rate",
        "sample rate",
        "sampling frequency",
        "samplerate",
        "fs",
        "rate",
    ];
    Ok(number(&rates, unit::Quantity::Frequency).map(|rate| {
        (
            1.0 / rate,
            format!("the sampling rate of {rate} Hz in the file"),
        )
    }))
}

fn fix_time(record: &mut Record, gaps: Gaps, findings: &mut Vec<Finding>) -> Result<(), DataError> {
    let Some(mut time) = record.time.take() else {
        return Ok(());
    };
    if let Some(sample) = time.iter().position(|t| !t.is_finite()) {
        if gaps == Gaps::Keep {
            let line = record.source.line(record.first_row + sample);
            return Err(DataError::Missing {
                file: record.source.file.clone(),
                line,
                role: "time".into(),
            });
        }
        let filled = fill(&mut time, None);
        findings.push(Finding::new(
            "filled",
            format!("{filled} missing times were filled with straight lines"),
        ));
    }
    let bad = time
        .windows(2)
        .position(|w| w[1] <= w[0] || w[0].is_nan() || w[1].is_nan());
    match (bad, timing::spacing(&time)) {
        (Some(_), Some(Spacing::Rounded { step, digit })) => {
            findings.push(Finding::new(
                "time-rebuilt",
                format!("time is rounded to {digit} s, which repeats stamps; it was rebuilt with a step of {step:.6e} s"),
            ));
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
            findings.push(Finding::new(
                "time-rounded",
                format!("time is rounded to {digit} s while the step is {step:.6e} s; derived velocities will be rough"),
            ));
        }
        _ => {}
    }
    record.time = Some(time);
    Ok(())
}

fn gaps(record: &mut Record, gaps: Gaps, findings: &mut Vec<Finding>) {
    for i in 0..record.signals.len() {
        let missing = record.signals[i]
            .values
            .iter()
            .filter(|v| !v.is_finite())
            .count();
        if missing == 0 {
            continue;
        }
        let slot = record.signals[i].slot;
        let first = record.signals[i]
            .values
            .iter()
            .position(|v| !v.is_finite())
            .unwrap_or(0);
        let line = record.line(first);
        let force = matches!(slot.role, Role::Force | Role::Torque);
        if gaps == Gaps::Interpolate && !force {
            fill(&mut record.signals[i].values, record.time.as_deref());
            let text = format!(
                "{missing} missing values of {slot} (first in line {line}) were filled with straight lines"
            );
            findings.push(Finding::new("filled", text));
        } else {
            let text = format!("{missing} values of {slot} are missing, the first in line {line}");
            findings.push(Finding::new("gap", text));
        }
    }
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
                return Err(DataError::BadOption {
                    option: "window",
                    found: format!("{from}..{to}"),
                    reason: format!(
                        "holds {} samples; the record runs from {} s to {} s",
                        end - start,
                        time[0],
                        time[time.len() - 1]
                    ),
                });
            }
            Ok(record.slice(start, end))
        }
        Window::Stabilised | Window::Cycle(_) => crate::cycles::cut(&record, window),
    }
}
