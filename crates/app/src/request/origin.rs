//! Where a request was written, so that complaints name the line.

use crate::error::AppError;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The file that a request was read from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
}

impl Origin {
    /// A complaint about a key; the first of `keys` that the file has says in which line. Keys are tables and positions
    /// in lists, from the outside in.
    pub fn complaint(&self, keys: &[&[&str]], what: impl std::fmt::Display) -> AppError {
        let at = keys.iter().find_map(|key| self.position(key));
        complaint(&self.path, &self.text, at, what.to_string())
    }

    /// Where a key stands.
    fn position(&self, key: &[&str]) -> Option<usize> {
        let parsed = DeTable::parse(&self.text).ok()?;
        let (first, rest) = key.split_first()?;
        let (name, mut value) = parsed.get_ref().get_key_value(*first)?;
        let mut at = name.span().start;
        for step in rest {
            (at, value) = inside(value, step)?;
        }
        Some(at)
    }
}

/// The entry of a table or list, and where it stands.
fn inside<'a>(
    value: &'a Spanned<DeValue<'a>>,
    step: &str,
) -> Option<(usize, &'a Spanned<DeValue<'a>>)> {
    match value.get_ref() {
        DeValue::Table(table) => {
            let (name, value) = table.get_key_value(step)?;
            Some((name.span().start, value))
        }
        DeValue::Array(list) => {
            let value = list.get(step.parse::<usize>().ok()?)?;
            Some((value.span().start, value))
        }
        _ => None,
    }
}

/// A complaint about a file, with the line of a position in its text.
pub fn complaint(path: &Path, text: &str, at: Option<usize>, what: String) -> AppError {
    let line = at.map(|at| 1 + text[..at.min(text.len())].matches('\n').count());
    let excerpt = line.and_then(|line| text.lines().nth(line - 1));
    AppError::Study {
        path: path.to_owned(),
        line,
        excerpt: excerpt.map(|text| text.trim_end().chars().take(100).collect()),
        what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_lines() {
        let origin = Origin {
            path: "s.toml".into(),
            text: "[defaults]\nweight = 2\n[[test]]\nfile = 'a'\n[[test]]\nwindow = [1, 2]\n"
                .into(),
        };
        let line = |keys: &[&[&str]]| match origin.complaint(keys, "bad") {
            AppError::Study { line, .. } => line,
            _ => None,
        };
        assert_eq!(line(&[&["test", "1", "window"]]), Some(6));
        assert_eq!(
            line(&[&["test", "1", "weight"], &["defaults", "weight"]]),
            Some(2)
        );
        assert_eq!(line(&[&["test", "7"]]), None);
        let said = origin
            .complaint(&[&["test", "0", "file"]], "bad")
            .to_string();
        assert_eq!(said, "s.toml, line 4: bad");
    }
}
