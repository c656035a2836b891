//! `masing signal`: drive files.

mod grid;
mod wave;

use super::simulate::largest;
use crate::console::{Console, write_out};
use crate::error::AppError;
use crate::output::OutFile;
use crate::quantity;
use clap::{Args, Subcommand};
use grid::{grid, per_cycle, step};
use masing_data::unit::Quantity;
use masing_diagnostic::{Diagnostic, Entry, SignalSampling, TestDiagnostic, entries};
use masing_identify::{Names, units};
use masing_report::csv::{self, Column};
use masing_report::figures::engineering;
use masing_report::text::table;
use serde::Serialize;
use std::path::PathBuf;
use wave::{Pace, Wave};

/// Write a drive file: time and displacement (or angle), and velocity where it is exact
///
/// Without --out the CSV goes to standard output. Sine, sweep and multisine carry their exact
/// velocity; triangle and ramp have corners, where readers take the slope of the segment just
/// finished, and carry none.
#[derive(Debug, Args)]
pub struct Signal {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// A sine that starts upwards from the offset
    Sine(Periodic),
    /// A triangle that starts upwards from the offset
    Triangle(Periodic),
    /// A straight rise, then a hold
    Ramp(Ramp),
    /// A sine whose frequency runs from one end to the other
    Sweep(Sweep),
    /// Sines of equal height in a band, with random phases
    Multisine(Multisine),
}

#[derive(Debug, Args)]
struct Common {
    /// Zero to peak, such as 1mm or 0.5deg; an angle makes a rotation
    #[arg(long, allow_hyphen_values = true)]
    amplitude: String,
    /// Mid position
    #[arg(long, allow_hyphen_values = true)]
    offset: Option<String>,
    /// Samples per second, such as 1000 or 2kHz
    #[arg(long, conflicts_with = "samples", allow_hyphen_values = true)]
    rate: Option<String>,
    /// Number of samples of the whole record
    #[arg(long)]
    samples: Option<usize>,
    /// The CSV file to write
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Periodic {
    #[command(flatten)]
    common: Common,
    /// Such as 1Hz
    #[arg(long, allow_hyphen_values = true)]
    frequency: String,
    /// Number of cycles
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true)]
    cycles: f64,
}

#[derive(Debug, Args)]
struct Ramp {
    #[command(flatten)]
    common: Common,
    /// Duration of the rise, such as 0.1s
    #[arg(long, allow_hyphen_values = true)]
    rise: String,
    /// Duration of the hold
    #[arg(long, default_value = "0", allow_hyphen_values = true)]
    hold: String,
}

#[derive(Debug, Args)]
struct Sweep {
    #[command(flatten)]
    common: Common,
    /// First frequency
    #[arg(long, allow_hyphen_values = true)]
    from: String,
    /// Last frequency
    #[arg(long, allow_hyphen_values = true)]
    to: String,
    /// Duration of the sweep
    #[arg(long, allow_hyphen_values = true)]
    duration: String,
    /// How the frequency runs
    #[arg(long, value_enum, default_value_t = Pace::Log)]
    pace: Pace,
}

