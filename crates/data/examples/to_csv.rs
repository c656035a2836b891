//! Reads a rig file of any known format and prints the record as CSV in SI.
//!
//! ```text
//! cargo run --package masing-data --example to_csv -- rig.mat --units displacement=cm,force=tonf --rate 100
//! ```

use masing_data::{DataError, ReadOptions, Record, read};
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.split_first() {
        Some((file, options)) => options_of(options)
            .and_then(|options| Ok(read(file, &options)?.record()?.clone()))
            .map_err(|error| error.to_string())
            .and_then(|record| print(&record).map_err(|error| error.to_string())),
        None => Err(
            "to_csv FILE [--columns ...] [--units ...] [--zero ...] [--flip ...] [--rate HZ]"
                .to_owned(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn options_of(args: &[String]) -> Result<ReadOptions, DataError> {
    let mut options = ReadOptions::default();
    for pair in args.chunks(2) {
        let value = pair.get(1).map_or("", String::as_str);
        match pair[0].as_str() {
            "--columns" => options.parse_columns(value)?,
            "--units" => options.parse_units(value)?,
            "--zero" => options.parse_zero(value)?,
            "--flip" => options.parse_flip(value)?,
            "--rate" => {
                let rate = masing_data::parse_quantity(value, masing_data::Quantity::Frequency)?;
                options.rate = Some(rate);
            }
            other => {
                return Err(DataError::BadValue {
                    found: other.to_owned(),
                    expected: "an option".to_owned(),
                });
            }
        }
    }
    Ok(options)
}

fn print(record: &Record) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let time = record.time.as_ref().map(|_| "time [s]".to_owned());
    let channels = record
        .signals
        .iter()
        .map(|s| format!("{} [{}]", s.slot, s.quantity.si()));
    let header: Vec<String> = time.into_iter().chain(channels).collect();
    writeln!(out, "{}", header.join(","))?;
    for i in 0..record.len() {
        let time = record.time.as_ref().map(|t| t[i]);
        let row = time
            .into_iter()
            .chain(record.signals.iter().map(|s| s.values[i]));
        let row: Vec<String> = row.map(|v| v.to_string()).collect();
        writeln!(out, "{}", row.join(","))?;
    }
    out.flush()
}
