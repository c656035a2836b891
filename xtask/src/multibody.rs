//! `cargo xtask multibody`: the example of FMUs in simulations of beams and cars, tested and drawn.

use crate::process::{cargo, program, root, run};
use crate::python;
use std::path::PathBuf;

const EXAMPLE: &str = "examples/multibody";
/// Where FMUs of the tests go.
const FOLDER: &str = "target/multibody";

/// Every way of simulating against another.
pub fn check() -> Result<(), String> {
    let python = ready()?;
    run(program(python)
        .arg(format!("{EXAMPLE}/test_multibody.py"))
        .env("MASING", root().join("target/debug/masing"))
        .env("FOLDER", root().join(FOLDER)))
}

/// Runs the scripts of the example, which print their figures and write their pictures.
pub fn draw() -> Result<(), String> {
    let python = ready()?;
    for script in ["beam.py", "steering.py"] {
        run(program(&python)
            .arg(format!("{EXAMPLE}/{script}"))
            .args(["--out", EXAMPLE])
            .env("MASING", root().join("target/debug/masing")))?;
    }
    Ok(())
}

/// Builds what the example calls.
fn ready() -> Result<PathBuf, String> {
    run(&mut cargo(
        "build --quiet --package masing --package masing-c",
    ))?;
    python::multibody_environment()
}
