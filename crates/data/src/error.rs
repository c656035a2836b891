//! What can go wrong between a file and an experiment.

use std::path::{Path, PathBuf};

/// Everything this crate refuses, with the place and the values that explain why.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file could not be opened or read.
    #[error("cannot read {}: {reason}", file.display())]
    Io {
        /// The file as given.
        file: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// The path names a directory.
    #[error("{} is a directory, expected a file", file.display())]
    Directory {
        /// The path as given.
        file: PathBuf,
    },
    /// The file has no data.
    #[error("{}: {what}", file.display())]
    Empty {
        /// The file as given.
        file: PathBuf,
        /// What is missing: bytes, rows, channels.
        what: String,
    },
    /// The content is none of the known formats.
    #[error("{}: not a known file format (begins with {found}); known: {}", file.display(), known.join(", "))]
    UnknownFormat {
        /// The file as given.
        file: PathBuf,
        /// The first bytes, printable.
        found: String,
        /// The formats this build reads.
        known: Vec<String>,
    },
    /// The format is known but this file breaks its rules.
    #[error("{}: {format}, {place}: {reason}", file.display())]
    Format {
        /// The file as given.
        file: PathBuf,
        /// Name of the format.
        format: &'static str,
        /// Byte offset, block or variable.
        place: String,
        /// What is wrong there.
        reason: String,
    },
    /// A cell of a number column holds something else.
    #[error("{}, line {line}, column {column} (`{name}`): found `{found}`, expected {expected}", file.display())]
    Cell {
        /// The file as given.
        file: PathBuf,
        /// Line of the file, the header is line 1.
        line: usize,
        /// Column, the first is 1.
        column: usize,
        /// Column name.
        name: String,
        /// The offending text.
        found: String,
        /// What would have been accepted.
        expected: &'static str,
    },
    /// A row has more cells than there are columns.
    #[error("{}, line {line}: {found} cells, expected {expected}; the cell too many is `{text}`", file.display())]
    Ragged {
        /// The file as given.
        file: PathBuf,
        /// Line of the file.
        line: usize,
        /// Cells found.
        found: usize,
        /// Cells expected.
        expected: usize,
        /// The first surplus cell.
        text: String,
    },
    /// A line is longer than any rig writes.
    #[error("{}, line {line}: longer than {limit} bytes, not a data file", file.display())]
    LongLine {
        /// The file as given.
        file: PathBuf,
        /// Line of the file.
        line: usize,
        /// Longest accepted line.
        limit: usize,
    },
    /// A column asked for does not exist.
    #[error("column `{column}` not found in {}; found {}", file.display(), list(available))]
    MissingColumn {
        /// The file as given.
        file: PathBuf,
        /// The name or number asked for.
        column: String,
        /// The columns there are.
        available: Vec<String>,
    },
    /// No column plays a role that is needed.
    #[error("{}: no {role} column; found {}; choose one with `--columns {role}=NAME`", file.display(), list(available))]
    MissingRole {
        /// The file as given.
        file: PathBuf,
        /// The role that is needed.
        role: String,
        /// The columns there are.
        available: Vec<String>,
    },
    /// The columns have no names, and their numbers do not tell what they are.
    #[error(
        "{}: the columns have no names, and their shape does not tell displacement and force; column and range: {}; name them, such as `--columns time=1,displacement=2,force=3`",
        file.display(), ranges(columns)
    )]
    UnnamedColumns {
        /// The file as given.
        file: PathBuf,
        /// Smallest and largest value of each column.
        columns: Vec<(f64, f64)>,
    },
    /// Several columns could play the same role.
    #[error("{}: several columns could be the {role}: {}; choose one with `--columns {role}=NAME`", file.display(), list(candidates))]
    AmbiguousRole {
        /// The file as given.
        file: PathBuf,
        /// The role.
        role: String,
        /// Columns that match it equally well.
        candidates: Vec<String>,
    },
    /// The file holds several parts and none was chosen.
    #[error("{}: holds several parts: {}; choose one with `{}#NAME`, or all of them with `{}#*`", file.display(), list(parts), file.display(), file.display())]
    SeveralParts {
        /// The file as given.
        file: PathBuf,
        /// Names of the parts.
        parts: Vec<String>,
    },
    /// The part chosen with `#` does not exist.
    #[error("{}: no part `{part}`; found {}", file.display(), list(parts))]
    MissingPart {
        /// The file as given.
        file: PathBuf,
        /// The part asked for.
        part: String,
        /// Names of the parts there are.
        parts: Vec<String>,
    },
    /// A role name that does not exist.
    #[error("unknown role `{found}`; known: {}", known.join(", "))]
    UnknownRole {
        /// The text given.
        found: String,
        /// All roles.
        known: Vec<String>,
    },
    /// A unit that is not in the table.
    #[error("{place}: unknown unit `{found}` for {quantity}; known: {}", known.join(", "))]
    UnknownUnit {
        /// Where it was met: file and column, or the option.
        place: String,
        /// The text given.
        found: String,
        /// Kind of quantity expected.
        quantity: String,
        /// The units of that kind.
        known: Vec<String>,
    },
    /// A unit of another kind than the quantity.
    #[error("{place}: `{found}` is a unit of {is}, expected a unit of {quantity}; known: {}", known.join(", "))]
    WrongUnit {
        /// Where it was met.
        place: String,
        /// The text given.
        found: String,
        /// Kind of quantity the unit belongs to.
        is: String,
        /// Kind of quantity expected.
        quantity: String,
        /// The units of that kind.
        known: Vec<String>,
    },
    /// A value that is not a number with an optional unit.
    #[error("`{found}` is not {expected}")]
    BadValue {
        /// The text given.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
    /// An option that contradicts the file or itself.
    #[error("{option} `{found}`: {reason}")]
    BadOption {
        /// Name of the option.
        option: &'static str,
        /// The text given.
        found: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Time does not go forward.
    #[error("{}, line {line}: time goes from {from} s to {to} s, expected it to grow", file.display())]
    Time {
        /// The file as given.
        file: PathBuf,
        /// Line of the later sample.
        line: usize,
        /// Time before.
        from: f64,
        /// Time at the line.
        to: f64,
    },
    /// A value is missing where none may be.
    #[error("{}, line {line}: missing {role}; `--gaps interpolate` fills it from its neighbours", file.display())]
    Missing {
        /// The file as given.
        file: PathBuf,
        /// Line of the sample.
        line: usize,
        /// Role of the channel.
        role: String,
    },
    /// A value is infinite where none may be.
    #[error("{}, line {line}: {role} is not a finite number; `--gaps interpolate` fills it from its neighbours", file.display())]
    NotFinite {
        /// The file as given.
        file: PathBuf,
        /// Line of the sample.
        line: usize,
        /// Role of the channel.
        role: String,
    },
    /// A channel that cannot be used.
    #[error("{}: {role} column `{column}` {reason}", file.display())]
    Channel {
        /// The file as given.
        file: PathBuf,
        /// Role of the channel.
        role: String,
        /// Name of the column.
        column: String,
        /// What is wrong: has no numbers, is constant.
        reason: String,
    },
    /// Too few samples for the work.
    #[error("{}: {found} samples, expected at least {expected}", file.display())]
    TooFew {
        /// The file as given.
        file: PathBuf,
        /// Samples found.
        found: usize,
        /// Samples needed.
        expected: usize,
    },
    /// A table value outside what its column can mean.
    #[error("{}, line {line}: {role} {found}: {reason}", file.display())]
    TableValue {
        /// The file as given.
        file: PathBuf,
        /// Line of the row.
        line: usize,
        /// Role of the column.
        role: String,
        /// The value.
        found: f64,
        /// What is wrong, with a hint.
        reason: String,
    },
    /// A number a function was given makes no sense.
    #[error("{what} is {found}, expected {expected}")]
    Argument {
        /// Name of the argument.
        what: &'static str,
        /// Its value.
        found: f64,
        /// What would have been accepted.
        expected: &'static str,
    },
    /// A moving average that would be undone into noise.
    #[error(
        "{}: undoing the average of {samples} samples would leave an error of about {:.1} % in the {role}, more than {:.0} %: it \
         multiplies the noise of the file, {noise:.1e} of the rms, by {:.0}; expected a file with more digits{}",
        file.display(), 100.0 * error, 100.0 * masing_diagnostic::thresholds::UNDONE_MOST, error / noise,
        if *force { ", or undo = [\"displacement\"] (--undo=displacement), which sends the force of the model through the average instead" } else { "" }
    )]
    Undo {
        /// The file as given.
        file: PathBuf,
        /// Role of the channel.
        role: String,
        /// Samples of the average.
        samples: usize,
        /// Expected error, of the rms.
        error: f64,
        /// Noise of the file, of the rms.
        noise: f64,
        /// Whether it is a force, which can be compared as it is.
        force: bool,
    },
    /// The cycle asked for does not exist.
    #[error(
        "{}: no cycle {asked}; the record holds {found} full cycles, and a full cycle needs the motion to pass its middle upwards twice; expected a longer record, or the window `all`",
        file.display()
    )]
    NoCycle {
        /// The file as given.
        file: PathBuf,
        /// Cycle asked for, from 1; or `stabilised`.
        asked: String,
        /// Full cycles found.
        found: usize,
    },
}

