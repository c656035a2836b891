//! One `[[element]]` of a model file.

use super::condition::Followed;
use super::error::{FileError, Problem};
use super::table::{Number, Table};
use crate::assembly::Assembly;
use crate::error::ModelError;
use crate::network::{series, softening};
use crate::presets::PRESETS;
use crate::registry::{self, Kind, Shape};
use crate::spec::{MotionKind, Param, Spec};
use std::collections::BTreeSet;
use toml::de::DeValue;

/// Keys of every element besides its options and parameters.
const COMMON: &[&str] = &["type", "label", "between"];

/// More cells than this are refused before anything is built.
const MOST_CELLS: f64 = 1e6;

/// Adds the element in `table` to the assembly and returns its values; those not given are `None`. `motion` is what the
/// file says.
pub(super) fn read(
    table: &mut Table<'_>,
    assembly: &mut Assembly,
    dofs: Option<usize>,
    complete: bool,
    motion: Option<MotionKind>,
    followed: &mut Followed,
) -> Result<Vec<Option<Number>>, FileError> {
    let name = table.text("type")?;
    if let Some(name) = NETWORKS.iter().find(|network| name == Some(network)) {
        return network(name, table, assembly, dofs, complete, motion, followed);
    }
    let kind = kind_of(table)?;
    table.name = format!("[[element]] {}", kind.name);
    refuse_implausible(table, kind, dofs)?;
    let shape = shape_of(table, kind)?;
    let label = label_of(table)?;
    assembly
        .add(kind, shape, label)
        .map_err(|error| located(table, error))?;
    // What the file says counts: a staged coupling may as well be straight.
    assembly.motion = motion.unwrap_or(assembly.motion);
    let last = assembly.parts().len() - 1;
    if let Some(dofs) = dofs {
        assembly.connect(last, between_of(table, dofs)?);
    }

    let part = &assembly.parts()[last];
    let spec = part.element.spec();
    table.refuse_unknown(&known_keys(kind, spec, dofs))?;
    let demand = (complete, assembly.motion);
    let values = own_values(table, &part.label, spec, demand, followed)?;
    if let Some(all) = values
        .iter()
        .map(|v| v.map(|v| v.value))
        .collect::<Option<Vec<f64>>>()
    {
        part.element
            .law()
            .check(&all)
            .map_err(|error| located(table, error))?;
    }
    Ok(values)
}

/// The types of elements that hold others.
const NETWORKS: [&str; 2] = [series::NAME, softening::NAME];

/// The type of a branch with several elements side by side.
const PARALLEL: &str = "parallel";

/// Adds a network and what it holds: the `[[element.element]]` of a series one after another, those of a
/// `parallel` in it side by side; those of a softening side by side.
fn network(
    name: &'static str,
    table: &mut Table<'_>,
    assembly: &mut Assembly,
    dofs: Option<usize>,
    complete: bool,
    motion: Option<MotionKind>,
    followed: &mut Followed,
) -> Result<Vec<Option<Number>>, FileError> {
    table.name = format!("[[element]] {name}");
    refuse_between(table, dofs)?;
    let wraps = name == softening::NAME;
    let mut known = vec!["element"];
    let shape = if wraps {
        // What is sought beside what was given is known when the options are.
        known.extend(softening::KIND.on_request);
        shape_of(table, &softening::KIND)?
    } else {
        Shape::default()
    };
    if wraps {
        let factor = (softening::KIND.build)(&shape).map_err(|error| located(table, error))?;
        known.extend(known_keys(&softening::KIND, factor.spec(), dofs));
        table.refuse_unknown(&known)?;
    } else {
        known.extend(["type", "label"]);
        known.extend(dofs.map(|_| "between"));
        table.refuse_unknown(&known)?;
    }
    let label = label_of(table)?;
    let open = assembly.open(name, label);
    let mut open = open.map_err(|error| located(table, error))?;
    let mut values = Vec::new();
    for (i, mut branch) in held(table)?.into_iter().enumerate() {
        if i == 0 || !wraps {
            assembly.open_branch(&mut open);
        }
        let side_by_side = if !wraps && branch.text("type")? == Some(PARALLEL) {
            branch.name = format!("[[element]] {PARALLEL}");
            branch.refuse_unknown(&["type", "element"])?;
            self::held(&branch)?
        } else {
            vec![branch]
        };
        for mut child in side_by_side {
            let own = read(&mut child, assembly, None, complete, motion, followed)?;
            values.extend(own);
        }
    }
    let closed = assembly.close(open, shape);
    closed.map_err(|error| located(table, error))?;
    let last = assembly.parts().len() - 1;
    if let Some(dofs) = dofs {
        assembly.connect(last, between_of(table, dofs)?);
    }
    let part = &assembly.parts()[last];
    let mut own = Spec::new(part.element.spec().memory, Vec::new());
    let first = part.own_params().start - part.params.start;
    own.params = part.element.spec().params[first..].to_vec();
    let demand = (complete, assembly.motion);
    values.extend(own_values(table, &part.label, &own, demand, followed)?);
    let all: Option<Vec<f64>> = values.iter().map(|v| v.map(|v: Number| v.value)).collect();
    if let Some(all) = all {
        let checked = part.element.law().check(&all);
        checked.map_err(|error| located(table, error))?;
    }
    Ok(values)
}

