//! What `inspect` prints for people.

use super::{Inspected, tables};
use crate::figures::{engineering, significant};
use crate::text::{printed, table};
use masing_data::signal::noise;
use masing_data::timing::Spacing;
use masing_data::unit::Quantity;
use masing_diagnostic::Diagnostic;

/// Everything about one test.
pub fn text(test: &Inspected) -> String {
    let mut parts = vec![format!("{} ({})", test.title(), test.experiment.format)];
    parts.push(printed(&tables::channels(test)));
    let mut facts = table(&["record", ""]);
    for (name, value) in self::facts(test) {
        facts.add_row([name, value]);
    }
    parts.push(facts.trim_fmt());
    let tables = [
        tables::blocks(test),
        tables::cycles(test),
        tables::ring_down(test),
        tables::harmonic(test),
    ];
    parts.extend(tables.iter().flatten().map(printed));
    parts.push(diagnostics(test));
    parts.join("\n\n")
}

/// The diagnostics in one line.
pub fn verdict(test: &Inspected) -> String {
    match test.inspection.diagnostics.len() {
        0 => "Nothing wrong was found.".to_owned(),
        1 => "One thing to know before trusting this record:".to_owned(),
        n => format!("{n} things to know before trusting this record:"),
    }
}

fn diagnostics(test: &Inspected) -> String {
    let mut out = verdict(test);
    for finding in &test.inspection.diagnostics {
        out.push_str("\n  - ");
        out.push_str(&finding.message(test.units()));
        if let Some(advice) = advice(test, finding) {
            out.push_str("\n      ");
            out.push_str(&advice);
        }
    }
    out
}

/// What to do about a diagnostic.
pub fn advice(test: &Inspected, found: &Diagnostic) -> Option<String> {
    found.advice().map(|advice| advice.line(test.units()))
}

/// Names and values that describe the record as a whole.
pub fn facts(test: &Inspected) -> Vec<(String, String)> {
    let found = &test.inspection;
    let Some(record) = test.record() else {
        return vec![("rows".to_owned(), found.samples.to_string())];
    };
    let names = test.names();
    let mut out = vec![("samples".to_owned(), found.samples.to_string())];
    let mut fact = |name: String, value: String| out.push((name, value));
    match (found.spacing, record.time.as_deref()) {
        (Some(spacing), Some(time)) => {
            let span = time[time.len() - 1] - time[0];
            fact("duration".to_owned(), engineering(span, Quantity::Time));
            let kind = match spacing {
                Spacing::Uniform { .. } => "even",
                Spacing::Rounded { .. } => "even, written with too few digits",
                Spacing::Uneven { .. } => "uneven",
            };
            let rate = significant(spacing.step().recip(), 5);
            fact("sampling".to_owned(), format!("{rate} Hz, {kind}"));
        }
        _ => fact("sampling".to_owned(), "not known, no time".to_owned()),
    }
    if let Some(kind) = found.kind {
        fact("motion".to_owned(), kind.words().to_owned());
    }
    let (driver, quantity) = tables::driver(record);
    fact(
        format!("middle of the {driver}"),
        engineering(found.offset, quantity),
    );
    let of_cycles = found.cycles.iter().map(|c| c.amplitude);
    let of_decay = found.ring_down.iter().map(|p| p.amplitude);
    // The periods of a decay are counted where there are no cycles.
    let decay = found.cycles.is_empty() && !found.ring_down.is_empty();
    let largest = if decay {
        of_decay.fold(0.0, f64::max)
    } else {
        of_cycles.fold(0.0, f64::max)
    };
    if largest > 0.0 {
        let text = format!(
            "{} zero to peak, {} peak to peak",
            engineering(largest, quantity),
            engineering(2.0 * largest, quantity)
        );
        fact("largest amplitude".to_owned(), text);
    }
    if let Some(frequency) = found.frequency {
        let text = engineering(frequency, Quantity::Frequency);
        let text = if decay {
            format!("{text}, median of the periods")
        } else {
            text
        };
        fact("frequency".to_owned(), text);
    }
    fact(
        format!("noise of the {driver}"),
        engineering(rounded(found.motion_noise), quantity),
    );
    if let Some(force) = record.force() {
        let peak = force
            .iter()
            .filter(|f| f.is_finite())
            .fold(0.0, |m: f64, f| m.max(f.abs()));
        // Nothing is a share of nothing.
        let peak = if peak > 0.0 { peak } else { 1.0 };
        let (value, source) = match found.force_noise {
            Some(noise) => (
                noise.value,
                format!("from {} repeated cycles", noise.cycles),
            ),
            None => (
                noise::from_differences(force),
                "from sample to sample".to_owned(),
            ),
        };
        // What rounding leaves of a constant is not noise.
        let value = if value > 1e-12 * peak { value } else { 0.0 };
        let share = significant(100.0 * value / peak, 2);
        let text = format!(
            "{}, {share} % of the largest, {source}",
            engineering(rounded(value), names.load)
        );
        fact(format!("noise of the {}", names.force), text);
    }
    if decay {
        let periods = found.ring_down.len().to_string();
        fact("periods of the decay".to_owned(), periods);
    } else {
        fact("full cycles".to_owned(), found.cycles.len().to_string());
    }
    out
}

/// Three digits: a noise level is not known better.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
