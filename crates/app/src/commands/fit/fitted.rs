//! A fit that was made, for people, for programs and for callers.

use super::document::Document;
use super::report::{self, Provenance, Report};
use super::summary;
use crate::error::AppError;
use masing_diagnostic::Diagnostic;
use masing_identify::Fit;
use masing_model::{Model, file};
use std::path::Path;

/// What came out, and what is needed to tell it.
pub struct Fitted {
    pub(super) document: Document,
    pub(super) fit: Fit,
    pub(super) model: Model,
    pub(super) findings: Vec<Diagnostic>,
    pub(super) assumptions: Vec<String>,
    pub(super) provenance: Provenance,
}

impl Fitted {
    /// The document that `--json` prints.
    pub fn json(&self) -> Result<String, AppError> {
        let bytes = self.document.to_json()?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The model with the values found.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The fit itself.
    pub(super) fn fit(&self) -> &Fit {
        &self.fit
    }

    /// Why the result is not to be trusted, where it is not.
    pub fn failure(&self) -> Option<AppError> {
        let stop = &self.document.stop;
        (!self.document.converged).then(|| AppError::NotConverged { stop: stop.clone() })
    }

    /// The page `report.html`.
    pub fn page(&self) -> Result<String, AppError> {
        let report = Report {
            document: &self.document,
            fit: &self.fit,
            model: &self.model,
            findings: &self.findings,
            assumptions: &self.assumptions,
            provenance: &self.provenance,
        };
        Ok(report::page(&report).render()?)
    }

    /// The files of a folder of results, by name.
    pub(super) fn files(&self) -> Result<[(&'static str, Vec<u8>); 4], AppError> {
        Ok([
            ("model.toml", file::to_text(&self.model).into_bytes()),
            ("fit.json", self.document.to_json()?),
            ("report.html", self.page()?.into_bytes()),
            ("summary.csv", summary::csv(&self.document).into_bytes()),
        ])
    }

    /// What is printed for people.
    pub fn text(&self, out: Option<&Path>) -> String {
        summary::text(&self.document, &self.assumptions, out)
    }
}
