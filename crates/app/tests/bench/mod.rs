//! A folder of its own for a test, and the command run in it.

#![allow(dead_code, reason = "every test file uses its own share")]

use assert_cmd::Command;
use std::path::PathBuf;

/// A temporary folder that goes away with the value.
pub struct Bench(PathBuf);

/// A finished command.
pub struct Done {
    command: String,
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Bench {
    pub fn new() -> Self {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// With copies of records by others under `data/`: what cleans up the folder must never reach the records.
    pub fn with_records(folders: &[&str]) -> Self {
        let bench = Self::new();
        for folder in folders {
            let own = bench.path("data").join(folder);
            std::fs::create_dir_all(&own).unwrap();
            for file in std::fs::read_dir(root().join("../shared/data").join(folder)).unwrap() {
                let file = file.unwrap();
                std::fs::write(
                    own.join(file.file_name()),
                    std::fs::read(file.path()).unwrap(),
                )
                .unwrap();
            }
        }
        bench
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn exists(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Names of everything in the folder.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Header and rows of a CSV file.
    pub fn csv(&self, name: &str) -> (String, Vec<Vec<f64>>) {
        numbers(&self.read(name))
    }

    /// Runs `masing` with arguments separated by spaces.
    pub fn run(&self, arguments: &str) -> Done {
        let output = Command::cargo_bin("masing")
            .unwrap()
            .current_dir(&self.0)
            .args(arguments.split_whitespace())
            .output()
            .unwrap();
        Done {
            command: arguments.to_owned(),
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs `masing` and presses Ctrl-C as soon as the command listens to it.
    #[cfg(target_os = "linux")]
    pub fn interrupt(&self, arguments: &str) -> Done {
        use std::process::{Command, Stdio};
        let child = Command::new(env!("CARGO_BIN_EXE_masing"))
            .current_dir(&self.0)
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while !catches_interrupts(child.id()) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let mut kill = Command::new("kill");
        let sent = kill.args(["-INT", &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        Done {
            command: arguments.to_owned(),
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Whether a program has a handler for Ctrl-C, or has ended.
#[cfg(target_os = "linux")]
fn catches_interrupts(program: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{program}/status")).unwrap_or_default();
    let mut lines = status.lines();
    let caught = lines.find_map(|line| line.strip_prefix("SigCgt:"));
    // One bit per signal, from 1; Ctrl-C is the second.
    caught.is_none_or(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0)
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Done {
    /// Standard output, however the command ended.
    pub fn printed(self) -> String {
        self.stdout
    }

    /// Standard output of a command that must succeed.
    pub fn succeeds(self) -> String {
        assert_eq!(self.code, Some(0), "{}: {}", self.command, self.stderr);
        assert_eq!(self.stderr, "", "{}", self.command);
        self.stdout
    }

    /// Standard error of a command that must fail with this exit code, having printed nothing else.
    pub fn fails(self, code: i32) -> String {
        assert_eq!(
            self.code,
            Some(code),
            "{}: {}{}",
            self.command,
            self.stdout,
            self.stderr
        );
        assert_eq!(self.stdout, "", "{}", self.command);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self.stderr
    }
}

/// One JSON document and nothing else.
pub trait Json {
    fn json(&self) -> serde_json::Value;
}

impl Json for String {
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(self).unwrap()
    }
}

/// Header and rows of CSV text.
pub fn numbers(text: &str) -> (String, Vec<Vec<f64>>) {
    let mut lines = text.lines();
    let header = lines.next().unwrap().to_owned();
    let rows = lines
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    (header, rows)
}