/// The values of an element itself; where the file must be complete none may be missing.
fn own_values(
    table: &Table<'_>,
    label: &str,
    spec: &Spec,
    (complete, motion): (bool, MotionKind),
    followed: &mut Followed,
) -> Result<Vec<Option<Number>>, FileError> {
    let values = values_of(table, spec, followed)?;
    let missing: Vec<String> = bases(spec)
        .into_iter()
        .filter(|base| table.get(base).is_none())
        .map(str::to_owned)
        .collect();
    if complete && !missing.is_empty() {
        return Err(table.missing(missing));
    }
    table.check_ranges(label, motion, &spec.params, &values)?;
    Ok(values)
}

/// The tables that an element holds, at least one.
fn held<'a>(table: &Table<'a>) -> Result<Vec<Table<'a>>, FileError> {
    let missing = || table.missing(vec!["[[element.element]]".to_owned()]);
    let value = table.get("element").ok_or_else(missing)?;
    let tables = super::tables(table, "element", value)?;
    if tables.is_empty() {
        return Err(missing());
    }
    Ok(tables)
}

fn kind_of(table: &Table<'_>) -> Result<&'static Kind, FileError> {
    let Some(name) = table.text("type")? else {
        return Err(table.missing(vec!["type".to_owned()]));
    };
    let at = table.key_at("type");
    if let Some((_, elements, _)) = PRESETS.iter().find(|(preset, ..)| *preset == name) {
        let problem = Problem::Preset {
            name: name.to_owned(),
            elements: elements.iter().map(|&e| e.to_owned()).collect(),
        };
        return Err(table.source.error_at(at, problem));
    }
    registry::find(name).map_err(|error| table.source.error_at(at, error))
}

/// Names of the parameters without indices, in file order.
fn bases(spec: &Spec) -> Vec<&str> {
    let mut bases: Vec<&str> = spec.params.iter().map(Param::base).collect();
    bases.dedup();
    bases
}

fn known_keys<'a>(kind: &Kind, spec: &'a Spec, dofs: Option<usize>) -> Vec<&'a str> {
    let options = kind.options.iter().map(|(name, _)| *name);
    let mut known = vec!["type", "label"];
    known.extend(dofs.map(|_| "between"));
    known.extend(options);
    known.extend(bases(spec));
    known
}

/// Complains about masses that are not there.
fn refuse_between(table: &Table<'_>, dofs: Option<usize>) -> Result<(), FileError> {
    if let (None, Some(value)) = (dofs, table.get("between")) {
        let expected = "no such key without a [system] of type \"structure\"";
        return Err(table.wrong("between", value, expected));
    }
    Ok(())
}

/// Complains about keys that no shape of this kind of element could have: their names say more
/// than the complaint about a list they left at its default length.
fn refuse_implausible(
    table: &Table<'_>,
    kind: &Kind,
    dofs: Option<usize>,
) -> Result<(), FileError> {
    refuse_between(table, dofs)?;
    let Ok(default) = (kind.build)(&Shape::default()) else {
        return Ok(());
    };
    let mut known = known_keys(kind, default.spec(), dofs);
    known.extend(kind.lists);
    known.extend(kind.optional_lists);
    known.extend(kind.on_request);
    if kind.takes("powers") {
        // A polynomial has coefficients of any power: `k2` is as good as `k1`.
        let numbered: Vec<&str> = known.iter().filter_map(|key| stem(key)).collect();
        let of_any_power = |key: &&str| stem(key).is_some_and(|stem| numbered.contains(&stem));
        let keys: Vec<&str> = table.keys().into_iter().map(|(key, _)| key).collect();
        known.extend(keys.into_iter().filter(of_any_power));
    }
    let mut seen = BTreeSet::new();
    known.retain(|key| seen.insert(*key));
    table.refuse_unknown(&known)
}

/// What stands before the number at the end of a key: `k` of `k3`.
fn stem(key: &str) -> Option<&str> {
    let stem = key.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.len() < key.len()).then_some(stem)
}

