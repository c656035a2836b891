//! Tables of a TOML document with positions, so that every complaint names its line.

use super::error::{FileError, Problem};
use crate::spec::{MotionKind, Param};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file and where it came from.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl Source<'_> {
    /// The line, from 1, of a position in the text.
    pub fn line(&self, at: usize) -> usize {
        let breaks = self.text.match_indices('\n');
        1 + breaks.take_while(|(position, _)| *position < at).count()
    }

    /// A problem with the file as a whole.
    pub fn error(&self, problem: impl Into<Problem>) -> FileError {
        FileError {
            path: PathBuf::from(self.path),
            line: None,
            excerpt: None,
            problem: Box::new(problem.into()),
        }
    }

    /// A problem at a position in the text.
    pub fn error_at(&self, at: usize, problem: impl Into<Problem>) -> FileError {
        let line = self.line(at);
        let text = self.text.lines().nth(line - 1).unwrap_or_default();
        FileError {
            line: Some(line),
            excerpt: Some(shortened(text.trim_end(), 100)),
            ..self.error(problem)
        }
    }

    /// The text of a span, on one line and not too long.
    pub fn found(&self, span: Range<usize>) -> String {
        let text = self.text.get(span).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        shortened(&words.join(" "), 40)
    }
}

/// At most `most` characters of a text.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        text.chars().take(most - 3).chain("...".chars()).collect()
    }
}

/// A number with the position it was read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub value: f64,
    pub at: usize,
}

/// One table of the document.
#[derive(Clone)]
pub(crate) struct Table<'a> {
    pub source: &'a Source<'a>,
    /// How messages call it: `[system]`, `[[element]] rt`.
    pub name: String,
    /// Where its header stands.
    pub at: usize,
    pub entries: &'a DeTable<'a>,
}

impl<'a> Table<'a> {
    /// Keys with their positions, in file order.
    pub fn keys(&self) -> Vec<(&'a str, usize)> {
        let mut keys: Vec<(&str, usize)> = self
            .entries
            .iter()
            .map(|(key, _)| (key.get_ref().as_ref(), key.span().start))
            .collect();
        keys.sort_by_key(|(_, at)| *at);
        keys
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.entries.get(key)
    }

    /// The position of a key, or of the table if it is not there.
    pub fn key_at(&self, key: &str) -> usize {
        self.entries
            .get_key_value(key)
            .map_or(self.at, |(key, _)| key.span().start)
    }

    /// A complaint about the first key that is not among the known ones.
    pub fn refuse_unknown(&self, known: &[&str]) -> Result<(), FileError> {
        match self.keys().iter().find(|(key, _)| !known.contains(key)) {
            None => Ok(()),
            Some((key, at)) => Err(self.source.error_at(
                *at,
                Problem::UnknownKey {
                    key: (*key).to_owned(),
                    table: self.name.clone(),
                    known: known.iter().map(|&k| k.to_owned()).collect(),
                },
            )),
        }
    }

    /// A complaint about keys that are not there.
    pub fn missing(&self, keys: Vec<String>) -> FileError {
        self.source.error_at(
            self.at,
            Problem::MissingKeys {
                table: self.name.clone(),
                keys,
            },
        )
    }

    /// A complaint about the value of a key.
    pub fn wrong(
        &self,
        key: impl Into<String>,
        value: &Spanned<DeValue<'_>>,
        expected: impl Into<String>,
    ) -> FileError {
        self.source.error_at(
            value.span().start,
            Problem::WrongValue {
                key: key.into(),
                found: self.source.found(value.span()),
                expected: expected.into(),
            },
        )
    }

    /// The text of a key, if it is there.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>, FileError> {
        match self.get(key) {
            None => Ok(None),
            Some(value) => match value.get_ref() {
                DeValue::String(text) => Ok(Some(text.as_ref())),
                _ => Err(self.wrong(key, value, "text in quotes")),
            },
        }
    }

    /// The finite number in a value; `key` is how messages call it.
    pub fn number(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Number, FileError> {
        match as_f64(value.get_ref()) {
            None => Err(self.wrong(key, value, "a number")),
            Some(x) if !x.is_finite() => Err(self.wrong(key, value, "a finite number")),
            Some(x) => Ok(Number {
                value: x,
                at: value.span().start,
            }),
        }
    }

    /// The finite numbers in a list.
    pub fn numbers(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<Number>, FileError> {
        let DeValue::Array(entries) = value.get_ref() else {
            return Err(self.wrong(key, value, "a list of numbers"));
        };
        entries
            .iter()
            .enumerate()
            .map(|(i, entry)| self.number(&format!("{key}[{}]", i + 1), entry))
            .collect()
    }

    /// The table under a key, if it is there.
    pub fn table(&self, key: &str) -> Result<Option<Table<'a>>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let DeValue::Table(entries) = value.get_ref() else {
            return Err(self.wrong(key, value, format!("a table [{key}]")));
        };
        Ok(Some(Table {
            source: self.source,
            name: format!("[{key}]"),
            at: self.key_at(key),
            entries,
        }))
    }
}

impl Table<'_> {
    /// A complaint about a list of another length.
    pub fn expect_length(
        &self,
        key: &str,
        found: usize,
        expected: usize,
        at: usize,
    ) -> Result<(), FileError> {
        if found == expected {
            return Ok(());
        }
        let problem = Problem::WrongLength {
            key: key.to_owned(),
            found,
            expected,
        };
        Err(self.source.error_at(at, problem))
    }

    /// Every given value within its range; parameters go by the name `label`.`parameter`.
    pub fn check_ranges(
        &self,
        label: &str,
        motion: MotionKind,
        params: &[Param],
        values: &[Option<Number>],
    ) -> Result<(), FileError> {
        for (param, number) in params.iter().zip(values) {
            let Some(number) = number else { continue };
            let checked = param.for_motion(motion).check(number.value);
            checked.map_err(|error| self.source.error_at(number.at, error.of(label)))?;
        }
        Ok(())
    }
}

/// The number in a value, if it is one.
pub(crate) fn as_f64(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(x) => x.as_str().parse().ok(),
        DeValue::Integer(i) if i.radix() == 10 => i.as_str().parse().ok(),
        DeValue::Integer(i) => u64::from_str_radix(i.as_str(), i.radix())
            .ok()
            .map(|i| i as f64),
        _ => None,
    }
}
