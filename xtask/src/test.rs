//! `cargo xtask test`: everything that has to hold before a change is taken.
//!
//! All steps share one build: the same profile and the same features for libraries, programs, tests, FMUs and the Python
//! package. `Cargo.toml` says where features are named for that alone.

use crate::beside::{self, Taken};
use crate::needs::{self, Need};
use crate::process::{cargo, cpu_seconds, program, root, run, succeeds};
use crate::{
    bindings, book, browser, docs, examples, generate, laws, multibody, package, pictures, python,
    windows,
};
use std::fs;
use std::time::Instant;

/// A check: its name, and what it does.
pub type Step = (&'static str, fn() -> Result<(), String>);

/// What fails most often and costs least comes first.
const STEPS: &[Step] = &[
    ("documents", docs::check),
    ("format", || run(&mut cargo("fmt --all --check"))),
    ("lints", || {
        run(&mut cargo(
            "clippy --workspace --all-targets --quiet -- -D warnings",
        ))
    }),
    ("build", || {
        run(&mut cargo("build --workspace --all-targets --quiet"))
    }),
    ("names of laws", laws::check),
    ("generated pages", generate::check),
    ("records of the examples", examples::check),
    ("test files", test_files),
    ("tests", tests),
    ("reference pages", || {
        run(cargo("doc --workspace --no-deps --quiet").env("RUSTDOCFLAGS", "-D warnings"))
    }),
    ("tests in documents", || {
        run(&mut cargo("test --workspace --doc --quiet"))
    }),
];

/// Steps that mostly keep one core busy and use nothing of each other; those that take longest come first.
const BESIDE: &[Step] = &[
    ("commands in the book", || {
        book::check("").and_then(|()| pictures::check())
    }),
    ("FMUs on Windows", windows::check),
    ("Python package", package::check),
    ("multibody example", multibody::check),
    ("callers and FMUs", bindings::check),
    ("pages in a browser", browser::check),
];

const MAKER: &str = "crates/data/tests/make_files.py";
const FILES: &str = "target/test-files";

/// Runs the steps in order, up to the first that fails.
pub fn run_all() -> Result<(), String> {
    let start = Instant::now();
    let mut times: Vec<(&str, Taken)> = Vec::new();
    for (name, step) in STEPS {
        println!("==> {name}");
        let (begun, used) = (Instant::now(), cpu_seconds());
        step().map_err(|error| format!("step \"{name}\": {error}"))?;
        let taken = [begun.elapsed().as_secs_f64(), cpu_seconds() - used];
        println!("    passed in {:.1} s", taken[0]);
        times.push((name, taken));
    }
    times.extend(beside::run(BESIDE)?);
    println!("\nall checks passed");
    let whole = [start.elapsed().as_secs_f64(), cpu_seconds()];
    print!("{}", table(&times, whole));
    for need in needs::absent()? {
        println!("skipped: {need}");
    }
    Ok(())
}

/// Runs one of the steps that are run side by side, as a program of its own.
pub fn run_beside(name: &str) -> Result<(), String> {
    beside::own(BESIDE, name)
}

/// Seconds of every step: by the clock, its share of the whole, and of processors, which tells more on a busy machine.
fn table(times: &[(&str, Taken)], whole: Taken) -> String {
    let line = |name: &str, [seconds, used]: Taken| {
        let share = 100.0 * seconds / whole[0].max(1e-9);
        format!("  {name:24} {seconds:8.1} s {share:5.1} % {used:8.1} s CPU\n")
    };
    let steps = times.iter().map(|(name, taken)| line(name, *taken));
    steps.chain([line("in all", whole)]).collect()
}

/// Files in the formats of other programs, written by those programs' own libraries.
fn test_files() -> Result<(), String> {
    let python = python::environment()?;
    let folder = root().join(FILES);
    fs::create_dir_all(&folder).map_err(|error| format!("{FILES}: {error}"))?;
    run(program(python).arg(MAKER).arg(folder))
}

/// All tests, with cargo-nextest where it is installed; those that need what is not here are named.
fn tests() -> Result<(), String> {
    let absent = needs::absent()?;
    for need in &absent {
        println!("    skipped: {need}");
    }
    let names = absent.iter().map(Need::test);
    let mut command;
    if succeeds(&mut cargo("nextest --version")) {
        command = cargo("nextest run --workspace --run-ignored all");
        let names: Vec<String> = names.map(|name| format!("test(/(^|::){name}$/)")).collect();
        if !names.is_empty() {
            command.args(["-E", &format!("not ({})", names.join(" | "))]);
        }
    } else {
        command = cargo("test --workspace --lib --bins --tests --quiet -- --include-ignored");
        for name in names {
            command.args(["--skip", name]);
        }
    }
    run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_share() {
        let times = [("a", [3.0, 5.0]), ("b", [1.0, 1.0])];
        let table = table(&times, [4.0, 6.0]);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 3);
        let ends = |i: usize, end: &str| assert!(lines[i].ends_with(end), "{}", lines[i]);
        ends(0, "3.0 s  75.0 %      5.0 s CPU");
        ends(2, "4.0 s 100.0 %      6.0 s CPU");
    }
}
