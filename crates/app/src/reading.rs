//! Options of every command that reads data files.

use crate::error::AppError;
use crate::given::Given;
use crate::quantity;
use clap::{Args, ValueEnum};
use masing_data::unit::Quantity;
use masing_data::{Gaps, ReadOptions, Window};
use masing_identify::test::TestSpec;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a data file is to be read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading data")]
pub struct Reading {
    /// Which column plays which role: time=t,displacement=x,force=F; sums and differences allowed
    #[arg(long, value_name = "ROLE=COLUMN,...")]
    columns: Vec<String>,
    /// Units of roles or columns: displacement=mm,force=kN
    #[arg(long, value_name = "ROLE=UNIT,...")]
    units: Vec<String>,
    /// Channels whose sign is turned: force,displacement
    #[arg(long, value_name = "ROLE,...")]
    flip: Vec<String>,
    /// Channels whose offset is removed: displacement=mean|first|midrange|0.2mm
    #[arg(long, value_name = "ROLE=WHAT,...", allow_hyphen_values = true)]
    zero: Vec<String>,
    /// The part of the record that counts: all, stabilised (last full cycle) or 1.5..3s; what comes
    /// before it is its history
    #[arg(long, conflicts_with = "cycle")]
    window: Option<String>,
    /// Only this cycle, from 1
    #[arg(long)]
    cycle: Option<usize>,
    /// What to do with missing values of motion, load or time
    #[arg(long, value_enum, default_value_t = Missing::Refuse)]
    gaps: Missing,
    /// Samples per second of a file without a time column
    #[arg(long)]
    rate: Option<String>,
    /// What a program gives beside words.
    #[arg(skip)]
    pub given: Arc<Given>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Missing {
    /// An error that names the line
    Refuse,
    /// Straight lines between the neighbours
    Interpolate,
}

impl Reading {
    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("--columns", !self.columns.is_empty()),
            ("--units", !self.units.is_empty()),
            ("--flip", !self.flip.is_empty()),
            ("--zero", !self.zero.is_empty()),
            ("--window", self.window.is_some()),
            ("--cycle", self.cycle.is_some()),
            ("--gaps", self.gaps != Missing::Refuse),
            ("--rate", self.rate.is_some()),
        ];
        let mut given = options.into_iter().filter(|(_, given)| *given);
        given.next().map(|(option, _)| option)
    }

    /// What was asked for, in the words of the library.
    pub fn options(&self) -> Result<ReadOptions, AppError> {
        let mut options = ReadOptions::default();
        for text in &self.columns {
            options.parse_columns(text)?;
        }
        for text in &self.units {
            options.parse_units(text)?;
        }
        for text in &self.flip {
            options.parse_flip(text)?;
        }
        for text in &self.zero {
            options.parse_zero(text)?;
        }
        options.window = match (&self.window, self.cycle) {
            (Some(text), _) => text.parse()?,
            (None, Some(0)) => return Err(AppError::option("--cycle", 0, "a number from 1")),
            (None, Some(cycle)) => Window::Cycle(cycle),
            (None, None) => Window::All,
        };
        options.gaps = match self.gaps {
            Missing::Refuse => Gaps::Keep,
            Missing::Interpolate => Gaps::Interpolate,
        };
        if let Some(text) = &self.rate {
            options.rate = Some(quantity::positive("--rate", text, Quantity::Frequency)?);
        }
        Ok(options)
    }

    /// What is said about a file: by the test that stands for it, or by these options.
    pub fn spec(&self, path: &Path) -> Result<TestSpec, AppError> {
        match self.given.test(path) {
            Some(spec) => Ok(spec.clone()),
            None => Ok(TestSpec::plain(path.to_owned(), self.options()?)),
        }
    }

    /// A file, or the test that stands for it, and how it is to be read.
    pub fn source(&self, path: &Path) -> Result<(PathBuf, ReadOptions), AppError> {
        let spec = self.spec(path)?;
        Ok((spec.path, spec.options))
    }
}
