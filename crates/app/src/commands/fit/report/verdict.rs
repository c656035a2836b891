//! The top of the page: whether to trust the result, in plain words.

use super::Report;
use super::view::View;
use crate::commands::fit::summary::in_words;
use masing_diagnostic::Units;
use masing_diagnostic::thresholds::{BEYOND_NOISE, FAIR_FIT, GOOD_FIT, POOR_FIT, weakly_predicted};
use masing_identify::Status;
use masing_identify::search::optimise::Stop;
use masing_report::figures::percent;
use masing_report::{Block, Note, Section};

/// What people say about a part first.
const PART_ORDER: [&str; 7] = [
    "number",
    "sample",
    "direction",
    "temperature",
    "rig",
    "date",
    "operator",
];

/// The heading of the page.
pub fn title(report: &Report<'_>) -> String {
    let part = report.model.part.get("number");
    match part {
        Some(number) => format!("Force model of {number}"),
        None if report.model.name.is_empty() => "Force model".to_owned(),
        None => format!("Force model: {}", report.model.name),
    }
}

/// The line below it.
pub fn subtitle(report: &Report<'_>, view: &View) -> String {
    let held_out = view.tests.iter().filter(|t| t.held_out).count();
    let tests = |n: usize| format!("{n} {}", if n == 1 { "test" } else { "tests" });
    let fitted = tests(view.tests.len() - held_out);
    let parts = report.model.assembly().parts().iter();
    let model: Vec<&str> = parts.map(|part| part.kind.as_str()).collect();
    let model = model.join(" + ");
    match held_out {
        0 => format!("{model}, fitted to {fitted}"),
        n => format!("{model}, fitted to {fitted}, {} held out", tests(n)),
    }
}

/// Verdict, remarks, the part, the main figures.
pub fn section(report: &Report<'_>, view: &View) -> Section {
    let (fit, good) = fitness(report, view);
    let (predicts, predicted) = prediction(report, view);
    let (determined, firm) = determination(report);
    let mut blocks = vec![Block::Verdict {
        good: good && predicted && firm,
        text: [fit, predicts, determined].join(" "),
    }];
    if !report.fit.diagnostics.is_empty() {
        let units = Units::of_rotation(report.document.rotation);
        let remarks = report.fit.diagnostics.iter().map(|found| Note {
            text: capital(&found.message(units)),
            advice: found
                .advice()
                .map(|advice| capital(&advice.sentence(units))),
        });
        blocks.push(Block::Notes(remarks.collect()));
    }
    if let Some(character) = &report.document.character {
        let words = in_words(character, report.document.rotation);
        blocks.push(Block::Text(capital(&words)));
    }
    let part = part(report);
    if !part.is_empty() {
        blocks.push(Block::Heading("Part".to_owned()));
        blocks.push(Block::Facts(part));
    }
    Section::new("Result", blocks)
}

/// How well the model meets the tests that it was fitted to.
fn fitness(report: &Report<'_>, view: &View) -> (String, bool) {
    let fit = report.fit;
    let of = format!("error {}{}", percent(fit.relative), view.scale);
    let stopped = match fit.stop {
        stop if stop.converged() => None,
        Stop::Interrupted => Some("The search was interrupted"),
        _ => Some("The search did not settle"),
    };
    if let Some(stopped) = stopped {
        let text =
            format!("{stopped}: these values are the best so far ({of}) and not yet a result.");
        return (text, false);
    }
    let noisy = fit.chi2_dof.is_some_and(|chi2| chi2 <= BEYOND_NOISE);
    let text = match fit.relative {
        e if e > POOR_FIT => format!("The model does not describe these tests: {of}."),
        _ if noisy => {
            format!("The model describes the tests as well as their noise allows: {of}.")
        }
        e if e <= FAIR_FIT && fit.chi2_dof.is_some_and(|chi2| chi2 > BEYOND_NOISE) => {
            format!("The model comes near the tests but misses more than their noise: {of}.")
        }
        e if e <= GOOD_FIT => format!("The model describes the tests well: {of}."),
        e if e <= FAIR_FIT => format!("The model describes the tests: {of}."),
        _ => format!("The model describes the tests only roughly: {of}."),
    };
    (
        text,
        fit.relative <= FAIR_FIT || noisy && fit.relative <= POOR_FIT,
    )
}

/// How well it predicts the tests that it has not seen.
fn prediction(report: &Report<'_>, view: &View) -> (String, bool) {
    let held_out: Vec<_> = view.tests.iter().filter(|t| t.held_out).collect();
    let worst = held_out
        .iter()
        .map(|t| t.outcome.relative)
        .fold(0.0, f64::max);
    let error = percent(worst);
    let weak = weakly_predicted(worst, report.fit.relative);
    let text = match (held_out.as_slice(), weak) {
        ([], _) => {
            "No test was held out, so this page cannot say how well it predicts other motions."
                .to_owned()
        }
        ([one], false) => format!(
            "It predicts `{}`, which it has not seen, with an error of {error}.",
            one.name
        ),
        ([one], true) => format!(
            "It is much worse on `{}`, which it has not seen: error {error}.",
            one.name
        ),
        (_, false) => format!(
            "It predicts the {} tests that it has not seen with errors of at most {error}.",
            held_out.len()
        ),
        (_, true) => {
            format!("It is much worse on tests that it has not seen: error up to {error}.")
        }
    };
    (text, !weak)
}

/// Whether the tests determine the parameters.
fn determination(report: &Report<'_>) -> (String, bool) {
    let with = |status: Status| -> Vec<&str> {
        let found = report.fit.parameters.iter();
        found
            .filter(|p| p.status == status)
            .map(|p| p.address.as_str())
            .collect()
    };
    let sought = report.fit.parameters.iter();
    let sought = sought.filter(|p| p.status != Status::Fixed).count();
    let mut sentences = Vec::new();
    for (status, one, many) in [
        (
            Status::Unidentifiable,
            "is not determined by these tests",
            "are not determined by these tests",
        ),
        (
            Status::PoorlyDetermined,
            "is only roughly determined",
            "are only roughly determined",
        ),
        (
            Status::AtBound,
            "ended at the edge of its range",
            "ended at the edges of their ranges",
        ),
    ] {
        match with(status).as_slice() {
            [] => {}
            [name] => sentences.push(format!("`{name}` {one}.")),
            names if names.len() <= 4 => sentences.push(format!("{} {many}.", listed(names))),
            names => sentences.push(format!("{} parameters {many}.", names.len())),
        }
    }
    let firm = sentences.is_empty();
    if firm {
        sentences.push(match sought {
            0 | 1 => "The tests determine its parameter.".to_owned(),
            n => format!("The tests determine all {n} parameters."),
        });
    }
    (sentences.join(" "), firm)
}

/// `a`, `b` and `c`.
fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// What the study says about the part, the usual things first.
fn part(report: &Report<'_>) -> Vec<(String, String)> {
    let part = &report.model.part;
    let usual = PART_ORDER.iter().filter_map(|key| part.get_key_value(*key));
    let rest = part
        .iter()
        .filter(|(key, _)| !PART_ORDER.contains(&key.as_str()));
    usual
        .chain(rest)
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// A sentence from a remark.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    let mut text: String = first.into_iter().flatten().chain(letters).collect();
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_sentences() {
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(capital("the end"), "The end.");
        assert_eq!(capital("`rt.k0` moved."), "`rt.k0` moved.");
    }
}
