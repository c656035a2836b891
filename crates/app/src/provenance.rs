//! What was run, on which files.

use crate::given::Given;
use masing_identify::result::Provenance;
use masing_report::identified::html::provenance::input_file;
use std::path::PathBuf;

/// The command line as it was typed, on these files, each once.
pub fn of<'a>(
    given: &Given,
    files: impl IntoIterator<Item = &'a PathBuf>,
    options: Vec<(String, String)>,
) -> Provenance {
    let mut paths = Vec::new();
    for path in files {
        let path = given.path(path);
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    Provenance {
        command: given.command(),
        model: String::new(),
        options,
        files: paths.into_iter().map(input_file).collect(),
    }
}
