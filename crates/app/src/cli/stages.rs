//! Arguments of `masing stages`.

use super::reading::Reading;
use super::typed;
use crate::error::AppError;
use crate::request::{StagesOptions, StagesRequest, TestSource, Value};
use clap::Args;
use masing_data::ReadOptions;
use std::path::PathBuf;

/// Find the stages of a clutch damper: angles, stiffness, clearance, pre-load and friction
///
/// A slow record of angle and torque, loaded and unloaded, gives the stages. With --dynamic and --inertia, a step
/// record of torque and motion says what changes under fast loading. Works for lengths and forces as well.
#[derive(Debug, Args)]
pub struct Stages {
    /// Slow record: angle and torque in both directions
    #[arg(value_name = "QUASISTATIC")]
    slow: PathBuf,
    /// Fast record: torque on the inertia, and its velocity, angle or acceleration
    #[arg(long, value_name = "FILE", requires = "inertia")]
    dynamic: Option<PathBuf>,
    #[command(flatten)]
    options: StagesOptions,
    /// Columns of the fast record, where they differ from --columns
    #[arg(long, value_name = "ROLE=COLUMN,...", requires = "dynamic")]
    dynamic_columns: Vec<String>,
    /// Units of the fast record, where they differ from --units
    #[arg(long, value_name = "ROLE=UNIT,...", requires = "dynamic")]
    dynamic_units: Vec<String>,
    /// The folder for model.toml, stages.json and report.html
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Stages {
    /// What is asked for.
    pub fn request(self) -> Result<StagesRequest, AppError> {
        let mut files = vec![self.slow.clone()];
        files.extend(self.dynamic.clone());
        let mut tests = self.reading.tests(&[(&files, None)])?.into_iter();
        let (Some(slow), dynamic, None) = (tests.next(), tests.next(), tests.next()) else {
            let expected = "one slow and one fast record";
            return Err(AppError::option("FILE", self.slow.display(), expected));
        };
        let dynamic = dynamic.map(|test| self.fast(test)).transpose()?;
        Ok(StagesRequest {
            slow,
            dynamic,
            options: self.options,
            out: self.out,
            typed: Some(typed()),
        })
    }

    /// The fast record is read as the slow one, but for what is said of it alone.
    fn fast(&self, mut test: TestSource) -> Result<TestSource, AppError> {
        let mut own = ReadOptions::default();
        for text in &self.dynamic_columns {
            own.parse_columns(text)?;
        }
        for text in &self.dynamic_units {
            own.parse_units(text)?;
        }
        if !own.columns.is_empty() {
            let each = own.columns.into_iter();
            let each = each.map(|(slot, column)| (slot.to_string(), Value::Text(column)));
            test.columns = each.collect();
        }
        if !own.units.is_empty() {
            test.units = own.units.into_iter().collect();
        }
        Ok(test)
    }
}
