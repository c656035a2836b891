//! `masing init`: a commented study.toml from what `inspect` found.

mod model;
mod study;

use super::inspect::tests;
use crate::console::{Console, write_out};
use crate::error::AppError;
use crate::output::OutFile;
use crate::reading::Reading;
use clap::Args;
use masing_report::inspect::Inspected;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write a commented study.toml for data files, with what inspect found mended
///
/// One test per file or part: columns, units, signs, offsets, what to fit and what to hold out. Without --out the
/// study is printed.
#[derive(Debug, Args)]
pub struct Init {
    /// Data files; file#part picks a segment, sheet or variable
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The study to write
    #[arg(long, value_name = "study.toml")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    study: String,
    out: Option<String>,
}

impl Init {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let options = self.reading.options()?;
        let out = self.out.as_deref().map(OutFile::prepare).transpose()?;
        let mut found: Vec<Inspected> = Vec::new();
        for path in &self.files {
            found.extend(tests(path, &options)?);
        }
        let folder = self.out.as_deref().and_then(Path::parent);
        let study = study::study(&found, &options, folder);
        if let Some(out) = &out {
            out.write(|to| to.write_all(study.as_bytes()))?;
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
