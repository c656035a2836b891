//! One test: its signals or its table, and what is known about it.

use masing_diagnostic::{Diagnostic, ReadingDiagnostic, Units};
use std::path::PathBuf;

use crate::error::DataError;
use crate::harmonic::HarmonicTable;
use crate::recognise::Match;
use crate::record::{Record, UnitFrom};
use crate::role::{Role, Slot};

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Signals over time or sample number.
    Record,
    /// A dynamic stiffness table.
    Harmonic,
}

/// The numbers of a test.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Signals over time or sample number.
    Record(Record),
    /// A dynamic stiffness table.
    Harmonic(HarmonicTable),
}

/// A column of the file and what became of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChannelUse {
    /// The column, or the sum of columns, without its unit.
    pub name: String,
    /// Its role, if it plays one.
    pub role: Option<Slot>,
    /// Its unit, as in the file, as given, or the SI unit assumed.
    pub unit: Option<String>,
    /// Where the unit came from, for columns with a role.
    pub unit_from: Option<UnitFrom>,
    /// How the role was found.
    pub matched: Option<Match>,
}

/// One test.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// Name: the file's stem, with the part if there are several.
    pub name: String,
    /// The file as given.
    pub file: PathBuf,
    /// Name of the file format.
    pub format: &'static str,
    /// Segment, sheet, variable or group; empty when the file has only one.
    pub part: String,
    /// The numbers, in SI.
    pub content: Content,
    /// Which columns and units were taken, one sentence each; to be printed always.
    pub assumptions: Vec<String>,
    /// What was noticed while reading.
    pub diagnostics: Vec<Diagnostic>,
    /// All columns, those without a role at the end.
    pub channels: Vec<ChannelUse>,
}

impl Experiment {
    /// Whether it is about angles and torques.
    pub fn rotation(&self) -> bool {
        match &self.content {
            Content::Record(record) => record.rotation,
            Content::Harmonic(table) => table.rotation,
        }
    }

    /// Channels whose unit nobody gives: millimetres taken for metres spoil everything that follows.
    pub fn assumed_units(&self) -> Option<Diagnostic> {
        let all = self.channels.iter();
        let assumed = all.filter(|c| c.unit_from == Some(UnitFrom::Assumed));
        let channels: Vec<(String, String)> = assumed
            .filter_map(|c| {
                let slot = c
                    .role
                    .filter(|slot| slot.role != Role::Time && slot.role != Role::TanDelta)?;
                Some((slot.to_string(), c.unit.clone()?))
            })
            .collect();
        (!channels.is_empty()).then(|| ReadingDiagnostic::UnitAssumed { channels }.into())
    }

    /// How diagnostics speak about it.
    pub fn units(&self) -> Units {
        Units::of_rotation(self.rotation())
    }

    /// What it holds.
    pub fn kind(&self) -> Kind {
        match self.content {
            Content::Record(_) => Kind::Record,
            Content::Harmonic(_) => Kind::Harmonic,
        }
    }

    /// The record, or an error that says what the file is instead.
    pub fn record(&self) -> Result<&Record, DataError> {
        match &self.content {
            Content::Record(record) => Ok(record),
            Content::Harmonic(_) => Err(DataError::empty(
                &self.file,
                "a dynamic stiffness table, expected a record of motion and force",
            )),
        }
    }

    /// The table, or an error that says what the file is instead.
    pub fn harmonic(&self) -> Result<&HarmonicTable, DataError> {
        match &self.content {
            Content::Harmonic(table) => Ok(table),
            Content::Record(_) => Err(DataError::empty(
                &self.file,
                "a record of motion and force, expected a dynamic stiffness table",
            )),
        }
    }
}
