//! The result for people.

use super::document::{Document, InWords, Row};
use super::tests;
use crate::names::Names;
use crate::targets::gathered;
use masing_diagnostic::thresholds::{BEYOND_NOISE, FAIR_FIT, POOR_FIT};
use masing_model::MotionKind;
use masing_report::figures::{readable_beside, readable_unit, rounded, significant};
use masing_report::text;
use std::fmt::Write as _;
use std::path::Path;

/// Verdict, parameters, tests, remarks.
pub fn text(document: &Document, assumptions: &[String], out: Option<&Path>) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", verdict(document));
    let mut table = text::table(&["parameter", "value", "+-", "unit", "status"]);
    text::align_right(&mut table, [1, 2]);
    for row in &document.rows {
        table.add_row(cells(row, readable_unit(&row.unit)));
    }
    let _ = writeln!(text, "{table}\n");
    if !document.other_rows.is_empty() {
        let mut table = text::table(&["found beside them", "value", "+-", "unit", "status"]);
        text::align_right(&mut table, [1, 2]);
        for row in &document.other_rows {
            table.add_row(cells(row, readable_beside(&row.unit)));
        }
        let _ = writeln!(text, "{table}\n");
    }
    text.push_str(&document.loops.text());
    if let Some(character) = &document.character {
        let _ = writeln!(text, "{}\n", in_words(character, document.rotation));
    }
    let _ = writeln!(text, "{}", tests::table(&document.experiments, true));
    for profile in &document.profiles {
        let end = |value: Option<f64>| {
            value.map_or_else(|| "not bounded".to_owned(), |v| significant(v, 4))
        };
        let row = document
            .rows
            .iter()
            .find(|r| r.address == profile.parameter);
        let (unit, factor) = readable_unit(row.map_or("", |row| &row.unit));
        let [low, high] = profile.ci95.map(|value| end(value.map(|v| v / factor)));
        let _ = writeln!(
            text,
            "\n{}: 95 % interval by likelihood {low} to {high} {unit}",
            profile.parameter
        );
    }
    if !document.warnings.is_empty() {
        text.push('\n');
    }
    for warning in &document.warnings {
        let _ = writeln!(text, "note: {}", warning.message);
    }
    let _ = writeln!(text, "\n{}", gathered(assumptions));
    if let Some(out) = out {
        let _ = writeln!(
            text,
            "written: model.toml, fit.json, report.html, summary.csv in {}",
            out.display()
        );
    }
    text
}

/// Rates and friction in the words of the shop floor.
pub fn in_words(c: &InWords, rotation: bool) -> String {
    let names = Names::of(if rotation {
        MotionKind::Rotation
    } else {
        MotionKind::Translation
    });
    let speed = if rotation { "1 deg/s" } else { "1 mm/s" };
    format!(
        "small-amplitude rate {} (at {}), large-amplitude rate {} (at {}), both at {} Hz; friction {} {} at {speed}",
        rounded(c.small_amplitude_rate, names.stiffness, 3),
        rounded(c.small_amplitude, names.length, 3),
        rounded(c.large_amplitude_rate, names.stiffness, 3),
        rounded(c.large_amplitude, names.length, 3),
        significant(c.frequency, 3),
        names.force,
        rounded(c.friction, names.load, 3),
    )
}

/// One sentence that says whether to trust the numbers.
fn verdict(document: &Document) -> String {
    let error = significant(100.0 * document.misfit.relative, 3);
    let scale = tests::scale(&document.experiments);
    let weak = document
        .rows
        .iter()
        .filter(|r| ["unidentifiable", "poorly-determined", "at-bound"].contains(&r.status))
        .count();
    let mut text = if document.converged {
        // An error may be small and still far beyond what the noise explains.
        let missing = document.misfit.chi2_dof.is_some_and(|c| c > BEYOND_NOISE);
        let words = match document.misfit.relative {
            e if e <= FAIR_FIT && missing => {
                "The model comes near the tests but misses more than their noise, with an error of"
            }
            e if e <= FAIR_FIT => "The model meets the tests with an error of",
            e if e <= POOR_FIT => "The model describes the tests only roughly, with an error of",
            _ => "The model does not describe the tests: error",
        };
        format!("{words} {error} %{scale}")
    } else {
        format!("The search did not settle; best so far: error {error} %{scale}")
    };
    match weak {
        0 => text.push_str("; the tests determine all parameters."),
        1 => text.push_str("; one parameter is not well determined by these tests."),
        n => {
            let _ = write!(
                text,
                "; {n} parameters are not well determined by these tests."
            );
        }
    }
    text
}

/// A line of a table, in the unit people read and its factor.
fn cells(row: &Row, (unit, factor): (&str, f64)) -> [String; 5] {
    let error = row.std_error;
    [
        row.address.clone(),
        significant(row.value / factor, 5),
        match error {
            Some(error) => significant(error / factor, 2),
            None if row.status == "fixed" => "given".to_owned(),
            None => "unknown".to_owned(),
        },
        unit.to_owned(),
        words(row.status).to_owned(),
    ]
}

/// The status in the words of the shop floor.
pub fn words(status: &'static str) -> &'static str {
    match status {
        "unidentifiable" => "not determined by these tests",
        "poorly-determined" => "poorly determined",
        "at-bound" => "at the edge of its range",
        other => other,
    }
}

/// `summary.csv`, for pasting: one row per parameter and per number found beside them, SI.
pub fn csv(document: &Document) -> String {
    let mut text = "parameter,value,std_error,unit,status\n".to_owned();
    for row in document.rows.iter().chain(&document.other_rows) {
        let error = row.std_error.map_or_else(String::new, |e| format!("{e:?}"));
        let _ = writeln!(
            text,
            "{},{:?},{error},\"{}\",{}",
            quoted(&row.address),
            row.value,
            row.unit,
            row.status
        );
    }
    text
}

/// A cell of a CSV file; names of tests may hold anything.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
