//! Writes the test records in `examples/`, or with `--check` says whether they are what would be written.
//!
//! The records are what a rig would have written: a simulation finer than any fit would choose, noise
//! from fixed seeds, and as many digits as a rig writes. The same bits come out every time.

mod bushing;
mod clutch;
mod joint;
mod metal_rubber;
mod noise;
mod oscillator;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A file below the root of the project, and what it holds.
type Made = (String, String);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        [] => write(),
        ["--check"] => check(),
        other => Err(format!("unknown option `{}`", other.join(" "))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn write() -> Result<(), String> {
    for (path, text) in all()? {
        fs::write(root().join(&path), text).map_err(|error| format!("{path}: {error}"))?;
        println!("{path} written");
    }
    Ok(())
}

fn check() -> Result<(), String> {
    let stale: Vec<String> = all()?
        .into_iter()
        .filter(|(path, text)| fs::read_to_string(root().join(path)).ok().as_ref() != Some(text))
        .map(|(path, _)| path)
        .collect();
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "stale: {}; run `cargo xtask examples`",
            stale.join(", ")
        ))
    }
}

fn all() -> Result<Vec<Made>, String> {
    Ok([
        bushing::files()?,
        clutch::files()?,
        joint::files()?,
        metal_rubber::files()?,
        oscillator::files()?,
    ]
    .concat())
}
