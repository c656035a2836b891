//! The ladder of compared models: text, JSON, page.

pub mod html;
mod json;
mod target;
pub mod text;

pub(crate) use json::TargetDocument;
pub use json::{CompareDocument, RungDocument};

use masing_identify::compare::{Compared, LeftOutError, Rung, Standing};
use masing_model::MotionKind;

/// A comparison, and how it was made.
#[derive(Clone, Debug)]
pub struct Comparing {
    /// The ladder.
    pub found: Compared,
    /// How long it took.
    pub seconds: f64,
    /// Whether a time ended it, so that the result depends on the machine.
    pub by_time: bool,
    /// Whether somebody ended it.
    pub interrupted: bool,
    /// Translation or rotation.
    pub motion: MotionKind,
    /// How the files were read.
    pub assumptions: Vec<String>,
    /// The command that asked for it.
    pub command: Vec<String>,
}

/// Tied models that are named in a sentence.
const NAMED: usize = 2;

/// The worst of the errors.
fn worst(errors: &[LeftOutError]) -> Option<&LeftOutError> {
    errors.iter().max_by(|a, b| a.error.total_cmp(&b.error))
}

/// The structure with what is estimated beside it.
fn structure(rung: &Rung) -> String {
    let candidate = &rung.trial.candidate;
    let words = candidate.added.words();
    if words.is_empty() {
        return candidate.text();
    }
    format!("{} (with {})", candidate.text(), words.join(", "))
}

/// What the ladder says, in a few sentences, and what ended it.
pub fn verdict(comparing: &Comparing) -> String {
    let text = choice(&comparing.found);
    let ended = if comparing.interrupted {
        "It was interrupted: not all candidates were tried."
    } else if comparing.by_time {
        "A time limited the search: the result depends on the machine."
    } else if comparing.found.spent {
        "The budget was spent: a larger one may find a better model."
    } else {
        return text;
    };
    format!("{text} {ended}")
}

/// Which model was chosen, what it predicts, and which ones are tied with it.
pub(crate) fn choice(found: &Compared) -> String {
    let Compared {
        ladder,
        folds,
        noise,
        ..
    } = found;
    let Some(chosen) = found.chosen() else {
        return "No model could be chosen.".to_owned();
    };
    let percent = |error: f64| format!("{:.2} %", 100.0 * error);
    let mut text = format!(
        "{} predicts what was left out to {} with {} parameters.",
        structure(chosen),
        percent(chosen.trial.left_out_rms()),
        chosen.trial.parameters
    );
    if let Some(over_all) = chosen
        .trial
        .over_all
        .filter(|_| chosen.trial.each.len() > 1)
    {
        text = format!(
            "{text} It meets each of the tests to {}, all of them together to {} of their force.",
            percent(chosen.trial.fitted()),
            percent(over_all)
        );
    }
    let tied: Vec<&Rung> = ladder
        .iter()
        .filter(|r| r.standing == Standing::Tied)
        .collect();
    if !tied.is_empty() {
        let names: Vec<String> = tied.iter().take(NAMED).map(|r| structure(r)).collect();
        let more = match tied.len() {
            n if n <= NAMED => String::new(),
            n => format!(" and {} more", n - NAMED),
        };
        text = format!(
            "{text} The tests do not tell it from {}{more}; the simplest is taken.",
            names.join("; ")
        );
    }
    if let Some(noise) = noise {
        let relation = percent(*noise);
        text = format!("{text} The noise is {relation}.");
    }
    if let Some(explodes) = &chosen.explodes {
        let error = percent(explodes.error);
        text = format!(
            "{text} It explodes outside the tests: {error} on {}.",
            explodes.name
        );
    }
    if folds.len() < 3 {
        let count = folds.len();
        text = format!("{text} Only {count} parts were left out: the ranking is weak.");
    }
    text
}
