//! Errors on standard error: drawn on a terminal, plain elsewhere.

use crate::error::AppError;
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// What stands in front of a message.
const MARK: &str = "error:";

/// Tells what went wrong, on standard error, and gives the exit code.
pub fn report(error: &AppError) -> ExitCode {
    let code = error.code();
    if code != 0 {
        let text = if io::stderr().is_terminal() {
            drawn(error)
        } else {
            format!("{MARK} {}", error.text())
        };
        // There is nowhere left to complain about a closed standard error.
        let _ = writeln!(io::stderr(), "{}", text.trim());
    }
    ExitCode::from(code)
}

fn drawn(error: &AppError) -> String {
    let mut theme = if std::env::var_os("NO_COLOR").is_some() {
        GraphicalTheme::unicode_nocolor()
    } else {
        GraphicalTheme::unicode()
    };
    theme.characters.error = String::from(MARK);
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .without_cause_chain();
    if handler.render_report(&mut text, &Told(error)).is_err() {
        text = error.text();
    }
    text
}

/// An error as it is drawn: message, line of the file, hint.
#[derive(Debug)]
struct Told<'a>(&'a AppError);

impl std::fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Told<'_> {}

impl Diagnostic for Told<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.0.hint().map(|hint| Box::new(hint) as Box<_>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.excerpt().map(|_| self as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, _, line) = self.0.excerpt()?;
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
        let Some((path, line, text)) = self.0.excerpt() else {
            return Err(MietteError::OutOfBounds);
        };
        if span.offset() + span.len() > text.len() {
            return Err(MietteError::OutOfBounds);
        }
        Ok(Box::new(MietteSpanContents::new_named(
            path.display().to_string(),
            text.as_bytes(),
            (0, text.len()).into(),
            line - 1,
            0,
            1,
        )))
    }
}
