//! What goes to standard output.

use crate::error::AppError;
use serde::Serialize;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "cli")]
pub use indicatif::ProgressBar;
#[cfg(not(feature = "cli"))]
pub use silent::ProgressBar;

/// How much is printed, and in which form.
#[derive(Clone, Copy, Debug)]
pub struct Console<'a> {
    /// One JSON document instead of text.
    pub json: bool,
    /// Nothing but errors.
    pub quiet: bool,
    /// Where the document goes instead of to standard output.
    kept: Option<&'a Kept>,
}

/// A document that a program has asked for.
#[derive(Debug, Default)]
pub struct Kept(Mutex<Option<String>>);

impl Kept {
    /// The document, if there is one.
    pub fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<'a> Console<'a> {
    /// Standard output.
    pub fn new(json: bool, quiet: bool) -> Self {
        Self {
            json,
            quiet,
            kept: None,
        }
    }

    /// Nothing is printed; the document is kept.
    pub fn keeping(kept: &'a Kept) -> Self {
        Self {
            json: true,
            quiet: true,
            kept: Some(kept),
        }
    }

    /// Prints the result in the form asked for: `document` as JSON, or the text that `text` makes.
    pub fn show(
        self,
        document: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), AppError> {
        if self.json {
            let json = self::document(document)?;
            if let Some(kept) = self.kept {
                let json = String::from_utf8_lossy(&json).into_owned();
                *kept.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(json);
                return Ok(());
            }
            write_out(&json)
        } else if self.quiet {
            Ok(())
        } else {
            let mut text = text();
            if !text.ends_with('\n') {
                text.push('\n');
            }
            write_out(text.as_bytes())
        }
    }
}

#[cfg(feature = "cli")]
impl Console<'_> {
    /// Shows that work goes on, on a terminal only.
    pub fn spinner(self, message: String) -> ProgressBar {
        let bar = self.bar(ProgressBar::new_spinner());
        bar.set_message(message);
        bar.enable_steady_tick(std::time::Duration::from_millis(100));
        bar
    }

    /// Shows how much of the work is done, on a terminal only.
    pub fn progress(self, steps: usize, message: &'static str) -> ProgressBar {
        let bar = self.bar(ProgressBar::new(steps as u64));
        let style = indicatif::ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()));
        bar.set_message(message);
        bar
    }

    /// Bars are drawn on standard error, which indicatif leaves alone unless it is a terminal.
    fn bar(self, bar: ProgressBar) -> ProgressBar {
        if self.json || self.quiet {
            bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
        }
        bar
    }
}

#[cfg(not(feature = "cli"))]
impl Console<'_> {
    /// Nothing is shown.
    pub fn spinner(self, _: String) -> ProgressBar {
        ProgressBar
    }

    /// Nothing is shown.
    pub fn progress(self, _: usize, _: &'static str) -> ProgressBar {
        ProgressBar
    }
}

/// Progress that nobody sees.
#[cfg(not(feature = "cli"))]
mod silent {
    use std::borrow::Cow;

    pub struct ProgressBar;

    impl ProgressBar {
        pub fn set_message(&self, _: impl Into<Cow<'static, str>>) {}
        pub fn inc(&self, _: u64) {}
        pub fn finish_and_clear(&self) {}
    }
}

/// The bytes of a document.
pub fn document(document: &impl Serialize) -> Result<Vec<u8>, AppError> {
    masing_report::json::bytes(document).map_err(|error| AppError::Stdout(error.into()))
}

/// Writes bytes to standard output; a reader that has gone away is an [`AppError::Stdout`].
pub fn write_out(bytes: &[u8]) -> Result<(), AppError> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(AppError::Stdout)
}
