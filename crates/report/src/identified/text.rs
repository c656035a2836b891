//! A result for people, on a terminal.

use super::{alternating, initial_state, loops, role, status};
use crate::compare::text::found_by;
use crate::figures::{readable_beside, readable_unit, rounded, significant};
use crate::text::{self, gathered};
use comfy_table::Table;
use masing_identify::result::{Comparison, Identified, Role};
use masing_identify::{Estimate, Followed, KeyFigures, Names, Profile, Status};
use std::fmt::Write as _;
use std::path::Path;

/// A fit: verdict, parameters, tests, diagnostics.
pub fn fit(found: &Identified, out: Option<&Path>) -> String {
    let mut text = format!("{}\n\n", found.verdict().text);
    if let Some(compared) = &found.compared {
        let _ = writeln!(text, "{}\n", found_by(compared, found.model.motion()));
    }
    let _ = writeln!(text, "{}\n", parameters(&found.estimates));
    if !found.nuisance.is_empty() {
        let _ = writeln!(text, "{}\n", nuisance(&found.nuisance));
    }
    for own in &found.followed {
        let _ = writeln!(text, "{}\n", over_levels(own));
    }
    text.push_str(&loops::text(found));
    if let Some(figures) = &found.key_figures {
        let _ = writeln!(text, "{}\n", key_figures(figures, &found.names()));
    }
    let _ = writeln!(text, "{}", tests(&found.comparisons));
    for profile in &found.profiles {
        let _ = writeln!(text, "\n{}", interval(profile, &found.estimates));
    }
    text.push_str(&ending(
        found,
        &["model.toml", "fit.json", "report.html", "summary.csv"],
        out,
    ));
    text
}

/// Diagnostics, how the files were read, and which files were written.
pub fn ending(found: &Identified, files: &[&str], out: Option<&Path>) -> String {
    let mut text = String::new();
    for (k, entry) in super::json::warnings(found).iter().enumerate() {
        let gap = if k == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}note: {}", entry.message);
    }
    let _ = writeln!(text, "\n{}", gathered(&found.data.assumptions));
    if let Some(out) = out {
        let _ = writeln!(text, "written: {} in {}", files.join(", "), out.display());
    }
    text
}

/// Parameters with their standard errors.
pub fn parameters(estimates: &[Estimate]) -> Table {
    listed("parameter", estimates, readable_unit)
}

/// The nuisances.
pub fn nuisance(estimates: &[Estimate]) -> Table {
    listed("also estimated", estimates, readable_beside)
}

/// Estimates in the units people read, each with its factor.
fn listed(title: &str, estimates: &[Estimate], readable: fn(&str) -> (&str, f64)) -> Table {
    let mut table = text::table(&[title, "value", "+-", "unit", "status"]);
    text::align_right(&mut table, [1, 2]);
    for estimate in estimates {
        table.add_row(cells(estimate, readable(&estimate.unit)));
    }
    table
}

/// A line of a table, in the unit people read and its factor.
fn cells(estimate: &Estimate, (unit, factor): (&str, f64)) -> [String; 5] {
    let error = match (estimate.std_error, estimate.status) {
        (Some(error), _) => significant(error / factor, 2),
        (None, Status::Fixed) => "given".to_owned(),
        (None, Status::PerTest) => String::new(),
        (None, _) => "unknown".to_owned(),
    };
    let value = if estimate.status == Status::PerTest {
        String::new()
    } else {
        significant(estimate.value / factor, 5)
    };
    [
        estimate.address.clone(),
        value,
        error,
        unit.to_owned(),
        status(estimate.status).to_owned(),
    ]
}

/// The law of a parameter beside what it is at single levels.
fn over_levels(own: &Followed) -> Table {
    let (unit, factor) = readable_unit(&own.unit);
    let named = |(name, unit): &(String, String)| match unit.as_str() {
        "1" => name.clone(),
        unit => format!("{name}, {unit}"),
    };
    let mut header: Vec<String> = own.of.iter().map(named).collect();
    header.push(format!("{}, {unit}", own.address));
    header.extend(["single level".to_owned(), "+-".to_owned()]);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = text::table(&header);
    text::align_right(&mut table, 0..header.len());
    for level in &own.levels {
        let mut row: Vec<String> = level.at.iter().map(|l| significant(*l, 4)).collect();
        row.push(significant(level.law / factor, 4));
        row.push(significant(level.value / factor, 4));
        row.push(significant(level.std_error / factor, 2));
        table.add_row(row);
    }
    table
}

/// The tests with their errors; what each was used for only where some were fitted.
pub fn tests(tests: &[Comparison]) -> Table {
    let scale = masing_identify::result::scale(tests);
    let roles = tests.iter().any(|t| t.role == Role::Fitted);
    let states = tests.iter().any(|t| t.initial_state.is_some());
    let alternating = alternating(tests);
    let error = format!("error, %{scale}");
    let mut header = vec!["test"];
    header.extend(roles.then_some("used for"));
    header.push("samples");
    header.extend(states.then_some("initial state"));
    header.push(&error);
    header.extend(scale.is_empty().then_some("of"));
    header.extend(alternating.then_some("mean left out, %"));
    let mut table = text::table(&header);
    let samples = 1 + usize::from(roles);
    text::align_right(&mut table, [samples, samples + 1 + usize::from(states)]);
    let percent = |share: f64| significant(100.0 * share, 3);
    for test in tests {
        let mut row = vec![test.name.clone()];
        row.extend(roles.then(|| role(test.role).to_owned()));
        row.push(test.samples.to_string());
        let state = || {
            test.initial_state
                .map_or("", |state| initial_state(state).1)
        };
        row.extend(states.then(|| state().to_owned()));
        row.push(percent(test.error));
        row.extend(scale.is_empty().then(|| test.scale.clone()));
        row.extend(alternating.then(|| test.alternating.map_or_else(String::new, percent)));
        table.add_row(row);
    }
    table
}

/// Rates and friction in workshop units.
pub fn key_figures(figures: &KeyFigures, names: &Names) -> String {
    format!(
        "small-amplitude rate {} (at {}), large-amplitude rate {} (at {}), both at {} Hz; friction {} {} at {}",
        rounded(figures.small_rate, names.stiffness, 3),
        rounded(figures.small, names.length, 3),
        rounded(figures.large_rate, names.stiffness, 3),
        rounded(figures.large, names.length, 3),
        significant(figures.frequency, 3),
        names.force,
        rounded(figures.friction, names.load, 3),
        rounded(figures.speed, names.velocity, 3),
    )
}

/// The interval by likelihood.
fn interval(profile: &Profile, estimates: &[Estimate]) -> String {
    let own = estimates.iter().find(|e| e.address == profile.address);
    let (unit, factor) = readable_unit(own.map_or("", |e| &e.unit));
    let end = |value: Option<f64>| {
        value.map_or_else(|| "not bounded".to_owned(), |v| significant(v / factor, 4))
    };
    let [low, high] = profile.ci95.map(end);
    format!(
        "{}: 95 % interval by likelihood {low} to {high} {unit}",
        profile.address
    )
}

/// `summary.csv`, for pasting: one row per estimate, SI.
pub fn csv(found: &Identified) -> String {
    let mut text = "parameter,value,std_error,unit,status\n".to_owned();
    for own in found.estimates.iter().chain(&found.nuisance) {
        let error = own.std_error.map_or_else(String::new, |e| format!("{e:?}"));
        let _ = writeln!(
            text,
            "{},{:?},{error},\"{}\",{}",
            quoted(&own.address),
            own.value,
            own.unit,
            own.status.word()
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
