//! `cargo xtask test`: everything that has to hold before a change is taken.

use crate::process::{cargo, output, program, root, run, succeeds};
use crate::{
    bindings, book, browser, docs, examples, generate, multibody, package, python, windows,
};
use std::fs;
use std::time::Instant;

/// What a step did, other than fail.
pub enum Done {
    /// It ran.
    Passed,
    /// It had nothing to do, and why.
    Skipped(&'static str),
}

type Step = (&'static str, fn() -> Result<Done, String>);

/// Quick checks first.
const STEPS: &[Step] = &[
    ("documents", || passed(docs::check())),
    ("format", || passed(run(&mut cargo("fmt --all --check")))),
    ("lints", || {
        passed(run(&mut cargo(
            "clippy --workspace --all-targets --quiet -- -D warnings",
        )))
    }),
    ("reference pages", || {
        passed(run(
            cargo("doc --workspace --no-deps --quiet").env("RUSTDOCFLAGS", "-D warnings")
        ))
    }),
    ("generated pages", generate::check_step),
    ("records of the examples", || passed(examples::check())),
    ("commands in the book", || passed(book::check())),
    ("pages in a browser", || passed(browser::check())),
    ("callers and FMUs", || passed(bindings::check())),
    ("FMUs on Windows", || passed(windows::check())),
    ("multibody example", || passed(multibody::check())),
    ("Python package", || passed(package::check())),
    ("test files", test_files),
    ("tests", tests),
    ("tests in documents", || {
        passed(run(&mut cargo("test --workspace --doc --quiet")))
    }),
    ("an element of one's own", custom_element),
];

const MAKER: &str = "crates/data/tests/make_files.py";
const FILES: &str = "target/test-files";
const CUSTOM: &str = "examples/custom-element";

/// Runs the steps in order, up to the first that fails.
pub fn run_all() -> Result<(), String> {
    let start = Instant::now();
    let mut summary = Vec::new();
    for (name, step) in STEPS {
        println!("==> {name}");
        let begun = Instant::now();
        let done = step().map_err(|error| format!("step \"{name}\": {error}"))?;
        let line = match done {
            Done::Passed => format!("passed in {:.1} s", begun.elapsed().as_secs_f64()),
            Done::Skipped(why) => format!("skipped: {why}"),
        };
        println!("    {line}");
        summary.push((name, line));
    }
    println!(
        "\nall checks passed in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    for (name, line) in summary {
        println!("  {name:24} {line}");
    }
    Ok(())
}

fn passed(outcome: Result<(), String>) -> Result<Done, String> {
    outcome.map(|()| Done::Passed)
}

/// Files in the formats of other programs, written by those programs' own libraries.
fn test_files() -> Result<Done, String> {
    if !root().join(MAKER).exists() {
        return Ok(Done::Skipped("no crate asks for files of other programs"));
    }
    let python = python::environment()?;
    let folder = root().join(FILES);
    fs::create_dir_all(&folder).map_err(|error| format!("{FILES}: {error}"))?;
    passed(run(program(python).arg(MAKER).arg(folder)))
}

/// All tests; with cargo-nextest where it is installed.
fn tests() -> Result<Done, String> {
    let nextest = succeeds(&mut cargo("nextest --version"));
    let mut command = cargo(if nextest {
        "nextest run --workspace"
    } else {
        "test --workspace --all-targets --quiet"
    });
    if root().join(MAKER).exists() {
        command.env("MASING_TEST_FILES", root().join(FILES));
    }
    passed(run(&mut command))
}

/// The example of a law outside the registry, which is a crate outside the workspace.
fn custom_element() -> Result<Done, String> {
    let manifest = format!("{CUSTOM}/Cargo.toml");
    if !root().join(&manifest).exists() {
        return Ok(Done::Skipped("the example does not exist yet"));
    }
    let members = output(&mut cargo("metadata --no-deps --format-version 1"))?;
    if members.contains(&manifest) {
        return Ok(Done::Skipped("it is part of the workspace, tested above"));
    }
    run(&mut cargo(&format!(
        "fmt --manifest-path {manifest} --check"
    )))?;
    run(&mut cargo(&format!(
        "clippy --manifest-path {manifest} --target-dir target --all-targets --quiet -- -D warnings"
    )))?;
    passed(run(&mut cargo(&format!(
        "test --manifest-path {manifest} --target-dir target --quiet"
    ))))
}
