//! What is in a file, and what is wrong with it, before anything is fitted.

pub mod html;
pub mod json;
mod tables;
pub mod text;

use masing_data::{Content, Experiment, Inspection, Record};
use masing_diagnostic::Units;
use masing_identify::Names;
use masing_model::MotionKind;
use std::path::PathBuf;

/// One test of a file with what was found.
pub struct Inspected {
    /// The file as given.
    pub file: PathBuf,
    /// What was read.
    pub experiment: Experiment,
    /// What is in it.
    pub inspection: Inspection,
}

impl Inspected {
    /// The record, unless the file holds a table.
    pub fn record(&self) -> Option<&Record> {
        match &self.experiment.content {
            Content::Record(record) => Some(record),
            Content::Harmonic(_) => None,
        }
    }

    /// How diagnostics speak about it.
    pub fn units(&self) -> Units {
        self.experiment.units()
    }

    /// What the channels are called.
    pub fn names(&self) -> Names {
        Names::of(if self.experiment.rotation() {
            MotionKind::Rotation
        } else {
            MotionKind::Translation
        })
    }

    /// `file`, or `file#part` where there are several.
    pub fn title(&self) -> String {
        let file = self.file.display().to_string();
        let part = &self.experiment.part;
        if part.is_empty() || file.ends_with(&format!("#{part}")) {
            file
        } else {
            format!("{file}#{part}")
        }
    }
}
