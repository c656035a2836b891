//! JSON Schemas of studies, models and requests, made from the types and from the catalogue of elements.

mod page;
mod python;

pub use page::study_page;
pub use python::python_options;

use crate::request::study::{SCHEMA as STUDY, StudyFile};
use masing_model::registry::{KINDS, WRAPPERS};
use masing_model::{Kind, Shape};
use schemars::{JsonSchema, Schema, SchemaGenerator, schema_for};
use serde_json::{Map, Value, json};

/// The schema of a study.
pub fn study() -> Value {
    identified(schema_of::<StudyFile>(), STUDY)
}

/// The schema of a model file.
pub fn model() -> Value {
    let mut schema = model_properties();
    schema["properties"]["schema"] = json!({
        "const": masing_model::file::SCHEMA,
        "description": "Kind and version of the file.",
    });
    schema["required"] = json!(["schema"]);
    identified(schema, masing_model::file::SCHEMA)
}

/// The schema of a type.
pub fn schema_of<T: JsonSchema>() -> Value {
    schema_for!(T).to_value()
}

/// What a reference stands for.
fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let named = schema["$ref"]
        .as_str()
        .and_then(|name| name.strip_prefix("#/"));
    match named {
        Some(path) => path.split('/').fold(root, |at, key| &at[key]),
        None => schema,
    }
}

/// What the alternatives of a schema are called, each once, if it has any.
fn alternatives(schema: &Value, called: impl Fn(&Value) -> String) -> Option<Vec<String>> {
    let choices = schema["anyOf"].as_array().or(schema["oneOf"].as_array())?;
    let mut kinds: Vec<String> = Vec::new();
    for choice in choices.iter().filter(|c| c["type"] != "null") {
        let kind = called(choice);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    Some(kinds)
}

/// The type of a value, which may be left out or not.
fn type_of(schema: &Value) -> Option<&str> {
    match &schema["type"] {
        Value::Array(names) => names.iter().find(|n| *n != "null").and_then(Value::as_str),
        name => name.as_str(),
    }
}

/// A file to name in the first line of a study, from which editors complete keys.
pub const STUDY_FILE: &str = "masing.study.schema.json";

/// A schema as the text of a file.
pub fn text(schema: &Value) -> String {
    format!("{schema:#}\n")
}

/// A schema with its name.
pub(crate) fn identified(mut schema: Value, id: &str) -> Value {
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["$id"] = json!(id);
    schema
}

/// The `[model]` of a study: a model file without its first line.
pub(crate) fn model_table(_: &mut SchemaGenerator) -> Schema {
    Schema::try_from(model_properties()).unwrap_or_default()
}

fn model_properties() -> Value {
    let number = json!({ "type": "number" });
    let numbers = json!({ "type": "array", "items": number });
    let pair = json!({ "type": "array", "items": number, "minItems": 2, "maxItems": 2 });
    let matrix = json!({ "anyOf": [number, { "type": "array", "items": numbers }] });
    let vector = json!({ "anyOf": [number, numbers] });
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "schema": { "type": "string" },
            "name": { "type": "string", "description": "What people call the model." },
            "motion": { "enum": ["translation", "rotation"], "description": "Forces over displacements, or torques over angles." },
            "part": { "type": "object", "description": "Free text about the part." },
            "element": elements("The elements, whose forces add up.", DEPTH),
            "system": {
                "type": "object",
                "description": "Masses that the elements act on.",
                "required": ["type"],
                "additionalProperties": false,
                "properties": {
                    "type": { "enum": ["oscillator", "structure"] },
                    "m": matrix, "c": matrix, "k": matrix, "x0": vector, "v0": vector,
                },
            },
            "numerics": {
                "type": "object",
                "description": "Sub-steps that a fit or an export has settled on.",
                "additionalProperties": false,
                "properties": { "increment": number, "max_dt": number },
            },
            "validity": {
                "type": "object",
                "description": "What the tests covered.",
                "required": ["displacement"],
                "additionalProperties": false,
                "properties": { "displacement": pair, "speed": number, "frequency": pair },
            },
        },
    })
}

