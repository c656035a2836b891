//! The page of the book that lists all diagnostics.

use crate::{Advice, Diagnostic, Units};
use std::fmt::Write;

/// The page in Markdown.
pub fn page() -> String {
    let mut out = String::from(
        "# Diagnostics\n\n\
         <!-- Written by `cargo xtask generate` from crates/diagnostic; do not edit. -->\n\n\
         What masing says about data and results beside the numbers. Programs find each as an entry of \
         `warnings` with its `code` and `message`; people find the message below the tables and on the page. \
         A *note* is good to know; a *warning* is a reservation to judge; *untrusted* means that the result \
         is not to be used as it is. A code that several subjects use is listed under each of them.\n",
    );
    for (subject, examples) in Diagnostic::examples() {
        let _ = write!(out, "\n## {subject}\n");
        for one in examples {
            let advice = one.advice().map(|advice| words(&advice));
            let _ = write!(
                out,
                "\n### `{}`\n\n*{}*. {}\n\n- When: {}\n- Example: {}\n",
                one.code(),
                one.severity(),
                one.meaning(),
                one.trigger(),
                one.message(Units::Translation),
            );
            if let Some(advice) = advice {
                let _ = writeln!(out, "- What to do: {advice}");
            }
        }
    }
    out
}

fn words(advice: &Advice) -> String {
    advice.sentence(Units::Translation)
}
