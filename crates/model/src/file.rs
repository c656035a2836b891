//! `model.toml` in and out.
//!
//! Numbers are in SI units. Every complaint names the file, the line, the key, what was found and
//! what was expected.

mod condition;
mod element;
pub(crate) mod error;
pub mod suggest;
mod system;
mod table;
mod write;

pub use error::{FileError, Problem};
pub use write::{draft_to_text, quoted, to_text};

use crate::assembly::Assembly;
use crate::model::{Model, StepLimits, Validity};
use crate::spec::MotionKind;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use table::{Number, Source, Table, as_f64};
use toml::de::{DeTable, DeValue};

/// What this version reads and writes.
pub const SCHEMA: &str = "masing.model/1";

/// Larger files are not model files.
const MOST_BYTES: u64 = 16 << 20;

/// A model some of whose values are still to be found.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The model; values that were not given are defaults.
    pub model: Model,
    /// For every value whether it was given.
    pub given: Vec<bool>,
}

/// Reads a model whose every parameter has a value.
pub fn read(path: &Path) -> Result<Model, FileError> {
    parse(path, &load(path)?)
}

/// Reads a model some of whose parameters may be left out.
pub fn read_draft(path: &Path) -> Result<Draft, FileError> {
    parse_draft(path, &load(path)?)
}

/// The model in a text; `path` is what messages call it.
pub fn parse(path: &Path, text: &str) -> Result<Model, FileError> {
    let text = without_mark(text);
    document(&Source { path, text }, true).map(|draft| draft.model)
}

/// The model in a text some of whose parameters may be left out.
pub fn parse_draft(path: &Path, text: &str) -> Result<Draft, FileError> {
    let text = without_mark(text);
    document(&Source { path, text }, false)
}

/// Editors on Windows may put a mark in front.
pub fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// The model in a table of a larger document, such as the `[model]` of a study, some of whose parameters may be left out.
/// `text` is the whole document, so that complaints name its lines; `at` is where the table stands.
pub fn draft_in(
    path: &Path,
    text: &str,
    table: &DeTable<'_>,
    at: usize,
) -> Result<Draft, FileError> {
    let root = Table {
        source: &Source { path, text },
        name: "[model]".to_owned(),
        at,
        entries: table,
    };
    model(&root, false)
}

/// The text of a file of at most 16 MB.
pub fn load(path: &Path) -> Result<String, FileError> {
    let source = Source { path, text: "" };
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| source.error(error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(source.error(Problem::TooLarge { limit: MOST_BYTES }));
    }
    String::from_utf8(bytes).map_err(|_| source.error(Problem::NotText))
}

fn document(source: &Source<'_>, complete: bool) -> Result<Draft, FileError> {
    let parsed = DeTable::parse(source.text).map_err(|error| {
        let problem = Problem::Syntax {
            message: error.message().to_owned(),
        };
        match error.span() {
            Some(span) => source.error_at(span.start, problem),
            None => source.error(problem),
        }
    })?;
    let root = Table {
        source,
        name: "the file".to_owned(),
        at: 0,
        entries: parsed.get_ref(),
    };
    match (root.text("schema")?, root.get("schema")) {
        (Some(found), Some(value)) if found != SCHEMA => Err(source.error_at(
            value.span().start,
            Problem::Schema {
                found: found.chars().take(60).collect(),
                expected: SCHEMA,
            },
        )),
        (None, _) => Err(source.error_at(0, Problem::NoSchema { expected: SCHEMA })),
        _ => model(&root, complete),
    }
}

fn model(root: &Table<'_>, complete: bool) -> Result<Draft, FileError> {
    root.refuse_unknown(&[
        "schema",
        "name",
        "motion",
        "part",
        "element",
        "system",
        "numerics",
        "validity",
        "conditions",
    ])?;
    let mut followed = condition::Followed::read(root)?;
    let mut assembly = Assembly::new();
    let motion = motion_of(root)?;
    assembly.motion = motion.unwrap_or_default();
    let system = match root.table("system")? {
        None => None,
        Some(table) => Some(system::read(&table, assembly.motion, complete)?),
    };
    let dofs = system
        .as_ref()
        .filter(|(masses, _)| masses.name() == "structure")
        .map(|(masses, _)| masses.dofs());

    let mut values: Vec<Option<Number>> = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for mut table in elements_of(root, system.is_some())? {
        if let Ok(Some(label)) = table.text("label")
            && let Some(&first) = lines.get(label)
        {
            let problem = Problem::DuplicateLabel {
                label: label.to_owned(),
                first,
            };
            return Err(root.source.error_at(table.key_at("label"), problem));
        }
        values.extend(element::read(
            &mut table,
            &mut assembly,
            dofs,
            complete,
            motion,
            &mut followed,
        )?);
        if let Some(part) = assembly.parts().last() {
            lines.insert(part.label.clone(), root.source.line(table.at));
        }
    }
    let mut defaults = assembly.defaults();
    let masses = system.map(|(masses, found)| {
        values.extend(found);
        defaults.extend(masses.params().iter().map(|p| p.default));
        masses
    });
    let given = values.iter().map(Option::is_some).collect();
    let numbers = values;
    let values = numbers
        .iter()
        .zip(&defaults)
        .map(|(number, default)| number.map_or(*default, |n| n.value))
        .collect();
    let (conditions, following) = followed.placed(&numbers);
    let mut model = Model::unchecked(assembly, masses, values);
    if !conditions.is_empty() {
        model = model
            .following_unchecked(conditions, following)
            .map_err(|error| root.source.error(error))?;
    }
    model.name = root.text("name")?.map(str::to_owned).unwrap_or_default();
    model.part = part_of(root)?;
    model.numerics = numerics_of(root)?;
    model.validity = validity_of(root)?;
    if complete {
        model.check().map_err(|error| root.source.error(error))?;
    }
    Ok(Draft { model, given })
}

