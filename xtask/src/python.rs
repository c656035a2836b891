//! Python environments under `target/`: one with the packages that make test files, one with peers of the benchmarks, one
//! with a multibody code, one for the Python package.

use crate::debian;
use crate::process::{output, program, root, run, succeeds};
use std::path::PathBuf;
use std::{fs, io};

/// The interpreter of the environment that makes test files.
pub fn environment() -> Result<PathBuf, String> {
    made("target/venv", "xtask/requirements-test.txt")
}

/// The interpreter of the environment with what the benchmarks compare with.
pub fn bench_environment() -> Result<PathBuf, String> {
    made("target/venv-bench", "xtask/requirements-bench.txt")
}

/// The interpreter of the environment in which the multibody example runs.
pub fn multibody_environment() -> Result<PathBuf, String> {
    made(
        "target/venv-multibody",
        "examples/multibody/requirements.txt",
    )
}

/// The interpreter of the environment that the Python package is built and tested in, apart from the package itself.
pub fn package_environment() -> Result<PathBuf, String> {
    made(
        "target/venv-python",
        "bindings/python/requirements-test.txt",
    )
}

/// The interpreter of an environment. The environment is made anew when it is missing or broken,
/// or was made from other requirements or by another Python.
fn made(folder: &str, requirements: &str) -> Result<PathBuf, String> {
    let home = root().join(folder);
    let python = home.join("bin/python");
    let stamp = home.join("requirements.stamp");

    if !succeeds(program("python3").args(["-c", "import ensurepip, venv"])) {
        debian::install(&["python3", "python3-venv"])?;
    }
    let wanted = fs::read_to_string(root().join(requirements))
        .map_err(|error| format!("{requirements}: {error}"))?;
    let wanted = output(program("python3").arg("--version"))? + &wanted;

    let made = fs::read_to_string(&stamp).is_ok_and(|made| made == wanted);
    if made && succeeds(program(&python).args(["-c", "import numpy"])) {
        println!("Python environment is up to date");
        return Ok(python);
    }
    let at = |error: io::Error| format!("{}: {error}", home.display());
    if home.exists() {
        fs::remove_dir_all(&home).map_err(at)?;
    }
    run(program("python3").args(["-m", "venv"]).arg(&home))?;
    run(program(&python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
        requirements,
    ]))?;
    fs::write(&stamp, wanted).map_err(at)?;
    Ok(python)
}
