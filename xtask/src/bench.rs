//! `cargo xtask bench`: speed and growth, printed as tables; kept in `docs/performance.md`.

use crate::process::{self, cargo};

/// Runs the benchmarks: prescribed motion, systems with mass, fits.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    for (package, example) in [
        ("masing-sim", "bench"),
        ("masing-sim", "bench_systems"),
        ("masing-identify", "bench_fit"),
    ] {
        let command = format!("run --release --quiet --package {package} --example {example} --");
        process::run(cargo(&command).args(arguments))?;
        println!();
    }
    Ok(())
}
