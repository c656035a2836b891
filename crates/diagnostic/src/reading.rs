//! Diagnostics of reading files.

use crate::advice::Advice;
use crate::words::{counted, is};
use crate::{Channel, ChannelKind, thresholds};

/// Where the time of a record without a time column comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeFrom {
    /// The sampling rate that the user gave, Hz.
    GivenRate(f64),
    /// The sampling rate in the file, Hz.
    FileRate(f64),
    /// The sampling interval in the file, s.
    FileInterval(f64),
}

impl TimeFrom {
    /// The sampling interval, s.
    pub fn step(self) -> f64 {
        match self {
            Self::GivenRate(rate) | Self::FileRate(rate) => 1.0 / rate,
            Self::FileInterval(step) => step,
        }
    }
}

/// What is missing in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Missing {
    /// Values of a channel.
    Values {
        /// The channel.
        channel: Channel,
        /// How many.
        count: usize,
        /// Line of the first.
        line: usize,
    },
    /// Rows of a table, which were left out.
    Rows {
        /// How many.
        count: usize,
    },
}

/// How a number that could be read in two ways was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAs {
    /// The sign parts thousands.
    Thousands,
    /// The sign is the decimal sign.
    Decimal,
}

fn force() -> Channel {
    Channel {
        kind: ChannelKind::Force,
        name: "force".to_owned(),
    }
}

fn with_residue(removed: bool) -> &'static str {
    if removed {
        ", and what its unknown beginning left in every window was removed with all that the record holds at those frequencies"
    } else {
        ""
    }
}

fn missing_advice(kind: ChannelKind) -> Option<Advice> {
    match kind {
        ChannelKind::Force => Advice::to("nothing; missing forces are left out of a fit"),
        _ => Some(Advice::Interpolate),
    }
}

