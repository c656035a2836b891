//! `cargo xtask generate`: pages of the docs that follow from the program itself.

use crate::process::{built, masing, output, root};
use serde_json::Value;
use std::fmt::Write;
use std::fs;

const ELEMENTS: &str = "docs/book/src/elements.md";
const DIAGNOSTICS: &str = "docs/book/src/diagnostics.md";

/// Files that `masing schema` prints, and what of.
const PRINTED: &[(&str, &str)] = &[
    ("docs/book/src/study.md", "study-page"),
    ("docs/schemas/study.json", "study"),
    ("docs/schemas/model.json", "model"),
    ("docs/schemas/fit.json", "fit"),
    ("docs/schemas/terms.json", "terms"),
    ("docs/schemas/stages.json", "stages"),
    ("docs/schemas/validate.json", "validate"),
    ("docs/schemas/inspect.json", "inspect"),
    ("docs/schemas/fit-request.json", "fit-request"),
    ("docs/schemas/terms-request.json", "terms-request"),
    ("docs/schemas/stages-request.json", "stages-request"),
    ("docs/schemas/validate-request.json", "validate-request"),
    ("docs/schemas/inspect-request.json", "inspect-request"),
    ("docs/schemas/simulate-request.json", "simulate-request"),
    ("docs/schemas/harmonic-request.json", "harmonic-request"),
    ("docs/schemas/export-request.json", "export-request"),
    (
        "bindings/python/python/masing/_options.py",
        "python-options",
    ),
];

/// Writes the generated pages.
pub fn write() -> Result<(), String> {
    for (path, content) in generated()? {
        let file = root().join(path);
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        folder
            .and_then(|()| fs::write(&file, content))
            .map_err(|error| format!("{path}: {error}"))?;
        println!("{path} written");
    }
    Ok(())
}

/// Says whether the generated pages are what [`write()`] would write.
pub fn check() -> Result<(), String> {
    for (path, content) in generated()? {
        if fs::read_to_string(root().join(path)).unwrap_or_default() != content {
            return Err(format!("{path} is stale; run `cargo xtask generate`"));
        }
    }
    Ok(())
}

/// Paths and contents of everything that is generated.
fn generated() -> Result<Vec<(&'static str, String)>, String> {
    let mut files = vec![
        (ELEMENTS, page(&catalogue()?)),
        (DIAGNOSTICS, masing_diagnostic::page()),
    ];
    for (path, of) in PRINTED {
        files.push((path, output(masing().args(["schema", of]))?));
    }
    Ok(files)
}

/// The catalogue of elements and presets.
pub fn catalogue() -> Result<Value, String> {
    built()?;
    let json = output(masing().args(["models", "--json"]))?;
    serde_json::from_str(&json).map_err(|error| format!("`masing models --json`: {error}"))
}

fn page(catalogue: &Value) -> String {
    let mut out = String::from(
        "# Elements\n\n\
         <!-- Written by `cargo xtask generate` from `masing models --json`; do not edit. -->\n\n\
         `masing models NAME` prints the same on a terminal. Units are SI; for rotation read N m for N \
         and rad for m.\n\n| name | what it is |\n|---|---|\n",
    );
    let kinds = || {
        list(catalogue, "elements")
            .iter()
            .chain(list(catalogue, "wrappers"))
    };
    for kind in kinds() {
        let (name, summary) = (text(kind, "name"), text(kind, "summary"));
        let _ = writeln!(out, "| [`{name}`](#{name}) | {summary} |");
    }
    for kind in kinds() {
        element(&mut out, kind);
    }
    let presets = list(catalogue, "presets");
    if !presets.is_empty() {
        out.push_str("\n## Presets\n\n| name | elements | what it is |\n|---|---|---|\n");
        for preset in presets {
            let parts: Vec<&str> = list(preset, "elements")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let (name, summary) = (text(preset, "name"), text(preset, "summary"));
            let _ = writeln!(out, "| `{name}` | `{}` | {summary} |", parts.join("+"));
        }
    }
    out
}

fn element(out: &mut String, kind: &Value) {
    let equations: Vec<&str> = list(kind, "equations")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let _ = write!(
        out,
        "\n## {}\n\n{}.\n\n```text\n{}\n```\n",
        text(kind, "name"),
        capital(text(kind, "summary")),
        equations.join("\n"),
    );
    out.push_str("\n| parameter | meaning | unit | range | default |\n|---|---|---|---|---|\n");
    for p in list(kind, "parameters") {
        let form = match text(p, "form") {
            "number" => String::new(),
            form => format!(" ({form})"),
        };
        let _ = writeln!(
            out,
            "| `{}`{form} | {} | {} | {} to {} | {} |",
            text(p, "name"),
            cell(text(p, "doc")).trim_end_matches('.'),
            text(p, "unit"),
            numbers(&p["min"]),
            numbers(&p["max"]),
            numbers(&p["default"]),
        );
    }
    let options = list(kind, "options");
    if !options.is_empty() {
        out.push_str("\n| option | meaning |\n|---|---|\n");
        for option in options {
            let _ = writeln!(
                out,
                "| `{}` | {} |",
                text(option, "name"),
                cell(text(option, "doc"))
            );
        }
    }
    let memory = match text(kind, "memory") {
        "none" => "none: the present motion gives the force",
        "path" => "the path of the motion, not its speed",
        _ => "the motion over time",
    };
    let _ = writeln!(
        out,
        "\nMemory: {memory}. Reference: {}.",
        text(kind, "reference")
    );
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Text for a cell of a table, where bars would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A number, or a list of them.
fn numbers(value: &Value) -> String {
    match value {
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(numbers).collect();
            entries.join(", ")
        }
        other => other.as_f64().map_or_else(String::new, shown),
    }
}

/// Powers of ten for what is large or small.
fn shown(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
