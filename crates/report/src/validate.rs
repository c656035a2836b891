//! The error of a model on tests that it has not seen.

use crate::identified::json::{TestDocument, warnings};
use crate::identified::text::{ending, tests as table};
use crate::json::{document, each};
use masing_diagnostic::Entry;
use masing_identify::Identified;
use std::path::Path;

document! {
    /// `masing.validate/1`.
    pub ValidateDocument(found: &Identified) {
        schema: &'static str = "masing.validate/1",
        model: String = found.provenance.model.clone(),
        experiments: Vec<TestDocument> = each(&found.comparisons, TestDocument::of),
        #[schemars(with = "Vec<crate::json::EntrySchema>")]
        warnings: Vec<Entry> = warnings(found),
    }
}

/// The errors for people, on a terminal.
pub fn text(found: &Identified, out: Option<&Path>) -> String {
    let written = ending(found, &["validate.json", "report.html"], out);
    let verdict = found.verdict().text;
    format!("{verdict}\n\n{}\n{written}", table(&found.comparisons))
}
