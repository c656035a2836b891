//! `cargo xtask bench`: speed and growth, printed as tables; kept in `docs/performance.md`.

use crate::process::{self, cargo, program, root};
use crate::python;
use std::time::Instant;

/// Where the data that the selection of terms is compared on are written.
const TERMS: &str = "target/bench/terms";

/// Runs the benchmarks: prescribed motion, systems with mass, networks, FMUs, fits, stages, selection of terms.
pub fn run() -> Result<(), String> {
    for (package, example) in [
        ("masing-sim", "bench"),
        ("masing-sim", "bench_systems"),
        ("masing-sim", "bench_networks"),
        ("masing-c", "bench_fmu"),
        ("masing-identify", "bench_fit"),
    ] {
        let command = format!("run --release --quiet --package {package} --example {example}");
        process::run(&mut cargo(&command))?;
        println!();
    }
    stages()?;
    terms()
}

/// The whole of `masing stages` on the records of its example: 6001 slow and 2858 fast samples.
fn stages() -> Result<(), String> {
    process::run(&mut cargo("build --release --quiet --package masing"))?;
    let masing = root().join("target/release/masing");
    let command =
        "stages examples/clutch/slow.csv --dynamic examples/clutch/step.csv --inertia 0.25 --json";
    let mut shortest = f64::INFINITY;
    for _ in 0..3 {
        let started = Instant::now();
        process::output(program(&masing).args(command.split(' ')))?;
        shortest = shortest.min(started.elapsed().as_secs_f64());
    }
    println!(
        "| `masing stages` | seconds |\n|---|---|\n| slow and fast record of the example | {shortest:.2} |\n"
    );
    Ok(())
}

/// Selection of terms beside SysIdentPy and scikit-learn, on data that they have written.
pub fn terms() -> Result<(), String> {
    let python = python::bench_environment()?;
    let folder = root().join(TERMS);
    process::run(program(python).arg("xtask/bench_terms.py").arg(&folder))?;
    // The profile of the tests is optimised as well; the others are as their makers built them.
    let example = "run --quiet --package masing-terms --example bench_terms --";
    process::run(cargo(example).arg(&folder))
}
