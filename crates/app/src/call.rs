//! A command called by a program instead of typed.

use crate::cli::Cli;
use crate::commands::fit::Fitted;
use crate::console::{Console, Kept};
use crate::error::AppError;
use crate::given::{Given, GivenTest};
use clap::{ArgAction, CommandFactory as _, Parser as _};
use std::sync::Arc;

/// A command with its arguments.
#[derive(Debug)]
pub struct Call {
    cli: Cli,
}

/// What a command answers.
#[derive(Debug)]
pub struct Answer {
    /// The document that `--json` prints.
    pub json: String,
    /// Why the result is not to be trusted, where it is not.
    pub failure: Option<AppError>,
}

impl Call {
    /// A command by its name, with its files and its options, which are called as on the command line but without
    /// dashes. A file may be a word that stands for one of the tests.
    pub fn new(
        command: &str,
        files: &[String],
        options: &[(String, Vec<String>)],
        tests: &[(String, GivenTest)],
    ) -> Result<Self, AppError> {
        let words = words(command, files, options);
        let mut cli = Cli::try_parse_from(&words).map_err(|error| AppError::usage(&error))?;
        let given = Arc::new(Given::new(words, tests)?);
        if let Some(reading) = cli.reading() {
            reading.given = given;
        }
        Ok(Self { cli })
    }

    /// Runs the command. A result that came out but is not to be trusted is an answer, with its failure.
    pub fn answer(self) -> Result<Answer, AppError> {
        let kept = Kept::default();
        let done = self.cli.run_on(Console::keeping(&kept));
        match (done, kept.take()) {
            (Ok(()), json) => Ok(Answer {
                json: json.unwrap_or_default(),
                failure: None,
            }),
            (Err(failure), Some(json)) if !failure.is_input() => Ok(Answer {
                json,
                failure: Some(failure),
            }),
            (Err(error), _) => Err(error),
        }
    }

    /// Runs a fit and keeps all of it. `watch` sees the unknowns, the error so far and the evaluations spent, and
    /// ends the search with the best so far by returning true.
    pub fn fit(
        &self,
        watch: &(dyn Fn(&[f64], f64, usize) -> bool + Sync),
    ) -> Result<Fitted, AppError> {
        self.cli.fit()?.prepare()?.search(watch)
    }
}

/// The words that one would type.
fn words(command: &str, files: &[String], options: &[(String, Vec<String>)]) -> Vec<String> {
    let known = Cli::command();
    let own = known.find_subcommand(command);
    let mut words = vec!["masing".to_owned(), command.to_owned()];
    for (name, values) in options {
        let name = name.replace('_', "-");
        let mut arguments = own.into_iter().flat_map(clap::Command::get_arguments);
        let argument = arguments.find(|a| a.get_long() == Some(name.as_str()));
        match argument.map(clap::Arg::get_action) {
            Some(ArgAction::SetTrue) if *values == ["true"] => words.push(format!("--{name}")),
            Some(ArgAction::Append) => {
                words.extend(values.iter().map(|value| format!("--{name}={value}")));
            }
            _ => words.push(format!("--{name}={}", values.join(","))),
        }
    }
    if files.iter().any(|file| file.starts_with('-')) {
        words.push("--".to_owned());
    }
    words.extend(files.iter().cloned());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_one_would_type() {
        let options = [
            ("no_scan", vec!["true"]),
            ("fix", vec!["rt.alpha=0.1", "rt.kr=2"]),
            ("seed", vec!["3"]),
            ("window", vec!["0.5", "2"]),
        ];
        let options = options.map(|(name, values)| {
            let values = values.into_iter().map(str::to_owned);
            (name.to_owned(), values.collect())
        });
        assert_eq!(
            words("fit", &["-a.csv".to_owned()], &options).join(" "),
            "masing fit --no-scan --fix=rt.alpha=0.1 --fix=rt.kr=2 --seed=3 --window=0.5,2 -- -a.csv"
        );
    }

    #[test]
    fn what_cannot_be_typed_is_refused_in_the_same_words() {
        let options = [("modle".to_owned(), vec!["rt".to_owned()])];
        let error = Call::new("fit", &["a.csv".to_owned()], &options, &[]).unwrap_err();
        assert!(error.is_input());
        assert!(error.text().starts_with("unexpected argument '--modle'"));
    }
}
