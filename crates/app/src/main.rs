//! The `masing` command: test-rig data into force models that can be trusted.

use std::process::ExitCode;

fn main() -> ExitCode {
    masing::main()
}
