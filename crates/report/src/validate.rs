//! The error of a model on tests that it has not seen.

use crate::figures::significant;
use crate::identified::json::TestDocument;
use crate::identified::text::tests as table;
use crate::json::{document, each};
use crate::text::gathered;
use masing_diagnostic::{Entry, Units, entries};
use masing_identify::result::{Comparison, DataNotes, scale};
use std::fmt::Write as _;

document! {
    /// `masing.validate/1`.
    pub ValidateDocument(name: &str, tests: &[Comparison], data: &DataNotes, units: Units) {
        schema: &'static str = "masing.validate/1",
        model: String = name.to_owned(),
        experiments: Vec<TestDocument> = each(tests, TestDocument::of),
        #[schemars(with = "Vec<crate::json::EntrySchema>")]
        warnings: Vec<Entry> = entries(&data.diagnostics, units),
    }
}

/// The errors for people, on a terminal.
pub fn text(tests: &[Comparison], data: &DataNotes, units: Units) -> String {
    let mut text = String::new();
    let worst = tests.iter().map(|t| t.error).reduce(f64::max);
    if let Some(worst) = worst {
        let _ = writeln!(
            text,
            "The model predicts {} with an error of at most {} %{}.\n",
            match tests.len() {
                1 => "the test".to_owned(),
                n => format!("the {n} tests"),
            },
            significant(100.0 * worst, 3),
            scale(tests)
        );
    }
    let _ = writeln!(text, "{}", table(tests));
    for entry in entries(&data.diagnostics, units) {
        let _ = writeln!(text, "\nnote: {}", entry.message);
    }
    let _ = writeln!(text, "\n{}", gathered(&data.assumptions));
    text
}
