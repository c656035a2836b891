//! The ladder for people, on a terminal.

use super::target::{deviation, sentences};
use super::{Comparing, choice, structure, verdict, worst};
use crate::text::{align_right, gathered, table};
use masing_identify::compare::{Compared, LeftOutError, Rung, Shown, Standing};
use masing_model::MotionKind;
use std::fmt::Write as _;
use std::path::Path;

/// Models that are printed; the document has all.
const PRINTED: usize = 12;

/// Verdict, ladder, signs, how the files were read.
pub fn ladder(comparing: &Comparing, out: Option<&Path>) -> String {
    let mut text = format!("{}\n", verdict(comparing));
    let target = sentences(&comparing.found, comparing.motion);
    if !target.is_empty() {
        let _ = writeln!(text, "\n{}", target.join("\n"));
    }
    let _ = writeln!(text, "\n{}", rungs(&comparing.found));
    let Compared {
        ladder,
        failed,
        signs,
        ..
    } = &comparing.found;
    let more = ladder.len() - shown_rungs(ladder).count();
    if more > 0 {
        let _ = writeln!(text, "and {more} more");
    }
    let _ = writeln!(text, "\nthe records show: {}", shown(signs));
    for own in failed {
        let _ = writeln!(text, "not tried: {}: {}", own.candidate.text(), own.error);
    }
    let _ = writeln!(
        text,
        "{} candidates in {:.0} s",
        ladder.len() + failed.len(),
        comparing.seconds
    );
    let _ = writeln!(text, "\n{}", gathered(&comparing.assumptions));
    if let Some(out) = out {
        let files = "compare.json, report.html, model.toml";
        let _ = writeln!(text, "written: {files} in {}", out.display());
    }
    text
}

/// How the model of a fit was found: the choice, the motion it is for, the table.
pub fn found_by(found: &Compared, motion: MotionKind) -> String {
    let mut text = format!("Model found: {}\n", choice(found));
    for sentence in sentences(found, motion) {
        let _ = writeln!(text, "{sentence}");
    }
    format!("{text}\n{}", rungs(found))
}

/// The table of a ladder.
fn rungs(found: &Compared) -> String {
    let mut header = header(found);
    let mut shown: Vec<(usize, Vec<String>)> = shown_rungs(&found.ladder)
        .map(|(i, _)| (i, row(found, i)))
        .collect();
    let longest = shown.iter().map(|(_, cells)| cells[MODEL].len()).max();
    if longest.is_none_or(|length| length <= BESIDE) {
        let mut rows = table(&header);
        for (_, cells) in shown {
            rows.add_row(cells);
        }
        align_right(&mut rows, 2..header.len() - 1);
        return rows.trim_fmt();
    }
    header.remove(MODEL);
    let mut rows = table(&header);
    let mut models = Vec::new();
    for (place, cells) in &mut shown {
        models.push(cells.remove(MODEL));
        cells[0] = format!("{} {}", *place + 1, cells[0]);
        rows.add_row(cells.clone());
    }
    align_right(&mut rows, 1..header.len() - 1);
    above(&rows.trim_fmt(), &models)
}

/// Where the model stands among the cells, and its longest that has a column; longer ones would be broken into many
/// short lines.
const MODEL: usize = 1;
const BESIDE: usize = 22;

/// A table with a line above every row, which begins with its number.
fn above(table: &str, lines: &[String]) -> String {
    let mut lines = lines.iter();
    let mut out = String::new();
    for (i, line) in table.lines().enumerate() {
        let numbered = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        // What goes on from the line above stands further to the right.
        let first = line.len() - line.trim_start().len() < 4;
        if i > 1
            && numbered
            && first
            && let Some(model) = lines.next()
        {
            let _ = writeln!(out, "{model}");
        }
        let _ = writeln!(out, "{line}");
    }
    out.trim_end().to_owned()
}

/// Those that are printed: the best, and the chosen one wherever it stands.
fn shown_rungs(ladder: &[Rung]) -> impl Iterator<Item = (usize, &Rung)> {
    let chosen = |r: &Rung| r.standing == Standing::Chosen;
    let each = ladder.iter().enumerate();
    each.filter(move |(i, r)| *i < PRINTED || chosen(r))
}

fn validated(found: &Compared) -> bool {
    found.ladder.iter().any(|r| !r.trial.held_out.is_empty())
}

/// What the columns of a ladder are.
pub(super) fn header(found: &Compared) -> Vec<&'static str> {
    let left_out = match found.outlook {
        Some(_) => "left out, weighted",
        None => "left out",
    };
    let mut header = vec!["", "model", "parameters", "fitted", left_out, "largest"];
    if validated(found) {
        header.push("held out");
    }
    header.push("remark");
    header
}

/// The cells of one model.
pub(super) fn row(found: &Compared, place: usize) -> Vec<String> {
    let rung = &found.ladder[place];
    let percent = |error: f64| format!("{:.2} %", 100.0 * error);
    let mark = match rung.standing {
        Standing::Chosen => "*",
        Standing::Tied => "=",
        Standing::Behind => "",
    };
    let largest = worst(&rung.trial.left_out).filter(|_| !rung.trial.at_least);
    let largest = largest.map(|e| format!("{} ({})", percent(e.error), e.name));
    let left_out = percent(rung.trial.left_out_rms());
    let mut cells = vec![
        mark.to_owned(),
        structure(rung),
        rung.trial.parameters.to_string(),
        percent(rung.trial.fitted()),
        if rung.trial.at_least {
            format!("over {left_out}")
        } else {
            left_out
        },
        largest.unwrap_or_default(),
    ];
    if validated(found) {
        cells.push(percent(mean(&rung.trial.held_out)));
    }
    cells.push(remark(rung, deviation(found, place)));
    cells
}

fn mean(errors: &[LeftOutError]) -> f64 {
    let squares: f64 = errors.iter().map(|e| e.error * e.error).sum();
    (squares / errors.len().max(1) as f64).sqrt()
}

fn remark(rung: &Rung, differs: Option<f64>) -> String {
    let mut words = Vec::new();
    match rung.standing {
        Standing::Chosen => words.push("chosen".to_owned()),
        Standing::Tied => words.push("tied".to_owned()),
        Standing::Behind => {}
    }
    if let Some(differs) = differs {
        words.push(format!("differs by {:.1} % there", 100.0 * differs));
    }
    if let Some(explodes) = &rung.explodes {
        words.push(format!(
            "explodes outside the tests: {:.0} % on {}",
            100.0 * explodes.error,
            explodes.name
        ));
    }
    if rung.trial.non_passive.is_some() {
        words.push("not passive".to_owned());
    }
    words.join(", ")
}

/// The signs that are there, and those that the tests cannot tell.
pub(super) fn shown(signs: &[Shown]) -> String {
    let of = |present: Option<bool>| {
        let own = signs.iter().filter(|s| s.present == present);
        let words: Vec<&str> = own.map(|s| s.sign.word()).collect();
        words.join(", ")
    };
    let (there, unknown) = (of(Some(true)), of(None));
    let there = if there.is_empty() {
        "nothing special".to_owned()
    } else {
        there
    };
    if unknown.is_empty() {
        there
    } else {
        format!("{there} (cannot tell: {unknown})")
    }
}
