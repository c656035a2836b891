//! Keyword arguments of the Python package, from the schemas of requests.

use super::{resolved, schema_of};
use crate::request::{FitOptions, StagesOptions, TermsOptions, TestSource};
use serde_json::Value;
use std::fmt::Write as _;

/// How files are read.
const READING: &[&str] = &["columns", "units", "flip", "zero", "window", "gaps", "rate"];

/// `_options.py`.
pub fn python_options() -> String {
    let mut out = String::from(
        "\"\"\"Keyword arguments of the commands.\n\n\
         Written by ``cargo xtask generate`` from the types of the program; do not edit.\n\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from collections.abc import Mapping, Sequence\n\
         from typing import Any, Literal, TypedDict\n",
    );
    let test = schema_of::<TestSource>();
    let of_test = |names: &[&str]| -> Vec<(String, Value)> {
        let each = names.iter();
        each.map(|name| ((*name).to_owned(), test["properties"][*name].clone()))
            .collect()
    };
    let cycle = serde_json::json!({ "type": "integer", "description": "Only this cycle, from 1." });
    let mut reading = of_test(READING);
    reading.push(("cycle".to_owned(), cycle));
    class(
        &mut out,
        "ReadingKeywords",
        "TypedDict",
        "How files are read.",
        &reading,
        &test,
    );
    let said = of_test(&["preload", "nuisance"]);
    let doc = "What is said about every test.";
    class(
        &mut out,
        "ValidateKeywords",
        "ReadingKeywords",
        doc,
        &said,
        &test,
    );
    let options = [
        ("FitKeywords", "ValidateKeywords", schema_of::<FitOptions>()),
        (
            "TermsKeywords",
            "ReadingKeywords",
            schema_of::<TermsOptions>(),
        ),
        (
            "StagesKeywords",
            "ReadingKeywords",
            schema_of::<StagesOptions>(),
        ),
    ];
    for (name, base, schema) in options {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let properties: Vec<_> = properties.map(|(k, v)| (k.clone(), v.clone())).collect();
        let doc = schema["description"].as_str().unwrap_or_default();
        class(&mut out, name, base, doc, &properties, &schema);
    }
    out
}

fn class(
    out: &mut String,
    name: &str,
    base: &str,
    doc: &str,
    keys: &[(String, Value)],
    root: &Value,
) {
    let total = if base == "TypedDict" {
        "TypedDict, total=False"
    } else {
        base
    };
    let total = if total == base {
        format!("{base}, total=False")
    } else {
        total.to_owned()
    };
    let _ = write!(out, "\n\nclass {name}({total}):\n    \"\"\"{doc}\"\"\"\n\n");
    for (key, schema) in keys {
        let form = match key.as_str() {
            // More can be said than the request holds: names, texts and lists become its table.
            "nuisance" => "str | Sequence[str] | Mapping[str, Any]".to_owned(),
            "preload" if name == "TermsKeywords" => {
                "float | str | Mapping[str, float | str]".to_owned()
            }
            "stages" => "str | Sequence[int]".to_owned(),
            "columns" | "units" | "zero" => format!("str | {}", hint(schema, root)),
            _ => hint(schema, root),
        };
        let _ = writeln!(out, "    {}: {form} | None", key.replace('-', "_"));
        let text = schema["description"]
            .as_str()
            .unwrap_or_default()
            .replace('\n', " ");
        let text = text.replace('\\', "\\\\");
        let text = text.trim_end_matches('.');
        let text = match text.rsplit_once(' ') {
            // Lines of the package are at most 120 long.
            Some(_) if text.len() > 105 => wrapped(text),
            _ => text.to_owned(),
        };
        let _ = writeln!(out, "    \"\"\"{text}.\"\"\"");
    }
}

/// A text in lines that fit.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + word.len() < 105 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n    ")
}

/// The type of a value in Python.
fn hint(schema: &Value, root: &Value) -> String {
    let schema = resolved(schema, root);
    let literals = |words: Vec<&str>| {
        let words = words.iter().map(|w| format!("\"{w}\""));
        format!("Literal[{}]", words.collect::<Vec<_>>().join(", "))
    };
    if let Some(words) = schema["enum"].as_array() {
        return literals(words.iter().filter_map(Value::as_str).collect());
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[key].as_array() {
            let words: Vec<&str> = choices.iter().filter_map(|c| c["const"].as_str()).collect();
            if !words.is_empty() {
                return literals(words);
            }
            let mut kinds: Vec<String> = Vec::new();
            for choice in choices.iter().filter(|c| c["type"] != "null") {
                let kind = hint(choice, root);
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            return kinds.join(" | ");
        }
    }
    let name = match &schema["type"] {
        Value::Array(names) => names.iter().find(|n| *n != "null").and_then(Value::as_str),
        name => name.as_str(),
    };
    match name {
        Some("string") => "str".to_owned(),
        Some("integer") => "int".to_owned(),
        Some("number") => "float".to_owned(),
        Some("boolean") => "bool".to_owned(),
        Some("array") => {
            let items = &schema["items"];
            let item = if items.is_object() {
                hint(items, root)
            } else {
                "Any".to_owned()
            };
            if item == "str" {
                return "str | Sequence[str]".to_owned();
            }
            format!("Sequence[{item}]")
        }
        Some("object") if schema["additionalProperties"].is_object() => {
            format!(
                "Mapping[str, {}]",
                hint(&schema["additionalProperties"], root)
            )
        }
        Some("object") => "Mapping[str, Any]".to_owned(),
        _ => "Any".to_owned(),
    }
}
