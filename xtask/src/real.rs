//! `cargo xtask study real-data`: records by others, as the page `docs/book/src/real-data.md` fits
//! them; writes its pictures.
//!
//! The records are not part of the project. Without them there is nothing to do.

use crate::book::{self, Records};
use crate::panels::{Panel, picture};
use crate::process::{cargo, output, root, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A loop on a picture: what it is called, the file, which of its cycles.
type Loop = (&'static str, &'static str, usize);

/// A picture: file, title, panels in a row, the model that the page found, how the records are read, loops.
struct Drawing {
    file: &'static str,
    title: &'static str,
    columns: usize,
    model: &'static str,
    options: &'static str,
    loops: &'static [Loop],
}

const DRAWINGS: [Drawing; 2] = [
    Drawing {
        file: "docs/images/mr-damper.svg",
        title: "Magneto-rheological damper at 1 A, measured and from the model",
        columns: 2,
        model: "cushion/model.toml",
        options: "--zero displacement=midrange",
        loops: &[
            ("5 mm, 3 Hz: fitted", "mr-damper/5mm_3Hz_1A.csv", 11),
            ("25 mm, 0.5 Hz: fitted", "mr-damper/25mm_0.5Hz_1A.csv", 10),
            ("10 mm, 2 Hz: predicted", "mr-damper/10mm_2Hz_1A.csv", 11),
            ("5 mm, 4 Hz: predicted", "mr-damper/5mm_4Hz_1A.csv", 0),
        ],
    },
    Drawing {
        file: "docs/images/rubber-bearing.svg",
        title: "High-damping rubber bearing, measured and from the model",
        columns: 2,
        model: "plain/model.toml",
        options: "--units displacement=cm,force=tonf --rate 100Hz",
        loops: &[
            ("38 mm: fitted", "rubber-bearing/Test.mat", 6),
            ("230 mm: fitted", "rubber-bearing/Test.mat", 27),
            ("76 mm: predicted", "rubber-bearing/Test.mat", 13),
            ("152 mm: predicted", "rubber-bearing/Test.mat", 20),
        ],
    },
];

/// Runs the commands of the page and draws what they found.
pub fn study() -> Result<(), String> {
    if book::try_one("real-data")? == Records::Absent {
        println!("skipped: {} is absent", book::RECORDS);
        return Ok(());
    }
    let folder = root().join("target/book/real-data");
    for drawing in &DRAWINGS {
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

fn panel(drawing: &Drawing, (title, file, cycle): &Loop, folder: &Path) -> Result<Panel, String> {
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
        .arg(folder.join(drawing.model))
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