#[derive(Debug, Args)]
struct Multisine {
    #[command(flatten)]
    common: Common,
    /// Lowest and highest frequency, such as 1..50Hz
    #[arg(long, allow_hyphen_values = true)]
    band: String,
    /// Time after which the signal repeats; the lines are the multiples of 1/period in the band
    #[arg(long, default_value = "1s", allow_hyphen_values = true)]
    period: String,
    /// Number of periods
    #[arg(long, default_value_t = 1)]
    cycles: usize,
    /// The same seed gives the same phases
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// A signal ready to be written.
struct Made {
    kind: &'static str,
    time: Vec<f64>,
    wave: Wave,
    notes: Vec<TestDiagnostic>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    kind: &'a str,
    samples: usize,
    duration: f64,
    amplitude: f64,
    offset: f64,
    largest_velocity: Option<f64>,
    columns: Vec<&'a str>,
    out: String,
    warnings: Vec<Entry>,
}

impl Signal {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let common = match &self.kind {
            Kind::Sine(k) | Kind::Triangle(k) => &k.common,
            Kind::Ramp(k) => &k.common,
            Kind::Sweep(k) => &k.common,
            Kind::Multisine(k) => &k.common,
        };
        let out = common.out.as_deref().map(OutFile::prepare).transpose()?;
        if out.is_none() && console.json {
            let why = "standard output has room for one document";
            return Err(AppError::needs("--json", "--out", why));
        }
        let (amplitude, motion) = quantity::parse_motion("--amplitude", &common.amplitude)?;
        if amplitude == 0.0 {
            let expected = "anything but zero";
            return Err(AppError::option("--amplitude", &common.amplitude, expected));
        }
        let names = Names::of(motion);
        let offset = match &common.offset {
            Some(text) => quantity::parse("--offset", text, names.length)?,
            None => 0.0,
        };
        let mut made = match &self.kind {
            Kind::Sine(k) => periodic(k, amplitude, true)?,
            Kind::Triangle(k) => periodic(k, amplitude, false)?,
            Kind::Ramp(k) => ramp(k, amplitude)?,
            Kind::Sweep(k) => sweep(k, amplitude)?,
            Kind::Multisine(k) => multisine(k, amplitude)?,
        };
        for x in &mut made.wave.x {
            *x += offset;
        }
        let largest_velocity = made.wave.v.as_ref().map(|v| largest(v));
        if !(largest(&made.wave.x).is_finite() && largest_velocity.is_none_or(f64::is_finite)) {
            let expected = "a motion and a velocity that are finite numbers";
            return Err(AppError::option("--amplitude", &common.amplitude, expected));
        }
        let mut columns = vec![
            Column::new("time", "s", made.time),
            Column::new(names.displacement, names.length.si(), made.wave.x),
        ];
        if let Some(v) = made.wave.v {
            columns.push(Column::new("velocity", names.velocity.si(), v));
        }

        let Some(out) = out else {
            let mut text = Vec::new();
            csv::write(&mut text, &columns).map_err(AppError::Stdout)?;
            return write_out(&text);
        };
        out.write(|file| csv::write(file, &columns))?;
        let time = &columns[0].values;
        let told: Vec<Diagnostic> = made.notes.into_iter().map(Into::into).collect();
        let document = Document {
            schema: "masing.signal/1",
            kind: made.kind,
            samples: time.len(),
            duration: time.last().copied().unwrap_or_default(),
            amplitude,
            offset,
            largest_velocity,
            columns: columns.iter().map(|c| c.header.as_str()).collect(),
            out: out.path().display().to_string(),
            warnings: entries(&told, units(motion)),
        };
        console.show(&document, || summary(&document, &names))
    }
}

fn periodic(args: &Periodic, amplitude: f64, smooth: bool) -> Result<Made, AppError> {
    let frequency = quantity::positive("--frequency", &args.frequency, Quantity::Frequency)?;
    if !(args.cycles > 0.0 && args.cycles.is_finite()) {
        let found = args.cycles.to_string();
        return Err(AppError::option("--cycles", found, "a positive number"));
    }
    let duration = args.cycles / frequency;
    let (time, mut notes) = grid(&args.common, duration, 1000.0 * frequency)?;
    per_cycle(&time, frequency, &mut notes)?;
    let quarter = 0.25 / frequency / step(&time);
    if !smooth && (quarter - quarter.round()).abs() > 1e-6 {
        let cut = SignalSampling::CornersBetween;
        notes.push(TestDiagnostic::Sampling { cut });
    }
    let (kind, wave) = if smooth {
        ("sine", wave::sine(&time, amplitude, frequency))
    } else {
        ("triangle", wave::triangle(&time, amplitude, frequency))
    };
    Ok(Made {
        kind,
        time,
        wave,
        notes,
    })
}

fn ramp(args: &Ramp, amplitude: f64) -> Result<Made, AppError> {
    let rise = quantity::positive("--rise", &args.rise, Quantity::Time)?;
    let hold = quantity::parse("--hold", &args.hold, Quantity::Time)?;
    if hold < 0.0 {
        let expected = "a duration of zero or more";
        return Err(AppError::option("--hold", &args.hold, expected));
    }
    let (time, mut notes) = grid(&args.common, rise + hold, 100.0 / rise)?;
    let intervals = rise / step(&time);
    if (intervals - intervals.round()).abs() > 1e-6 {
        let cut = SignalSampling::RiseBetween;
        notes.push(TestDiagnostic::Sampling { cut });
    }
    Ok(Made {
        kind: "ramp",
        wave: wave::ramp(&time, amplitude, rise),
        time,
        notes,
    })
}

