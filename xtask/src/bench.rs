//! `cargo xtask bench`: speed and growth, printed as tables; kept in `docs/performance.md`.

use crate::process::{self, cargo};

/// Runs the benchmarks: prescribed motion, then systems with mass.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    for example in ["bench", "bench_systems"] {
        let command = format!("run --release --quiet --package masing-sim --example {example} --");
        process::run(cargo(&command).args(arguments))?;
        println!();
    }
    Ok(())
}
