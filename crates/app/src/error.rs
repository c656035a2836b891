//! What commands fail with, how it is told and which exit code it gives.

use masing_data::DataError;
use masing_model::{FileError, ModelError};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use thiserror::Error;

/// Everything a command can fail with.
#[derive(Debug, Error)]
pub enum AppError {
    /// An option that is wrong or does not go with the others.
    #[error("{option} {found}: expected {expected}")]
    Option {
        /// Name of the option.
        option: String,
        /// What was given.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
    /// A name that is not in the catalogue.
    #[error("unknown model `{name}`; known: {}", known.join(", "))]
    UnknownName {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// An element that cannot be built.
    #[error(transparent)]
    Build(#[from] ModelError),
    /// A model file that cannot be used.
    #[error(transparent)]
    Model(#[from] FileError),
    /// A data file or an option about it that cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A path that cannot be written to.
    #[error("cannot write {}: {reason}", path.display())]
    Unwritable {
        /// The path as given.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// Standard output that cannot be written to.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
}

impl AppError {
    /// A complaint about the text of an option.
    pub fn option(option: &str, error: &DataError) -> Self {
        match error {
            DataError::BadValue { found, expected } => Self::Option {
                option: option.to_owned(),
                found: format!("`{found}`"),
                expected: expected.clone(),
            },
            other => Self::Option {
                option: option.to_owned(),
                found: String::new(),
                expected: other.to_string(),
            },
        }
    }

    fn code(&self) -> u8 {
        match self {
            // Whoever reads has seen enough.
            Self::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            _ => 2,
        }
    }

    /// Tells what went wrong, on standard error, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        let code = self.code();
        if code != 0 {
            let terminal = io::stderr().is_terminal();
            let plain = !terminal || std::env::var_os("NO_COLOR").is_some();
            let theme = match (terminal, plain) {
                (true, false) => GraphicalTheme::unicode(),
                (true, true) => GraphicalTheme::unicode_nocolor(),
                _ => GraphicalTheme::none(),
            };
            let mut text = String::new();
            let handler = GraphicalReportHandler::new_themed(theme)
                .with_links(false)
                .without_cause_chain()
                .with_wrap_lines(terminal);
            if handler.render_report(&mut text, &Told(self)).is_err() {
                text = self.to_string();
            }
            // There is nowhere left to complain about a closed standard error.
            let _ = writeln!(io::stderr(), "{}", text.trim_end());
        }
        ExitCode::from(code)
    }
}

/// An error as it is presented: message, line of the file, hint.
#[derive(Debug)]
struct Told<'a>(&'a AppError);

impl std::fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "error: {}", self.0)
    }
}

impl std::error::Error for Told<'_> {}

impl Diagnostic for Told<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        match self.0 {
            AppError::UnknownName {
                nearest: Some(name),
                ..
            } => Some(Box::new(format!("did you mean `{name}`?"))),
            _ => None,
        }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        match self.0 {
            AppError::Model(error) if error.excerpt.is_some() => Some(self),
            _ => None,
        }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let AppError::Model(error) = self.0 else {
            return None;
        };
        let line = error.excerpt.as_ref()?;
        let indent = line.len() - line.trim_start().len();
        let span = LabeledSpan::underline(indent..line.len());
        Some(Box::new(std::iter::once(span)))
    }
}

/// The one line of the file that the error is about, with its number.
impl SourceCode for Told<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let AppError::Model(error) = self.0 else {
            return Err(MietteError::OutOfBounds);
        };
        let (Some(text), Some(line)) = (&error.excerpt, error.line) else {
            return Err(MietteError::OutOfBounds);
        };
        if span.offset() + span.len() > text.len() {
            return Err(MietteError::OutOfBounds);
        }
        Ok(Box::new(MietteSpanContents::new_named(
            error.path.display().to_string(),
            text.as_bytes(),
            (0, text.len()).into(),
            line - 1,
            0,
            1,
        )))
    }
}
