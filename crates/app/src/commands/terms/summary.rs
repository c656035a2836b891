//! The result for people.

use super::document::Document;
use super::model::Built;
use super::offer;
use super::tests::Tests;
use crate::commands::fit::summary::words;
use crate::names::Names;
use crate::targets::gathered;
use masing_diagnostic::Diagnostic;
use masing_report::figures::{readable_unit, rounded, significant};
use masing_report::text;
use masing_terms::{Found, FrictionKind, Term};
use std::fmt::Write as _;
use std::path::Path;

/// Verdict, model, ranking, tests, remarks.
pub fn text(
    document: &Document,
    found: &Found,
    built: &Built,
    tests: &Tests,
    out: Option<&Path>,
) -> String {
    let names = Names::of(tests.motion);
    let mut text = format!("{}\n\n", verdict(found, &names));
    let mut table = text::table(&["parameter", "value", "+-", "unit", "status"]);
    text::align_right(&mut table, [1, 2]);
    let units = built.model.params().into_iter().map(|(_, p)| p.unit);
    for (p, unit) in built.parameters.iter().zip(units) {
        let (unit, factor) = readable_unit(&unit);
        let error = p.std_error.map(|e| significant(e / factor, 2));
        table.add_row([
            p.address.clone(),
            significant(p.value / factor, 5),
            // Slip displacements without an error bar are those of the grid.
            error.unwrap_or_else(|| {
                let grid = p.address.contains(".ys[");
                if grid { "grid" } else { "given" }.to_owned()
            }),
            unit.to_owned(),
            words(p.status.word()).to_owned(),
        ]);
    }
    for c in &found.terms {
        // Terms that no element holds stand below the model.
        if !matches!(c.term, Term::Stiffness(_) | Term::Damping(_)) {
            table.add_row([
                c.term.to_string(),
                significant(c.value, 5),
                significant(c.std_error, 2),
                "SI".to_owned(),
                format!("{}, not in model.toml", words(c.status.word())),
            ]);
        }
    }
    let _ = writeln!(text, "{table}\n");
    text.push_str(&ranking(found, &names));
    let error = format!("error, % of rms {}", names.force);
    let mut table = text::table(&["test", "used for", "samples", &error]);
    text::align_right(&mut table, [2, 3]);
    for test in &found.tests {
        let role = if test.held_out {
            "validation"
        } else {
            "finding terms"
        };
        table.add_row([
            test.name.clone(),
            role.to_owned(),
            test.samples.to_string(),
            significant(100.0 * test.relative, 3),
        ]);
    }
    let _ = writeln!(text, "{table}");
    text.push_str(&offer::text(found, built, &names));
    if !document.warnings.is_empty() {
        text.push('\n');
    }
    for warning in &document.warnings {
        let _ = writeln!(text, "note: {}", warning.message);
    }
    let _ = writeln!(text, "\n{}", gathered(&tests.assumptions));
    if let Some(out) = out {
        let _ = writeln!(
            text,
            "written: model.toml, terms.json, report.html in {}",
            out.display()
        );
    }
    text
}

/// What was found, how well it does, and whether it is sound.
pub fn verdict(found: &Found, names: &Names) -> String {
    let mut powers: Vec<String> = found.terms.iter().map(|c| c.term.to_string()).collect();
    if powers.is_empty() {
        powers.push("no powers".to_owned());
    }
    let stiffness = rounded(found.friction.ks.value, names.stiffness, 4);
    let slip = rounded(found.friction.ys.value, names.length, 4);
    let friction = match (found.friction.kind, found.friction.sliders.len()) {
        (FrictionKind::None, _) => "no friction".to_owned(),
        (_, 1) => format!("one spring-slider ({stiffness}, slips at {slip})"),
        (_, n) => format!("{n} spring-sliders ({stiffness} together)"),
    };
    let error = significant(100.0 * found.relative, 3);
    if found.diagnostics.iter().any(Diagnostic::is_poor_fit) {
        return format!(
            "These candidates do NOT describe the data: the best of them, {} and {friction}, leave an error of {error} % of rms {}.",
            powers.join(", "),
            names.force
        );
    }
    let mut text = format!(
        "The data support {} and {friction}: error {error} % of rms {}.",
        powers.join(", "),
        names.force
    );
    if found.diagnostics.iter().any(Diagnostic::is_beyond_noise) {
        text.push_str(" One set of coefficients does not describe the tests to their noise.");
    }
    let unsound = found.diagnostics.iter().any(Diagnostic::is_unsound);
    let damped = found
        .terms
        .iter()
        .any(|c| matches!(c.term, Term::Damping(_)));
    text.push_str(match (unsound, damped) {
        (false, true) => " Physically sound: passive over the tested speeds, stiffness positive.",
        (false, false) => " Physically sound: stiffness positive over the tested range.",
        _ => " NOT physically sound: see the notes.",
    });
    text
}

/// A term by its name; a spring-slider by its slip displacement.
pub fn called(term: &Term, names: &Names) -> String {
    match term {
        Term::Slider(r) => format!("slider {}", rounded(*r, names.length, 3)),
        other => other.to_string(),
    }
}

/// The greedy order with error reduction ratios, and the lengths that criteria choose.
fn ranking(found: &Found, names: &Names) -> String {
    let ranking = &found.ranking;
    let left = format!("left, % of rms {}", names.force);
    let mut table = text::table(&["rank", "term", "error reduction, %", &left]);
    text::align_right(&mut table, [0, 2, 3]);
    let mut left = 1.0;
    for (k, ranked) in ranking.terms.iter().enumerate() {
        left -= ranked.err;
        if k < ranking.length {
            table.add_row([
                (k + 1).to_string(),
                called(&ranked.term, names),
                significant(100.0 * ranked.err, 4),
                significant(100.0 * left.max(0.0).sqrt(), 3),
            ]);
        }
    }
    let apress: Vec<String> = ranking
        .apress
        .iter()
        .map(|(alpha, curve)| format!("{alpha}: {}", curve.length))
        .collect();
    let mut text = format!(
        "ranked terms (expert), the first {} of {}\n{table}\n",
        ranking.length,
        ranking.terms.len()
    );
    let _ = write!(
        text,
        "lengths by APRESS(alpha) {}; AIC {}; BIC {}",
        apress.join(", "),
        ranking.aic.length,
        ranking.bic.length
    );
    if let Some(curve) = &ranking.validation {
        let _ = write!(text, "; validation {}", curve.length);
    }
    if found.bic_lead.is_finite() {
        let _ = write!(
            text,
            "\nchosen powers lead by {} in BIC over {}",
            significant(found.bic_lead, 3),
            found.runner_up.join(" ")
        );
    }
    text.push_str("\n\n");
    text
}
