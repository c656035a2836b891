//! Stages for people, on a terminal.

pub(crate) mod fast;

use super::json::{SlowDocument, StagesDocument};
use super::unit_text::{figure, heading, optional_figure};
use crate::Table;
use crate::figures::significant;
use crate::identified::text::ending;
use crate::text::printed;
use masing_data::unit::Quantity;
use masing_identify::Names;
use masing_stages::Stages;
use std::fmt::Write as _;
use std::path::Path;

/// Verdict, stages, diagnostics, how the files were read.
pub fn text(stages: &Stages, out: Option<&Path>) -> String {
    let document = StagesDocument::of(stages);
    let names = stages.identified.names();
    let lead = lead(&document, &names);
    let mut text = format!("{lead}{}\n\n", stages.identified.verdict().text);
    let _ = writeln!(
        text,
        "{}",
        printed(&slow_table(&document.quasi_static, &names))
    );
    if let Some(found) = &document.fast {
        let ranking = Table {
            words: true,
            ..fast::ranking(found, &names)
        };
        let _ = writeln!(text, "\n{}\n", printed(&ranking));
        let _ = writeln!(
            text,
            "refined\n{}",
            printed(&fast::refined(&found.refined, &names))
        );
    }
    let files = ["model.toml", "stages.json", "report.html"];
    text.push_str(&ending(&stages.identified, &files, out));
    text
}

/// What was found: what is said before the verdict.
pub(crate) fn lead(document: &StagesDocument, names: &Names) -> String {
    let mut text = slow_sentence(&document.quasi_static, names) + " ";
    if let Some(found) = &document.fast {
        text += &(fast::sentence(found, names) + " ");
    }
    text
}

/// What was found, in a sentence.
fn slow_sentence(found: &SlowDocument, names: &Names) -> String {
    let number = |value: f64, quantity: Quantity| {
        let unit = quantity.engineering().0;
        format!("{} {unit}", figure(value, quantity, 3))
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

/// A node with the stage that ends there.
pub(crate) fn slow_table(found: &SlowDocument, names: &Names) -> Table {
    let header = [
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
    Table::new(header, rows).with_words([0])
}
