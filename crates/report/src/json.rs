//! Pieces of the documents for programs.

use masing_data::Finding;
use masing_diagnostic::{Diagnostic, Units};
use masing_identify::Warning;
use serde::{Serialize, Serializer};

/// Entries by name, in their own order.
pub struct Named<T>(pub Vec<(String, T)>);

impl<T> Named<T> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, entry)| (name, entry)))
    }
}

/// What the user should know: a code for programs and words for people.
#[derive(Serialize)]
pub struct Remark {
    /// The code.
    pub code: &'static str,
    /// The words.
    pub message: String,
}

impl Remark {
    /// A finding of the data.
    pub fn of(finding: &Finding) -> Self {
        Self {
            code: finding.code,
            message: finding.message.clone(),
        }
    }

    /// A diagnostic, in the words of the motion.
    pub fn told(diagnostic: &Diagnostic, units: Units) -> Self {
        Self {
            code: diagnostic.code().as_str(),
            message: diagnostic.text(units),
        }
    }

    /// What is said about a result.
    pub fn of_warning(warning: &Warning) -> Self {
        Self {
            code: warning.code,
            message: warning.message.clone(),
        }
    }
}

/// The bytes of a document.
pub fn bytes(document: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(document)?;
    bytes.push(b'\n');
    Ok(bytes)
}
