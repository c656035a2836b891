//! `cargo xtask dist`: what is handed out, in `target/dist`: a folder and an archive for each system.

use crate::process::{built, cargo, program, root, run};
use crate::windows::{self, Profile};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const FOLDER: &str = "target/dist";
/// Where the programs are tried.
const TRIED: &str = "target/tried";
const README: &str = include_str!("dist/README.txt");
/// What goes along unchanged.
const FILES: &[&str] = &["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"];
const HEADER: &str = "bindings/c/include/masing.h";
/// The examples in C and Fortran, and one to try the program with.
const EXAMPLES: &[&str] = &["bindings/c/examples", "examples/bushing"];

/// Programs and libraries for Linux and Windows, each package with both libraries; then a look at whether they work.
pub fn build() -> Result<(), String> {
    run(&mut cargo(
        "build --release --quiet --package masing --package masing-c",
    ))?;
    let here = root().join("target/release");
    let there = windows::build(&["masing", "masing-c"], Profile::Release)?;
    for name in ["masing.exe", "masing_c.dll"] {
        windows::check_imports(&there.join(name))?;
    }
    let libraries = [here.join("libmasing_c.so"), there.join("masing_c.dll")];
    // Programs under `target` look for libraries here.
    for library in &libraries {
        copy(
            library,
            &root().join(FOLDER).join("lib").join(name(library)),
        )?;
    }
    let linux = package("linux", &here.join("masing"), &libraries)?;
    let windows = package("windows", &there.join("masing.exe"), &libraries)?;
    try_out(&linux, &program(linux.join("masing")))?;
    // Wine needs a library beside the program that is not handed out.
    let mended = root().join(TRIED);
    let exe = mended.join("masing.exe");
    copy(&windows.join("masing.exe"), &exe)?;
    for library in &libraries {
        copy(library, &mended.join("lib").join(name(library)))?;
    }
    windows::mend_wine(&mended)?;
    let mut wine = windows::wine()?;
    wine.arg(exe);
    try_out(&windows, &wine)
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The folder for one system, and the archive of it.
fn package(system: &str, masing: &Path, libraries: &[PathBuf]) -> Result<PathBuf, String> {
    let title = format!("masing-{}-{system}-x86_64", env!("CARGO_PKG_VERSION"));
    let folder = root().join(FOLDER).join(&title);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    copy(masing, &folder.join(name(masing)))?;
    for library in libraries {
        copy(library, &folder.join("lib").join(name(library)))?;
    }
    copy(&root().join(HEADER), &folder.join("include/masing.h"))?;
    for file in FILES {
        copy(&root().join(file), &folder.join(file))?;
    }
    for example in EXAMPLES {
        let from = root().join(example);
        let to = folder.join("examples").join(match *example {
            "bindings/c/examples" => "c".to_owned(),
            other => name(Path::new(other)),
        });
        for file in files(&from)? {
            copy(&file, &to.join(name(&file)))?;
        }
    }
    let readme = folder.join("README.txt");
    fs::write(&readme, README).map_err(|error| format!("{}: {error}", readme.display()))?;

    let to = root().join(FOLDER).join(format!("{title}.zip"));
    built()?;
    run(program(root().join("target/debug/examples/pack"))
        .arg(&folder)
        .arg(&to))?;
    println!("{FOLDER}/{title}.zip");
    Ok(folder)
}

/// Files in a folder by name, without those of folders in it.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(at)? {
        paths.push(entry.map_err(at)?.path());
    }
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let at = |error: std::io::Error| format!("{} to {}: {error}", from.display(), to.display());
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(at)?;
    }
    fs::copy(from, to).map(drop).map_err(at)
}

/// Simulates, exports and fits with a program that is handed out, in a folder of its own.
fn try_out(package: &Path, masing: &Command) -> Result<(), String> {
    let begun = Instant::now();
    let folder = root().join(TRIED).join(name(package));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let examples = package.join("examples/bushing");
    for file in files(&examples)? {
        copy(&file, &folder.join(name(&file)))?;
    }
    for arguments in [
        "simulate model.toml --motion triangle.csv --out out.csv",
        "export model.toml --to fmu3 --out bushing.fmu",
        "fit triangle.csv --model rt --out result",
    ] {
        let mut command = program(masing.get_program());
        command.args(masing.get_args()).arg("--quiet");
        command.args(arguments.split_whitespace());
        command.current_dir(&folder);
        for (name, value) in masing.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        run(&mut command)?;
    }
    let check = folder.join("export-check.json");
    let check =
        fs::read_to_string(&check).map_err(|error| format!("{}: {error}", check.display()))?;
    for system in ["Linux x86-64", "Windows x86-64"] {
        if !check.contains(system) {
            return Err(format!("the FMU of {} lacks {system}", package.display()));
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{} simulates, exports and fits: {seconds:.1} s",
        name(package)
    );
    Ok(())
}
