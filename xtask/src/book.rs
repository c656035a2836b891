//! Whether the commands in the book and beside the examples work: every page's `sh` blocks are run in order, in a folder
//! of their own, beside the files that its blocks marked `file=NAME` hold. Pages about records by others,
//! in `data/`, are tried where those are.

use crate::process::{built, program, root, run};
use std::fs;
use std::path::{Path, PathBuf};

const PAGES: &str = "docs/book/src";
const EXAMPLES: &str = "examples";

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
    built()?;
    let mut pages = below(PAGES)?;
    pages.extend(
        below(EXAMPLES)?
            .iter()
            .map(|folder| folder.join("README.md")),
    );
    for page in pages {
        if try_page(&page)? == Records::Absent {
            println!("    skipped: {}, {RECORDS} is absent", shown(&page));
        }
    }
    Ok(())
}

/// What lies in a folder, in order.
fn below(folder: &str) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(root().join(folder)).map_err(|error| format!("{folder}: {error}"))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Runs the commands of one page of the book; what they write stays in `target/book`.
pub fn try_one(name: &str) -> Result<Records, String> {
    built()?;
    try_page(&root().join(PAGES).join(name).with_extension("md"))
}

/// The page as seen from the root of the project.
fn shown(page: &Path) -> String {
    let page = page.strip_prefix(root()).unwrap_or(page);
    page.display().to_string()
}

fn try_page(page: &Path) -> Result<Records, String> {
    let text = fs::read_to_string(page).unwrap_or_default();
    let text = text.as_str();
    let name = match page.file_stem() {
        Some(stem) if stem != "README" => stem,
        _ => page.parent().and_then(Path::file_name).unwrap_or_default(),
    };
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
        "the commands of {} do not work:\n{}",
        shown(page),
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
