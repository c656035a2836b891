//! `cargo xtask multibody`: the example of FMUs in simulations of beams and cars, tested and drawn.

use crate::process::{built, program, root, run};
use crate::python;
use std::path::{Path, PathBuf};
use std::process::Command;

const EXAMPLE: &str = "examples/multibody";
/// Where FMUs of the tests go.
const FOLDER: &str = "target/multibody";

/// Every way of simulating against another.
pub fn check() -> Result<(), String> {
    let mut tests = script(&ready()?, "test_multibody.py");
    run(tests.env("FOLDER", root().join(FOLDER)))
}

/// Runs the scripts of the example, which print their figures and write their pictures.
pub fn draw() -> Result<(), String> {
    let python = ready()?;
    for name in ["beam.py", "steering.py"] {
        run(script(&python, name).args(["--out", EXAMPLE]))?;
    }
    Ok(())
}

/// A script of the example; it leaves nothing behind in its folder.
fn script(python: &Path, name: &str) -> Command {
    let mut command = program(python);
    command
        .arg(format!("{EXAMPLE}/{name}"))
        .env("MASING", root().join("target/debug/masing"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// Builds what the example calls.
fn ready() -> Result<PathBuf, String> {
    built()?;
    python::multibody_environment()
}
