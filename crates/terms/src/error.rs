//! Why terms cannot be found.

use masing_model::ModelError;
use thiserror::Error;

/// Why a search for terms failed.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum TermsError {
    /// No test.
    #[error("no test to find terms from")]
    NoTests,
    /// Channels of different length.
    #[error("test `{test}`: {found} values of {channel}, expected {expected}")]
    Length {
        /// The test.
        test: String,
        /// The channel.
        channel: &'static str,
        /// Its length.
        found: usize,
        /// The length of the time.
        expected: usize,
    },
    /// Too short to be smoothed.
    #[error("test `{test}` has {samples} samples, expected at least {least}")]
    TooShort {
        /// The test.
        test: String,
        /// Its samples.
        samples: usize,
        /// How many are needed.
        least: usize,
    },
    /// The motion never turns, so that loading and unloading cannot be told apart.
    #[error(
        "test `{test}`: the displacement turns {turns} times, expected at least {least}; loading and unloading cannot be told apart. Give a record of some full cycles"
    )]
    NoReversal {
        /// The test.
        test: String,
        /// Turns found.
        turns: usize,
        /// Turns needed.
        least: usize,
    },
    /// Fewer rows than columns.
    #[error(
        "{samples} samples after the first turn cannot determine {candidates} candidate terms, expected more samples than candidates. Give longer records or fewer candidates (--terms)"
    )]
    TooFewSamples {
        /// Samples that count.
        samples: usize,
        /// Candidates.
        candidates: usize,
    },
    /// A column that is zero everywhere.
    #[error(
        "candidate `{term}` is zero in every sample, so that its coefficient means nothing. Leave it out (--terms)"
    )]
    ZeroColumn {
        /// The term.
        term: String,
    },
    /// A column with a value that is not a number.
    #[error(
        "candidate `{term}` has a value that is not finite (sample {sample} of the rows that count)"
    )]
    NotFinite {
        /// The term.
        term: String,
        /// Where.
        sample: usize,
    },
    /// The force is zero everywhere.
    #[error("the force is zero in every sample that counts")]
    NoForce,
    /// The preload cannot be found from the data.
    #[error(
        "the preload is not given as a displacement and these tests do not determine it ({why}); expected --preload, such as --preload 2.2mm, or --preload 0mm for a part without preload"
    )]
    NoPreload {
        /// What was seen.
        why: String,
    },
    /// A term whose name is not known.
    #[error(
        "unknown term `{name}`; expected k1 to k31 (powers of the displacement), c1 to c31 (powers of the velocity), one, sgn, products such as x^2*v or x*|v|, or the name of a column that every file has"
    )]
    UnknownTerm {
        /// What was asked for.
        name: String,
    },
    /// Neither a term nor a slider explains more of the force than chance would.
    #[error(
        "the data support none of the candidates: the force has nothing to do with the motion. Is the right column read as force?"
    )]
    NothingSupported,
    /// An estimate is not a valid parameter of an element; the likeliest cause is a wrongly assumed unit.
    #[error("what was found cannot be a model: {0}")]
    Model(#[from] ModelError),
    /// No candidate is left.
    #[error("no candidate term is left to choose from")]
    NoCandidates,
}
