//! Whether the pages work in a browser: every picture draws something, on paper and in a file too, nothing complains,
//! nothing is asked for, nothing is wider than a phone or a screen.

use crate::debian;
use crate::process::{built, masing, output, program, root, run, succeeds};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const FOLDER: &str = "target/browser";
/// Run inside a copy of the page; tells the page around it what it found.
const INSIDE: &str = include_str!("browser/inside.js");
/// The page around: one frame per width, and a list of what they tell.
const AROUND: &str = include_str!("browser/around.html");
/// Names that Debian and others give the browser.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// How a sheet of A4 is told in a PDF file: 210 by 297 mm in points, within what rounding to pixels does.
const SHEET: (&str, &str) = ("/MediaBox [0 0 59", " 841.");

/// Makes pages and opens them.
pub fn check() -> Result<(), String> {
    let browser = browser()?;
    let folder = root().join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(at)?;
    }
    fs::create_dir_all(&folder).map_err(at)?;
    for (name, page) in pages(&folder)? {
        let own = folder.join(name);
        fs::create_dir_all(&own).map_err(at)?;
        println!("    {name}");
        on_screens(browser, &own, &page).map_err(|error| format!("{name}: {error}"))?;
        on_paper(browser, &own, &page).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` hands over")]
fn at(error: std::io::Error) -> String {
    format!("{FOLDER}: {error}")
}

/// On a phone and on a screen.
fn on_screens(browser: &str, folder: &Path, page: &Path) -> Result<(), String> {
    let page = fs::read_to_string(page).map_err(at)?;
    // First of all scripts, so that it sees everything that the page's own ones do.
    let (before, after) = page
        .split_once("<body>")
        .ok_or("the page has no beginning")?;
    let watched = format!("{before}<body><script>{INSIDE}</script>{after}");
    fs::write(folder.join("watched.html"), watched).map_err(at)?;
    fs::write(folder.join("around.html"), AROUND).map_err(at)?;
    let around = folder.join("around.html");
    let result = opened(
        browser,
        folder,
        &around,
        &[
            "--window-size=1500,2000",
            "--virtual-time-budget=20000",
            "--dump-dom",
        ],
    )?;
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

/// Reads what the frames told: one line `width=390 pictures=3 drawn=3 ...` each.
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
        println!("      {line}");
        let value = |key: &str| -> Option<usize> {
            let mut words = line.split(' ').filter_map(|word| word.split_once('='));
            let (_, number) = words.find(|(k, _)| *k == key)?;
            number.parse().ok()
        };
        let pictures = value("pictures").filter(|n| *n > 0);
        let all = ["drawn", "paper"]
            .iter()
            .all(|key| value(key) == pictures && pictures.is_some());
        let twice = value("saved") == pictures.map(|n| 2 * n);
        let none = ["overflow", "spilled", "untidy", "requests"]
            .iter()
            .all(|key| value(key) == Some(0));
        if !(all && twice && none) {
            return Err(format!("the page is not as it should be: {line}"));
        }
    }
    Ok(())
}

/// As sheets of A4.
fn on_paper(browser: &str, folder: &Path, page: &Path) -> Result<(), String> {
    let paper = folder.join("paper.pdf");
    let to = format!("--print-to-pdf={}", paper.display());
    opened(
        browser,
        folder,
        page,
        &["--no-pdf-header-footer", "--virtual-time-budget=5000", &to],
    )?;
    let bytes = fs::read(&paper).map_err(at)?;
    let sheets = sheets(&String::from_utf8_lossy(&bytes))?;
    println!("      {sheets} sheets");
    Ok(())
}

/// Counts the sheets of a PDF file, all of which must be A4.
fn sheets(pdf: &str) -> Result<usize, String> {
    let boxes: Vec<&str> = pdf
        .split("/MediaBox")
        .skip(1)
        .filter_map(|text| text.split(']').next())
        .collect();
    let odd = boxes
        .iter()
        .find(|own| !(format!("/MediaBox{own}").starts_with(SHEET.0) && own.contains(SHEET.1)));
    match (boxes.len(), odd) {
        (0, _) => Err("no sheet was printed".to_owned()),
        (_, Some(odd)) => Err(format!("a sheet is not A4: {odd}]")),
        (n, None) => Ok(n),
    }
}

/// Runs the browser on a file.
pub fn opened(browser: &str, folder: &Path, page: &Path, flags: &[&str]) -> Result<Output, String> {
    program(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            "--v=0",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .args(flags)
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .output()
        .map_err(at)
}

/// What the program writes about a record and about a fit, and a page as full as it gets.
fn pages(folder: &Path) -> Result<Vec<(&'static str, PathBuf)>, String> {
    built()?;
    let masing = |arguments: &str| {
        let mut command: Command = masing();
        command.arg("--quiet").args(arguments.split_whitespace());
        command
    };
    let record = folder.join("response.csv");
    run(
        masing("simulate examples/bushing/model.toml --motion examples/bushing/sine.csv --out")
            .arg(&record),
    )?;
    let inspected = folder.join("inspected");
    run(masing("inspect examples/bushing/sine.csv")
        .arg(&record)
        .arg("--out")
        .arg(&inspected))?;
    // Few cells: it is the page that is checked, not the fit.
    let fitted = folder.join("fitted");
    run(masing(
        "fit examples/bushing/sine-0.3mm-1Hz.csv examples/bushing/kdyn.csv --model rt --cells 5 \
         --validate examples/bushing/sine-0.3mm-10Hz.csv --out",
    )
    .arg(&fitted))?;
    let staged = folder.join("staged");
    run(masing(
        "stages examples/clutch/slow.csv --dynamic examples/clutch/step.csv --inertia 0.25 --out",
    )
    .arg(&staged))?;
    let full = folder.join("full.html");
    let text = output(&mut program(
        root().join("target/debug/examples/every_block"),
    ))?;
    fs::write(&full, text).map_err(at)?;
    Ok(vec![
        ("inspect", inspected.join("inspect.html")),
        ("fit", fitted.join("report.html")),
        ("stages", staged.join("report.html")),
        ("every-block", full),
    ])
}

/// The browser, installed first where it is missing.
pub fn browser() -> Result<&'static str, String> {
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
        let line = "pictures=3 drawn=3 paper=3 saved=6 overflow=0 spilled=0 untidy=0 requests=0\n";
        let good = format!("<pre>told: width=390 {line}told: width=1400 {line}</pre>");
        assert_eq!(judge(&good), Ok(()));
        for (from, to) in [
            ("drawn=3", "drawn=2"),
            ("paper=3", "paper=0"),
            ("saved=6", "saved=5"),
            ("overflow=0", "overflow=12"),
            ("spilled=0", "spilled=1"),
            ("untidy=0", "untidy=1"),
            ("requests=0", "requests=1"),
            (
                "pictures=3 drawn=3 paper=3 saved=6",
                "pictures=0 drawn=0 paper=0 saved=0",
            ),
            ("told: width=390", "gone=390"),
        ] {
            assert!(judge(&good.replacen(from, to, 1)).is_err(), "{to}");
        }
    }

    #[test]
    fn sheets_are_a4() {
        let sheet = "<< /Type /Page /MediaBox [0 0 594.95996 841.91998] >>";
        assert_eq!(sheets(&sheet.repeat(3)), Ok(3));
        assert!(sheets("").is_err());
        assert!(sheets(&sheet.replace("841.9", "792")).is_err());
        assert!(sheets(&sheet.replace("594", "612")).is_err());
    }
}
