//! Running other programs from the root of the project.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the root of the project")
        .to_owned()
}

/// `cargo` as it was called, with arguments separated by spaces.
pub fn cargo(arguments: &str) -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments.split_whitespace());
    command
}

/// Builds libraries, programs and examples, once. The whole workspace: cargo would build what packages share anew for every
/// choice of them.
pub fn built() -> Result<(), String> {
    static BUILT: OnceLock<Result<(), String>> = OnceLock::new();
    let build = || {
        run(&mut cargo(
            "build --workspace --lib --bins --examples --quiet",
        ))
    };
    BUILT.get_or_init(build).clone()
}

/// The program, as [`built`] builds it.
pub fn masing() -> Command {
    program(root().join("target/debug/masing"))
}

/// A program that runs in the root of the project.
pub fn program(name: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Runs a command; failing is an error that shows it.
pub fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ({status})", shown(command))),
        Err(error) => Err(format!("{}: {error}", shown(command))),
    }
}

/// Runs a command and returns what it wrote to standard output.
pub fn output(command: &mut Command) -> Result<String, String> {
    let result = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{}: {error}", shown(command)))?;
    if !result.status.success() {
        return Err(format!("{} ({})", shown(command), result.status));
    }
    String::from_utf8(result.stdout).map_err(|_| format!("{}: not UTF-8", shown(command)))
}

/// Seconds that processors spent on the commands that were run so far; zero where Linux does not tell.
pub fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name in parentheses; 13 and 14 are the user and system time of children, in hundredths.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let children = fields.split_whitespace().skip(13).take(2);
    children
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

/// Whether a command can be run and succeeds; nothing is shown.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_name();
    let mut out = name
        .unwrap_or(command.get_program())
        .to_string_lossy()
        .into_owned();
    for argument in command.get_args() {
        out.push(' ');
        out.push_str(&argument.to_string_lossy());
    }
    format!("`{out}` failed")
}
