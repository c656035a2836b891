//! `masing reproduce`: the tables of a source paper, computed again, beside the paper's own numbers.

mod bushing;
mod report;

use crate::console::Console;
use crate::error::AppError;
use crate::output::OutFile;
use clap::{Args, ValueEnum};
use report::Report;
use serde::Serialize;
use std::path::PathBuf;

/// Compute the tables of a source paper again, beside the paper's own numbers
///
/// Nothing is read: all data are made by the command itself, so that anybody can check them.
#[derive(Debug, Args)]
pub struct Reproduce {
    /// Which paper
    paper: Paper,
    /// The HTML page to write, with plots
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Paper {
    /// Rubber bushings: triboelastic chains and the adjoint state
    Bushing,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(flatten)]
    report: &'a Report,
    out: Option<String>,
}

impl Reproduce {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutFile::prepare).transpose()?;
        let report = match self.paper {
            Paper::Bushing => bushing::report(console)?,
        };
        if let Some(out) = &out {
            let page = report.page().render()?;
            out.write(|to| to.write_all(page.as_bytes()))?;
        }
        let document = Document {
            schema: "masing.reproduce/1",
            report: &report,
            out: self.out.as_ref().map(|path| path.display().to_string()),
        };
        console.show(&document, || {
            let mut text = report.text();
            if let Some(path) = &document.out {
                text.push_str("\n\nwritten to ");
                text.push_str(path);
            }
            text
        })
    }
}
