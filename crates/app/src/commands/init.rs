//! `masing init`: a commented study.toml from what `inspect` found.

mod model;
mod study;

use super::inspect::tests;
use crate::console::{Console, write_out};
use crate::error::AppError;
use crate::output::OutFile;
use crate::request::InitRequest;
use crate::schema;
use masing_data::ReadOptions;
use masing_report::inspect::Inspected;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    study: String,
    out: Option<String>,
}

impl InitRequest {
    /// Inspects, and writes the study.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutFile::prepare).transpose()?;
        let (mut found, mut options): (Vec<Inspected>, Vec<ReadOptions>) = Default::default();
        for source in &self.tests {
            for (test, asked) in tests(source)? {
                found.push(test);
                options.push(asked);
            }
        }
        let folder = self.out.as_deref().and_then(Path::parent);
        let study = study::study(&found, &options, folder);
        if let Some(out) = &out {
            out.write(|to| to.write_all(study.as_bytes()))?;
            // The first line of the study names it.
            let beside = OutFile::prepare(&out.path().with_file_name(schema::STUDY_FILE))?;
            beside.write(|to| to.write_all(schema::text(&schema::study()).as_bytes()))?;
        } else if !console.json {
            // The study is the result, not talk about it: --quiet does not silence it.
            return write_out(study.as_bytes());
        }
        let written = self.out.as_ref().map(|path| path.display().to_string());
        let document = Document {
            schema: "masing.init/1",
            study,
            out: written,
        };
        console.show(&document, || {
            let path = document.out.as_deref().unwrap_or_default();
            let tests = found.len();
            let word = if tests == 1 { "test" } else { "tests" };
            format!("{path} written with {tests} {word}; look it over, then: masing fit {path}")
        })
    }
}