impl DataError {
    /// An option that contradicts the file or itself.
    pub(crate) fn option(
        option: &'static str,
        found: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        Self::BadOption {
            option,
            found: found.into(),
            reason: reason.into(),
        }
    }

    /// A number that makes no sense.
    pub(crate) fn argument(what: &'static str, found: f64, expected: &'static str) -> Self {
        Self::Argument {
            what,
            found,
            expected,
        }
    }

    /// A file without data.
    pub(crate) fn empty(file: &Path, what: impl Into<String>) -> Self {
        Self::Empty {
            file: file.to_owned(),
            what: what.into(),
        }
    }

    /// A file that breaks the rules of its format.
    pub(crate) fn format(
        file: &Path,
        format: &'static str,
        place: impl Into<String>,
        reason: impl std::fmt::Display,
    ) -> Self {
        Self::Format {
            file: file.to_owned(),
            format,
            place: place.into(),
            reason: format!("{reason}"),
        }
    }

    /// A file that cannot be read.
    pub(crate) fn io(file: &Path, error: &std::io::Error) -> Self {
        Self::Io {
            file: file.to_owned(),
            reason: error.to_string(),
        }
    }
}

/// Columns by number, each with its smallest and largest value.
fn ranges(columns: &[(f64, f64)]) -> String {
    let show = |value: f64| {
        let short: f64 = format!("{value:.4e}").parse().unwrap_or(value);
        let size = short.abs();
        if short == 0.0 || (1e-4..1e6).contains(&size) {
            short.to_string()
        } else {
            format!("{short:e}")
        }
    };
    let mut shown: Vec<String> = (1..)
        .zip(columns.iter().take(24))
        .map(|(number, &(low, high))| {
            if low <= high {
                format!("{number}: {}..{}", show(low), show(high))
            } else {
                format!("{number}: no numbers")
            }
        })
        .collect();
    if columns.len() > 24 {
        shown.push(format!("{} more", columns.len() - 24));
    }
    shown.join(", ")
}

/// Names in back-quotes, or a word for none.
fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    let shown: Vec<String> = names.iter().take(24).map(|n| format!("`{n}`")).collect();
    if names.len() > 24 {
        format!("{} and {} more", shown.join(", "), names.len() - 24)
    } else {
        shown.join(", ")
    }
}
