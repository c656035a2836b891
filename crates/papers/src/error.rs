//! What a reproduction can fail with.

use masing_data::DataError;
use masing_identify::FitError;
use masing_model::ModelError;
use masing_sim::SimError;
use masing_stages::StagesError;
use masing_terms::TermsError;

/// What a reproduction can fail with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PapersError {
    /// A law that cannot be built.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A run that failed.
    #[error(transparent)]
    Simulation(#[from] SimError),
    /// A fit that failed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A search for terms that failed.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// An analysis of stages that failed.
    #[error(transparent)]
    Stages(#[from] StagesError),
    /// A record that cannot be used.
    #[error(transparent)]
    Data(Box<DataError>),
    /// The records of a paper are not part of the project, and none was given.
    #[error("`{paper}` needs a training record; it is not part of the project")]
    NoRecord {
        /// The paper.
        paper: &'static str,
    },
    /// No table or figure of that name.
    #[error("no part `{part}` in `{paper}`; known: {}", known.join(", "))]
    UnknownPart {
        /// The paper.
        paper: &'static str,
        /// What was asked for.
        part: String,
        /// What there is.
        known: Vec<&'static str>,
    },
}

impl From<DataError> for PapersError {
    fn from(error: DataError) -> Self {
        Self::Data(Box::new(error))
    }
}
