//! The picture of the README: loops of the example bushing, simulated by the program itself.

use crate::process::{cargo, root, run};
use std::fmt::Write;
use std::fs;
use std::ops::Range;

const PICTURE: &str = "docs/images/bushing-loop.svg";
const MODEL: &str = "examples/bushing/model.toml";

/// Amplitude (mm) and colour of every loop.
const LOOPS: [(f64, &str); 3] = [(0.25, "#9ecae1"), (0.5, "#4292c6"), (1.0, "#08519c")];

/// How far the axes reach: displacement (mm) and force (N).
const REACH: (f64, f64) = (1.2, 500.0);

/// Where the axes lie on the picture.
const ACROSS: Range<f64> = 70.0..620.0;
const DOWN: Range<f64> = 20.0..370.0;

/// Simulates the loops and writes the picture.
pub fn write() -> Result<(), String> {
    let mut out = frame();
    for (row, (amplitude, colour)) in LOOPS.into_iter().enumerate() {
        let points = cycle(amplitude)?;
        out.push_str("<path fill=\"none\" stroke-width=\"2\" d=\"");
        for (i, &(x, force)) in points.iter().enumerate() {
            let (px, py) = place(x, force);
            let _ = write!(out, "{}{px:.1} {py:.1} ", if i == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(out, "Z\" stroke=\"{colour}\"/>");
        // The lower right corner is free of loops.
        let (px, py) = place(0.55, -100.0 - 80.0 * row as f64);
        let _ = writeln!(
            out,
            "<path stroke-width=\"2\" stroke=\"{colour}\" d=\"M{px:.0} {py:.0} h30\"/>\n\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"#444444\">{amplitude} mm, 1 Hz</text>",
            px + 38.0,
            py + 4.0
        );
    }
    out.push_str("</svg>\n");
    let path = root().join(PICTURE);
    fs::create_dir_all(path.parent().unwrap_or(&path))
        .and_then(|()| fs::write(&path, out))
        .map_err(|error| format!("{PICTURE}: {error}"))?;
    println!("{PICTURE} written");
    Ok(())
}

/// Displacement (mm) and force (N) over the second of two cycles of a sine of 1 Hz.
fn cycle(amplitude: f64) -> Result<Vec<(f64, f64)>, String> {
    const PER_CYCLE: usize = 400;
    let folder = root().join("target/picture");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (drive, response) = (folder.join("drive.csv"), folder.join("response.csv"));
    let masing = "run --quiet --package masing -- --quiet";
    run(cargo(&format!(
        "{masing} signal sine --frequency 1Hz --cycles 2 --rate {PER_CYCLE} --amplitude {amplitude}mm --out"
    ))
    .arg(&drive))?;
    run(cargo(&format!("{masing} simulate {MODEL}"))
        .arg("--motion")
        .arg(&drive)
        .arg("--out")
        .arg(&response))?;
    let text = fs::read_to_string(&response).map_err(|error| error.to_string())?;
    let point = |line: &str| -> Option<(f64, f64)> {
        let values: Vec<f64> = line.split(',').filter_map(|v| v.parse().ok()).collect();
        Some((values.get(1)? * 1e3, *values.last()?))
    };
    Ok(text.lines().skip(1 + PER_CYCLE).filter_map(point).collect())
}

/// Where a point lies on the picture.
fn place(x: f64, force: f64) -> (f64, f64) {
    let share = |value: f64, half: f64| 0.5 + 0.5 * value / half;
    (
        ACROSS.start + share(x, REACH.0) * (ACROSS.end - ACROSS.start),
        DOWN.end - share(force, REACH.1) * (DOWN.end - DOWN.start),
    )
}

/// Background, grid, axes.
fn frame() -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 420\" width=\"640\" height=\"420\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>Force over displacement of a rubber bushing at three amplitudes</title>\n\
         <rect width=\"640\" height=\"420\" fill=\"white\"/>\n",
    );
    let mut line = |(x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str| {
        let _ = writeln!(
            out,
            "<path stroke=\"{colour}\" d=\"M{x1:.1} {y1:.1} L{x2:.1} {y2:.1}\"/>"
        );
    };
    for i in -2..=2 {
        let (x, force) = (0.5 * f64::from(i), 200.0 * f64::from(i));
        let colour = if i == 0 { "#888888" } else { "#e4e4e4" };
        line(place(x, -REACH.1), place(x, REACH.1), colour);
        line(place(-REACH.0, force), place(REACH.0, force), colour);
    }
    for i in -2..=2 {
        let (x, force) = (0.5 * f64::from(i), 200.0 * f64::from(i));
        let ((px, bottom), (left, py)) = (place(x, -REACH.1), place(-REACH.0, force));
        let _ = writeln!(
            out,
            "<text x=\"{px:.0}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#444444\">{x}</text>\n\
             <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\" fill=\"#444444\">{force}</text>",
            bottom + 18.0,
            left - 8.0,
            py + 4.0
        );
    }
    out.push_str(
        "<text x=\"345\" y=\"410\" text-anchor=\"middle\" fill=\"#222222\">displacement (mm)</text>\n\
         <text transform=\"translate(18 195) rotate(-90)\" text-anchor=\"middle\" fill=\"#222222\">force (N)</text>\n",
    );
    out
}