fn sweep(args: &Sweep, amplitude: f64) -> Result<Made, AppError> {
    let from = quantity::positive("--from", &args.from, Quantity::Frequency)?;
    let to = quantity::positive("--to", &args.to, Quantity::Frequency)?;
    let duration = quantity::positive("--duration", &args.duration, Quantity::Time)?;
    if from == to {
        let expected = "another frequency than --from";
        return Err(AppError::option("--to", &args.to, expected));
    }
    let fastest = from.max(to);
    let (time, mut notes) = grid(&args.common, duration, 40.0 * fastest)?;
    per_cycle(&time, fastest, &mut notes)?;
    Ok(Made {
        kind: "sweep",
        wave: wave::sweep(&time, amplitude, [from, to], duration, args.pace),
        time,
        notes,
    })
}

fn multisine(args: &Multisine, amplitude: f64) -> Result<Made, AppError> {
    let [low, high] = quantity::range("--band", &args.band, Quantity::Frequency)?;
    let period = quantity::positive("--period", &args.period, Quantity::Time)?;
    // The allowance keeps a line that sits exactly on the edge of the band.
    let first = (low * period * (1.0 - 1e-9)).ceil().max(1.0);
    let last = (high * period * (1.0 + 1e-9)).floor();
    if first > last {
        let expected = format!(
            "a band that holds a multiple of 1/period, {} Hz",
            1.0 / period
        );
        return Err(AppError::option("--band", &args.band, expected));
    }
    if args.cycles == 0 {
        return Err(AppError::option("--cycles", "0", "at least 1"));
    }
    let fastest = last / period;
    let default_rate = (40.0 * last).ceil() / period;
    let (time, mut notes) = grid(&args.common, period * args.cycles as f64, default_rate)?;
    per_cycle(&time, fastest, &mut notes)?;
    let samples = (time.len() - 1) / args.cycles;
    let exact = period / step(&time);
    if (exact - exact.round()).abs() > 1e-6 || samples * args.cycles + 1 != time.len() {
        let expected = "a whole number of samples per period";
        return Err(match &args.common.rate {
            Some(rate) => AppError::option("--rate", rate, expected),
            None => AppError::option("--samples", time.len(), expected),
        });
    }
    if (last - first + 1.0) * samples as f64 > 2e9 {
        let expected = "fewer lines: a narrower band, a shorter period or fewer samples";
        return Err(AppError::option("--band", &args.band, expected));
    }
    let lines = first as usize..=last as usize;
    Ok(Made {
        kind: "multisine",
        wave: wave::multisine(amplitude, lines, period, samples, args.cycles, args.seed),
        time,
        notes,
    })
}

fn summary(document: &Document<'_>, names: &Names) -> String {
    let mut rows = table(&[document.kind, ""]);
    let mut fact = |name: &str, value: String| {
        rows.add_row([name.to_owned(), value]);
    };
    let amplitude = document.amplitude.abs();
    fact("samples", document.samples.to_string());
    fact("duration", engineering(document.duration, Quantity::Time));
    let height = if document.kind == "ramp" {
        engineering(document.amplitude, names.length)
    } else {
        format!(
            "{} zero to peak, {} peak to peak",
            engineering(amplitude, names.length),
            engineering(2.0 * amplitude, names.length)
        )
    };
    fact("amplitude", height);
    if document.offset != 0.0 {
        fact("offset", engineering(document.offset, names.length));
    }
    if let Some(speed) = document.largest_velocity {
        fact("largest velocity", engineering(speed, names.velocity));
    }
    fact("columns", document.columns.join(", "));
    fact("written to", document.out.clone());
    let mut text = rows.trim_fmt();
    for warning in &document.warnings {
        text.push_str("\nnote: ");
        text.push_str(&warning.message);
    }
    text
}
