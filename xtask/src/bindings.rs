//! `cargo xtask fmu`: what other languages and simulations see of the library.

use crate::process::{built, masing, output, program, root, run, succeeds};
use crate::{debian, python};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "bindings/c/examples";
const MODEL: &str = "bindings/c/examples/bushing.toml";
const FMU_TESTS: &str = "bindings/c/tests";
/// Where the programs and FMUs of the tests go.
const FOLDER: &str = "target/bindings";

/// Callers in C and Fortran, then FMUs in FMPy.
pub fn check() -> Result<(), String> {
    built()?;
    let folder = root().join(FOLDER);
    fs::create_dir_all(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
    callers(&folder)?;
    let python = python::environment()?;
    run(program(python)
        .args(["-m", "unittest", "discover", "--start-directory", FMU_TESTS])
        .args(["--pattern", "test_fmu*.py"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("MASING", root().join("target/debug/masing"))
        .env("FOLDER", &folder))
}

/// The examples, compiled without a warning and run under valgrind, against `masing simulate`.
fn callers(folder: &Path) -> Result<(), String> {
    for (tool, package) in [
        ("gcc", "gcc"),
        ("gfortran", "gfortran"),
        ("valgrind", "valgrind"),
    ] {
        if !succeeds(program(tool).arg("--version")) {
            debian::install(&[package, "libc6-dev"])?;
        }
    }
    let options = ["-std=c99", "-pedantic", "-Ibindings/c/include"];
    let c = compiled(folder, "gcc", &options, "sine.c", &["-lm"])?;
    let fortran = compiled(folder, "gfortran", &["-std=f2018"], "varsub.f90", &[])?;
    let c = run_under_valgrind(&c)?;
    let fortran = run_under_valgrind(&fortran)?;

    let motion = folder.join("caller-motion.csv");
    let rows = forces(&c)?;
    let motions = c.lines().filter_map(|line| line.rsplit_once(','));
    let motions: Vec<&str> = motions.map(|(motion, _)| motion).collect();
    fs::write(&motion, motions.join("\n"))
        .map_err(|error| format!("{}: {error}", motion.display()))?;
    let out = folder.join("caller-out.csv");
    let mut simulate = masing();
    simulate.args(["--quiet", "simulate", MODEL]);
    run(simulate.arg("--motion").arg(&motion).arg("--out").arg(&out))?;
    let simulated =
        fs::read_to_string(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    for (who, found) in [("C", &rows), ("Fortran", &forces(&fortran)?)] {
        let difference = largest_difference(found, &forces(&simulated)?)?;
        println!("caller in {who}: largest difference to `masing simulate` {difference:.1e}");
        // Rounding of times and of printed numbers.
        if difference.is_nan() || difference > 1e-9 {
            return Err(format!("the caller in {who} has other forces"));
        }
    }
    Ok(())
}

/// An example as a program; warnings are errors.
fn compiled(
    folder: &Path,
    compiler: &str,
    options: &[&str],
    source: &str,
    libraries: &[&str],
) -> Result<PathBuf, String> {
    let to = folder.join(source.replace('.', "-"));
    let library = root().join("target/debug");
    run(program(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-g", "-O1"])
        .args(options)
        .arg(format!("{EXAMPLES}/{source}"))
        // Module files of Fortran.
        .args(if compiler == "gfortran" {
            vec![OsStr::new("-J"), folder.as_os_str()]
        } else {
            vec![]
        })
        .arg("-o")
        .arg(&to)
        .arg("-L")
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .arg("-lmasing_c")
        .args(libraries))?;
    Ok(to)
}

/// What a program prints; any misuse of memory is an error.
fn run_under_valgrind(path: &Path) -> Result<String, String> {
    output(
        program("valgrind")
            .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
            .arg(path)
            .arg(MODEL),
    )
}

/// The last column of a table.
fn forces(table: &str) -> Result<Vec<f64>, String> {
    let rows = table.lines().skip(1);
    let last = rows.filter_map(|line| line.rsplit(',').next());
    last.map(|text| {
        text.trim()
            .parse()
            .map_err(|_| format!("`{text}` is not a number"))
    })
    .collect()
}

/// Largest difference of two histories over the largest value of the second.
fn largest_difference(a: &[f64], b: &[f64]) -> Result<f64, String> {
    if a.len() != b.len() || a.is_empty() {
        return Err(format!("{} rows, expected {}", a.len(), b.len()));
    }
    let size = b.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    let pairs = a.iter().zip(b);
    Ok(pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / size)
}
