//! How a file is to be read: columns, units, signs, offsets, window. The same in every command and in `study.toml`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::error::DataError;
use crate::role::{Role, Slot};
use crate::table::Table;

/// What to subtract from a channel.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Zero {
    /// The mean.
    Mean,
    /// The first value.
    First,
    /// The middle between smallest and largest.
    Midrange,
    /// A value, in SI or with a unit.
    Value(String),
}

impl fmt::Display for Zero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Zero::Mean => "mean",
            Zero::First => "first",
            Zero::Midrange => "midrange",
            Zero::Value(text) => text,
        })
    }
}

impl FromStr for Zero {
    type Err = DataError;

    fn from_str(text: &str) -> Result<Self, DataError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "mean" | "" => Ok(Zero::Mean),
            "first" => Ok(Zero::First),
            "midrange" | "mid-range" => Ok(Zero::Midrange),
            other
                if other
                    .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) =>
            {
                Ok(Zero::Value(text.trim().to_owned()))
            }
            _ => {
                let reason = "expected mean, first, midrange or a number";
                Err(DataError::option("zero", text, reason))
            }
        }
    }
}

/// Which part of a record counts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Window {
    /// All of it.
    #[default]
    All,
    /// The last full cycle.
    Stabilised,
    /// One cycle, from 1.
    Cycle(usize),
    /// From one time to another, s.
    Time(f64, f64),
}

impl FromStr for Window {
    type Err = DataError;

    fn from_str(text: &str) -> Result<Self, DataError> {
        let reason = "expected all, stabilised, cycle=N or T0..T1 in seconds";
        let bad = || DataError::option("window", text, reason);
        let lower = text.trim().to_ascii_lowercase();
        match lower.as_str() {
            "all" => return Ok(Window::All),
            "stabilised" | "stabilized" => return Ok(Window::Stabilised),
            _ => {}
        }
        if let Some(rest) = lower.strip_prefix("cycle") {
            let number = rest
                .trim_start_matches(['=', ':', ' '])
                .parse()
                .map_err(|_| bad())?;
            return if number == 0 {
                Err(bad())
            } else {
                Ok(Window::Cycle(number))
            };
        }
        let inside = lower.trim_start_matches('[').trim_end_matches(']');
        let (from, to) = inside
            .split_once("..")
            .or_else(|| inside.split_once(','))
            .ok_or_else(bad)?;
        let seconds = |t: &str| {
            crate::unit::parse_quantity(t, crate::unit::Quantity::Time).map_err(|_| bad())
        };
        let (from, to) = (seconds(from)?, seconds(to)?);
        if from < to {
            Ok(Window::Time(from, to))
        } else {
            Err(bad())
        }
    }
}

/// What to do with missing motion, load or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gaps {
    /// Keep them and report them.
    #[default]
    Keep,
    /// Fill them with straight lines, with a finding.
    Interpolate,
}

/// How amplitudes of a table are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AmplitudeKind {
    /// Zero to peak.
    #[default]
    ZeroToPeak,
    /// Peak to peak.
    PeakToPeak,
}

/// Everything a user can say about reading a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// Role and the column that plays it: a name, a number from 1, or a sum or difference of those.
    pub columns: Vec<(Slot, String)>,
    /// Role or column name, and its unit; a factor may stand in front (`10 mm`).
    pub units: Vec<(String, String)>,
    /// Channels whose sign is turned.
    pub flip: Vec<Slot>,
    /// Channels whose offset is removed, after flipping.
    pub zero: Vec<(Slot, Zero)>,
    /// Channels whose moving average of so many samples is undone, the last one first.
    pub undo: Vec<(Slot, usize)>,
    /// The part of the record that counts.
    pub window: Window,
    /// What to do with missing motion.
    pub gaps: Gaps,
    /// Sampling rate in Hz for a file without time.
    pub rate: Option<f64>,
    /// Read as this kind; found by the columns when left out.
    pub kind: Option<crate::experiment::Kind>,
    /// How amplitudes of a table are meant.
    pub amplitude: AmplitudeKind,
    /// The content itself, where a program has it and no file need be read; the path is then only its name.
    pub content: Option<Arc<Table>>,
}

