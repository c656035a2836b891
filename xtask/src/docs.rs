//! Whether the documents name only what exists: paths in ARCHITECTURE.md, relative links between
//! documents, documents named in the sources.

use crate::process::root;
use crate::sources::{files_below, read};
use std::path::Path;

/// Everything that is named and missing, as one error.
pub fn check() -> Result<(), String> {
    let root = root();
    let mut missing = Vec::new();
    for file in files_below(&root, "md") {
        let text = read(&file)?;
        let folder = file.parent().unwrap_or(&root);
        for link in links(&text) {
            if !folder.join(&link).exists() {
                missing.push(complaint(&root, &file, &link));
            }
        }
    }
    let overview = root.join("ARCHITECTURE.md");
    for path in quoted(&read(&overview)?).filter(|word| looks_like_path(word)) {
        if !root.join(path).exists() {
            missing.push(complaint(&root, &overview, path));
        }
    }
    for file in files_below(&root, "rs") {
        for path in named_documents(&read(&file)?) {
            if !root.join(path).exists() {
                missing.push(complaint(&root, &file, path));
            }
        }
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("named but missing:\n  {}", missing.join("\n  ")))
    }
}

fn complaint(root: &Path, file: &Path, path: &str) -> String {
    let file = file.strip_prefix(root).unwrap_or(file);
    format!("{}: {path}", file.display())
}

/// The lines outside fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    prose(text).flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// A word with a slash, or with an ending that files have.
fn looks_like_path(word: &str) -> bool {
    let plain = word
        .chars()
        .all(|c| c.is_alphanumeric() || "./_-".contains(c));
    let ending = Path::new(word).extension().and_then(|e| e.to_str());
    plain && (word.contains('/') || matches!(ending, Some("md" | "toml" | "rs" | "txt" | "py")))
}

/// Targets of relative links, without anchors.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        // Code in a line may look like a link, as in `a[i](x)`.
        let line: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
        for rest in line.split("](").skip(1) {
            let target = rest.split([')', ' ', '#']).next().unwrap_or_default();
            let elsewhere = target.contains("://") || target.starts_with("mailto:");
            if !target.is_empty() && !elsewhere {
                found.push(target.to_owned());
            }
        }
    }
    found
}

/// Documents that a source names, as in "Derivation: docs/math/events.md".
fn named_documents(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| line.trim_start().starts_with("//"))
        .flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || "./_-".contains(c))))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| {
            let document = Path::new(word).extension().is_some_and(|e| e == "md");
            word.starts_with("docs/") && document
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_prose_only() {
        let text = "[a](b.md#top) ![p](x/y.svg \"title\") [w](https://example.org) [t](#here)\n\
                    `q[i](z)` [c](d/e.md)\n```\n[n](none.md)\n```\n[f](g.md)";
        assert_eq!(links(text), ["b.md", "x/y.svg", "d/e.md", "g.md"]);
    }

    #[test]
    fn paths_are_told_from_other_words() {
        assert!(looks_like_path("crates/model/src/elements"));
        assert!(looks_like_path("README.md"));
        assert!(!looks_like_path("sim -> model"));
        assert!(!looks_like_path("masing-sim"));
        assert!(!looks_like_path("elements/*.rs"));
    }

    #[test]
    fn documents_are_found_in_comments() {
        let found: Vec<_> = named_documents("//! See `docs/math/events.md`.\nlet x = 1;").collect();
        assert_eq!(found, ["docs/math/events.md"]);
    }
}
