//! Terms for people, on a terminal.

use super::varying_coefficients;
use crate::figures::{rounded, significant};
use crate::identified::status;
use crate::identified::text::{ending, nuisance, parameters, tests};
use crate::text;
use masing_diagnostic::Diagnostic;
use masing_identify::Names;
use masing_identify::result::Level;
use masing_terms::{FrictionKind, Term, Terms};
use std::fmt::Write as _;
use std::path::Path;

/// Verdict, model, ranking, tests, diagnostics.
pub fn text(terms: &Terms, out: Option<&Path>) -> String {
    let identified = &terms.identified;
    let names = identified.names();
    let mut text = format!("{}{}\n\n", lead(terms), identified.verdict().text);
    let mut table = parameters(&identified.estimates);
    for c in &terms.terms {
        // Terms that no element holds stand below the model.
        if !matches!(c.term, Term::Stiffness(_) | Term::Damping(_)) {
            table.add_row([
                c.term.to_string(),
                significant(c.value, 5),
                significant(c.std_error, 2),
                "SI".to_owned(),
                format!("{}, not in model.toml", status(c.status)),
            ]);
        }
    }
    let _ = writeln!(text, "{table}\n");
    if !identified.nuisance.is_empty() {
        let _ = writeln!(text, "{}\n", nuisance(&identified.nuisance));
    }
    text.push_str(&ranking(terms, &names));
    let _ = writeln!(text, "{}", tests(&identified.comparisons));
    text.push_str(&varying_coefficients::text(terms));
    let files = ["model.toml", "terms.json", "report.html"];
    text.push_str(&ending(identified, &files, out));
    text
}

/// The findings that precede the verdict.
pub fn lead(terms: &Terms) -> String {
    let names = terms.identified.names();
    let mut powers: Vec<String> = terms.terms.iter().map(|c| c.term.to_string()).collect();
    if powers.is_empty() {
        powers.push("no powers".to_owned());
    }
    let powers = powers.join(", ");
    let stiffness = rounded(terms.friction.ks.value, names.stiffness, 4);
    let slip = rounded(terms.friction.ys.value, names.length, 4);
    let friction = match (terms.friction.kind, terms.friction.sliders.len()) {
        (FrictionKind::None, _) => "no friction".to_owned(),
        (_, 1) => format!("one spring-slider ({stiffness}, slips at {slip})"),
        (_, n) => format!("{n} spring-sliders ({stiffness} together)"),
    };
    if terms.identified.verdict().level == Level::Untrustworthy {
        return format!("The best of the candidates are {powers} and {friction}. ");
    }
    let damped = terms
        .terms
        .iter()
        .any(|c| matches!(c.term, Term::Damping(_)));
    let sound = match damped {
        _ if terms
            .identified
            .diagnostics
            .iter()
            .any(Diagnostic::is_unsound) =>
        {
            ""
        }
        true => "Physically sound: passive over the tested speeds, stiffness positive. ",
        false => "Physically sound: stiffness positive over the tested range. ",
    };
    format!("The data support {powers} and {friction}. {sound}")
}

/// A term by its name; a spring-slider by its slip displacement.
pub fn called(term: &Term, names: &Names) -> String {
    match term {
        Term::Slider(r) => format!("slider {}", rounded(*r, names.length, 3)),
        other => other.to_string(),
    }
}

/// The greedy order with error reduction ratios, and the lengths that criteria choose.
fn ranking(found: &Terms, names: &Names) -> String {
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
        let _ = write!(text, "; tests held out {}", curve.length);
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
