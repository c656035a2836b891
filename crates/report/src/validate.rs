//! The error of a model on tests that it has not seen.

use crate::identified::json::{TestDocument, warnings};
use crate::identified::text::{ending, tests as table};
use masing_diagnostic::Entry;
use masing_identify::Identified;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// `masing.validate/1`.
#[derive(JsonSchema, Serialize)]
pub struct ValidateDocument {
    schema: &'static str,
    model: String,
    experiments: Vec<TestDocument>,
    #[schemars(with = "Vec<crate::json::EntrySchema>")]
    warnings: Vec<Entry>,
}

impl ValidateDocument {
    /// Of a model beside its tests.
    pub fn of(found: &Identified) -> Self {
        Self {
            schema: "masing.validate/1",
            model: found.provenance.model.clone(),
            experiments: found.comparisons.iter().map(TestDocument::of).collect(),
            warnings: warnings(found),
        }
    }
}

/// The errors for people, on a terminal.
pub fn text(found: &Identified, out: Option<&Path>) -> String {
    let written = ending(found, &["validate.json", "report.html"], out);
    let verdict = found.verdict().text;
    format!("{verdict}\n\n{}\n{written}", table(&found.comparisons))
}
