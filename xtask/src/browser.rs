//! Whether the pages work in a browser: every plot draws something, nothing complains, nothing is wider than a phone
//! or a screen.

use crate::debian;
use crate::process::{cargo, output, program, root, run, succeeds};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const FOLDER: &str = "target/browser";
/// Run inside a copy of the page; tells the page around it what it found.
const INSIDE: &str = include_str!("browser/inside.js");
/// The page around: one frame per width, and a list of what they tell.
const AROUND: &str = include_str!("browser/around.html");
/// Names that Debian and others give the browser.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Makes a page from an example and opens it.
pub fn check() -> Result<(), String> {
    let browser = browser()?;
    let folder = root().join(FOLDER);
    let at = |error: std::io::Error| format!("{FOLDER}: {error}");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(at)?;
    }
    fs::create_dir_all(&folder).map_err(at)?;
    make_page(&folder)?;

    let page = fs::read_to_string(folder.join("page/inspect.html")).map_err(at)?;
    let (before, after) = page.rsplit_once("</body>").ok_or("the page has no end")?;
    let watched = format!("{before}<script>{INSIDE}</script></body>{after}");
    fs::write(folder.join("watched.html"), watched).map_err(at)?;
    fs::write(folder.join("around.html"), AROUND).map_err(at)?;

    let result = program(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1500,2000",
            "--virtual-time-budget=10000",
            "--enable-logging=stderr",
            "--v=0",
            "--dump-dom",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("file://{}", folder.join("around.html").display()))
        .stdin(Stdio::null())
        .output()
        .map_err(at)?;
    let complaints: Vec<String> = String::from_utf8_lossy(&result.stderr)
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .map(str::to_owned)
        .collect();
    if !complaints.is_empty() {
        return Err(format!("the page complains:\n{}", complaints.join("\n")));
    }
    judge(&String::from_utf8_lossy(&result.stdout))
}

/// Reads what the frames told: one line `width=390 plots=3 drawn=3 overflow=0` each.
fn judge(dom: &str) -> Result<(), String> {
    // The page's own script has the words as well, but no width.
    let told: Vec<&str> = dom
        .split("told: ")
        .filter_map(|text| text.lines().next())
        .filter(|line| line.starts_with("width="))
        .collect();
    if told.len() != 2 {
        return Err(format!("expected word of two frames, found {told:?}"));
    }
    for line in told {
        println!("    {line}");
        let value = |key: &str| {
            let mut words = line.split(' ').filter_map(|word| word.split_once('='));
            words.find(|(k, _)| *k == key).map(|(_, v)| v)
        };
        let some = value("plots").is_some_and(|n| n != "0");
        if !some || value("plots") != value("drawn") || value("overflow") != Some("0") {
            return Err(format!("the page is not as it should be: {line}"));
        }
    }
    Ok(())
}

/// A record with a force, and the page about it.
fn make_page(folder: &Path) -> Result<(), String> {
    run(&mut cargo("build --quiet --package masing"))?;
    let built = target().join("debug/masing");
    let masing = || program(&built);
    let record = folder.join("response.csv");
    run(masing()
        .args(["simulate", "examples/bushing/model.toml", "--quiet"])
        .args(["--motion", "examples/bushing/sine.csv", "--out"])
        .arg(&record))?;
    run(masing()
        .args(["inspect", "--quiet"])
        .arg(&record)
        .arg("examples/bushing/sine.csv")
        .arg("--out")
        .arg(folder.join("page")))
}

/// Where cargo puts what it builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The browser, installed first where it is missing.
fn browser() -> Result<&'static str, String> {
    let there = || {
        NAMES
            .into_iter()
            .find(|name| succeeds(program(name).arg("--version")))
    };
    if let Some(name) = there() {
        return Ok(name);
    }
    debian::install(&["chromium"])?;
    let name = there().ok_or("chromium was installed but does not run")?;
    println!("{}", output(program(name).arg("--version"))?.trim());
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_wide_pages_are_refused() {
        let good = "<pre>told: width=390 plots=3 drawn=3 overflow=0\ntold: width=1400 plots=3 drawn=3 overflow=0\n</pre>";
        assert!(judge(good).is_ok());
        for (from, to) in [
            ("drawn=3", "drawn=2"),
            ("overflow=0", "overflow=12"),
            ("plots=3 drawn=3", "plots=0 drawn=0"),
            ("told: width=390", "gone=390"),
        ] {
            assert!(judge(&good.replacen(from, to, 1)).is_err(), "{to}");
        }
    }
}