impl ReadOptions {
    /// Adds columns from `time=t,displacement=x,force=F`.
    pub fn parse_columns(&mut self, text: &str) -> Result<(), DataError> {
        for (key, value) in pairs("columns", text)? {
            self.columns.push((key.parse()?, value));
        }
        Ok(())
    }

    /// Adds units from `displacement=mm,force=kN`.
    pub fn parse_units(&mut self, text: &str) -> Result<(), DataError> {
        self.units.extend(pairs("units", text)?);
        Ok(())
    }

    /// Adds channels to flip from `force,displacement`.
    pub fn parse_flip(&mut self, text: &str) -> Result<(), DataError> {
        for part in text.split(',').filter(|p| !p.trim().is_empty()) {
            self.flip.push(part.parse()?);
        }
        Ok(())
    }

    /// Adds offsets from `displacement=mean,force=first`; a bare role takes the mean.
    pub fn parse_zero(&mut self, text: &str) -> Result<(), DataError> {
        for part in text.split(',').filter(|p| !p.trim().is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or((part, "mean"));
            self.zero.push((key.parse()?, value.parse()?));
        }
        Ok(())
    }

    /// The unit given for a role or column.
    pub(crate) fn unit(&self, slot: Option<Slot>, column: &str) -> Option<&str> {
        let key_of_slot = |k: &str| {
            slot.is_some_and(|s| {
                k.parse::<Slot>()
                    .is_ok_and(|k| k == s || k == Slot::from(s.role))
            })
        };
        self.units
            .iter()
            .rev()
            .find(|(key, _)| key_of_slot(key) || key.trim().eq_ignore_ascii_case(column.trim()))
            .map(|(_, unit)| unit.as_str())
    }

    /// True if the slot is in `flip`; `force` also means a torque, `displacement` an angle.
    pub(crate) fn flips(&self, slot: Slot) -> bool {
        self.flip.iter().any(|&f| same(f, slot))
    }

    pub(crate) fn zero_of(&self, slot: Slot) -> Option<&Zero> {
        self.zero
            .iter()
            .rev()
            .find(|(s, _)| same(*s, slot))
            .map(|(_, z)| z)
    }
}

/// The same channel, whether the motion is straight or turning.
fn same(asked: Slot, slot: Slot) -> bool {
    let twin = match slot.role {
        Role::Angle => Role::Displacement,
        Role::Torque => Role::Force,
        other => other,
    };
    (asked.role == slot.role || asked.role == twin)
        && (asked.index == slot.index || asked.index.is_none())
}

/// `key=value` pairs; a comma belongs to a value unless another `key=` follows.
fn pairs(option: &'static str, text: &str) -> Result<Vec<(String, String)>, DataError> {
    let mut out: Vec<(String, String)> = Vec::new();
    for part in text.split(',') {
        match (part.split_once('='), out.last_mut()) {
            (Some((key, value)), _) if !key.trim().is_empty() => {
                out.push((key.trim().into(), value.trim().into()));
            }
            (_, Some((_, value))) => {
                value.push(',');
                value.push_str(part.trim_end());
            }
            (_, None) => {
                let reason = "expected ROLE=VALUE pairs separated by commas";
                return Err(DataError::option(option, text, reason));
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_forms() {
        let mut options = ReadOptions::default();
        options
            .parse_columns("time=t,displacement=n_in - n_out,force=F, total")
            .unwrap();
        assert_eq!(options.columns[1].1, "n_in - n_out");
        assert_eq!(options.columns[2].1, "F, total");
        options.parse_zero("displacement,force=first").unwrap();
        assert_eq!(options.zero_of(Role::Angle.into()), Some(&Zero::Mean));
        assert!(options.parse_columns("t").is_err());
        assert!(options.parse_columns("foo=t").is_err());
        assert_eq!("cycle=3".parse::<Window>().unwrap(), Window::Cycle(3));
        assert_eq!("1..2.5s".parse::<Window>().unwrap(), Window::Time(1.0, 2.5));
        assert!("cycle=0".parse::<Window>().is_err());
    }
}
