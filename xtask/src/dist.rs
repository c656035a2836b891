//! `cargo xtask dist`: the program and the libraries to hand out, in `target/dist`.

use crate::debian;
use crate::process::{cargo, output, program, root, run, succeeds};
use std::fs;
use std::path::{Path, PathBuf};

/// Where everything goes; `masing export` of a program in `bin` finds its libraries in `lib`.
const DIST: &str = "target/dist";
/// The build for Windows has another compiler, and so a folder of its own.
const WINDOWS: &str = "target/windows";
const TARGET: &str = "x86_64-pc-windows-gnu";
const LINKER: &str = "x86_64-w64-mingw32-gcc";

/// Program and library for this machine, library for Windows.
pub fn build() -> Result<(), String> {
    run(&mut cargo(
        "build --release --quiet --package masing --package masing-c",
    ))?;
    put("target/release/masing", "bin/masing")?;
    put("target/release/libmasing_c.so", "lib/libmasing_c.so")?;
    let library = windows_library("release")?;
    put(&library, "lib/masing_c.dll")?;
    println!("{DIST} has bin/masing, lib/libmasing_c.so and lib/masing_c.dll");
    Ok(())
}

/// Copies a file into the folder to hand out.
fn put(from: &str, to: &str) -> Result<(), String> {
    let to = root().join(DIST).join(to);
    let at = |error: std::io::Error| format!("{from} to {}: {error}", to.display());
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(at)?;
    }
    fs::copy(root().join(from), &to).map(drop).map_err(at)
}

/// Builds the library for Windows; its path.
///
/// The toolchain of the project has no such target, but Debian's own has the source of the standard
/// library beside it, which is built along.
fn windows_library(profile: &str) -> Result<String, String> {
    if !Path::new("/usr/lib/rustlib/src/rust/library").exists()
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
        .args([
            "build",
            "--quiet",
            "-Zbuild-std=std,panic_abort",
            "--package",
            "masing-c",
        ])
        .args(["--target", TARGET, "--target-dir", WINDOWS])
        .env("RUSTC", "/usr/bin/rustc")
        // Unstable options of a stable compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-C link-arg=-static-libgcc")
        // What the toolchain that runs this task says about itself.
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN");
    if profile == "release" {
        build.arg("--release");
    }
    run(&mut build)?;
    Ok(format!("{WINDOWS}/{TARGET}/{profile}/masing_c.dll"))
}

const EXAMPLE: &str = "bindings/c/examples/sine.c";
const MODEL: &str = "bindings/c/examples/bushing.toml";
/// Wine 8 lacks a function that Windows has and Rust's standard library wants.
const STAND_IN: &str = "int ProcessPrng(unsigned char *at, unsigned long long n) { while (n--) *at++ = 4; return 1; }\n";

/// The example in C with the library for Windows, under Wine, against the same on this machine.
pub fn check_windows() -> Result<(), String> {
    let library = windows_library("debug")?;
    if !succeeds(program("wine64").arg("--version")) {
        debian::install(&["wine64"])?;
    }
    let folder = root().join(WINDOWS).join("check");
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(at)?;
    fs::copy(root().join(&library), folder.join("masing_c.dll")).map_err(at)?;
    let stand_in = folder.join("stand-in.c");
    fs::write(&stand_in, STAND_IN).map_err(at)?;
    let link = |inputs: &[&Path], options: &[&str], to: &str| -> Result<PathBuf, String> {
        let to = folder.join(to);
        run(program(LINKER)
            .args(options)
            .arg("-o")
            .arg(&to)
            .args(inputs))?;
        Ok(to)
    };
    link(&[&stand_in], &["-shared"], "bcryptprimitives.dll")?;
    let (example, dll) = (root().join(EXAMPLE), folder.join("masing_c.dll"));
    let options = ["-Wall", "-Wextra", "-Werror", "-Ibindings/c/include"];
    let windows = link(&[&example, &dll], &options, "sine.exe")?;

    let there = output(
        program("wine64")
            .arg(windows)
            .arg(MODEL)
            .env("WINEPREFIX", folder.join("wine"))
            .env("WINEDEBUG", "-all"),
    )?;
    let here = crate::bindings::forces_in_c()?;
    let difference = crate::bindings::largest_difference(&crate::bindings::forces(&there)?, &here)?;
    println!("library for Windows under Wine: largest difference to Linux {difference:.1e}");
    // Sines and powers of two C libraries.
    if difference.is_nan() || difference > 1e-12 {
        return Err("the library for Windows has other forces".to_owned());
    }
    Ok(())
}
