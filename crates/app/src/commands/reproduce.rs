//! `masing reproduce`: the tables of a source paper, computed again, beside the paper's own numbers.

use crate::console::Console;
use crate::error::AppError;
use crate::output::OutFile;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use masing_papers::{PAPERS, Paper, Records, Report, paper};
use serde::Serialize;
use std::path::PathBuf;

/// Compute the tables of a source paper again, beside the paper's own numbers
///
/// Nothing is read but what is named: all other data are made by the command itself, so that anybody can check them.
#[derive(Debug, Args)]
pub struct Reproduce {
    /// Which paper
    #[arg(value_parser = papers())]
    paper: &'static Paper,
    /// Training record of the benchmark: columns u (load) and y (displacement) at 750 Hz
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Test record of the benchmark, in the same columns
    #[arg(long, value_name = "FILE", requires = "train")]
    test: Vec<PathBuf>,
    /// The HTML page to write, with plots
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The papers by their names.
fn papers() -> impl TypedValueParser<Value = &'static Paper> {
    let names = PAPERS
        .iter()
        .map(|paper| PossibleValue::new(paper.name).help(paper.summary));
    PossibleValuesParser::new(names).try_map(|name| paper(&name).ok_or("no such paper"))
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
        if self.train.is_some() && !self.paper.reads {
            let why = "the other papers read no records";
            return Err(AppError::needs("--train", "bouc-wen-benchmark", why));
        }
        if self.train.is_none() && self.paper.reads {
            let why = "the records of the benchmark are not part of the program";
            return Err(AppError::needs(
                "reproduce bouc-wen-benchmark",
                "--train",
                why,
            ));
        }
        let out = self.out.as_deref().map(OutFile::prepare).transpose()?;
        let records = Records {
            train: self.train.clone(),
            tests: self.test.clone(),
        };
        let bar = console.progress(1, "tables and figures");
        let report = self.paper.reproduce(&records, &|done, of| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        })?;
        bar.finish_and_clear();
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
