//! A fit that was made, for people, for programs and for callers.

use crate::console::document;
use crate::error::AppError;
use masing_identify::Identified;
use masing_model::{Model, file};
use masing_report::identified::json::FitDocument;
use masing_report::identified::{Curve, curves, html, text};
use std::path::Path;

/// What came out.
pub struct Fitted {
    pub(super) found: Identified,
}

impl Fitted {
    /// The document that `--json` prints.
    pub fn json(&self) -> Result<String, AppError> {
        let bytes = document(&FitDocument::of(&self.found))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The model with the values found.
    pub fn model(&self) -> &Model {
        &self.found.model
    }

    /// The tests with what the model gives, those that were fitted first.
    pub fn curves(&self) -> Vec<Curve> {
        curves(&self.found)
    }

    /// Why the result is not to be trusted, where it is not.
    pub fn failure(&self) -> Option<AppError> {
        AppError::untrustworthy(&self.found)
    }

    /// The page `report.html`.
    pub fn page(&self) -> Result<String, AppError> {
        Ok(html::fit(&self.found).render()?)
    }

    /// The files of a folder of results, by name.
    pub(super) fn files(&self) -> Result<[(&'static str, Vec<u8>); 4], AppError> {
        Ok([
            ("model.toml", file::to_text(self.model()).into_bytes()),
            ("fit.json", document(&FitDocument::of(&self.found))?),
            ("report.html", self.page()?.into_bytes()),
            ("summary.csv", text::csv(&self.found).into_bytes()),
        ])
    }

    /// What is printed for people.
    pub fn text(&self, out: Option<&Path>) -> String {
        text::fit(&self.found, out)
    }
}
