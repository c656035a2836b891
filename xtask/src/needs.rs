//! Tests that need what a fresh clone does not have: `#[ignore = "needs PATH"]`, the path seen from the root of the project.
//! Tests that take minutes are `#[ignore = "study NAME"]`; `cargo xtask study NAME` runs them.
//!
//! `cargo test` lists them as ignored, with the reason; `cargo xtask test` runs those whose path is there and names the others.

use crate::process::{output, program, root};
use crate::sources::{files_below, read};
use std::fmt;
use std::path::Path;

/// Begins what is needed; else a study is named.
const NEEDS: &str = "needs ";
const STUDY: &str = "study ";

/// What a test may need that is not a path: to be run by somebody whom file permissions stop.
const ORDINARY_USER: &str = "an ordinary user";

/// A test and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    test: String,
    /// What stands behind `ignore`.
    reason: String,
}

impl Need {
    /// The name of the test.
    pub fn test(&self) -> &str {
        &self.test
    }

    fn is_met(&self) -> Result<bool, String> {
        match self.reason.strip_prefix(NEEDS) {
            Some(ORDINARY_USER) => Ok(output(program("id").arg("-u"))?.trim() != "0"),
            Some(path) => Ok(root().join(path).exists()),
            None => Ok(false),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { test, reason } = self;
        match reason.strip_prefix(NEEDS) {
            Some(what) => write!(f, "{test} (needs {what}, which is not here)"),
            None => write!(f, "{test} (`cargo xtask {reason}` runs it)"),
        }
    }
}

/// The tests whose needs are not met.
pub fn absent() -> Result<Vec<Need>, String> {
    let mut absent = Vec::new();
    for folder in ["crates", "bindings", "examples", "xtask"] {
        for file in files_below(&root().join(folder), "rs") {
            for need in in_source(&file, &read(&file)?)? {
                if !need.is_met()? {
                    absent.push(need);
                }
            }
        }
    }
    Ok(absent)
}

/// The tests of a source that are ignored. One that does not say what it needs is an error: it would never run.
fn in_source(file: &Path, text: &str) -> Result<Vec<Need>, String> {
    let mut found = Vec::new();
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix("#[ignore") else {
            continue;
        };
        let reason = rest
            .strip_prefix(" = \"")
            .and_then(|rest| rest.strip_suffix("\"]"))
            .filter(|reason| reason.starts_with(NEEDS) || reason.starts_with(STUDY));
        let named = lines.find_map(|line| line.strip_prefix("fn ")?.split('(').next());
        match (reason, named) {
            (Some(reason), Some(test)) => found.push(Need {
                test: test.to_owned(),
                reason: reason.to_owned(),
            }),
            _ => {
                return Err(format!(
                    "{}: `{line}` says neither what the test needs, as `needs PATH`, nor its `study NAME`",
                    file.display()
                ));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_read_from_sources() {
        let mark = "#[ignore";
        let text = format!(
            "#[test]\n{mark} = \"needs ../data\"]\nfn reads() {{}}\n#[test]\nfn other() {{}}\n"
        );
        let needs = in_source(Path::new("a.rs"), &text).unwrap();
        assert_eq!(needs.len(), 1);
        assert_eq!(needs[0].test(), "reads");
        assert_eq!(needs[0].reason, "needs ../data");
        let study = format!("#[test]\n{mark} = \"study long\"]\nfn slow() {{}}\n");
        let study = &in_source(Path::new("a.rs"), &study).unwrap()[0];
        assert_eq!(study.is_met(), Ok(false));
        assert_eq!(study.to_string(), "slow (`cargo xtask study long` runs it)");
        let silent = format!("#[test]\n{mark}]\nfn slow() {{}}\n");
        assert!(in_source(Path::new("a.rs"), &silent).is_err());
    }
}
