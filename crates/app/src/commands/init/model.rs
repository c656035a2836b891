//! Which model to start with.

use masing_model::presets::Nature;
use masing_report::inspect::Inspected;
use std::fmt::Write as _;

/// A loss angle beyond this (rad) is that of a damper, not of an elastic part.
const DAMPER: f64 = 1.0;

fn nature(tests: &[Inspected]) -> Nature {
    let records: Vec<_> = tests.iter().filter_map(Inspected::record).collect();
    let none = |missing: fn(&masing_data::Record) -> bool| {
        !records.is_empty() && records.iter().all(|r| missing(r))
    };
    if none(|r| r.force().is_none()) {
        Nature::Response
    } else if none(|r| r.time.is_none()) {
        Nature::Timeless
    } else {
        match loss_angle(tests) {
            Some(angle) if angle > DAMPER => Nature::Damper,
            _ => Nature::Elastic,
        }
    }
}

/// The `[[model.element]]` tables with the reason for them.
pub fn model(tests: &[Inspected]) -> String {
    let mut out = String::new();
    if tests.iter().any(|t| t.names().force == "torque") {
        out.push_str("[model]\nmotion = \"rotation\"                # N m and rad\n\n");
    }
    let nature = nature(tests);
    if let Some(angle) = loss_angle(tests).filter(|_| nature == Nature::Damper) {
        let degrees = angle.to_degrees();
        let _ = writeln!(
            out,
            "# The force runs {degrees:.0} degrees ahead of the motion."
        );
    }
    let choice = nature.first_choice();
    for line in choice.why {
        let _ = writeln!(out, "# {line}");
    }
    for (kind, cells) in choice.elements {
        element(&mut out, kind, *cells);
    }
    out
}

/// Element and parameter for the example of a bound.
pub fn example(tests: &[Inspected]) -> (&'static str, &'static str) {
    let choice = nature(tests).first_choice();
    let first = choice.elements.first().map_or("", |(kind, _)| kind);
    (first, choice.example)
}

fn element(out: &mut String, kind: &str, cells: Option<usize>) {
    let _ = writeln!(out, "[[model.element]]\ntype = \"{kind}\"");
    if let Some(cells) = cells {
        let line = format!("cells = {cells}");
        let _ = writeln!(out, "{line:34} # more cells: smoother loop, more time");
    }
    out.push('\n');
}

/// Median loss angle of all blocks and table rows, rad.
fn loss_angle(tests: &[Inspected]) -> Option<f64> {
    let points = tests.iter().flat_map(|t| &t.inspection.harmonic);
    let angles = points.map(|p| p.loss_angle.abs());
    let mut angles: Vec<f64> = angles.filter(|a| a.is_finite()).collect();
    angles.sort_by(f64::total_cmp);
    // Beyond a right angle the force still has the wrong sign.
    let angle = *angles.get(angles.len() / 2)?;
    Some(angle.min(std::f64::consts::PI - angle))
}
