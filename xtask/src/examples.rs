//! `cargo xtask examples`: the test records in `examples/`, written by the program in `examples/records`.

use crate::process::{built, program, root, run};

/// Writes the records.
pub fn write() -> Result<(), String> {
    built()?;
    run(&mut program(root().join("target/debug/example-records")))
}

/// Says whether the records are what [`write()`] would write.
pub fn check() -> Result<(), String> {
    built()?;
    run(program(root().join("target/debug/example-records")).arg("--check"))
}
