//! `masing models`: the catalogue.

use crate::console::Console;
use crate::error::AppError;
use crate::request::ModelsRequest;
use masing_model::file::suggest::nearest;
use masing_model::presets::PRESETS;
use masing_model::registry::{KINDS, WRAPPERS};
use masing_model::{Kind, Memory, ModelError, MotionKind, Scale, Shape, unit_for};
use masing_report::figures::significant;
use masing_report::text::{align_right, table};
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Debug, Serialize)]
struct Document {
    schema: &'static str,
    elements: Vec<Element>,
    /// What wraps an element, with what it adds.
    wrappers: Vec<Element>,
    presets: Vec<Preset>,
}

#[derive(Debug, Serialize)]
struct Element {
    name: &'static str,
    summary: &'static str,
    equations: Vec<&'static str>,
    reference: &'static str,
    motion: &'static str,
    memory: &'static str,
    options: Vec<Choice>,
    parameters: Vec<Parameter>,
    states: Vec<State>,
}

#[derive(Debug, Serialize)]
struct Choice {
    name: &'static str,
    doc: &'static str,
}

#[derive(Debug, Serialize)]
struct Parameter {
    name: String,
    /// `number`, `list`, or `number or list`.
    form: &'static str,
    unit: String,
    min: f64,
    max: f64,
    default: Default,
    scale: &'static str,
    doc: &'static str,
}

/// One number, or the entries of a list.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Default {
    Number(f64),
    List(Vec<f64>),
}

#[derive(Debug, Serialize)]
struct State {
    name: String,
    unit: String,
}

#[derive(Debug, Serialize)]
struct Preset {
    name: &'static str,
    elements: &'static [&'static str],
    summary: &'static str,
}

impl ModelsRequest {
    /// Shows the catalogue, or one model.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let document = match &self.name {
            None => Document {
                schema: SCHEMA,
                elements: KINDS.iter().map(describe).collect::<Result<_, _>>()?,
                wrappers: WRAPPERS.iter().map(describe).collect::<Result<_, _>>()?,
                presets: PRESETS.iter().map(preset).collect(),
            },
            Some(name) => chosen(name)?,
        };
        console.show(&document, || match &self.name {
            None => catalogue(&document),
            Some(_) => details(&document),
        })
    }
}

const SCHEMA: &str = "masing.models/1";