fn motion_of(root: &Table<'_>) -> Result<Option<MotionKind>, FileError> {
    match (root.text("motion")?, root.get("motion")) {
        (Some("translation"), _) => Ok(Some(MotionKind::Translation)),
        (Some("rotation"), _) => Ok(Some(MotionKind::Rotation)),
        (Some(_), Some(value)) => {
            Err(root.wrong("motion", value, "\"translation\" or \"rotation\""))
        }
        _ => Ok(None),
    }
}

/// A model of more elements is a mistake.
const MOST_ELEMENTS: usize = 1000;

/// The `[[element]]` tables. A system may do without any.
fn elements_of<'a>(root: &Table<'a>, has_system: bool) -> Result<Vec<Table<'a>>, FileError> {
    let Some(value) = root.get("element") else {
        return if has_system {
            Ok(Vec::new())
        } else {
            Err(root.missing(vec!["[[element]]".to_owned()]))
        };
    };
    let tables = tables(root, "element", value)?;
    if tables.is_empty() && !has_system {
        return Err(root.missing(vec!["[[element]]".to_owned()]));
    }
    Ok(tables)
}

/// The tables of a list of tables.
fn tables<'a>(
    root: &Table<'a>,
    key: &str,
    value: &'a toml::Spanned<DeValue<'a>>,
) -> Result<Vec<Table<'a>>, FileError> {
    let expected = format!("tables [[{key}]]");
    let DeValue::Array(tables) = value.get_ref() else {
        return Err(root.wrong(key, value, expected));
    };
    if tables.len() > MOST_ELEMENTS {
        let expected = format!("at most {MOST_ELEMENTS} elements");
        return Err(root.wrong(key, value, &expected));
    }
    tables
        .iter()
        .map(|table| match table.get_ref() {
            DeValue::Table(entries) => Ok(Table {
                source: root.source,
                name: format!("[[{key}]]"),
                at: table.span().start,
                entries,
            }),
            _ => Err(root.wrong(key, table, expected.clone())),
        })
        .collect()
}

/// Free text; numbers and dates are kept as they are written.
fn part_of(root: &Table<'_>) -> Result<BTreeMap<String, String>, FileError> {
    let mut part = BTreeMap::new();
    let Some(table) = root.table("part")? else {
        return Ok(part);
    };
    for (key, _) in table.keys() {
        let Some(value) = table.get(key) else {
            continue;
        };
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Array(_) | DeValue::Table(_) => {
                return Err(table.wrong(key, value, "text"));
            }
            _ => table.source.found(value.span()),
        };
        part.insert(key.to_owned(), text);
    }
    Ok(part)
}

fn numerics_of(root: &Table<'_>) -> Result<Option<StepLimits>, FileError> {
    let Some(table) = root.table("numerics")? else {
        return Ok(None);
    };
    table.refuse_unknown(&["increment", "max_dt"])?;
    let limit = |key: &str| match table.get(key) {
        None => Ok(f64::INFINITY),
        Some(value) => match as_f64(value.get_ref()) {
            Some(number) if number > 0.0 => Ok(number),
            _ => Err(table.wrong(key, value, "a positive number")),
        },
    };
    Ok(Some(StepLimits {
        increment: limit("increment")?,
        max_dt: limit("max_dt")?,
    }))
}

fn validity_of(root: &Table<'_>) -> Result<Option<Validity>, FileError> {
    let Some(table) = root.table("validity")? else {
        return Ok(None);
    };
    table.refuse_unknown(&["displacement", "speed", "frequency"])?;
    let pair = |key: &str| {
        let Some(value) = table.get(key) else {
            return Ok(None);
        };
        let numbers = match value.get_ref() {
            DeValue::Array(entries) => entries.iter().map(|e| as_f64(e.get_ref())).collect(),
            _ => Vec::new(),
        };
        match numbers.as_slice() {
            &[Some(low), Some(high)] => Ok(Some([low, high])),
            _ => Err(table.wrong(key, value, "two numbers [lowest, highest]")),
        }
    };
    let Some(displacement) = pair("displacement")? else {
        return Err(table.missing(vec!["displacement".to_owned()]));
    };
    let speed = match table.get("speed") {
        None => f64::INFINITY,
        Some(value) => match as_f64(value.get_ref()) {
            Some(number) => number,
            None => return Err(table.wrong("speed", value, "a number")),
        },
    };
    Ok(Some(Validity {
        displacement,
        speed,
        frequency: pair("frequency")?,
    }))
}
