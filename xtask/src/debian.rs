//! Debian packages that a task needs and the machine lacks.

use crate::process::{program, root, run, succeeds};
use std::fs::File;

/// Installs `packages` by name. Callers first see whether what they need is there.
pub fn install(packages: &[&str]) -> Result<(), String> {
    if !succeeds(program("apt-get").arg("--version")) {
        return Err(format!(
            "no apt-get on this machine; please install {} by other means",
            packages.join(", ")
        ));
    }
    // One at a time: steps that run side by side may want packages together.
    let lock = root().join("target/packages.lock");
    let lock = File::create(&lock).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.map_err(|error| format!("target/packages.lock: {error}"))?;
    println!("installing {}", packages.join(", "));
    let root = succeeds(program("sh").args(["-c", "test $(id -u) -eq 0"]));
    let apt = |arguments: &[&str]| {
        let mut command = program(if root { "apt-get" } else { "sudo" });
        if !root {
            command.arg("apt-get");
        }
        run(command
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["--quiet", "--yes"])
            // Without a network, say so soon.
            .args(["-o", "Acquire::Retries=1"])
            .args(["-o", "Acquire::http::Timeout=20"])
            .args(["-o", "Acquire::https::Timeout=20"])
            .args(arguments))
    };
    let mut install = vec!["install", "--no-install-recommends"];
    install.extend(packages);
    apt(&["update"]).and_then(|()| apt(&install)).map_err(|error| {
        let packages = packages.join(" ");
        format!("{error}\nthe Debian packages {packages} are needed and could not be fetched; install them when there is a network")
    })
}
