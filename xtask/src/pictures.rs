//! `cargo xtask pictures`: the pictures in `docs/images`, drawn by the pages of results that the commands of the book have
//! written, as their own buttons would save them.

use crate::book;
use crate::browser::{browser, opened};
use crate::process::root;
use crate::sources::read;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Run at the end of the script of a page of results.
const INSIDE: &str = include_str!("pictures/inside.js");
/// Where pages are opened.
const FOLDER: &str = "target/pictures";
/// Size of a loop, and of the line with its title above it.
const WIDTH: usize = 320;
const HEIGHT: usize = 250;
const TITLE: usize = 24;
/// Begins what a page tells.
const TOLD: &str = "told: ";
/// Places within which a picture is the same: two values that differ by rounding may be rounded to neighbouring tenths.
const NEAR: f64 = 0.15;

/// A picture: its file, what it shows, loops in a row, the page of the book whose commands make it, and the loops.
struct Picture {
    file: &'static str,
    about: &'static str,
    columns: usize,
    page: &'static str,
    loops: &'static [Loop],
}

/// A loop: what stands above it, the folder of results, the test.
type Loop = (&'static str, &'static str, &'static str);

const PICTURES: &[Picture] = &[
    Picture {
        file: "docs/images/bushing-loop.svg",
        about: "Loops of a rubber bushing at three amplitudes, measured and from the fitted model",
        columns: 3,
        page: "README",
        loops: &[
            ("0.1 mm, 1 Hz: fitted", "result", "sine-0.1mm-1Hz"),
            ("0.3 mm, 1 Hz: predicted", "result", "sine-0.3mm-1Hz"),
            ("1 mm, 10 Hz: predicted", "result", "sine-1mm-10Hz"),
        ],
    },
    Picture {
        file: "docs/images/mr-damper.svg",
        about: "Loops of a magneto-rheological damper at 1 A, measured and from the model",
        columns: 2,
        page: "real-data",
        loops: &[
            ("5 mm, 3 Hz: fitted", "cushion", "5mm_3Hz_1A"),
            ("25 mm, 0.5 Hz: fitted", "cushion", "25mm_0.5Hz_1A"),
            ("10 mm, 2 Hz: predicted", "cushion", "10mm_2Hz_1A"),
            ("5 mm, 4 Hz: predicted", "cushion", "5mm_4Hz_1A"),
        ],
    },
    Picture {
        file: "docs/images/rubber-bearing.svg",
        about: "Loops of a high-damping rubber bearing, measured and from the model",
        columns: 2,
        page: "real-data",
        loops: &[
            ("38 mm: fitted", "plain", "38 mm"),
            ("230 mm: fitted", "plain", "230 mm"),
            ("76 mm: predicted", "plain", "76 mm"),
            ("152 mm: predicted", "plain", "152 mm"),
        ],
    },
    Picture {
        file: "docs/images/which-law.svg",
        about: "Loops of a magneto-rheological damper without and with current, measured and from two laws",
        columns: 2,
        page: "loops",
        loops: &[
            ("0 A, 5 mm, 3 Hz: Dahl", "both_dahl_0A", "5mm_3Hz_0A"),
            (
                "0 A, 5 mm, 3 Hz: Bouc-Wen",
                "both_bouc-wen_0A",
                "5mm_3Hz_0A",
            ),
            ("1 A, 25 mm, 0.5 Hz: Dahl", "both_dahl_1A", "25mm_0.5Hz_1A"),
            (
                "1 A, 25 mm, 0.5 Hz: Bouc-Wen",
                "both_bouc-wen_1A",
                "25mm_0.5Hz_1A",
            ),
        ],
    },
];

/// Runs the commands of the pages and draws what they write.
pub fn write() -> Result<(), String> {
    let pages: Vec<&str> = PICTURES.iter().map(|picture| picture.page).collect();
    book::run_pages(&pages)?;
    for picture in PICTURES {
        if let Some(text) = picture.drawn()? {
            let file = picture.file;
            fs::write(root().join(file), text).map_err(|error| format!("{file}: {error}"))?;
            println!("{file} written");
        }
    }
    Ok(())
}

/// Says whether the pictures are what [`write()`] would write, with what the commands of the book have written last.
pub fn check() -> Result<(), String> {
    for picture in PICTURES {
        let old = read(&root().join(picture.file))?;
        if picture.drawn()?.is_some_and(|new| !same(&old, &new)) {
            let file = picture.file;
            return Err(format!("{file} is stale; run `cargo xtask pictures`"));
        }
    }
    Ok(())
}

impl Picture {
    /// The picture; nothing where its page needs records that are not here.
    fn drawn(&self) -> Result<Option<String>, String> {
        let results = root().join(book::FOLDER).join(self.page);
        if !results.exists() {
            let (file, page) = (self.file, self.page);
            println!("    skipped: {file} (the commands of `{page}` were not run)");
            return Ok(None);
        }
        let folder = root().join(FOLDER).join(self.page);
        fs::create_dir_all(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
        let pieces = self.pieces(&results, &folder)?;
        let rows = self.loops.len().div_ceil(self.columns);
        let (w, h) = (WIDTH * self.columns, (TITLE + HEIGHT) * rows);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\">\n\
             <title>{}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n",
            self.about
        );
        for (i, ((title, ..), piece)) in self.loops.iter().zip(pieces).enumerate() {
            let x = WIDTH * (i % self.columns);
            let y = (TITLE + HEIGHT) * (i / self.columns);
            let place = format!(
                "<svg x=\"{x}\" y=\"{}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" ",
                y + TITLE
            );
            let piece = piece.replacen("<svg ", &place, 1).replace("><", ">\n<");
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" font-family=\"system-ui, Roboto, Arial, sans-serif\" font-size=\"13\" \
                 font-weight=\"bold\" fill=\"#1a1a1a\">{title}</text>\n{piece}",
                x + 64,
                y + 18
            );
        }
        out.push_str("</svg>\n");
        Ok(Some(out))
    }

    /// What the pages draw of the loops.
    fn pieces(&self, results: &Path, folder: &Path) -> Result<Vec<String>, String> {
        let at = |error: std::io::Error| format!("{FOLDER}: {error}");
        let mut around = format!(
            "<!DOCTYPE html><meta charset=\"utf-8\"><pre id=\"told\"></pre><script>\
             addEventListener(\"message\", (event) => document.getElementById(\"told\").append(`{TOLD}${{event.data}}\\n`));\
             </script>"
        );
        for (i, (_, result, test)) in self.loops.iter().enumerate() {
            let page = read(&results.join(result).join("report.html"))?;
            // Inside the one function that is the script of the page, whose parts it uses.
            let (before, after) = page
                .rsplit_once("})();")
                .ok_or_else(|| format!("{}: the report in `{result}` has no script", self.file))?;
            let values = format!("[{i}, \"{test}\", {WIDTH}, {HEIGHT}]");
            let page = format!(
                "{before}const [PLACE, TEST, WIDTH, HEIGHT] = {values};\n{INSIDE}}})();{after}"
            );
            fs::write(folder.join(format!("{i}.html")), page).map_err(at)?;
            let _ = write!(around, "<iframe src=\"{i}.html\" width=\"800\"></iframe>");
        }
        let path = folder.join("around.html");
        fs::write(&path, around).map_err(at)?;
        let flags = ["--virtual-time-budget=20000", "--dump-dom"];
        let told = opened(browser()?, folder, &path, &flags)?.stdout;
        let told = String::from_utf8_lossy(&told);
        let told: Vec<(&str, &str)> = told
            .split(TOLD)
            .filter_map(|text| text.lines().next()?.split_once(' '))
            .collect();
        let each = self.loops.iter().enumerate().map(|(i, (_, result, test))| {
            let own = told.iter().find(|(place, _)| *place == i.to_string());
            let (_, text) = own.ok_or_else(|| {
                format!(
                    "{}: the report in `{result}` draws no loop of `{test}`",
                    self.file
                )
            })?;
            Ok(text
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&"))
        });
        each.collect()
    }
}

/// Whether two pictures differ by rounding only.
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    let alike = |(a, b): (&&str, &&str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() < NEAR,
        _ => a == b,
    };
    a.len() == b.len() && a.iter().zip(&b).all(alike)
}

/// A text cut into numbers and what stands between them.
fn words(text: &str) -> Vec<&str> {
    let number = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| number(c) != number(first));
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        words.push(word);
        rest = after;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_makes_no_other_picture() {
        let picture = "<path d=\"M10.4 -3.0L12 7\" stroke=\"#0b5394\"/>";
        assert!(same(picture, &picture.replace("10.4", "10.5")));
        assert!(!same(picture, &picture.replace("10.4", "10.8")));
        assert!(!same(picture, &picture.replace("#0b", "#1b")));
        assert!(!same(picture, &picture.replace("L12 7", "")));
    }
}
