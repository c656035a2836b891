//! Stages for people, on a terminal.

pub(crate) mod fast;

use super::json::{SlowDocument, StagesDocument};
use super::unit_text::{Words, figure, heading, optional_figure};
use crate::figures::significant;
use crate::identified::text::ending;
use crate::text;
use masing_data::unit::Quantity;
use masing_stages::Stages;
use std::fmt::Write as _;
use std::path::Path;

/// Verdict, stages, diagnostics, how the files were read.
pub fn text(stages: &Stages, out: Option<&Path>) -> String {
    let document = StagesDocument::of(stages);
    let words = Words::of(stages.identified.model.motion());
    let mut text = format!(
        "{}{}\n\n",
        lead(&document, &words),
        stages.identified.verdict().text
    );
    let (header, rows) = slow_table(&document.quasi_static, &words);
    let _ = writeln!(text, "{}", printed(&header, rows));
    if let Some(found) = &document.fast {
        let (header, rows) = fast::ranking(found, &words);
        let _ = writeln!(text, "\n{}\n", in_words(&header, rows));
        let (header, rows) = fast::refined(&found.refined, &words);
        let _ = writeln!(text, "refined\n{}", printed(&header, rows));
    }
    let files = ["model.toml", "stages.json", "report.html"];
    text.push_str(&ending(&stages.identified, &files, out));
    text
}

/// The findings that precede the verdict.
pub(crate) fn lead(document: &StagesDocument, words: &Words) -> String {
    let mut text = slow_sentence(&document.quasi_static, words);
    text.push(' ');
    if let Some(found) = &document.fast {
        text.push_str(&fast::sentence(found, words));
        text.push(' ');
    }
    text
}

/// A table of numbers whose first column are names.
fn printed(header: &[String], rows: Vec<Vec<String>>) -> String {
    let mut table = text::number_table(header);
    for row in rows {
        table.add_row(row);
    }
    if let Some(column) = table.column_mut(0) {
        column.set_cell_alignment(comfy_table::CellAlignment::Left);
    }
    table.trim_fmt()
}

/// A table with words.
fn in_words(header: &[String], rows: Vec<Vec<String>>) -> String {
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = text::table(&header);
    for row in rows {
        table.add_row(row);
    }
    table.trim_fmt()
}

/// What was found, in a sentence.
fn slow_sentence(found: &SlowDocument, words: &Words) -> String {
    let names = &words.names;
    let number = |value: f64, quantity: Quantity| {
        format!(
            "{} {}",
            figure(value, quantity, 3),
            quantity.engineering().0
        )
    };
    let clearance = match found.clearance {
        Some(width) => format!("a clearance of {}", number(width, names.length)),
        None => "no clearance".to_owned(),
    };
    format!(
        "{} drive and {} coast stages, {clearance}; {} up to {}. The piecewise-linear fit deviates from the slow record by {} % of that on average, {} % at most.",
        found.drive_stages,
        found.coast_stages,
        names.force,
        number(found.largest_torque, names.load),
        significant(100.0 * found.mean_deviation, 2),
        significant(100.0 * found.max_deviation, 2),
    )
}

/// Header and rows: a node with the stage that ends there.
pub(crate) fn slow_table(found: &SlowDocument, words: &Words) -> (Vec<String>, Vec<Vec<String>>) {
    let names = &words.names;
    let header = vec![
        "node".to_owned(),
        heading(names.displacement, names.length),
        "+-".to_owned(),
        heading(names.force, names.load),
        heading("friction h", names.load),
        "+-".to_owned(),
        heading("hysteresis 2h", names.load),
        heading("stiffness of stage", names.stiffness),
        "+-".to_owned(),
    ];
    let rows = found.nodes.iter().map(|node| {
        let stage = found.stages.iter().find(|s| s.name == node.name);
        vec![
            node.name.clone(),
            figure(node.angle, names.length, 4),
            optional_figure(node.std_error.angle, names.length, 2),
            figure(node.torque, names.load, 4),
            figure(node.friction, names.load, 3),
            optional_figure(node.std_error.friction, names.load, 2),
            figure(node.hysteresis, names.load, 3),
            optional_figure(stage.map(|s| s.stiffness), names.stiffness, 4),
            optional_figure(stage.map(|s| s.std_error), names.stiffness, 2),
        ]
    });
    (header, rows.collect())
}
