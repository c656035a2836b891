//! Builds for Windows and runs what was built under Wine; `cargo xtask windows`.
//!
//! The toolchain of the project has no such target, but Debian's own has the source of the standard library
//! beside it, which is built along.

use crate::process::{built, output, program, root, run, succeeds};
use crate::{debian, python};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Another compiler needs a folder of its own.
const FOLDER: &str = "target/windows";
const TARGET: &str = "x86_64-pc-windows-gnu";
const LINKER: &str = "x86_64-w64-mingw32-gcc";
const OBJDUMP: &str = "x86_64-w64-mingw32-objdump";
const STRIP: &str = "x86_64-w64-mingw32-strip";
const STANDARD_LIBRARY: &str = "/usr/lib/rustlib/src/rust/library";
/// An importer in C, built for both systems.
const IMPORTER: &str = "bindings/c/tests/importer";
const TEST: &str = "bindings/c/tests/test_windows.py";
/// Wine 8 lacks a function that Windows has and Rust's standard library wants for the seeds of its maps.
const STAND_IN: &str = "int ProcessPrng(unsigned char *at, unsigned long long n) { while (n--) *at++ = 4; return 1; }\n";

/// How a build is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// To be tried here.
    Dev,
    /// To be handed out.
    Release,
}

/// Builds packages for Windows; the folder that they are in.
pub fn build(packages: &[&str], profile: Profile) -> Result<PathBuf, String> {
    let there = |path: &str| Path::new(path).exists();
    if !there(STANDARD_LIBRARY)
        || !there("/usr/bin/cargo")
        || !succeeds(program(LINKER).arg("--version"))
    {
        debian::install(&[
            "rustc-web",
            "cargo-web",
            "rust-web-src",
            "gcc-mingw-w64-x86-64",
        ])?;
    }
    let mut build = program("/usr/bin/cargo");
    build
        .args(["build", "--quiet", "-Zbuild-std=std,panic_abort"])
        .args(["--target", TARGET, "--target-dir", FOLDER])
        .args(packages.iter().flat_map(|name| ["--package", name]))
        .env("RUSTC", "/usr/bin/rustc")
        // Unstable options of a stable compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-C link-arg=-static-libgcc")
        // Nobody looks for lines there, and libraries without them are a tenth of the size.
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        // What the toolchain that runs this task says about itself.
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => {
            build.arg("--release");
            "release"
        }
    };
    run(&mut build)?;
    Ok(root().join(FOLDER).join(TARGET).join(folder))
}

/// Fails if a program or library needs others that Windows does not have.
pub fn check_imports(path: &Path) -> Result<(), String> {
    let headers = output(program(OBJDUMP).arg("-p").arg(path))?;
    let names = headers
        .lines()
        .filter_map(|line| line.trim().strip_prefix("DLL Name: "));
    // Those of the compiler begin so: libgcc, libwinpthread.
    let foreign: Vec<&str> = names.filter(|name| name.starts_with("lib")).collect();
    if foreign.is_empty() {
        return Ok(());
    }
    let (path, foreign) = (path.display(), foreign.join(", "));
    Err(format!("{path} needs {foreign}"))
}

/// Puts what Wine lacks beside a program.
pub fn mend_wine(folder: &Path) -> Result<(), String> {
    let library = folder.join("bcryptprimitives.dll");
    if library.exists() {
        return Ok(());
    }
    let source = folder.join("stand-in.c");
    fs::write(&source, STAND_IN).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut link = program(LINKER);
    run(link.arg("-shared").arg("-o").arg(library).arg(source))
}

/// Wine; Debian does not put it where programs are sought.
pub fn wine() -> Result<Command, String> {
    const NAMES: [&str; 3] = ["wine64", "/usr/lib/wine/wine64", "wine"];
    let found = || {
        let mut names = NAMES.into_iter();
        names.find(|name| succeeds(program(name).arg("--version")))
    };
    if found().is_none() {
        debian::install(&["wine64"])?;
    }
    let mut command = program(found().ok_or("there is no `wine64`, though it was installed")?);
    command
        .env("WINEPREFIX", root().join(FOLDER).join("wine"))
        .env("WINEDEBUG", "-all")
        // Neither .NET nor a browser, which it would want to fetch.
        .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
        // File names are UTF-8.
        .env("LC_ALL", "C.UTF-8");
    Ok(command)
}

/// FMUs of every element in an importer on Windows, against the same on this machine.
pub fn check() -> Result<(), String> {
    built()?;
    let library = build(&["masing-c"], Profile::Dev)?.join("masing_c.dll");
    check_imports(&library)?;
    if !succeeds(program("gcc").arg("--version")) {
        debian::install(&["gcc", "libc6-dev"])?;
    }
    let folder = root().join(FOLDER).join("check");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    mend_wine(&folder)?;
    // Without symbols, which take longer to pack than everything else.
    let ours = root().join("target/debug/libmasing_c.so");
    for (strip, library) in [("strip", &ours), (STRIP, &library)] {
        let to = folder.join(library.file_name().unwrap_or_default());
        run(program(strip).arg("-o").arg(to).arg(library))?;
    }

    let python = python::environment()?;
    let headers = output(program(&python).args([
        "-c",
        "import fmpy, os; print(os.path.join(os.path.dirname(fmpy.__file__), 'c-code'))",
    ]))?;
    let importer = folder.join("importer");
    let importer_exe = folder.join("importer.exe");
    for (compiler, to) in [("gcc", &importer), (LINKER, &importer_exe)] {
        let parts = ["main.c", "platform.c", "fmi2.c", "fmi3.c"];
        run(program(compiler)
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1"])
            .args(["-I", IMPORTER, "-I", headers.trim()])
            .arg("-o")
            .arg(to)
            .args(parts.map(|part| format!("{IMPORTER}/{part}")))
            .args(if compiler == "gcc" {
                &["-ldl", "-lm"][..]
            } else {
                &[]
            }))?;
    }
    let wine = wine()?;
    let mut test = program(python);
    test.arg(TEST)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("MASING", root().join("target/debug/masing"))
        .env("FOLDER", &folder)
        .env("LIBRARIES", &folder)
        .env("IMPORTER", importer)
        .env("IMPORTER_EXE", importer_exe)
        .env("WINE", wine.get_program());
    for (name, value) in wine.get_envs() {
        if let Some(value) = value {
            test.env(name, value);
        }
    }
    run(&mut test)
}