/// Networks inside networks that the schema spells out; deeper ones are read as well.
const DEPTH: usize = 2;

/// A list of elements; those that hold others hold lists of the next depth.
fn elements(description: &str, depth: usize) -> Value {
    let mut names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    let mut kinds: Vec<Value> = KINDS.iter().map(element).collect();
    if depth > 0 {
        let one_after_another = "Elements one after another: one force, displacements add.";
        let side_by_side = "A branch of a series with elements side by side.";
        for (name, summary) in [("series", one_after_another), ("parallel", side_by_side)] {
            let held = elements("What it holds.", depth - 1);
            let keys = json!({
                "type": { "const": name, "description": summary },
                "label": { "type": "string" },
                "between": { "type": "array" },
                "element": held,
            });
            names.push(name);
            kinds.push(json!({
                "if": { "properties": { "type": { "const": name } } },
                "then": { "properties": keys, "additionalProperties": false, "required": ["element"] },
            }));
        }
        for kind in WRAPPERS {
            let mut wrapper = element(kind);
            let keys = &mut wrapper["then"]["properties"];
            // Not spelled out: it may hold networks as well, and every list of elements is long.
            let held = json!({ "type": "object", "required": ["type"] });
            let about = "What it holds, side by side.";
            keys["element"] = json!({ "type": "array", "description": about, "items": held });
            for name in kind.on_request {
                keys[name] = json!({ "type": "number" });
            }
            wrapper["then"]["required"] = json!(["element"]);
            names.push(kind.name);
            kinds.push(wrapper);
        }
    }
    json!({
        "type": "array",
        "description": description,
        "items": {
            "type": "object",
            "required": ["type"],
            "properties": { "type": { "enum": names, "description": "The law." } },
            "allOf": kinds,
        },
    })
}

/// What an element of one kind may say.
fn element(kind: &Kind) -> Value {
    let mut keys = Map::new();
    keys.insert(
        "type".into(),
        json!({ "const": kind.name, "description": kind.summary }),
    );
    let label = "Name in addresses; that of the law if left out.";
    keys.insert(
        "label".into(),
        json!({ "type": "string", "description": label }),
    );
    let between = "Masses between which it acts, 0 for ground.";
    keys.insert(
        "between".into(),
        json!({ "type": "array", "description": between }),
    );
    for (name, doc) in kind.options {
        keys.insert((*name).into(), json!({ "description": doc }));
    }
    let mut any_power = false;
    if let Ok(element) = (kind.build)(&Shape::default()) {
        any_power = kind.options.iter().any(|(name, _)| *name == "powers");
        for param in &element.spec().params {
            let base = param.base();
            let form = if kind.optional_lists.contains(&base) {
                json!(["number", "array"])
            } else if kind.lists.contains(&base) || base != param.name {
                json!("array")
            } else {
                json!("number")
            };
            let description = format!("{} [{}]", param.doc, param.unit);
            keys.insert(
                base.into(),
                json!({ "type": form, "description": description }),
            );
        }
    }
    json!({
        "if": { "properties": { "type": { "const": kind.name } } },
        // A polynomial has coefficients of any power.
        "then": { "properties": keys, "additionalProperties": any_power },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_know_keys_and_laws() {
        let study = study();
        assert_eq!(study["$id"], STUDY);
        assert!(study["properties"]["defaults"].is_object());
        let test = &study["$defs"]["TestSource"]["properties"];
        assert!(test["initial"].is_object() && test["high-pass"].is_object());
        let kinds = model()["properties"]["element"]["items"]["allOf"].clone();
        // Every law, and what holds others: series, parallel, wrappers.
        let all = KINDS.len() + WRAPPERS.len() + 2;
        assert_eq!(kinds.as_array().map(Vec::len), Some(all));
        let page = study_page();
        assert!(page.contains("| `initial` | `\"auto\"`"), "{page}");
        let options = python_options();
        assert!(options.contains("loss: Literal[\"linear\""), "{options}");
        assert!(
            options.contains("fix: Mapping[str, float | str] | None"),
            "{options}"
        );
    }
}
