//! `cargo xtask bench`: speed and growth, printed as a table; kept in `docs/performance.md`.

use crate::process::{self, cargo, root};

const SOURCE: &str = "crates/sim/examples/bench.rs";

/// Runs the benchmark with the arguments given.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    if !root().join(SOURCE).exists() {
        return Err(format!("there is no benchmark yet ({SOURCE} is missing)"));
    }
    process::run(
        cargo("run --release --quiet --package masing-sim --example bench --").args(arguments),
    )
}
