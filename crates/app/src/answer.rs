//! Requests of programs: JSON in, documents out.

use crate::console::{Console, Kept};
use crate::error::AppError;
use crate::request::{
    CompareRequest, ExportRequest, HarmonicRequest, InitRequest, InspectRequest, ModelsRequest,
    SimulateRequest, StagesRequest, TermsRequest, ValidateRequest,
};
use serde::de::DeserializeOwned;

/// What a request is answered with.
#[derive(Debug)]
pub struct Answer {
    /// The document that `--json` prints.
    pub json: String,
    /// Why the result is not to be trusted, where it is not.
    pub failure: Option<AppError>,
}

/// A request from its JSON.
pub fn from_json<T: DeserializeOwned>(json: &str) -> Result<T, AppError> {
    serde_json::from_str(json).map_err(|error| {
        let text = error.to_string();
        // Where in a line that nobody wrote does not help.
        let text = text.split(" at line ").next().unwrap_or(&text);
        AppError::Said(text.to_owned())
    })
}

/// Runs what answers requests, and keeps the document. A result that came out but is not to be trusted is an answer, with
/// its failure.
fn kept(run: impl FnOnce(Console) -> Result<(), AppError>) -> Result<Answer, AppError> {
    let kept = Kept::default();
    let done = run(Console::keeping(&kept));
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

macro_rules! answers {
    ($($request:ident),*) => {
        $(impl $request {
            /// Runs the request and keeps the document.
            pub fn answer(self) -> Result<Answer, AppError> {
                kept(|console| self.run(console))
            }
        })*
    };
}

answers!(
    CompareRequest,
    ExportRequest,
    HarmonicRequest,
    InitRequest,
    InspectRequest,
    ModelsRequest,
    SimulateRequest,
    StagesRequest,
    TermsRequest,
    ValidateRequest
);
