//! Models as text.

use super::{Draft, SCHEMA};
use crate::assembly::Part;
use crate::condition::{Following, Form};
use crate::model::{Model, Validity};
use crate::registry;
use crate::spec::{MotionKind, Param, unit_for};
use crate::system::Masses;
use std::fmt::Write as _;

/// The text of a model file: the same model gives the same text, and its numbers read back to the
/// same bits.
pub fn to_text(model: &Model) -> String {
    text_of(model, &vec![true; model.param_count()])
}

/// The text of a model some of whose values are still to be found: those are left out.
pub fn draft_to_text(draft: &Draft) -> String {
    text_of(&draft.model, &draft.given)
}

fn text_of(model: &Model, given: &[bool]) -> String {
    let mut out = format!("schema = {}\n", quoted(SCHEMA));
    if !model.name.is_empty() {
        let _ = writeln!(out, "name = {}", quoted(&model.name));
    }
    let implied = |part: &Part| registry::find(&part.kind).is_ok_and(|kind| kind.rotational);
    if model.motion() == MotionKind::Rotation {
        out.push_str("motion = \"rotation\"\n");
    } else if model.assembly().parts().iter().any(implied) {
        out.push_str("motion = \"translation\"\n");
    }
    if !model.part.is_empty() {
        out.push_str("\n[part]\n");
        for (name, text) in &model.part {
            let _ = writeln!(out, "{} = {}", key(name), quoted(text));
        }
    }
    let structure = model.system().is_some_and(|s| s.name() == "structure");
    for part in model.assembly().parts() {
        element(&mut out, model, part, structure, given, "element");
    }
    if let Some(masses) = model.system() {
        let given = &given[given.len() - masses.param_count()..];
        system(&mut out, masses, model.system_values(), given);
    }
    if let Some(limits) = model.numerics {
        out.push_str("\n[numerics]\n");
        for (name, value) in [("increment", limits.increment), ("max_dt", limits.max_dt)] {
            if value.is_finite() {
                let _ = writeln!(out, "{name} = {}", number(value));
            }
        }
    }
    if let Some(tests) = &model.validity {
        validity(&mut out, tests);
    }
    for condition in model.conditions() {
        let _ = writeln!(out, "\n[conditions.{}]", key(&condition.name));
        let _ = writeln!(out, "unit = {}", quoted(&condition.unit));
        let _ = writeln!(out, "range = {}", list(&condition.range));
    }
    out
}

/// What a parameter follows, as an inline table.
fn following(own: &Following) -> String {
    let one_or_more = |texts: Vec<String>| match texts.as_slice() {
        [one] => one.clone(),
        more => format!("[{}]", more.join(", ")),
    };
    let each =
        |text: &dyn Fn(&(String, Form)) -> String| one_or_more(own.of.iter().map(text).collect());
    let flat = |values: &[f64]| {
        let numbers: Vec<String> = values.iter().map(|&v| number(v)).collect();
        format!("[{}]", numbers.join(", "))
    };
    let mut out = format!(
        "{{ of = {}, form = {}, ",
        each(&|(name, _)| quoted(name)),
        each(&|(_, form)| quoted(form.name()))
    );
    let has_knots = |(_, form): &(String, Form)| matches!(form, Form::Piecewise(_));
    if own.of.iter().any(has_knots) {
        let knots = each(&|(_, form)| match form {
            Form::Piecewise(knots) => flat(knots),
            _ => "[]".to_owned(),
        });
        let _ = write!(out, "knots = {knots}, ");
    }
    let _ = write!(out, "coefficients = {} }}", flat(&own.coefficients));
    out
}

fn validity(out: &mut String, tests: &Validity) {
    out.push_str("\n[validity]                  # what the tests covered\n");
    let _ = writeln!(out, "displacement = {}", list(&tests.displacement));
    if tests.speed.is_finite() {
        let _ = writeln!(out, "speed = {}", number(tests.speed));
    }
    if let Some(range) = &tests.frequency {
        let _ = writeln!(out, "frequency = {}", list(range));
    }
}

fn element(
    out: &mut String,
    model: &Model,
    part: &Part,
    structure: bool,
    given: &[bool],
    path: &str,
) {
    head(out, path, &part.kind);
    if part.label != part.kind {
        let _ = writeln!(out, "label = {}", quoted(&part.label));
    }
    if structure {
        let [from, to] = part.between;
        let _ = writeln!(out, "between = [{from}, {to}]");
    }
    values(out, model, part, given);
    let inner = format!("{path}.element");
    for branch in &part.branches {
        // What a wrapper holds stands side by side by itself.
        let mut path = inner.clone();
        if branch.len() > 1 && part.branches.len() > 1 {
            head(out, &inner, "parallel");
            path.push_str(".element");
        }
        for child in branch {
            element(out, model, child, false, given, &path);
        }
    }
}

/// The first lines of an element.
fn head(out: &mut String, path: &str, kind: &str) {
    let _ = writeln!(out, "\n[[{path}]]\ntype = {}", quoted(kind));
}

