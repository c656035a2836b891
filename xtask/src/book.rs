//! Whether the commands in the README, in the book and beside the examples work and print what the pages say.
//!
//! Every page's `sh` blocks are run in order, in a folder of their own, beside the files that its blocks marked `file=NAME` hold.
//! A block marked `text,prints` is what the commands of the `sh` block before it print, where `...` stands for anything.
//! Pages about records by others, in `data/`, are tried where those are.

mod printed;

use crate::process::{built, program, root, run};
use crate::sources::read;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Where the commands of the pages run, each page in a folder of its name.
pub const FOLDER: &str = "target/book";

const PAGES: &str = "docs/book/src";
const EXAMPLES: &str = "examples";

/// Records by others, which are not part of the project.
const RECORDS: &str = "../shared/data";

/// How a block of printed lines is marked.
const PRINTS: &str = "text,prints";

/// Stands between what two blocks print.
const BETWEEN: &str = "\u{1}";

/// Runs the commands of the pages and compares what they print with what the pages say; `only` is part of their names.
pub fn check(only: &str) -> Result<(), String> {
    let mut stale = Vec::new();
    each(&pages(only)?, |page, outputs| {
        for (block, printed) in page.printed(outputs) {
            if let Err(difference) = printed::compare(block.body(&page.text), printed) {
                stale.push(format!("{}:{}: {difference}", page.name(), block.line));
            }
        }
        Ok(())
    })?;
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!(
        "pages say what the commands do not print; `cargo xtask book --write` writes it:\n{}",
        stale.join("\n")
    ))
}

/// Runs the commands of the pages and writes what they print into the pages; `only` is part of their names.
pub fn write(only: &str) -> Result<(), String> {
    each(&pages(only)?, |page, outputs| {
        let mut text = page.text.clone();
        // From the end, so that places before stay where they are.
        for (block, printed) in page.printed(outputs).into_iter().rev() {
            let at = |error: String| format!("{}:{}: {error}", page.name(), block.line);
            let renewed = printed::renewed(block.body(&page.text), printed).map_err(at)?;
            text.replace_range(block.inside.clone(), &renewed);
        }
        if text != page.text {
            fs::write(&page.path, text).map_err(|error| format!("{}: {error}", page.name()))?;
            println!("{} written", page.name());
        }
        Ok(())
    })
}

/// Runs the commands of pages by the names of their folders.
pub fn run_pages(names: &[&str]) -> Result<(), String> {
    let mut pages = pages("")?;
    pages.retain(|page| names.contains(&folder_name(page).as_str()));
    each(&pages, |_, _| Ok(()))
}

fn each(
    paths: &[PathBuf],
    mut then: impl FnMut(&Page, &[String]) -> Result<(), String>,
) -> Result<(), String> {
    built()?;
    for path in paths {
        let page = Page::read(path)?;
        match page.run()? {
            Some(outputs) => then(&page, &outputs)?,
            None => println!(
                "    skipped: {} (needs {RECORDS}, which is not here)",
                page.name()
            ),
        }
    }
    Ok(())
}

/// The README, the pages of the book and those of the examples whose names hold a text.
fn pages(only: &str) -> Result<Vec<PathBuf>, String> {
    let mut pages = vec![root().join("README.md")];
    pages.extend(below(PAGES)?);
    let examples = below(EXAMPLES)?;
    let readmes = examples.iter().map(|folder| folder.join("README.md"));
    pages.extend(readmes.filter(|page| page.exists()));
    pages.retain(|page| shown(page).contains(only));
    Ok(pages)
}

/// What lies in a folder, in order.
fn below(folder: &str) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(root().join(folder)).map_err(|error| format!("{folder}: {error}"))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// A page as seen from the root of the project.
fn shown(page: &Path) -> String {
    let page = page.strip_prefix(root()).unwrap_or(page);
    page.display().to_string()
}

/// What the folder of a page is called: as the page is, or as the example is that it stands beside.
fn folder_name(page: &Path) -> String {
    let name = match page.file_stem() {
        Some(stem) if stem == "README" && page.parent() != Some(&root()) => {
            page.parent().and_then(Path::file_name)
        }
        stem => stem,
    };
    name.unwrap_or_default().to_string_lossy().into_owned()
}

struct Page {
    path: PathBuf,
    text: String,
    blocks: Vec<Block>,
}

impl Page {
    fn read(path: &Path) -> Result<Self, String> {
        let text = read(path)?;
        Ok(Self {
            path: path.to_owned(),
            blocks: blocks(&text),
            text,
        })
    }

    fn name(&self) -> String {
        shown(&self.path)
    }

