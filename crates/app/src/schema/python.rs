//! Keyword arguments of the Python package, from the schemas of requests.

use super::{alternatives, resolved, schema_of, type_of};
use crate::request::{CompareOptions, FitOptions, StagesOptions, TermsOptions, TestSource};
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
    let doc = "How files are read.";
    class(
        &mut out,
        ["ReadingKeywords", "TypedDict", doc],
        &reading,
        &test,
    );
    let said = of_test(&["preload", "nuisance"]);
    let doc = "What is said about every test.";
    class(
        &mut out,
        ["ValidateKeywords", "ReadingKeywords", doc],
        &said,
        &test,
    );
    let options = [
        (["Fit", "Validate"], schema_of::<FitOptions>()),
        (["Compare", "Validate"], schema_of::<CompareOptions>()),
        (["Terms", "Reading"], schema_of::<TermsOptions>()),
        (["Stages", "Reading"], schema_of::<StagesOptions>()),
    ];
    for (names, schema) in options {
        let [name, base] = names.map(|name| format!("{name}Keywords"));
        let properties = schema["properties"].as_object().into_iter().flatten();
        // Python keeps the word `for` for itself; `compare` has an argument instead.
        let properties = properties.filter(|(key, _)| *key != "for");
        let properties: Vec<_> = properties.map(|(k, v)| (k.clone(), v.clone())).collect();
        let doc = schema["description"].as_str().unwrap_or_default();
        class(&mut out, [&name, &base, doc], &properties, &schema);
    }
    out
}

/// A class: its name, the one that it adds to, and what it is about.
fn class(out: &mut String, [name, base, doc]: [&str; 3], keys: &[(String, Value)], root: &Value) {
    let head = format!("class {name}({base}, total=False):");
    let _ = write!(out, "\n\n{head}\n    \"\"\"{doc}\"\"\"\n\n");
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
        let _ = writeln!(out, "    \"\"\"{}.\"\"\"", wrapped(text));
    }
}

/// A text in lines that fit: those of the package are at most 120 long.
fn wrapped(text: &str) -> String {
    if text.len() <= 105 {
        return text.to_owned();
    }
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
        let choices = schema[key].as_array().into_iter().flatten();
        let words: Vec<&str> = choices.filter_map(|c| c["const"].as_str()).collect();
        if !words.is_empty() {
            return literals(words);
        }
    }
    if let Some(kinds) = alternatives(schema, |choice| hint(choice, root)) {
        return kinds.join(" | ");
    }
    match type_of(schema) {
        Some("string") => "str".to_owned(),
        Some("integer") => "int".to_owned(),
        Some("number") => "float".to_owned(),
        Some("boolean") => "bool".to_owned(),
        Some("array") => {
            let items = &schema["items"];
            match hint(items, root).as_str() {
                "str" => "str | Sequence[str]".to_owned(),
                item => format!("Sequence[{item}]"),
            }
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
