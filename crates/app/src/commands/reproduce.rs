//! `masing reproduce`: the tables of a source paper, computed again, beside the paper's own numbers.

mod benchmark;
mod bushing;
mod clutch;
mod loops;
mod metal_rubber;
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
/// Nothing is read but what is named: all other data are made by the command itself, so that anybody can check them.
#[derive(Debug, Args)]
pub struct Reproduce {
    /// Which paper
    paper: Paper,
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Paper {
    /// Rubber bushings: triboelastic chains and the adjoint state
    Bushing,
    /// Joints: Dahl and Bouc-Wen from one hysteresis loop
    Loops,
    /// Clutch dampers: quasi-static and dynamic tests of a staged device
    Clutch,
    /// Metal rubber: model structure from a transient
    MetalRubber,
    /// A Bouc-Wen oscillator from excitation and response; needs --train
    BoucWenBenchmark,
}

impl Paper {
    /// Whether it reads records.
    fn reads(self) -> bool {
        matches!(self, Paper::BoucWenBenchmark)
    }
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
        if self.train.is_some() && !self.paper.reads() {
            return Err(AppError::Needs {
                option: "--train",
                other: "bouc-wen-benchmark",
                why: "the other papers read no records",
            });
        }
        let out = self.out.as_deref().map(OutFile::prepare).transpose()?;
        let report = match self.paper {
            Paper::Bushing => bushing::report(console)?,
            Paper::Loops => loops::report(console)?,
            Paper::Clutch => clutch::report(console)?,
            Paper::MetalRubber => metal_rubber::report(console)?,
            Paper::BoucWenBenchmark => match &self.train {
                Some(train) => benchmark::report(console, train, &self.test)?,
                None => {
                    return Err(AppError::Needs {
                        option: "reproduce bouc-wen-benchmark",
                        other: "--train",
                        why: "the records of the benchmark are not part of the program",
                    });
                }
            },
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
