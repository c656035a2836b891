//! `cargo xtask examples`: the test records in `examples/`, made by the project itself.
//!
//! The records are what a rig would have written: a simulation finer than any fit would choose, noise
//! from fixed seeds, and as many digits as a rig writes. The same bits come out every time.

mod bushing;
mod joint;
mod noise;
mod oscillator;

use crate::process::root;
use std::fs;

/// A file below the root of the project, and what it holds.
type Made = (String, String);

/// Writes the records.
pub fn write() -> Result<(), String> {
    for (path, text) in all()? {
        fs::write(root().join(&path), text).map_err(|error| format!("{path}: {error}"))?;
        println!("{path} written");
    }
    Ok(())
}

/// Says whether the records are what [`write()`] would write.
pub fn check() -> Result<(), String> {
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
    Ok([bushing::files()?, joint::files()?, oscillator::files()?].concat())
}
