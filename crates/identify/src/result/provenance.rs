//! What was run, on which files: enough to get the same numbers again.

/// The run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The command, word by word.
    pub command: Vec<String>,
    /// The model as it was named.
    pub model: String,
    /// Choices that were made, in words.
    pub options: Vec<(String, String)>,
    /// Everything that was read.
    pub files: Vec<InputFile>,
}

/// A file as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Its name as given.
    pub name: String,
    /// Its length and SHA-256; none if it could not be read again.
    pub seen: Option<(u64, String)>,
}
