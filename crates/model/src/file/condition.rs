//! `[conditions]`, and parameters that follow them.

use super::error::FileError;
use super::table::{Number, Table};
use crate::condition::{self, Condition, Following, Form, Levels};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::DeValue;

/// The conditions of a file, and the parameters that were found to follow them, by their position in the text.
pub(super) struct Followed {
    conditions: Vec<Condition>,
    middle: Levels,
    found: BTreeMap<usize, Following>,
}

impl Followed {
    /// Reads `[conditions]`.
    pub fn read(root: &Table<'_>) -> Result<Self, FileError> {
        let mut conditions = Vec::new();
        if let Some(all) = root.table("conditions")? {
            for (name, at) in all.keys() {
                let Some(mut table) = all.table(name)? else {
                    continue;
                };
                table.name = format!("[conditions.{name}]");
                table.at = at;
                conditions.push(condition_of(name, &table)?);
            }
            condition::check(&conditions).map_err(|error| root.source.error_at(all.at, error))?;
        }
        let middle = conditions.iter().map(|c| (c.name.clone(), c.middle()));
        Ok(Self {
            middle: middle.collect(),
            conditions,
            found: BTreeMap::new(),
        })
    }

    /// The number of a parameter; of one that follows conditions its value in the middle of their ranges.
    pub fn number(
        &mut self,
        table: &Table<'_>,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Number, FileError> {
        let DeValue::Table(entries) = value.get_ref() else {
            return table.number(key, value);
        };
        let at = value.span().start;
        let own = Table {
            source: table.source,
            name: format!("`{key}` of {}", table.name),
            at,
            entries,
        };
        let following = following_of(&own)?;
        let refuse = |error| table.source.error_at(at, error);
        following.check(key, &self.conditions).map_err(refuse)?;
        let (value, _) = following.value(&self.middle).map_err(refuse)?;
        self.found.insert(at, following);
        Ok(Number { value, at })
    }

    /// The numbers of a list, each of which may follow conditions.
    pub fn numbers(
        &mut self,
        table: &Table<'_>,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<Number>, FileError> {
        let DeValue::Array(entries) = value.get_ref() else {
            return table.numbers(key, value);
        };
        let each = entries.iter().enumerate();
        each.map(|(i, entry)| self.number(table, &format!("{key}[{}]", i + 1), entry))
            .collect()
    }

    /// Conditions, and what follows them, by their places among the values.
    pub fn placed(mut self, values: &[Option<Number>]) -> (Vec<Condition>, Vec<Following>) {
        let each = values.iter().enumerate();
        let placed = each.filter_map(|(param, number)| {
            let own = self.found.remove(&number.as_ref()?.at)?;
            Some(Following { param, ..own })
        });
        (self.conditions.clone(), placed.collect())
    }
}

fn condition_of(name: &str, table: &Table<'_>) -> Result<Condition, FileError> {
    table.refuse_unknown(&["unit", "range"])?;
    let Some(value) = table.get("range") else {
        return Err(table.missing(vec!["range".to_owned()]));
    };
    let numbers = table.numbers("range", value)?;
    let [low, high] = numbers.as_slice() else {
        return Err(table.wrong("range", value, "two numbers [lowest, highest]"));
    };
    Ok(Condition {
        name: name.to_owned(),
        unit: table.text("unit")?.unwrap_or("1").to_owned(),
        range: [low.value, high.value],
    })
}

/// `{ of = "current", form = "exp-quadratic", coefficients = [...] }`; `of`, `form` and `knots` are lists for two
/// conditions.
fn following_of(table: &Table<'_>) -> Result<Following, FileError> {
    table.refuse_unknown(&["of", "form", "coefficients", "knots"])?;
    let required = ["of", "form", "coefficients"];
    let missing: Vec<String> = required
        .into_iter()
        .filter(|key| table.get(key).is_none())
        .map(str::to_owned)
        .collect();
    let (Some(of), Some(form), Some(coefficients)) = (
        table.get("of"),
        table.get("form"),
        table.get("coefficients"),
    ) else {
        return Err(table.missing(missing));
    };
    let names = texts(table, "of", of)?;
    let forms = texts(table, "form", form)?;
    if names.len() != forms.len() {
        let expected = "one form for every condition";
        return Err(table.wrong("form", form, expected));
    }
    let mut knots = knots_of(table, names.len())?.into_iter();
    let mut pairs = Vec::new();
    for (name, form_name) in names.into_iter().zip(forms) {
        let named = Form::named(form_name);
        let mut named = named.map_err(|e| table.source.error_at(form.span().start, e))?;
        let own = knots.next().unwrap_or_default();
        match &mut named {
            Form::Piecewise(knots) => *knots = own,
            _ if own.is_empty() => {}
            _ => {
                let value = table.get("knots").unwrap_or(form);
                return Err(table.wrong("knots", value, "knots only for the form piecewise"));
            }
        }
        pairs.push((name.to_owned(), named));
    }
    let coefficients = table.numbers("coefficients", coefficients)?;
    Ok(Following {
        param: 0,
        of: pairs,
        coefficients: coefficients.iter().map(|n| n.value).collect(),
    })
}

/// A text, or a list of texts.
fn texts<'a>(
    table: &Table<'_>,
    key: &str,
    value: &'a Spanned<DeValue<'a>>,
) -> Result<Vec<&'a str>, FileError> {
    let text = |value: &'a Spanned<DeValue<'a>>| match value.get_ref() {
        DeValue::String(text) => Ok(text.as_ref()),
        _ => Err(table.wrong(key, value, "text in quotes")),
    };
    match value.get_ref() {
        DeValue::Array(entries) => entries.iter().map(text).collect(),
        _ => Ok(vec![text(value)?]),
    }
}

/// The knots of every form; empty where none are given.
fn knots_of(table: &Table<'_>, forms: usize) -> Result<Vec<Vec<f64>>, FileError> {
    let Some(value) = table.get("knots") else {
        return Ok(Vec::new());
    };
    let list = |value: &Spanned<DeValue<'_>>| -> Result<Vec<f64>, FileError> {
        let numbers = table.numbers("knots", value)?;
        Ok(numbers.iter().map(|n| n.value).collect())
    };
    match value.get_ref() {
        DeValue::Array(entries) if forms > 1 => entries.iter().map(list).collect(),
        _ => Ok(vec![list(value)?]),
    }
}
