//! `cargo xtask bench`: speed and growth, printed as tables; kept in `docs/performance.md`.

use crate::process::{self, cargo, program, root};
use crate::python;

/// Where the data that the selection of terms is compared on are written.
const TERMS: &str = "target/bench/terms";

/// Runs the benchmarks: prescribed motion, systems with mass, fits, selection of terms. `terms` runs the last alone.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    if arguments == ["terms"] {
        return terms();
    }
    for (package, example) in [
        ("masing-sim", "bench"),
        ("masing-sim", "bench_systems"),
        ("masing-identify", "bench_fit"),
    ] {
        let command = format!("run --release --quiet --package {package} --example {example} --");
        process::run(cargo(&command).args(arguments))?;
        println!();
    }
    terms()
}

/// Selection of terms beside SysIdentPy and scikit-learn, on data that they have written.
fn terms() -> Result<(), String> {
    let python = python::bench_environment()?;
    let folder = root().join(TERMS);
    process::run(program(python).arg("xtask/bench_terms.py").arg(&folder))?;
    // The profile of the tests is optimised as well; the others are as their makers built them.
    let example = "run --quiet --package masing-identify --example bench_terms --";
    process::run(cargo(example).arg(&folder))
}
