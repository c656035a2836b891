//! What was noticed about the data, as a code for programs and words for people.

use serde::Serialize;

/// Something a user should know before trusting the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Stable code, kebab-case: `offset`, `wrong-way`, `gap`, ...
    pub code: &'static str,
    /// One sentence in plain words.
    pub message: String,
}

impl Finding {
    /// A finding from its parts.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Finding {
            code,
            message: message.into(),
        }
    }
}
