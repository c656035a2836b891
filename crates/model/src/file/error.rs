//! What can be wrong with a model file.

use super::suggest::nearest;
use crate::error::ModelError;
use std::path::PathBuf;
use thiserror::Error;

/// A model file that cannot be read: where, and why.
#[derive(Debug, Error)]
#[error("{}{}: {problem}", path.display(), line.map(|l| format!(", line {l}")).unwrap_or_default())]
pub struct FileError {
    /// The file, as it was given.
    pub path: PathBuf,
    /// The line, from 1, where the problem has one.
    pub line: Option<usize>,
    /// The text of that line.
    pub excerpt: Option<String>,
    /// What is wrong.
    #[source]
    pub problem: Box<Problem>,
}

/// What is wrong with a model file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file could not be opened or read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// A file that is no model file by its size.
    #[error("is larger than {limit} bytes; expected a model file")]
    TooLarge {
        /// The largest size that is read.
        limit: u64,
    },
    /// Bytes that are no text.
    #[error("is not text (UTF-8); expected a model file")]
    NotText,
    /// Text that is not TOML, or a key given twice.
    #[error("not valid TOML: {message}")]
    Syntax {
        /// What the parser says.
        message: String,
    },
    /// A file of another kind or version.
    #[error("this file says {found}; this version reads {expected}")]
    Schema {
        /// What the file says.
        found: String,
        /// What this version reads.
        expected: &'static str,
    },
    /// No `schema` at all.
    #[error("missing key `schema`; expected the line schema = \"{expected}\"")]
    NoSchema {
        /// What this version reads.
        expected: &'static str,
    },
    /// A key nobody knows.
    #[error("unknown key `{key}` in {table}; known keys: {}{}", known.join(", "), did_you_mean(key, known))]
    UnknownKey {
        /// The key.
        key: String,
        /// Where it stands.
        table: String,
        /// What may stand there.
        known: Vec<String>,
    },
    /// Keys that must be there.
    #[error("{table} lacks {}", keys.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", "))]
    MissingKeys {
        /// Where they belong.
        table: String,
        /// All that are missing.
        keys: Vec<String>,
    },
    /// A value of the wrong type.
    #[error("`{key}` = {found}; expected {expected}")]
    WrongValue {
        /// The key, with the position inside a list.
        key: String,
        /// The value as it stands in the file.
        found: String,
        /// What should stand there.
        expected: String,
    },
    /// A list of the wrong length.
    #[error("`{key}` has {found} entries; expected {expected}")]
    WrongLength {
        /// The list, or the row of a matrix.
        key: String,
        /// How many entries it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// Two elements with one label.
    #[error("the label `{label}` is already used in line {first}; labels must differ")]
    DuplicateLabel {
        /// The label.
        label: String,
        /// Where it was used first.
        first: usize,
    },
    /// A preset where an element is expected.
    #[error("`{name}` is a preset; write its elements instead: {}", elements.join(", "))]
    Preset {
        /// The preset.
        name: String,
        /// What it stands for.
        elements: Vec<String>,
    },
    /// A model that reads well but cannot be.
    #[error("{source}")]
    Model {
        /// Why not.
        #[from]
        source: ModelError,
    },
}

pub(crate) fn did_you_mean(word: &str, known: &[String]) -> String {
    nearest(word, known.iter().map(String::as_str))
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}
