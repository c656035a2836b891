//! A file to experiments.

use masing_diagnostic::{Diagnostic, ReadingDiagnostic};
use std::path::{Path, PathBuf};

use crate::columns;
use crate::error::DataError;
use crate::experiment::{ChannelUse, Content, Experiment, Kind};
use crate::import;
use crate::options::ReadOptions;
use crate::pairs;
use crate::recognise::{self, Match};
use crate::record::{Signal, UnitFrom, range};
use crate::role::{Role, Slot};
use crate::table::Table;
use crate::unit::Quantity;

mod record;
mod signals;
mod tabular;

pub use record::window;

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
    all.pop().ok_or_else(|| DataError::empty(path, "no data"))
}

/// Reads every part of a file that can be read as a test.
pub fn read_all(
    path: impl AsRef<Path>,
    options: &ReadOptions,
) -> Result<Vec<Experiment>, DataError> {
    let path = path.as_ref();
    let tables = tables(path, options)?;
    let mut found = Vec::new();
    let mut first_error = None;
    let chosen = options
        .columns
        .iter()
        .any(|(slot, _)| is_motion_or_force(*slot));
    let each = tables.into_iter().flat_map(|table| {
        let pairs = if chosen {
            Vec::new()
        } else {
            pairs::parts(&table)
        };
        if pairs.is_empty() {
            vec![(table, Vec::new())]
        } else {
            pairs
        }
    });
    for (table, columns) in each {
        let mut options = options.clone();
        options.columns.extend(columns);
        match experiment(table, &options) {
            Ok(experiment) => found.push(experiment),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    match (found.is_empty(), first_error) {
        (true, Some(error)) => Err(error),
        (true, None) => Err(DataError::empty(path, "no data")),
        _ => Ok(found),
    }
}

/// The tables of a file, or the content that stands for it.
pub fn tables(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Vec<Table>, DataError> {
    match &options.content {
        Some(table) => Ok(vec![table.as_ref().clone()]),
        None => load(path),
    }
}

/// Reads the tables of a file without giving them a meaning; `file#part` picks one.
pub fn load(path: impl AsRef<Path>) -> Result<Vec<Table>, DataError> {
    let (file, part) = split_part(path.as_ref());
    let tables = import::load(&file)?;
    let Some(part) = part else { return Ok(tables) };
    let mut parts: Vec<String> = tables.iter().map(|t| t.part.clone()).collect();
    let exact = tables.iter().any(|t| t.part == part);
    let same = |t: &Table| {
        if exact {
            t.part == part
        } else {
            t.part.eq_ignore_ascii_case(&part)
        }
    };
    if tables.iter().any(same) {
        return Ok(tables.into_iter().filter(same).collect());
    }
    let pairs: Vec<Table> = tables
        .iter()
        .flat_map(pairs::parts)
        .map(|(table, _)| table)
        .collect();
    parts.extend(pairs.iter().map(|t| t.part.clone()));
    let pair = pairs
        .into_iter()
        .find(|t| t.part.eq_ignore_ascii_case(&part));
    match pair {
        Some(table) => Ok(vec![table]),
        None => Err(DataError::MissingPart { file, part, parts }),
    }
}

/// Whether a choice of this column says which of several pairs is meant.
fn is_motion_or_force(slot: Slot) -> bool {
    use Role::{Angle, Displacement, Force, Load, Torque};
    matches!(slot.role, Displacement | Angle | Force | Torque | Load)
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
    let mut diagnostics = Vec::new();
    let wide = tabular::unfold(&mut table, options, &mut diagnostics);
    signals::constants(&mut table, options);
    let mut signals = signals::signals(&table, options)?;
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
    signals.retain(|s| (s.slot.role >= Role::Frequency) == (kind == Kind::Harmonic));
    if signals.is_empty()
        && kind == Kind::Record
        && table.is_numbered()
        && !table.channels.is_empty()
    {
        return Err(DataError::UnnamedColumns {
            columns: table.channels.iter().map(|c| range(&c.values)).collect(),
            file: table.source.file,
        });
    }
    if signals.is_empty() {
        return Err(table.missing(match kind {
            Kind::Harmonic => Role::Stiffness,
            Kind::Record => Role::Displacement,
        }));
    }
    let name = experiment_name(&table);
    let assumptions = signals.iter().map(describe).collect();
    let channels = channels(&table, &signals);
    diagnostics.extend(remarks(&table, &signals, wide));
    let (file, format) = (table.source.file.clone(), table.source.format);
    let part = table.part.clone();
    if let Some(column) = lone_load(&signals) {
        diagnostics.push(ReadingDiagnostic::LoadNotForce { column }.into());
    }
    let content = match kind {
        Kind::Harmonic => {
            let points = tabular::table(&table, &signals, rotation, options, &mut diagnostics)?;
            Content::Harmonic(points)
        }
        Kind::Record => {
            let record = record::record(table, signals, rotation, options, &mut diagnostics)?;
            Content::Record(record)
        }
    };
    Ok(Experiment {
        name,
        file,
        format,
        part,
        content,
        assumptions,
        diagnostics,
        channels,
    })
}

/// All columns and what became of them.
fn channels(table: &Table, signals: &[Signal]) -> Vec<ChannelUse> {
    let mut used = Vec::new();
    let mut out = Vec::new();
    for signal in signals {
        let terms = columns::parse(&signal.column, table).unwrap_or_default();
        let name = match terms.as_slice() {
            [one] => table.channels[one.column].name.clone(),
            _ => signal.column.clone(),
        };
        used.extend(terms.iter().map(|t| t.column));
        out.push(ChannelUse {
            name,
            role: Some(signal.slot),
            unit: Some(signal.unit.clone()),
            unit_from: Some(signal.unit_from),
            matched: Some(signal.matched),
        });
    }
    let idle = |name: &str, unit: Option<String>| ChannelUse {
        name: name.to_owned(),
        unit,
        ..ChannelUse::default()
    };
    let all = table.channels.iter().enumerate();
    let unused = all.filter(|(i, _)| !used.contains(i));
    out.extend(unused.map(|(_, c)| idle(&c.name, c.unit.clone())));
    out.extend(table.text_columns.iter().map(|t| idle(t, None)));
    out
}

/// What the reader said about columns that are used, and about columns of text whose role nobody else plays.
fn remarks(table: &Table, signals: &[Signal], wide: bool) -> Vec<Diagnostic> {
    let used: Vec<&str> = signals
        .iter()
        .filter_map(|s| columns::parse(&s.column, table).ok())
        .flatten()
        .map(|t| table.channels[t.column].name.as_str())
        .collect();
    let missed = |name: &str| {
        let roles = recognise::roles(name);
        table.text_columns.iter().any(|t| t == name)
            && !roles.is_empty()
            && !signals.iter().any(|s| roles.contains(&s.slot.role))
    };
    table
        .remarks
        .iter()
        .filter(|(name, _)| wide || used.contains(&name.as_str()) || missed(name))
        .map(|(_, finding)| finding.clone())
        .collect()
}

fn experiment_name(table: &Table) -> String {
    let stem = table.source.file.file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    if table.part.is_empty() {
        return stem.into_owned();
    }
    format!("{stem}#{}", table.part)
}

/// The name of a load column beside motion without force, where nobody said that it is one.
fn lone_load(signals: &[Signal]) -> Option<String> {
    let has = |roles: &[Role]| signals.iter().any(|s| roles.contains(&s.slot.role));
    let load = signals
        .iter()
        .find(|s| s.slot == Role::Load.into() && s.matched != Match::Given)?;
    let alone = has(&[Role::Displacement, Role::Angle])
        && !has(&[Role::Force, Role::Torque, Role::Acceleration]);
    let name = load.column.split(" [").next().unwrap_or_default();
    alone.then(|| name.to_owned())
}

/// Angle or torque, and not the straight pair.
fn is_rotation(signals: &[Signal]) -> bool {
    let has = |role| signals.iter().any(|s| s.slot.role == role);
    let turning = signals.iter().any(|s| {
        matches!(
            s.quantity,
            Quantity::Torque
                | Quantity::AngularVelocity
                | Quantity::AngularAcceleration
                | Quantity::AngularStiffness
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
        Match::Shape => "from its shape, the file has no header",
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
