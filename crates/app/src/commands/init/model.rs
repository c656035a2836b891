//! Which model a study is for: the one that was given, the one that predicts best, or one by the kind of part.

use masing_identify::compare::{Added, Rung};
use masing_model::file::{Draft, draft_to_text, quoted};
use masing_model::presets::Nature;
use masing_model::{Assembly, Model, ModelError, MotionKind, Shape};
use masing_report::figures::significant;
use masing_report::inspect::Inspected;
use std::fmt::Write as _;

/// A loss angle beyond this (rad) is that of a damper, not of an elastic part.
const DAMPER: f64 = 1.0;

fn nature(tests: &[&Inspected]) -> Nature {
    let records: Vec<_> = tests.iter().filter_map(|t| t.record()).collect();
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

/// What a study says about its model.
pub struct Written {
    /// The `[[model.element]]` tables with the reason for them.
    tables: String,
    /// `[parameters]`, or an example of it.
    parameters: String,
    /// What is estimated of the rig.
    pub added: Added,
}

impl Written {
    /// Tables and parameters.
    pub fn text(&self) -> String {
        format!("{}{}", self.tables, self.parameters)
    }

    /// One to begin with, by the kind of part, and why it was not found by comparing.
    pub fn first_choice(tests: &[&Inspected], why: Option<&str>) -> Self {
        let mut tables = head(tests);
        if let Some(why) = why {
            let _ = writeln!(tables, "# No models were compared: {why}.");
        }
        tables.push_str(&by_nature(tests));
        let choice = nature(tests).first_choice();
        let first = choice.elements.first().map_or("", |(kind, _)| kind);
        Self {
            tables,
            parameters: example(&format!("{first}.{}", choice.example)),
            added: Added::default(),
        }
    }

    /// The one that was given.
    pub fn given(tests: &[&Inspected], text: &str) -> Result<Self, ModelError> {
        let model = plain(text, tests)?;
        Ok(Self {
            tables: format!("{}# As given: {text}\n{}", head(tests), elements(&model)),
            parameters: example(&first_address(&model)),
            added: Added::default(),
        })
    }

    /// The one that predicts best, from the values found; `said` is what the comparison says of it.
    pub fn found(tests: &[&Inspected], rung: &Rung, said: &str) -> Result<Self, ModelError> {
        let trial = &rung.trial;
        let model = plain(&trial.candidate.text(), tests)?;
        let mut parameters = String::from(
            "[parameters]                       # starts are those of the comparison; without a line a parameter is free as well\n",
        );
        let following = trial.model.following();
        let values = trial.model.params().into_iter().zip(trial.model.values());
        for (i, ((address, _), value)) in values.enumerate() {
            let choice = match following.iter().find(|own| own.param == i) {
                None => format!("start = {}", significant(*value, 5)),
                Some(own) => {
                    let names = own.of.iter().map(|(name, _)| quoted(name));
                    let forms = own.of.iter().map(|(_, form)| quoted(form.name()));
                    let list = |each: Vec<String>| match each.as_slice() {
                        [one] => one.clone(),
                        more => format!("[{}]", more.join(", ")),
                    };
                    let (of, form) = (list(names.collect()), list(forms.collect()));
                    format!("of = {of}, form = {form}")
                }
            };
            let _ = writeln!(parameters, "{} = {{ {choice} }}", quoted(&address));
        }
        let mut tables = head(tests);
        for line in wrapped(said) {
            let _ = writeln!(tables, "# {line}");
        }
        tables.push_str(&elements(&model));
        Ok(Self {
            tables,
            parameters,
            added: trial.candidate.added,
        })
    }
}

/// Length of a line of remarks.
const LINE: usize = 110;

/// A text in lines.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + word.len() < LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn rotates(tests: &[&Inspected]) -> bool {
    tests.iter().any(|t| t.names().force == "torque")
}

fn head(tests: &[&Inspected]) -> String {
    if rotates(tests) {
        "[model]\nmotion = \"rotation\"                # N m and rad\n\n".to_owned()
    } else {
        String::new()
    }
}

/// The model of a text, at its defaults.
fn plain(text: &str, tests: &[&Inspected]) -> Result<Model, ModelError> {
    let mut assembly = Assembly::from_names(text, |_| Shape::default())?;
    if rotates(tests) {
        assembly.motion = MotionKind::Rotation;
    }
    Model::with_defaults(assembly, None)
}

/// The tables of its elements, as they stand in a study: without values.
fn elements(model: &Model) -> String {
    let draft = Draft {
        model: model.clone(),
        given: vec![false; model.param_count()],
    };
    let text = draft_to_text(&draft);
    let tables = text.find("[[element]]").map_or("", |at| &text[at..]);
    let tables = tables.trim_end().replace("[[element", "[[model.element");
    format!("{tables}\n\n")
}

fn first_address(model: &Model) -> String {
    let first = model.params().into_iter().next();
    first.map_or_else(String::new, |(address, _)| address)
}

/// What could be said about a parameter.
fn example(address: &str) -> String {
    format!(
        "# [parameters]                     # without a line here a parameter is free, its start found from the data\n\
         # \"{address}\" = {{ start = 1.0, min = 0.1, max = 10.0 }}\n\
         # \"{address}\" = {{ fixed = 1.0 }}\n"
    )
}

/// The elements to begin with, and the reason for them.
fn by_nature(tests: &[&Inspected]) -> String {
    let mut out = String::new();
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

fn element(out: &mut String, kind: &str, cells: Option<usize>) {
    let _ = writeln!(out, "[[model.element]]\ntype = \"{kind}\"");
    if let Some(cells) = cells {
        let line = format!("cells = {cells}");
        let _ = writeln!(out, "{line:34} # more cells: smoother loop, more time");
    }
    out.push('\n');
}

/// Median loss angle of all blocks and table rows, rad.
fn loss_angle(tests: &[&Inspected]) -> Option<f64> {
    let points = tests.iter().flat_map(|t| &t.inspection.harmonic);
    let angles = points.map(|p| p.loss_angle.abs());
    let mut angles: Vec<f64> = angles.filter(|a| a.is_finite()).collect();
    angles.sort_by(f64::total_cmp);
    // Beyond a right angle the force still has the wrong sign.
    let angle = *angles.get(angles.len() / 2)?;
    Some(angle.min(std::f64::consts::PI - angle))
}