/// Options, lengths of lists and names of numbers that were given.
fn shape_of(table: &Table<'_>, kind: &Kind) -> Result<Shape, FileError> {
    let mut shape = Shape::default();
    for (key, _) in table.keys() {
        let Some(value) = table.get(key).filter(|_| !COMMON.contains(&key)) else {
            continue;
        };
        let array = value.get_ref().as_array();
        if key == "powers" && kind.takes(key) {
            shape.powers = Some(powers_of(table)?);
        } else if kind.takes(key) {
            let number = table.number(key, value)?;
            if number.value.abs() > MOST_CELLS && key == "cells" {
                let expected = format!("a whole number up to {MOST_CELLS}");
                return Err(table.wrong(key, value, expected));
            }
            shape.numbers.insert(key.to_owned(), number.value);
        } else if kind.optional_lists.contains(&key) || kind.lists.contains(&key) {
            if let Some(entries) = array {
                shape.lists.insert(key.to_owned(), entries.len());
            } else if kind.optional_lists.contains(&key) {
                shape.given.insert(key.to_owned());
            } else {
                return Err(table.wrong(key, value, "a list of numbers"));
            }
        } else if array.is_none() {
            shape.given.insert(key.to_owned());
        }
    }
    Ok(shape)
}

fn powers_of(table: &Table<'_>) -> Result<Vec<u32>, FileError> {
    let Some(value) = table.get("powers") else {
        return Ok(Vec::new());
    };
    let numbers = table.numbers("powers", value)?;
    let whole = |n: &Number| n.value.fract() == 0.0 && (1.0..=1e3).contains(&n.value);
    if numbers.is_empty() || !numbers.iter().all(whole) {
        return Err(table.wrong("powers", value, "a list of positive whole numbers"));
    }
    Ok(numbers.iter().map(|n| n.value as u32).collect())
}

/// A label must not look like part of an address.
fn label_of<'a>(table: &Table<'a>) -> Result<Option<&'a str>, FileError> {
    let (Some(label), Some(value)) = (table.text("label")?, table.get("label")) else {
        return Ok(None);
    };
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if label.is_empty() || !label.chars().all(plain) || label.chars().count() > 64 {
        let expected = "a name of at most 64 letters, digits, - and _";
        return Err(table.wrong("label", value, expected));
    }
    if ["oscillator", "structure"].contains(&label) {
        return Err(table.wrong("label", value, "a name other than that of a system"));
    }
    Ok(Some(label))
}

fn between_of(table: &Table<'_>, dofs: usize) -> Result<[usize; 2], FileError> {
    let Some(value) = table.get("between") else {
        return Err(table.missing(vec!["between".to_owned()]));
    };
    let numbers: Vec<f64> = table
        .numbers("between", value)?
        .iter()
        .map(|n| n.value)
        .collect();
    let sound = |n: &f64| n.fract() == 0.0 && (0.0..=dofs as f64).contains(n);
    match numbers[..] {
        [from, to] if from != to && numbers.iter().all(sound) => Ok([from as usize, to as usize]),
        _ => Err(table.wrong(
            "between",
            value,
            format!("two different whole numbers from 0 (ground) to {dofs}"),
        )),
    }
}

fn values_of(
    table: &Table<'_>,
    spec: &Spec,
    followed: &mut Followed,
) -> Result<Vec<Option<Number>>, FileError> {
    let mut values = Vec::with_capacity(spec.params.len());
    for base in bases(spec) {
        let range = spec.range_of(base);
        let is_list = spec.params[range.start].name != base;
        match table.get(base) {
            None => values.extend(range.map(|_| None)),
            Some(value) if is_list => {
                let numbers = followed.numbers(table, base, value)?;
                table.expect_length(base, numbers.len(), range.len(), table.key_at(base))?;
                values.extend(numbers.into_iter().map(Some));
            }
            Some(value) => {
                if matches!(value.get_ref(), DeValue::Array(_)) {
                    return Err(table.wrong(base, value, "a number, not a list"));
                }
                values.push(Some(followed.number(table, base, value)?));
            }
        }
    }
    Ok(values)
}

/// The line of the key that an element complains about.
fn located(table: &Table<'_>, error: ModelError) -> FileError {
    let name = match &error {
        ModelError::OutOfRange { param, .. } => param,
        ModelError::Lengths { second, .. } => second,
        ModelError::Shape { option, .. } => option,
        ModelError::NotIncreasing { list, .. } => list,
        _ => return table.source.error_at(table.at, error),
    };
    let base = name.split('[').next().unwrap_or(name);
    let mut at = table.key_at(base);
    if let (ModelError::NotIncreasing { index, .. }, Some(value)) = (&error, table.get(base))
        && let DeValue::Array(entries) = value.get_ref()
        && let Some(entry) = entries.get(index.saturating_sub(1))
    {
        at = entry.span().start;
    }
    table.source.error_at(at, error)
}
