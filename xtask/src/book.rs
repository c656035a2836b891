//! Whether the commands in the book work: every page's `sh` blocks are run in order, in a folder of
//! their own, beside the files that its blocks marked `file=NAME` hold. Pages about records by others,
//! in `data/`, are tried where those are.

use crate::process::{cargo, program, root, run};
use std::fs;
use std::path::Path;

const PAGES: &str = "docs/book/src";

/// Records by others, which are not part of the project.
pub const RECORDS: &str = "../shared/data";

/// Whether the records that a page needs are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Records {
    /// They are, or it needs none.
    Present,
    /// They are not: nothing was run.
    Absent,
}

/// Runs the commands of all pages.
pub fn check() -> Result<(), String> {
    run(&mut cargo("build --quiet --package masing"))?;
    let pages = fs::read_dir(root().join(PAGES)).map_err(|error| format!("{PAGES}: {error}"))?;
    let mut pages: Vec<_> = pages.flatten().map(|entry| entry.path()).collect();
    pages.sort();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap_or_default();
        if try_page(&page, &text)? == Records::Absent {
            println!("    skipped: {}, {RECORDS} is absent", page.display());
        }
    }
    Ok(())
}

/// Runs the commands of one page; what they write stays in `target/book`.
pub fn try_one(name: &str) -> Result<Records, String> {
    run(&mut cargo("build --quiet --package masing"))?;
    let page = root().join(PAGES).join(name).with_extension("md");
    let text = fs::read_to_string(&page).map_err(|error| format!("{name}: {error}"))?;
    try_page(&page, &text)
}

fn try_page(page: &Path, text: &str) -> Result<Records, String> {
    let name = page.file_stem().unwrap_or_default();
    let mut script = String::from("set -e\n");
    let mut files = Vec::new();
    for (info, body) in blocks(text) {
        if info == "sh" {
            script.push_str(body);
        } else if let Some((_, file)) = info.split_once("file=") {
            files.push((file, body));
        }
    }
    if !script.contains("masing") {
        return Ok(Records::Present);
    }
    let records = root().join(RECORDS);
    let needs_records = script.contains(" data/");
    if needs_records && !records.exists() {
        return Ok(Records::Absent);
    }
    let folder = root().join("target/book").join(name);
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(at)?;
    }
    fs::create_dir_all(&folder).map_err(at)?;
    for (file, body) in files {
        fs::write(folder.join(file), body).map_err(at)?;
    }
    run(program("cp")
        .arg("-r")
        .arg(root().join("examples"))
        .arg(&folder))?;
    if needs_records {
        run(program("ln")
            .arg("-s")
            .arg(records)
            .arg(folder.join("data")))?;
    }

    let built = root().join("target/debug");
    let path = std::env::var("PATH").unwrap_or_default();
    let result = program("sh")
        .current_dir(&folder)
        .env("PATH", format!("{}:{path}", built.display()))
        .args(["-c", &script])
        .output()
        .map_err(at)?;
    if result.status.success() {
        return Ok(Records::Present);
    }
    Err(format!(
        "the commands of {PAGES}/{}.md do not work:\n{}",
        name.display(),
        String::from_utf8_lossy(&result.stderr)
    ))
}

/// The fenced blocks: what follows the opening backticks, and the lines inside.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let fences: Vec<(usize, &str)> = text
        .match_indices("```")
        .filter(|(at, _)| *at == 0 || text[..*at].ends_with('\n'))
        .map(|(at, _)| (at, text[at + 3..].lines().next().unwrap_or_default()))
        .collect();
    fences
        .chunks_exact(2)
        .map(|pair| {
            let (open, info) = pair[0];
            (info, &text[open + 4 + info.len()..pair[1].0])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_mark_and_their_lines() {
        let text = "# Title\n```sh\nmasing models\n```\ntext\n```toml,file=a.toml\nx = 1\n```\n";
        assert_eq!(
            blocks(text),
            [("sh", "masing models\n"), ("toml,file=a.toml", "x = 1\n")]
        );
    }
}
