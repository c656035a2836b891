//! The result for people.

use super::document::{Document, InWords};
use crate::console;
use crate::figures::{rounded, significant};
use crate::names::Names;
use crate::targets::gathered;
use masing_model::MotionKind;
use std::fmt::Write as _;
use std::path::Path;

/// Verdict, parameters, tests, remarks.
pub fn text(document: &Document, assumptions: &[String], out: Option<&Path>) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", verdict(document));
    let mut table = console::table(&["parameter", "value", "+-", "unit", "status"]);
    console::align_right(&mut table, [1, 2]);
    for row in &document.rows {
        let (value, error, unit) = readable(row.value, row.std_error, &row.unit);
        table.add_row([
            row.address.clone(),
            value,
            error,
            unit,
            words(row.status).to_owned(),
        ]);
    }
    let _ = writeln!(text, "{table}\n");
    text.push_str(&document.loops.text());
    if let Some(character) = &document.character {
        let _ = writeln!(text, "{}\n", in_words(character, document.rotation));
    }
    let mut table = console::table(&["test", "used for", "samples", "error, % of rms force"]);
    console::align_right(&mut table, [2, 3]);
    for test in &document.experiments {
        let role = if test.role == "fit" {
            "fit"
        } else {
            "validation"
        };
        table.add_row([
            test.name.clone(),
            role.to_owned(),
            test.samples.to_string(),
            significant(100.0 * test.relative_misfit, 3),
        ]);
    }
    let _ = writeln!(text, "{table}");
    for profile in &document.profiles {
        let end = |value: Option<f64>| {
            value.map_or_else(|| "not bounded".to_owned(), |v| significant(v, 4))
        };
        let [low, high] = profile.ci95.map(end);
        let _ = writeln!(
            text,
            "\n{}: 95 % interval by likelihood {low} to {high} (SI)",
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
    let weak = document
        .rows
        .iter()
        .filter(|r| ["unidentifiable", "poorly-determined"].contains(&r.status))
        .count();
    let mut text = if document.converged {
        let words = match document.misfit.relative {
            e if e <= 0.1 => "The model meets the tests with an error of",
            e if e <= 0.2 => "The model describes the tests only roughly, with an error of",
            _ => "The model does not describe the tests: error",
        };
        format!("{words} {error} % of rms force")
    } else {
        format!("The search did not settle; best so far: error {error} % of rms force")
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

/// Stiffness in N/mm and the like, the rest as it is.
pub fn readable(value: f64, error: Option<f64>, unit: &str) -> (String, String, String) {
    let (factor, unit) = match unit {
        "N/m" => (1e3, "N/mm"),
        "m" => (1e-3, "mm"),
        "N s/m" => (1e3, "N s/mm"),
        other => (1.0, other),
    };
    let error = error.map_or_else(|| "given".to_owned(), |e| significant(e / factor, 2));
    (significant(value / factor, 5), error, unit.to_owned())
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

/// `summary.csv`, for pasting: one row per parameter, SI.
pub fn csv(document: &Document) -> String {
    let mut text = "parameter,value,std_error,unit,status\n".to_owned();
    for row in &document.rows {
        let error = row.std_error.map_or_else(String::new, |e| format!("{e:?}"));
        let _ = writeln!(
            text,
            "{},{:?},{error},\"{}\",{}",
            row.address, row.value, row.unit, row.status
        );
    }
    text
}
