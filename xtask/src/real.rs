//! `cargo xtask study real-data`: records by others, as the pages `real-data.md` and `loops.md` of the book fit
//! them; writes their pictures.
//!
//! The records are not part of the project. Without them there is nothing to do.

use crate::book::{self, Records};
use crate::panels::{Panel, picture};
use crate::process::{cargo, output, root, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A loop on a picture: what it is called, the file, which of its cycles, the model that the page found.
type Loop = (&'static str, &'static str, usize, &'static str);

/// A picture: the page that makes the models, file, title, panels in a row, how the records are read, loops.
struct Drawing {
    page: &'static str,
    file: &'static str,
    title: &'static str,
    columns: usize,
    options: &'static str,
    loops: &'static [Loop],
}

const CUSHION: &str = "cushion/model.toml";
const PLAIN: &str = "plain/model.toml";

const DRAWINGS: [Drawing; 3] = [
    Drawing {
        page: "real-data",
        file: "docs/images/mr-damper.svg",
        title: "Magneto-rheological damper at 1 A, measured and from the model",
        columns: 2,
        options: "--zero displacement=midrange",
        loops: &[
            (
                "5 mm, 3 Hz: fitted",
                "mr-damper/5mm_3Hz_1A.csv",
                11,
                CUSHION,
            ),
            (
                "25 mm, 0.5 Hz: fitted",
                "mr-damper/25mm_0.5Hz_1A.csv",
                10,
                CUSHION,
            ),
            (
                "10 mm, 2 Hz: predicted",
                "mr-damper/10mm_2Hz_1A.csv",
                11,
                CUSHION,
            ),
            (
                "5 mm, 4 Hz: predicted",
                "mr-damper/5mm_4Hz_1A.csv",
                0,
                CUSHION,
            ),
        ],
    },
    Drawing {
        page: "loops",
        file: "docs/images/which-law.svg",
        title: "Magneto-rheological damper without and with current, measured and from two laws",
        columns: 2,
        options: "--zero displacement=midrange,force=mean",
        loops: &[
            (
                "0 A, 5 mm, 3 Hz: Dahl",
                "mr-damper/5mm_3Hz_0A.csv",
                0,
                "both_dahl_0A/model.toml",
            ),
            (
                "0 A, 5 mm, 3 Hz: Bouc-Wen",
                "mr-damper/5mm_3Hz_0A.csv",
                0,
                "both_bouc-wen_0A/model.toml",
            ),
            (
                "1 A, 25 mm, 0.5 Hz: Dahl",
                "mr-damper/25mm_0.5Hz_1A.csv",
                0,
                "both_dahl_1A/model.toml",
            ),
            (
                "1 A, 25 mm, 0.5 Hz: Bouc-Wen",
                "mr-damper/25mm_0.5Hz_1A.csv",
                0,
                "both_bouc-wen_1A/model.toml",
            ),
        ],
    },
    Drawing {
        page: "real-data",
        file: "docs/images/rubber-bearing.svg",
        title: "High-damping rubber bearing, measured and from the model",
        columns: 2,
        options: "--units displacement=cm,force=tonf --rate 100Hz",
        loops: &[
            ("38 mm: fitted", "rubber-bearing/Test.mat", 6, PLAIN),
            ("230 mm: fitted", "rubber-bearing/Test.mat", 27, PLAIN),
            ("76 mm: predicted", "rubber-bearing/Test.mat", 13, PLAIN),
            ("152 mm: predicted", "rubber-bearing/Test.mat", 20, PLAIN),
        ],
    },
];

/// Runs the commands of the pages and draws what they found.
pub fn study() -> Result<(), String> {
    for page in ["real-data", "loops"] {
        if book::try_one(page)? == Records::Absent {
            println!("skipped: {} is absent", book::RECORDS);
            return Ok(());
        }
    }
    for drawing in &DRAWINGS {
        let folder = root().join("target/book").join(drawing.page);
        let panels: Result<Vec<Panel>, String> = drawing
            .loops
            .iter()
            .map(|of| panel(drawing, of, &folder))
            .collect();
        let text = picture(drawing.title, drawing.columns, &panels?);
        fs::write(root().join(drawing.file), text)
            .map_err(|error| format!("{}: {error}", drawing.file))?;
        println!("{} written", drawing.file);
    }
    Ok(())
}

fn panel(
    drawing: &Drawing,
    (title, file, cycle, model): &Loop,
    folder: &Path,
) -> Result<Panel, String> {
    let record = folder.join("data").join(file);
    let masing = "run --quiet --package masing --";
    let options = drawing.options.split_whitespace();
    let json = output(
        cargo(&format!("{masing} inspect --json"))
            .arg(&record)
            .args(options.clone()),
    )?;
    let found: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
    let found = &found["files"][0];
    // 0 stands for the one that `--window stabilised` takes.
    let index = match cycle {
        0 => found["stabilised"].as_u64().unwrap_or(0) as usize,
        n => n - 1,
    };
    let edge = |name: &str| found["cycles"][index][name].as_u64().unwrap_or(0) as usize;
    let rows = edge("start")..edge("end") + 1;

    let response = folder.join("response.csv");
    run(cargo(&format!("{masing} simulate --quiet"))
        .arg(folder.join(model))
        .arg("--motion")
        .arg(&record)
        .args(options.clone())
        .arg("--out")
        .arg(&response))?;
    let simulated = fs::read_to_string(&response).map_err(|error| error.to_string())?;
    let measured = output(
        cargo("run --quiet --package masing-data --example to_csv --")
            .arg(&record)
            .args(options),
    )?;
    Ok(Panel {
        title: (*title).to_owned(),
        measured: points(&measured, rows.clone()),
        simulated: points(&simulated, rows),
    })
}

/// Displacement (mm) and force (kN) of some rows, at most a few hundred.
fn points(csv: &str, rows: std::ops::Range<usize>) -> Vec<(f64, f64)> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| header.iter().position(|h| h.starts_with(name));
    let (Some(x), Some(force)) = (column("displacement"), column("force")) else {
        return Vec::new();
    };
    let stride = (rows.len() / 300).max(1);
    let point = |line: &str| -> Option<(f64, f64)> {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |i: usize| cells.get(i)?.parse::<f64>().ok();
        Some((1e3 * number(x)?, 1e-3 * number(force)?))
    };
    lines
        .skip(rows.start)
        .take(rows.len())
        .step_by(stride)
        .filter_map(point)
        .collect()
}
