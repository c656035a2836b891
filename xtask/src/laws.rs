//! Whether laws speak for themselves: no name of an element stands outside `crates/model` and the reproductions of papers. What
//! the program needs to know about a law, it asks the law.

use crate::generate::catalogue;
use crate::process::root;
use crate::sources::{files_below, read};
use std::path::Path;

/// Where names of laws may not stand.
const FOLDERS: &[&str] = &[
    "crates/diagnostic/src",
    "crates/data/src",
    "crates/sim/src",
    "crates/identify/src",
    "crates/terms/src",
    "crates/stages/src",
    "crates/report/src",
    "crates/export/src",
    "crates/app/src",
];

/// Lists the names of laws that stand where they may not.
pub fn check() -> Result<(), String> {
    let catalogue = catalogue()?;
    let elements = catalogue["elements"].as_array();
    let names: Vec<&str> = elements
        .into_iter()
        .flatten()
        .filter_map(|element| element["name"].as_str())
        .collect();
    if names.is_empty() {
        return Err("`masing models --json` lists no elements".to_owned());
    }
    let root = root();
    let mut found = Vec::new();
    for folder in FOLDERS {
        for file in files_below(&root.join(folder), "rs") {
            let shown = file.strip_prefix(&root).unwrap_or(&file);
            if is_test(shown) {
                continue;
            }
            for (line, literal) in literals(&read(&file)?) {
                if is_model(&literal, &names) {
                    found.push(format!("{}:{line}: \"{literal}\"", shown.display()));
                }
            }
        }
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "names of laws outside `crates/model`:\n  {}",
            found.join("\n  ")
        ))
    }
}

/// A file that holds nothing but tests.
fn is_test(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == "tests.rs")
        || file.iter().any(|folder| folder == "tests")
}

/// Whether a text is the name of an element, or a sum of such names.
fn is_model(text: &str, names: &[&str]) -> bool {
    text.split('+').all(|part| names.contains(&part.trim()))
}

/// The string literals of a source with their lines, without those of comments and of its tests.
fn literals(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (i, line) in source.lines().enumerate() {
        if line.trim_start().starts_with("#[cfg(test)]") {
            break;
        }
        // The code of a diagnostic names a finding: a gap in a record is none in a part.
        if line.trim_start().starts_with("code: ") {
            continue;
        }
        let code = line.split("//").next().unwrap_or_default();
        let odd = code.split('"').skip(1).step_by(2);
        found.extend(odd.map(|literal| (i + 1, literal.to_owned())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_code_are_found() {
        let source = "/// Not \"dahl\".\nlet a = f(\"dahl\", \"rt\"); // nor \"sts\"\n\
                      #[cfg(test)]\nmod tests {\n    \"rt\"\n}\n";
        let found = literals(source);
        assert_eq!(found, [(2, "dahl".to_owned()), (2, "rt".to_owned())]);
    }

    #[test]
    fn sums_of_names_are_names() {
        let names = ["dahl", "spring"];
        assert!(is_model("dahl", &names));
        assert!(is_model("dahl + spring", &names));
        assert!(!is_model("a spring", &names));
        assert!(!is_model("", &names));
    }
}
