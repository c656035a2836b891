//! What was run, on which files.

use masing_identify::result::Provenance;
use masing_report::identified::html::provenance::input_file;
use serde::Serialize;
use std::path::PathBuf;

/// A command on these files, each once.
pub fn of<'a>(
    command: Vec<String>,
    files: impl IntoIterator<Item = &'a PathBuf>,
    options: Vec<(String, String)>,
) -> Provenance {
    let mut paths: Vec<&PathBuf> = Vec::new();
    for path in files {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    Provenance {
        command,
        model: String::new(),
        options,
        files: paths.into_iter().map(|path| input_file(path)).collect(),
    }
}

/// The command as it was typed; the request of a program in JSON.
pub fn command(typed: Option<&[String]>, name: &str, request: &impl Serialize) -> Vec<String> {
    match typed {
        Some(words) => words.to_vec(),
        None => vec![
            format!("masing.{name}"),
            serde_json::to_string(request).unwrap_or_default(),
        ],
    }
}
