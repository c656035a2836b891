//! The export in words and figures.

use super::Document;
use masing_data::unit::Quantity;
use masing_identify::Names;
use masing_model::Model;
use masing_report::figures::{engineering, percent, rounded, significant};
use masing_report::text::{number_table, table};
use std::fmt::Write as _;

/// What the command prints.
pub(super) fn text(document: &Document, model: &Model) -> String {
    let names = Names::of(model.motion());
    let title = if model.name.is_empty() {
        document.model.clone()
    } else {
        model.name.clone()
    };
    let mut facts = table(&["export", &title]);
    facts.add_row(["written to", &document.out]);
    facts.add_row(["runs on", &document.libraries.join(", ")]);
    facts.add_row(["offers", &document.interfaces.join(", ")]);
    let sizes = format!("{}, {}", document.parameters, document.states);
    facts.add_row(["parameters, states", &sizes]);
    match &document.validity {
        None => {
            facts.add_row(["tests covered", "not known: the model has no [validity]"]);
        }
        Some(tests) => {
            let [low, high] = tests.displacement.map(|x| rounded(x, names.length, 4));
            facts.add_row(["tests covered", &format!("{low} to {high}")]);
            if let Some(speed) = tests.speed {
                let speed = rounded(speed, names.velocity, 4);
                facts.add_row(["", &format!("up to {speed}")]);
            }
            if let Some(ends) = tests.frequency {
                let [low, high] = ends.map(|f| significant(f, 4));
                facts.add_row(["", &format!("{low} to {high} Hz")]);
            }
        }
    }
    let mut text = facts.trim_fmt();
    for missing in &document.missing {
        let _ = write!(
            text,
            "\n\ndoes not run on {}: {} was not found beside the program; `cargo xtask dist` makes it,\n\
             the packages that are handed out have it in `lib`, and `--libraries DIR` says where it is",
            missing.platform, missing.library,
        );
    }
    if let Some(label) = &document.steps_only {
        let _ = write!(
            text,
            "\n\nno Model Exchange: `{label}` has whole steps only; Co-Simulation steps it exactly"
        );
    }
    let check = &document.check;
    let _ = writeln!(
        text,
        "\n\nexport check: sine of {} at {} Hz, largest {} {}",
        engineering(check.amplitude, names.length),
        significant(check.frequency, 4),
        names.force,
        rounded(check.largest_force, names.load, 4),
    );
    let mut rows = number_table(&[
        "step".to_owned(),
        format!("largest difference of {}", names.force),
        "with velocity input".to_owned(),
    ]);
    for row in &check.steps {
        rows.add_row([
            engineering(row.step, Quantity::Time),
            percent(row.difference),
            percent(row.with_velocity),
        ]);
    }
    text.push_str(&rows.trim_fmt());
    text
}