diagnostics! {
    /// What was noticed while a file was read.
    pub enum ReadingDiagnostic, "Reading files" {
        /// The file has no time column; its time follows from the sampling rate.
        TimeBuilt { from: TimeFrom = TimeFrom::GivenRate(200.0) }
        code: "time-built", severity: Note;
        trigger: "There is no time column, but a sampling rate or interval is given or stands in the file.";
        message(_): format!("no time column; time was built from {}", match from {
            TimeFrom::GivenRate(rate) => format!("the given rate of {rate} Hz"),
            TimeFrom::FileRate(rate) => format!("the sampling rate of {rate} Hz in the file"),
            TimeFrom::FileInterval(step) => format!("the sampling interval of {step} s in the file"),
        });

        /// The file has no time column, so that nothing that depends on speed or frequency is known.
        NoTime { needed: bool = true }
        code: "no-time", severity: Note;
        trigger: "There is neither a time column nor a sampling rate.";
        message(_): if *needed {
            "no time column: rates and frequencies are not known".to_owned()
        } else {
            "no time column; the model does not need any".to_owned()
        };
        advice: if *needed { Advice::option("--rate 200Hz, with the sampling rate of the rig") } else { None };

        /// Missing values were filled with straight lines, as asked for.
        Filled { channel: Channel = force(), missing: usize = 3, infinite: usize = 0, line: Option<usize> = Some(17) }
        code: "filled", severity: Warning;
        trigger: "`--gaps interpolate` was given and values are missing or infinite.";
        message(_): format!(
            "{} {} of {channel}{} were filled with straight lines",
            missing + infinite,
            match (missing, infinite) {
                (_, 0) => "missing values",
                (0, _) => "values that are not finite numbers",
                _ => "missing and infinite values",
            },
            line.map_or_else(String::new, |line| format!(" (first in line {line})"))
        );

        /// A moving average of a channel was undone.
        Undone { channel: Channel = force(), samples: usize = 300, residue: bool = true }
        code: "undone", severity: Note;
        trigger: format!("`undo` was asked for, and the noise of the file leaves an error of {:.1} % at most.", 100.0 * thresholds::UNDONE_GOOD);
        message(_): format!(
            "the average of {samples} samples was undone in the {channel}{}", with_residue(*residue)
        );

        /// A moving average of a channel was undone, and the noise of the file grew with it.
        UndoneNoise { channel: Channel = force(), samples: usize = 300, residue: bool = true, noise: f64 = 1e-5, error: f64 = 0.012 }
        code: "undone-noise", severity: Warning;
        trigger: format!(
            "`undo` was asked for, and the noise of the file leaves an error of {:.1} to {:.0} %; beyond that it is refused.",
            100.0 * thresholds::UNDONE_GOOD, 100.0 * thresholds::UNDONE_MOST
        );
        message(_): format!(
            "the average of {samples} samples was undone in the {channel}{}; that multiplies the noise of the file, {noise:.1e} of the rms, by {:.0}: expect an error of about {:.1} % of the rms",
            with_residue(*residue), error / noise, 100.0 * error
        );
        advice: match channel.kind {
            ChannelKind::Force => Advice::option("--undo=displacement, which sends the force of the model through the average instead"),
            _ => Advice::to("write the file with more digits, or use the record before the average"),
        };

        /// Time stamps are rounded so far that some repeat; an even grid replaces them.
        TimeRebuilt { digit: f64 = 0.01, step: f64 = 0.005 }
        code: "time-rebuilt", severity: Warning;
        trigger: "Time stamps repeat, and rounding of a uniform grid explains it.";
        message(_): format!("time is rounded to {digit} s, which repeats stamps; it was rebuilt with a step of {step:.6e} s");

        /// Time stamps are rounded, which makes derived velocities rough.
        TimeRounded { digit: f64 = 0.001, step: f64 = 0.005 }
        code: "time-rounded", severity: Warning;
        trigger: "The last digit of the time stamps is more than a hundredth of the sampling interval.";
        message(_): format!("time is rounded to {digit} s while the step is {step:.6e} s; derived velocities will be rough");

        /// Values or rows are missing in the file.
        Gap { missing: Missing = Missing::Values { channel: force(), count: 4, line: 112 } }
        code: "gap", severity: Warning;
        trigger: "A channel has empty cells, or a table has rows with missing or infinite values.";
        message(_): match missing {
            Missing::Values { channel, count, line } => format!(
                "{} of {channel} {} missing, the first in line {line}", counted(*count, "value"), is(*count)
            ),
            Missing::Rows { count } => format!(
                "{} of the table had missing or infinite values and {} left out",
                counted(*count, "row"), if *count == 1 { "was" } else { "were" }
            ),
        };
        advice: match missing {
            Missing::Values { channel, .. } => missing_advice(channel.kind),
            Missing::Rows { .. } => None,
        };

        /// Values are infinite.
        NotFinite { channel: Channel = force(), count: usize = 1, line: usize = 40 }
        code: "not-finite", severity: Warning;
        trigger: "A channel holds `inf`.";
        message(_): if *count == 1 {
            format!("1 value of {channel} is not a finite number, in line {line}")
        } else {
            format!("{count} values of {channel} are not finite numbers, the first in line {line}")
        };
        advice: missing_advice(channel.kind);

        /// The file was read as a table with one quantity down and another across.
        WideTable {
            down: String = "frequency".to_owned(),
            across: String = "amplitude".to_owned(),
            columns: usize = 5,
            inside: String = "stiffness".to_owned(),
        }
        code: "wide-table", severity: Note;
        trigger: "The columns are headed by numbers, the first column by a frequency or an amplitude.";
        message(_): format!("read as a wide table: {down} down, {across} across {columns} columns, {inside} inside");

        /// Amplitudes of a table are given peak to peak.
        PeakToPeak {}
        code: "peak-to-peak", severity: Note;
        trigger: "The heading, or an option, says that amplitudes are peak to peak.";
        message(_): "amplitudes are peak to peak and were halved".to_owned();

        /// A load beside a motion was taken as acting on a system with mass.
        LoadNotForce { column: String = "F1".to_owned() }
        code: "load-not-force", severity: Warning;
        trigger: "A column named like a load stands beside a motion, without a force or an acceleration.";
        message(_): format!("`{column}` was taken as the load on a system with mass");
        advice: Advice::option(format!("--columns force={column}, if it is the force on the part"));

        /// A column that may be needed holds text and was left out.
        TextColumn { column: String = "force".to_owned(), example: String = "12 N".to_owned(), line: usize = 2 }
        code: "text-column", severity: Warning;
        trigger: "A cell of the column is no number.";
        message(_): format!("column `{column}` holds text, such as `{example}` in line {line}, and was left out");
        advice: Advice::to("leave only numbers in the column");

        /// A number could be meant with thousands parted or with decimals, and the file does not say which.
        ThousandsOrDecimal {
            column: String = "force".to_owned(),
            shown: String = "1,787".to_owned(),
            value: f64 = 1.787,
            read_as: ReadAs = ReadAs::Decimal,
            unit: Option<String> = Some("N".to_owned()),
        }
        code: "thousands-or-decimal", severity: Warning;
        trigger: "All numbers of the file allow both readings.";
        message(_): format!(
            "column `{column}`: `{shown}` was read as {value}, and nothing in the file says for certain that {} are not meant",
            match read_as { ReadAs::Thousands => "decimals", ReadAs::Decimal => "thousands" }
        );
        advice: {
            let factor = match read_as { ReadAs::Thousands => "0.001", ReadAs::Decimal => "1000" };
            let unit = unit.as_deref().unwrap_or("UNIT");
            let quote = if column.contains(' ') || unit.contains(' ') { "\"" } else { "" };
            Advice::option(format!("--units {quote}{column}={factor}{unit}{quote}, if they are"))
        };

        /// A sign in numbers was taken to part thousands.
        Thousands { column: String = "force".to_owned(), shown: String = "1,787".to_owned(), value: f64 = 1787.0 }
        code: "thousands", severity: Note;
        trigger: "Other numbers of the file show which sign is the decimal sign.";
        message(_): format!("column `{column}`: `{shown}` was read as {value}, with thousands parted, as other numbers of the file show");

        /// One part of the file cannot be a test and was left out.
        PartLeftOut { part: String = "Sheet2".to_owned(), error: String = "no rows".to_owned() }
        code: "part-left-out", severity: Note;
        trigger: "A sheet, segment or group of the file cannot be read as a test while another can.";
        message(_): format!("part `{part}` was left out: {error}");

        /// Nobody gives the units of these channels; if SI is wrong, everything that follows is.
        UnitAssumed { channels: Vec<(String, String)> = vec![("displacement".to_owned(), "m".to_owned())] }
        code: "unit-assumed", severity: Warning;
        trigger: "Neither the file nor an option gives the unit of a channel.";
        message(_): {
            let each: Vec<String> = channels.iter().map(|(channel, unit)| format!("{channel} in {unit}")).collect();
            format!("the file gives no unit; SI was assumed: {}", each.join(", "))
        };
        advice: Some(Advice::Units);

        /// A unit was given that differs from the one in the file.
        UnitDiffers { column: String = "x [mm]".to_owned(), given: String = "m".to_owned(), in_file: String = "mm".to_owned() }
        code: "units", severity: Warning;
        trigger: "An option gives another unit than the heading of the column.";
        message(_): format!("column `{column}` is read in {given} as asked for, although the file says {in_file}");
    }
}
