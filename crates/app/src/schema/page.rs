//! The reference page of studies, from their schema.

use super::{alternatives, resolved, study, type_of};
use serde_json::Value;
use std::fmt::Write as _;

/// The page in Markdown.
pub fn study_page() -> String {
    let schema = study();
    let mut out = String::from(
        "# study.toml\n\n\
         <!-- Written by `cargo xtask generate` from the types of the program; do not edit. -->\n\n\
         A study says in one file what `masing fit` and `masing terms` otherwise take as options: the tests, the model, what is\n\
         known about parameters, and how to search. `masing init FILE... --out study.toml` writes one with remarks. Its first\n\
         line names `masing.study.schema.json`, which is written beside it and from which editors complete keys;\n\
         `masing schema study` prints the same. Physical values are numbers in SI or texts with a unit, such as `\"2.2mm\"`.\n\n\
         ```toml\n\
         schema = \"masing.study/1\"\n\n\
         [[model.element]]\n\
         type = \"rt\"\n\
         cells = 15\n\n\
         [parameters]\n\
         \"rt.k0\" = { start = \"200N/mm\", min = 1e4 }\n\n\
         [defaults]                         # for every test that does not say otherwise\n\
         window = \"stabilised\"\n\n\
         [[test]]\n\
         file = \"eol/*.csv\"                 # one test for every file\n\n\
         [[test]]\n\
         file = \"step.csv\"\n\
         role = \"validate\"                  # held out and predicted\n\
         window = \"all\"\n\
         ```\n",
    );
    table(&mut out, "The file", &schema, &schema);
    for (heading, name) in [
        ("`[[test]]`, `[[experiment]]`, `[defaults]`", "TestSource"),
        ("`nuisance` of a test", "Nuisances"),
        ("A line of `[parameters]`", "Choice"),
        ("`[fit]`", "StudyFit"),
        ("A line of `tikhonov` in `[fit]`", "Held"),
    ] {
        table(&mut out, heading, &schema["$defs"][name], &schema);
    }
    out.push_str(
        "\n`[model]` is a [model file](model-files.md) without its first line, with `[[model.element]]` for `[[element]]`.\n",
    );
    out
}

fn table(out: &mut String, heading: &str, of: &Value, root: &Value) {
    let _ = write!(
        out,
        "\n## {heading}\n\n| key | type | default | meaning |\n|---|---|---|---|\n"
    );
    let none = serde_json::Map::new();
    let properties = of["properties"].as_object().unwrap_or(&none);
    let required = of["required"].as_array();
    for (key, property) in properties {
        let text = property["description"].as_str().unwrap_or_default();
        let text = text.replace('\n', " ");
        let (text, default) = match text.rsplit_once(" Default: ") {
            Some((text, default)) => (text.to_owned(), default.trim_end_matches('.').to_owned()),
            None => (text, String::new()),
        };
        let needed = required.is_some_and(|keys| keys.iter().any(|k| k == key));
        let default = if needed {
            "required".to_owned()
        } else {
            default
        };
        let cells = [kind_of(property, root), default, text];
        let cells = cells.map(|text| text.replace('|', "\\|")).join(" | ");
        let _ = writeln!(out, "| `{key}` | {cells} |");
    }
}

/// The type of a value in words.
fn kind_of(schema: &Value, root: &Value) -> String {
    let schema = resolved(schema, root);
    if let Some(word) = schema["const"].as_str() {
        return format!("`\"{word}\"`");
    }
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter_map(Value::as_str);
        let words: Vec<String> = words.map(|w| format!("`\"{w}\"`")).collect();
        return words.join(", ");
    }
    if let Some(kinds) = alternatives(schema, |choice| kind_of(choice, root)) {
        return kinds.join(" or ").replace("` or `", "`, `");
    }
    match type_of(schema) {
        Some("string") => "text".to_owned(),
        Some("integer") => "whole number".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("array") if schema["items"].is_object() => {
            format!("list of {}", kind_of(&schema["items"], root))
        }
        Some("array") => "list".to_owned(),
        Some("object") => "table".to_owned(),
        Some(other) => other.to_owned(),
        None => String::new(),
    }
}