/// What shapes an element, and its values.
fn values(out: &mut String, model: &Model, part: &Part, given: &[bool]) {
    for (name, value) in &part.shape.numbers {
        let whole = value.fract() == 0.0 && value.abs() < 1e9;
        let value = if whole {
            format!("{value}")
        } else {
            number(*value)
        };
        let _ = writeln!(out, "{name} = {value}");
    }
    if !part.shape.numbers.contains_key("cells")
        && let Some(cells) = cells_of(part)
    {
        let _ = writeln!(out, "cells = {cells}");
    }
    if let Some(powers) = &part.shape.powers {
        let powers: Vec<String> = powers.iter().map(u32::to_string).collect();
        let _ = writeln!(out, "powers = [{}]", powers.join(", "));
    }

    let spec = part.element.spec();
    let values = &model.values()[part.params.clone()];
    let given = &given[part.params.clone()];
    let mut at = part.own_params().start - part.params.start;
    while at < spec.params.len() {
        let param = &spec.params[at];
        let range = spec.range_of(param.base());
        let first = part.params.start;
        let follows = |i: usize| model.following().iter().find(|f| f.param == first + i);
        if !given[at] {
            // To be found.
        } else if range.clone().any(|i| follows(i).is_some()) {
            let entry = |i: usize| follows(i).map_or_else(|| number(values[i]), following);
            let text = if param.name == param.base() {
                entry(at)
            } else {
                format!(
                    "[{}]",
                    range.clone().map(entry).collect::<Vec<_>>().join(", ")
                )
            };
            let _ = writeln!(out, "{} = {text}", param.base());
        } else if param.name == param.base() {
            scalar(out, param, values[at], model.motion());
        } else {
            let unit = unit_for(&param.unit, model.motion());
            let _ = writeln!(
                out,
                "{} = {}  # {unit}",
                param.base(),
                list(&values[range.clone()])
            );
        }
        at = range.end.max(at + 1);
    }
}

/// The number of cells an element took by default, so that the file does not depend on the default.
fn cells_of(part: &Part) -> Option<usize> {
    let kind = registry::find(&part.kind).ok()?;
    kind.options.iter().find(|(name, _)| *name == "cells")?;
    let spec = part.element.spec();
    // One state per cell, perhaps one more for the chain as a whole.
    let candidates = [spec.states.len(), spec.states.len().saturating_sub(1)];
    candidates.into_iter().find(|&cells| {
        let mut shape = part.shape.clone();
        shape.numbers.insert("cells".to_owned(), cells as f64);
        (kind.build)(&shape).is_ok_and(|same| same.spec() == spec)
    })
}

fn scalar(out: &mut String, param: &Param, value: f64, motion: MotionKind) {
    let unit = unit_for(&param.unit, motion);
    let line = format!("{} = {}", param.name, number(value));
    if unit == "1" {
        let _ = writeln!(out, "{line}");
    } else {
        let _ = writeln!(out, "{line:<28}# {unit}");
    }
}

fn system(out: &mut String, masses: &Masses, values: &[f64], given: &[bool]) {
    let _ = writeln!(out, "\n[system]\ntype = {}", quoted(masses.name()));
    let blocks = [
        ("m", masses.m()),
        ("c", masses.c()),
        ("k", masses.k()),
        ("x0", masses.x0()),
        ("v0", masses.v0()),
    ];
    for (name, range) in blocks {
        if range.clone().any(|i| !given[i]) {
            continue;
        }
        let values = &values[range];
        if masses.name() == "oscillator" {
            let _ = writeln!(out, "{name} = {}", number(values[0]));
        } else if values.len() == masses.dofs() && name.ends_with('0') {
            let _ = writeln!(out, "{name} = {}", list(values));
        } else {
            let _ = writeln!(out, "{name} = [");
            for row in values.chunks(masses.dofs()) {
                let _ = writeln!(out, "  {},", list(row));
            }
            out.push_str("]\n");
        }
    }
}

fn list(values: &[f64]) -> String {
    let numbers: Vec<String> = values.iter().map(|&v| number(v)).collect();
    if numbers.len() <= 10 {
        return format!("[{}]", numbers.join(", "));
    }
    let rows: Vec<String> = numbers.chunks(10).map(|row| row.join(", ")).collect();
    format!("[\n  {},\n]", rows.join(",\n  "))
}

/// The shortest text that reads back to the same bits.
fn number(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        return format!("{value:?}");
    }
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => {
            format!("{mantissa}.0e{exponent}")
        }
        _ => text,
    }
}

/// A key, quoted where TOML wants it.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A TOML string on one line.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        for (value, text) in [
            (2e5, "2.0e5"),
            (0.075, "0.075"),
            (25.18, "25.18"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (5e-6, "5.0e-6"),
            (1.5e-300, "1.5e-300"),
        ] {
            assert_eq!(number(value), text);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }
}
