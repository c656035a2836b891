//! What a caller gives beside words: tests that were not typed as files, and the words themselves.

use crate::commands::fit::study;
use crate::error::AppError;
use masing_data::{Experiment, Table};
use masing_identify::test::TestSpec;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A test that comes from a program.
#[derive(Clone, Debug)]
pub struct GivenTest {
    /// What is said about it: the lines of an `[[experiment]]` of a study.
    pub said: String,
    /// Its numbers, where they are not read from the file that is named.
    pub content: Option<Table>,
}

impl GivenTest {
    /// Reads it as a file would be read.
    pub fn read(&self) -> Result<Experiment, AppError> {
        let spec = self.spec()?;
        Ok(masing_data::read(&spec.path, &spec.options)?)
    }

    /// What is said about it.
    pub(crate) fn spec(&self) -> Result<TestSpec, AppError> {
        let mut spec = study::Test::parse(&self.said)?.spec(Path::new(""))?;
        spec.options.content = self.content.clone().map(Arc::new);
        Ok(spec)
    }
}

/// Everything that a caller gave beside words.
#[derive(Debug, Default)]
pub struct Given {
    /// The command, word by word; that of this process if it was typed.
    command: Option<Vec<String>>,
    /// The tests, by the words that stand for them.
    tests: BTreeMap<PathBuf, TestSpec>,
}

impl Given {
    /// The words of a command and the tests that some of them stand for.
    pub fn new(command: Vec<String>, tests: &[(String, GivenTest)]) -> Result<Self, AppError> {
        let mut specs = BTreeMap::new();
        for (word, test) in tests {
            specs.insert(PathBuf::from(word), test.spec()?);
        }
        Ok(Self {
            command: Some(command),
            tests: specs,
        })
    }

    /// The test that a word stands for.
    pub fn test(&self, word: &Path) -> Option<&TestSpec> {
        self.tests.get(word)
    }

    /// The file that a word stands for: itself, unless it stands for a test.
    pub fn path<'a>(&'a self, word: &'a Path) -> &'a Path {
        self.test(word).map_or(word, |spec| &spec.path)
    }

    /// The command as it was typed, or as it would be.
    pub fn command(&self) -> Vec<String> {
        let Some(words) = &self.command else {
            // Only the arguments: where the program lies says something about the machine, not about the run.
            let typed = std::env::args_os().skip(1);
            let typed = typed.map(|word| word.to_string_lossy().into_owned());
            return std::iter::once("masing".to_owned()).chain(typed).collect();
        };
        let shown = |word: &String| {
            // `--validate=WORD` names a test as well as WORD does.
            let (option, word) = match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (Some(option), value),
                _ => (None, word.as_str()),
            };
            let path = self.path(Path::new(word)).display().to_string();
            match option {
                Some(option) => format!("{option}={path}"),
                None => path,
            }
        };
        words.iter().map(shown).collect()
    }
}
