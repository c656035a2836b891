//! `cargo xtask python`: the Python package, built, installed and tested.

use crate::process::{built, output, program, root, run};
use crate::python;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const PACKAGE: &str = "bindings/python";
const FRESH: &str = "target/venv-package";
const RATE: &str = "bindings/python/tests/rate_of_threads.py";

const REQUIREMENTS: &str = "bindings/python/requirements-test.txt";

/// Installs the package into a fresh environment as a user would, and runs its tests there.
///
/// It is built with the profile of all other tests, in the same target folder, so that nothing is built twice.
pub fn check() -> Result<(), String> {
    built()?;
    let package = installed()?;
    let checks: [&[&str]; 3] = [
        &["-m", "mypy", "--config-file", "pyproject.toml"],
        &["-m", "mypy.stubtest", "masing._masing"],
        &["-m", "pytest", "-p", "no:cacheprovider"],
    ];
    for arguments in checks {
        run(package
            .python()?
            .args(arguments)
            .current_dir(root().join(PACKAGE)))?;
    }
    Ok(())
}

/// Fits in two threads beside fits in one; printed, never judged.
pub fn threads() -> Result<(), String> {
    run(installed()?.python()?.arg(RATE))
}

/// An environment with the package as it is now and nothing else but what it asks for, and one with the tools.
struct Installed {
    fresh: PathBuf,
    tools: PathBuf,
}

impl Installed {
    /// The interpreter of the fresh environment, which finds the tools in theirs.
    fn python(&self) -> Result<Command, String> {
        let tools = output(program(&self.tools).args([
            "-c",
            "import sysconfig; print(sysconfig.get_path('purelib'))",
        ]))?;
        let mut command = program(self.fresh.join("bin/python"));
        command
            .env("PYTHONPATH", tools.trim())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("MYPY_CACHE_DIR", root().join("target/mypy"))
            .env("MASING", root().join("target/debug/masing"))
            .env("MASING_ROOT", root());
        Ok(command)
    }
}

fn installed() -> Result<Installed, String> {
    let tools = python::package_environment()?;
    let fresh = root().join(FRESH);
    if fresh.exists() {
        fs::remove_dir_all(&fresh).map_err(|error| format!("{FRESH}: {error}"))?;
    }
    let mut make = program("python3");
    run(make.args(["-m", "venv", "--without-pip"]).arg(&fresh))?;
    let mut install = program(&tools);
    install.args(["-m", "pip", "--python"]).arg(&fresh);
    install.args(["install", "--disable-pip-version-check"]);
    install.args(["--quiet", "--constraint", REQUIREMENTS]);
    run(install
        .arg(format!("./{PACKAGE}"))
        .env("MATURIN_PEP517_ARGS", "--profile dev"))?;
    Ok(Installed { fresh, tools })
}
