//! The top of the page: whether to trust the result, in plain words.

use crate::identified::text::key_figures;
use crate::text::sentence;
use crate::{Block, Note, Section};
use masing_diagnostic::Units;
use masing_identify::Identified;
use masing_identify::result::{Level, MethodName};

/// The usual keys of a part, shown first.
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
pub fn title(found: &Identified) -> String {
    let model = &found.model;
    match model.part.get("number") {
        Some(number) => format!("Force model of {number}"),
        None if model.name.is_empty() => "Force model".to_owned(),
        None => format!("Force model: {}", model.name),
    }
}

/// The line below it.
pub fn subtitle(found: &Identified) -> String {
    let model = found.model.assembly().text();
    let tests = match found.method {
        MethodName::Validate => format!("compared with {}", several(found.comparisons.len())),
        _ => format!("fitted to {}", counted(found)),
    };
    format!("{model}, {tests}")
}

fn several(tests: usize) -> String {
    format!("{tests} {}", if tests == 1 { "test" } else { "tests" })
}

/// `2 tests, 1 test held out`.
pub fn counted(found: &Identified) -> String {
    let held_out = found.held_out().count();
    let fitted = several(found.comparisons.len() - held_out);
    match held_out {
        0 => fitted,
        n => format!("{fitted}, {} held out", several(n)),
    }
}

/// Verdict, diagnostics, key figures, the part; `lead` is the text of the method before the verdict.
pub fn section(found: &Identified, lead: &str) -> Section {
    let verdict = found.verdict();
    let mut blocks = vec![Block::Verdict {
        good: verdict.level == Level::Good,
        text: format!("{lead}{}", verdict.text),
    }];
    let units = Units::of_rotation(found.names().rotation());
    let diagnostics = found.diagnostics.iter().map(|d| d.text(units));
    let notes: Vec<Note> = diagnostics
        .map(|text| Note {
            text: sentence(&text),
            advice: None,
        })
        .collect();
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    if let Some(figures) = &found.key_figures {
        blocks.push(Block::Text(sentence(&key_figures(figures, &found.names()))));
    }
    let part = part(found);
    if !part.is_empty() {
        blocks.push(Block::Heading("Part".to_owned()));
        blocks.push(Block::Facts(part));
    }
    Section::new("Result", blocks)
}

/// What the study says about the part, the usual things first.
fn part(found: &Identified) -> Vec<(String, String)> {
    let part = &found.model.part;
    let usual = PART_ORDER.iter().filter_map(|key| part.get_key_value(*key));
    let rest = part
        .iter()
        .filter(|(key, _)| !PART_ORDER.contains(&key.as_str()));
    usual
        .chain(rest)
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}