fn preset(
    &(name, elements, summary): &(&'static str, &'static [&'static str], &'static str),
) -> Preset {
    Preset {
        name,
        elements,
        summary,
    }
}

/// One element, or a preset with its elements.
fn chosen(name: &str) -> Result<Document, AppError> {
    let presets: Vec<Preset> = PRESETS
        .iter()
        .filter(|(preset, ..)| *preset == name)
        .map(preset)
        .collect();
    let alone = [name];
    let wanted = presets.first().map_or(&alone[..], |p| p.elements);
    let among = |kinds: &[Kind]| {
        let wanted = kinds.iter().filter(|kind| wanted.contains(&kind.name));
        wanted.map(describe).collect::<Result<Vec<_>, _>>()
    };
    let (elements, wrappers) = (among(KINDS)?, among(WRAPPERS)?);
    if !elements.is_empty() || !wrappers.is_empty() {
        return Ok(Document {
            schema: SCHEMA,
            elements,
            wrappers,
            presets,
        });
    }
    let known: Vec<String> = KINDS
        .iter()
        .chain(WRAPPERS)
        .map(|kind| kind.name)
        .chain(PRESETS.iter().map(|(preset, ..)| *preset))
        .map(str::to_owned)
        .collect();
    Err(AppError::UnknownName {
        name: name.to_owned(),
        nearest: nearest(name, known.iter().map(String::as_str)).map(str::to_owned),
        known,
    })
}

fn describe(kind: &Kind) -> Result<Element, ModelError> {
    let element = (kind.build)(&Shape::default())?;
    let spec = element.spec();
    let motion = if kind.rotational {
        MotionKind::Rotation
    } else {
        MotionKind::Translation
    };
    let mut parameters: Vec<Parameter> = Vec::new();
    for param in &spec.params {
        let name = param.base();
        if parameters.iter().any(|p| p.name == name) {
            continue;
        }
        parameters.push(Parameter {
            name: name.to_owned(),
            form: if kind.optional_lists.contains(&name) {
                "number or list"
            } else if param.name == name {
                "number"
            } else {
                "list"
            },
            unit: unit_for(&param.unit, motion),
            min: param.min,
            max: param.max,
            default: if param.name == name {
                Default::Number(param.default)
            } else {
                let range = spec.range_of(name);
                Default::List(spec.params[range].iter().map(|p| p.default).collect())
            },
            scale: match param.scale() {
                Scale::Log => "log",
                Scale::Linear => "linear",
            },
            doc: param.doc,
        });
    }
    Ok(Element {
        name: kind.name,
        summary: kind.summary,
        equations: kind.equations.lines().map(str::trim).collect(),
        reference: kind.reference,
        motion: if kind.rotational { "rotation" } else { "any" },
        memory: match spec.memory {
            Memory::None => "none",
            Memory::Path => "path",
            Memory::Time => "time",
        },
        options: kind
            .options
            .iter()
            .map(|&(name, doc)| Choice { name, doc })
            .collect(),
        parameters,
        states: spec
            .states
            .iter()
            .map(|state| State {
                name: state.name.clone(),
                unit: unit_for(state.unit, motion),
            })
            .collect(),
    })
}

fn catalogue(document: &Document) -> String {
    let mut elements = table(&["element", "what it is", "parameters"]);
    for element in document.elements.iter().chain(&document.wrappers) {
        let names: Vec<&str> = element.parameters.iter().map(|p| p.name.as_str()).collect();
        elements.add_row([element.name, element.summary, &names.join(" ")]);
    }
    let mut presets = table(&["preset", "what it is", "elements"]);
    for preset in &document.presets {
        presets.add_row([preset.name, preset.summary, &preset.elements.join(" + ")]);
    }
    format!(
        "{}\n\n{}\n\nMore on one of them: masing models NAME",
        elements.trim_fmt(),
        presets.trim_fmt()
    )
}

fn details(document: &Document) -> String {
    let mut out = String::new();
    for preset in &document.presets {
        let _ = writeln!(out, "{}: {}", preset.name, preset.summary);
        let _ = writeln!(out, "= {}\n", preset.elements.join(" + "));
    }
    for element in document.elements.iter().chain(&document.wrappers) {
        let _ = writeln!(out, "{}: {}\n", element.name, element.summary);
        for equation in &element.equations {
            let _ = writeln!(out, "    {equation}");
        }
        let mut parameters = table(&["parameter", "meaning", "unit", "from", "to", "default"]);
        for p in &element.parameters {
            let name = match p.form {
                "number" => p.name.clone(),
                form => format!("{} ({form})", p.name),
            };
            parameters.add_row([
                name,
                p.doc.to_owned(),
                p.unit.clone(),
                significant(p.min, 4),
                significant(p.max, 4),
                match &p.default {
                    Default::Number(value) => significant(*value, 4),
                    Default::List(_) => "below".to_owned(),
                },
            ]);
        }
        align_right(&mut parameters, 3..6);
        let _ = writeln!(out, "\n{}\n", parameters.trim_fmt());
        for p in &element.parameters {
            if let Default::List(values) = &p.default {
                let values: Vec<String> = values.iter().map(|v| significant(*v, 4)).collect();
                let _ = writeln!(out, "default {} = {}", p.name, values.join(", "));
            }
        }
        for option in &element.options {
            let _ = writeln!(out, "option `{}`: {}", option.name, option.doc);
        }
        let _ = writeln!(out, "memory: {}", memory_in_words(element));
        let _ = writeln!(out, "reference: {}\n", element.reference);
    }
    out
}

fn memory_in_words(element: &Element) -> String {
    let words = match element.memory {
        "none" => return "none; the present motion gives the force".to_owned(),
        "path" => "the path of the motion, not its speed",
        _ => "the motion over time",
    };
    let first: Vec<String> = element
        .states
        .iter()
        .take(3)
        .map(|s| format!("{} ({})", s.name, s.unit))
        .collect();
    let more = if element.states.len() > first.len() {
        format!(" and {} more", element.states.len() - first.len())
    } else {
        String::new()
    };
    format!("{words}; states: {}{more}", first.join(", "))
}