    /// What the commands of a block are as a script; those that build or test the project itself are left out.
    fn commands(&self, block: &Block) -> Option<String> {
        let body = block.body(&self.text);
        let own = block.info == "sh" && !body.contains("cargo xtask");
        own.then(|| body.replace("cargo run --release --", "masing"))
    }

    /// The marked blocks, each with what the commands before it printed.
    fn printed<'a>(&'a self, outputs: &'a [String]) -> Vec<(&'a Block, &'a str)> {
        let mut outputs = outputs.iter();
        let mut last = "";
        let mut found = Vec::new();
        for block in &self.blocks {
            if self.commands(block).is_some() {
                last = outputs.next().map_or("", String::as_str);
            } else if block.info == PRINTS {
                found.push((block, last));
            }
        }
        found
    }

    /// What every block of commands prints; nothing if the page needs records that are not here.
    fn run(&self) -> Result<Option<Vec<String>>, String> {
        let mut script = String::from("set -e\n");
        for block in &self.blocks {
            if let Some(commands) = self.commands(block) {
                script.push_str(&commands);
                script.push_str("printf '\\001'\n");
            }
        }
        if !script.contains("masing") {
            return Ok(Some(Vec::new()));
        }
        let records = root().join(RECORDS);
        let needs_records = script.contains(" data/");
        if needs_records && !records.exists() {
            return Ok(None);
        }
        let folder = self.folder()?;
        let at = |error: std::io::Error| format!("{}: {error}", folder.display());
        for block in &self.blocks {
            if let Some((_, file)) = block.info.split_once("file=") {
                fs::write(folder.join(file), block.body(&self.text)).map_err(at)?;
            }
        }
        if needs_records {
            // A copy: what cleans up the folder must never reach the records.
            run(program("cp")
                .args(["-R", "--no-preserve=mode"])
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
        if !result.status.success() {
            return Err(format!(
                "the commands of {} do not work:\n{}",
                self.name(),
                String::from_utf8_lossy(&result.stderr)
            ));
        }
        let printed = String::from_utf8_lossy(&result.stdout);
        Ok(Some(printed.split(BETWEEN).map(str::to_owned).collect()))
    }

    /// An empty folder with the examples in it.
    fn folder(&self) -> Result<PathBuf, String> {
        let folder = root().join(FOLDER).join(folder_name(&self.path));
        let at = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(at)?;
        }
        fs::create_dir_all(&folder).map_err(at)?;
        run(program("cp")
            .arg("-r")
            .arg(root().join(EXAMPLES))
            .arg(&folder))?;
        Ok(folder)
    }
}

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    /// What follows the opening backticks.
    info: String,
    /// Where the lines inside are.
    inside: Range<usize>,
    /// The line of the opening backticks, from one.
    line: usize,
}

impl Block {
    fn body<'a>(&self, text: &'a str) -> &'a str {
        &text[self.inside.clone()]
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let fences: Vec<(usize, &str)> = text
        .match_indices("```")
        .filter(|(at, _)| *at == 0 || text[..*at].ends_with('\n'))
        .map(|(at, _)| (at, text[at + 3..].lines().next().unwrap_or_default()))
        .collect();
    fences
        .chunks_exact(2)
        .map(|pair| {
            let (open, info) = pair[0];
            Block {
                info: info.to_owned(),
                inside: open + 4 + info.len()..pair[1].0,
                line: 1 + text[..open].matches('\n').count(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page {
            path: root().join("page.md"),
            blocks: blocks(text),
            text: text.to_owned(),
        }
    }

    #[test]
    fn blocks_have_their_mark_and_their_lines() {
        let text = "# Title\n```sh\nmasing models\n```\ntext\n```toml,file=a.toml\nx = 1\n```\n";
        let found = blocks(text);
        let shown: Vec<_> = found
            .iter()
            .map(|b| (b.info.as_str(), b.body(text)))
            .collect();
        assert_eq!(
            shown,
            [("sh", "masing models\n"), ("toml,file=a.toml", "x = 1\n")]
        );
        assert_eq!([found[0].line, found[1].line], [2, 6]);
    }

    #[test]
    fn printed_blocks_belong_to_the_commands_before_them() {
        let page = page(
            "```sh\nmasing a\n```\n```text,prints\n1\n```\n```sh\ncargo xtask test\n```\n\
             ```sh\ncargo run --release -- b\n```\n```text\nno\n```\n```text,prints\n2\n```\n",
        );
        let outputs = ["one".to_owned(), "two".to_owned()];
        let found = page.printed(&outputs);
        let found: Vec<_> = found
            .iter()
            .map(|(b, o)| (b.body(&page.text), *o))
            .collect();
        assert_eq!(found, [("1\n", "one"), ("2\n", "two")]);
        assert_eq!(
            page.commands(&page.blocks[3]).as_deref(),
            Some("masing b\n")
        );
    }
}
