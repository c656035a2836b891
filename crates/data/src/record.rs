//! Signals over time, or over sample number.

use crate::error::DataError;
use crate::recognise::Match;
use crate::role::{Role, Slot};
use crate::table::Source;
use crate::unit::Quantity;

/// Where the unit of a signal came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnitFrom {
    /// The user said so.
    Given,
    /// The file says so.
    File,
    /// Nobody says so: SI was assumed.
    Assumed,
}

/// One channel with a meaning, in SI.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// Its role.
    pub slot: Slot,
    /// Kind of quantity.
    pub quantity: Quantity,
    /// The column or expression it came from.
    pub column: String,
    /// Unit text of the file.
    pub unit: String,
    /// Where the unit came from.
    pub unit_from: UnitFrom,
    /// How the column was found.
    pub matched: Match,
    /// Values in SI; NaN is missing. Forces are finite or missing.
    pub values: Vec<f64>,
}

/// Signals sampled together.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Time in s, strictly growing; absent for records without time.
    pub time: Option<Vec<f64>>,
    /// The channels, time not among them.
    pub signals: Vec<Signal>,
    /// Angle and torque instead of displacement and force.
    pub rotation: bool,
    /// Where the rows came from.
    pub source: Source,
    /// Rows of the source before the first sample.
    pub first_row: usize,
    /// Columns of the file, for messages.
    pub available: Vec<String>,
}

impl Record {
    /// Number of samples.
    pub fn len(&self) -> usize {
        match (&self.time, self.signals.first()) {
            (Some(time), _) => time.len(),
            (None, Some(signal)) => signal.values.len(),
            (None, None) => 0,
        }
    }

    /// True without samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Line of the file for a sample.
    pub fn line(&self, sample: usize) -> usize {
        self.source.line(self.first_row + sample)
    }

    /// The signal in a slot.
    pub fn signal(&self, slot: impl Into<Slot>) -> Option<&Signal> {
        let slot = slot.into();
        self.signals.iter().find(|s| s.slot == slot)
    }

    fn values(&self, slot: impl Into<Slot>) -> Option<&[f64]> {
        self.signal(slot).map(|s| s.values.as_slice())
    }

    /// The role of the motion.
    fn motion_role(&self) -> Role {
        if self.rotation {
            Role::Angle
        } else {
            Role::Displacement
        }
    }

    /// The role of the load.
    fn force_role(&self) -> Role {
        if self.rotation {
            Role::Torque
        } else {
            Role::Force
        }
    }

    /// Displacement or angle.
    pub fn motion(&self) -> Option<&[f64]> {
        self.values(self.motion_role())
    }

    /// Force or torque.
    pub fn force(&self) -> Option<&[f64]> {
        self.values(self.force_role())
    }

    /// Velocity, if the file has it.
    pub fn velocity(&self) -> Option<&[f64]> {
        self.values(Role::Velocity)
    }

    /// The values in a slot, or an error that lists the columns there are.
    pub fn need(&self, slot: impl Into<Slot>) -> Result<&[f64], DataError> {
        let slot = slot.into();
        let values = self.values(slot);
        values.ok_or_else(|| self.missing(slot))
    }

    /// Displacement or angle, or an error.
    pub fn need_motion(&self) -> Result<&[f64], DataError> {
        self.need(self.motion_role())
    }

    /// Force or torque, or an error.
    pub fn need_force(&self) -> Result<&[f64], DataError> {
        self.need(self.force_role())
    }

    /// Time, or an error.
    pub fn need_time(&self) -> Result<&[f64], DataError> {
        let time = self.time.as_deref();
        time.ok_or_else(|| self.missing(Role::Time))
    }

    /// The error about a role that no column plays.
    pub fn missing(&self, role: impl std::fmt::Display) -> DataError {
        DataError::MissingRole {
            file: self.source.file.clone(),
            role: format!("{role}"),
            available: self.available.clone(),
        }
    }

    /// The error about a channel that cannot be used.
    pub fn unusable(&self, signal: &Signal, reason: impl Into<String>) -> DataError {
        DataError::Channel {
            file: self.source.file.clone(),
            role: signal.slot.to_string(),
            column: signal.column.clone(),
            reason: reason.into(),
        }
    }

    /// Refuses missing motion, velocity, acceleration or load and names the line: what `fit` and `simulate` ask for.
    /// Missing force is allowed: it is left out of the comparison.
    pub fn require_complete(&self) -> Result<(), DataError> {
        for signal in self
            .signals
            .iter()
            .filter(|s| !matches!(s.slot.role, Role::Force | Role::Torque))
        {
            if let Some(sample) = signal.values.iter().position(|v| !v.is_finite()) {
                return Err(self.no_value(signal.slot, sample, signal.values[sample]));
            }
        }
        Ok(())
    }

    /// The error about a value that is missing or infinite.
    pub(crate) fn no_value(&self, slot: Slot, sample: usize, value: f64) -> DataError {
        let (file, line, role) = (
            self.source.file.clone(),
            self.line(sample),
            slot.to_string(),
        );
        if value.is_nan() {
            DataError::Missing { file, line, role }
        } else {
            DataError::NotFinite { file, line, role }
        }
    }

    /// Refuses records too short or without motion: what `fit` and `inspect` ask for.
    pub fn require_motion(&self) -> Result<(), DataError> {
        self.require_samples(3)?;
        let role = self.motion_role();
        let Some(signal) = self.signal(role) else {
            return Err(self.missing(role));
        };
        let (low, high) = range(&signal.values);
        if high <= low {
            let reason = format!("is constant ({low} {})", signal.quantity.si());
            return Err(self.unusable(signal, reason));
        }
        Ok(())
    }

    /// Refuses records with fewer samples.
    pub fn require_samples(&self, expected: usize) -> Result<(), DataError> {
        if self.len() < expected {
            return Err(DataError::TooFew {
                file: self.source.file.clone(),
                found: self.len(),
                expected,
            });
        }
        Ok(())
    }

    /// The samples from `start` up to, not including, `end`.
    pub fn slice(&self, start: usize, end: usize) -> Record {
        let end = end.min(self.len());
        let start = start.min(end);
        let signals = self.signals.iter().map(|s| Signal {
            values: s.values[start..end].to_vec(),
            ..s.clone_head()
        });
        Record {
            time: self.time.as_ref().map(|t| t[start..end].to_vec()),
            signals: signals.collect(),
            rotation: self.rotation,
            source: self.source.clone(),
            first_row: self.first_row + start,
            available: self.available.clone(),
        }
    }
}

impl Signal {
    /// The signal without its values.
    fn clone_head(&self) -> Signal {
        Signal {
            slot: self.slot,
            quantity: self.quantity,
            column: self.column.clone(),
            unit: self.unit.clone(),
            unit_from: self.unit_from,
            matched: self.matched,
            values: Vec::new(),
        }
    }
}

/// Smallest and largest finite value; infinite the wrong way round if there is none.
pub fn range(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .filter(|v| v.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| {
            (low.min(v), high.max(v))
        })
}
