//! The `[system]` of a model file.

use super::error::FileError;
use super::table::{Number, Table};
use crate::spec::MotionKind;
use crate::system::Masses;
use toml::de::DeValue;

const KEYS: &[&str] = &["type", "m", "c", "k", "x0", "v0"];

/// More degrees of freedom than this are refused: the matrices are dense.
const MOST_DOFS: usize = 500;

/// The masses and their values; those not given are `None`. `x0` and `v0` may always be left out:
/// then the system starts at rest. So may `c` and `k` of an oscillator: then the elements are all that
/// damps and holds it.
pub(super) fn read(
    table: &Table<'_>,
    motion: MotionKind,
    complete: bool,
) -> Result<(Masses, Vec<Option<Number>>), FileError> {
    let Some(name) = table.text("type")? else {
        return Err(table.missing(vec!["type".to_owned()]));
    };
    table.refuse_unknown(KEYS)?;
    let masses = match (name, table.get("type")) {
        ("oscillator", _) => Masses::oscillator(),
        ("structure", _) => Masses::structure(dofs_of(table)?),
        (_, Some(value)) => {
            return Err(table.wrong("type", value, "\"oscillator\" or \"structure\""));
        }
        (_, None) => return Err(table.missing(vec!["type".to_owned()])),
    };
    let needed: &[&str] = if name == "oscillator" {
        &["m"]
    } else {
        &["m", "c", "k"]
    };
    let missing: Vec<String> = needed
        .iter()
        .filter(|key| table.get(key).is_none())
        .map(|key| (*key).to_owned())
        .collect();
    if complete && !missing.is_empty() {
        return Err(table.missing(missing));
    }
    let mut values = Vec::with_capacity(masses.param_count());
    for key in ["m", "c", "k"] {
        values.extend(matrix(table, key, &masses)?);
    }
    for key in ["x0", "v0"] {
        values.extend(vector(table, key, &masses)?);
    }
    check(table, motion, &masses, &values)?;
    Ok((masses, values))
}

fn dofs_of(table: &Table<'_>) -> Result<usize, FileError> {
    let first = ["m", "k", "c"]
        .into_iter()
        .find(|key| table.get(key).is_some());
    let (Some(key), Some(value)) = (first, first.and_then(|key| table.get(key))) else {
        return Err(table.missing(vec!["m".to_owned()]));
    };
    match value.get_ref() {
        DeValue::Array(rows) if (1..=MOST_DOFS).contains(&rows.len()) => Ok(rows.len()),
        _ => Err(table.wrong(key, value, format!("a list of 1 to {MOST_DOFS} rows"))),
    }
}

/// A number for an oscillator, rows of numbers for a structure.
fn matrix(table: &Table<'_>, key: &str, masses: &Masses) -> Result<Vec<Option<Number>>, FileError> {
    let n = masses.dofs();
    let Some(value) = table.get(key) else {
        return Ok(vec![None; n * n]);
    };
    if masses.name() == "oscillator" {
        return Ok(vec![Some(table.number(key, value)?)]);
    }
    let DeValue::Array(rows) = value.get_ref() else {
        return Err(table.wrong(key, value, format!("a list of {n} rows")));
    };
    table.expect_length(key, rows.len(), n, value.span().start)?;
    let mut out = Vec::with_capacity(n * n);
    for (i, row) in rows.iter().enumerate() {
        let name = format!("{key}[{}]", i + 1);
        if !matches!(row.get_ref(), DeValue::Array(_)) {
            return Err(table.wrong(name, row, format!("a row of {n} numbers, as a list")));
        }
        let numbers = table.numbers(&name, row)?;
        table.expect_length(&name, numbers.len(), n, row.span().start)?;
        out.extend(numbers.into_iter().map(Some));
    }
    Ok(out)
}

/// A number for an oscillator, a list for a structure.
fn vector(table: &Table<'_>, key: &str, masses: &Masses) -> Result<Vec<Option<Number>>, FileError> {
    let n = masses.dofs();
    let Some(value) = table.get(key) else {
        return Ok(vec![None; n]);
    };
    if masses.name() == "oscillator" {
        return Ok(vec![Some(table.number(key, value)?)]);
    }
    let numbers = table.numbers(key, value)?;
    table.expect_length(key, numbers.len(), n, value.span().start)?;
    Ok(numbers.into_iter().map(Some).collect())
}

fn check(
    table: &Table<'_>,
    motion: MotionKind,
    masses: &Masses,
    values: &[Option<Number>],
) -> Result<(), FileError> {
    table.check_ranges(masses.name(), motion, &masses.params(), values)?;
    if table.get("m").is_some() {
        // What is left is symmetry and positive definiteness of the mass matrix.
        let all: Vec<f64> = masses
            .params()
            .iter()
            .zip(values)
            .map(|(param, number)| number.map_or(param.default, |n| n.value))
            .collect();
        masses
            .check(&all)
            .map_err(|error| table.source.error_at(table.key_at("m"), error))?;
    }
    Ok(())
}
