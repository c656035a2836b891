//! The response in words and figures.

use super::response::Document;
use masing_data::Cycle;
use masing_data::unit::Quantity;
use masing_identify::Names;
use masing_model::Model;
use masing_report::figures::{engineering, significant};
use masing_report::text::{number_table, table};

/// What the command prints.
pub(super) fn text(document: &Document<'_>, model: &Model) -> String {
    let names = Names::of(model.motion());
    let title = if model.name.is_empty() {
        document.model.clone()
    } else {
        model.name.clone()
    };
    let mut facts = table(&["response", &title]);
    let mut fact = |name: &str, value: String| {
        facts.add_row([name.to_owned(), value]);
    };
    fact("samples", document.samples.to_string());
    fact("duration", engineering(document.duration, Quantity::Time));
    let intervals = document.samples.saturating_sub(1).max(1);
    let each = significant(document.steps as f64 / intervals as f64, 3);
    fact("steps", format!("{} ({each} per sample)", document.steps));
    for peak in &document.largest {
        let name = format!("largest {}", peak.name);
        fact(&name, engineering(peak.value, peak.quantity));
    }
    if let Some(whole) = document.whole {
        let stiffness = engineering(whole.secant_stiffness, names.stiffness);
        fact("secant stiffness", stiffness);
        fact(
            "work on the part",
            engineering(whole.work, Quantity::Energy),
        );
    }
    if let Some(out) = &document.out {
        fact("written to", out.clone());
    }
    let mut text = facts.trim_fmt();
    if !document.cycles.is_empty() {
        text.push_str("\n\n");
        text.push_str(&cycle_table(document.cycles, &names));
    }
    text.push_str("\n\nread from ");
    text.push_str(&document.drive);
    for assumption in document.assumptions {
        text.push_str("\n  ");
        text.push_str(assumption);
    }
    for warning in document.warnings {
        text.push_str("\nnote: ");
        text.push_str(&warning.message);
    }
    text
}

/// At most so many cycles are shown; the first and the last ones say most.
const MOST_CYCLES: usize = 10;

fn cycle_table(cycles: &[Cycle], names: &Names) -> String {
    let unit = |quantity: Quantity| quantity.engineering().0;
    let headers = [
        "cycle".to_owned(),
        format!("amplitude\n{}", unit(names.length)),
        "frequency\nHz".to_owned(),
        format!("peak\n{}\n{}", names.force, unit(names.load)),
        format!("secant\nstiffness\n{}", unit(names.stiffness)),
        format!("dynamic\nstiffness\n{}", unit(names.stiffness)),
        "loss\nangle\ndeg".to_owned(),
        "energy\nper cycle\nJ".to_owned(),
        "equivalent\ndamping\nratio".to_owned(),
    ];
    let mut rows = number_table(&headers);
    let shown = |value: Option<f64>, quantity: Quantity| {
        value.map_or_else(
            || "-".to_owned(),
            |value| significant(value / quantity.engineering().1, 5),
        )
    };
    let half = MOST_CYCLES / 2;
    for (i, cycle) in cycles.iter().enumerate() {
        if cycles.len() > MOST_CYCLES && (half..cycles.len() - half).contains(&i) {
            if i == half {
                rows.add_row(["..."]);
            }
            continue;
        }
        let peak = cycle.force_range.map(|(low, high)| high.max(-low));
        rows.add_row([
            (i + 1).to_string(),
            shown(Some(cycle.amplitude), names.length),
            shown(cycle.frequency, Quantity::Frequency),
            shown(peak, names.load),
            shown(cycle.secant_stiffness, names.stiffness),
            shown(cycle.dynamic_stiffness, names.stiffness),
            shown(cycle.loss_angle, Quantity::Angle),
            shown(cycle.energy, Quantity::Energy),
            shown(cycle.damping_ratio, Quantity::Number),
        ]);
    }
    rows.trim_fmt()
}
