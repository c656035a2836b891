//! Diagnostics in JSON documents.

use crate::{Code, Diagnostic, Units};
use serde::Serialize;

/// An entry of `warnings`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name for programs.
    pub code: Code,
    /// Message and advice in one line.
    pub message: String,
}

impl Entry {
    /// The entry of a diagnostic.
    pub fn of(diagnostic: &Diagnostic, units: Units) -> Self {
        Self {
            code: diagnostic.code(),
            message: diagnostic.text(units),
        }
    }
}

/// The entries of a list.
pub fn entries(diagnostics: &[Diagnostic], units: Units) -> Vec<Entry> {
    diagnostics
        .iter()
        .map(|one| Entry::of(one, units))
        .collect()
}
