//! `report.html`: the result of a fit for people who read it on a screen, a phone or paper.

mod covered;
pub mod errors;
mod expert;
pub mod parameters;
pub mod provenance;
mod stiffness;
pub mod test;
mod verdict;
pub mod view;

pub use provenance::Provenance;

use super::document::Document;
use crate::names::Names;
use crate::targets::gathered;
use masing_diagnostic::{Diagnostic, Units};
use masing_identify::Fit;
use masing_model::Model;
use masing_report::{Block, Note, Page, Section};
use view::View;

/// What the page is made from.
pub struct Report<'a> {
    /// The result for programs.
    pub document: &'a Document,
    /// The fit itself.
    pub fit: &'a Fit,
    /// The model with the values found; says which part was tested.
    pub model: &'a Model,
    /// What was noticed about the data.
    pub findings: &'a [Diagnostic],
    /// What was assumed while the data were read, a line each.
    pub assumptions: &'a [String],
    /// What was run, on which files.
    pub provenance: &'a Provenance,
}

/// The whole page.
pub fn page(report: &Report<'_>) -> Page {
    let names = Names::of(report.model.motion());
    let view = View::of(report.fit, &names);
    let mut sections = vec![
        verdict::section(report, &view),
        parameters::section(report, &view),
        errors::section(&view, &names),
    ];
    let points = test::points(view.tests.len());
    sections.extend(view.tests.iter().map(|t| test::section(t, &names, points)));
    sections.extend(stiffness::section(report.model, &view, &names));
    sections.push(data(
        report.findings,
        Units::of_rotation(report.document.rotation),
        report.assumptions,
    ));
    sections.push(provenance::section(report.provenance, report.model));
    sections.push(expert::section(report, &view, &names));
    Page {
        title: verdict::title(report),
        subtitle: verdict::subtitle(report, &view),
        sections,
        footer: format!("Made by masing {} fit.", env!("CARGO_PKG_VERSION")),
    }
}

/// What was noticed about the data, and what was assumed.
pub fn data(findings: &[Diagnostic], units: Units, assumptions: &[String]) -> Section {
    let mut blocks = Vec::new();
    if findings.is_empty() {
        let text = "Nothing wrong was found in the data.".to_owned();
        blocks.push(Block::Text(text));
    } else {
        blocks.push(Block::Notes(
            findings
                .iter()
                .map(|finding| Note {
                    text: finding.message(units),
                    advice: finding.advice().map(|advice| advice.line(units)),
                })
                .collect(),
        ));
    }
    if !assumptions.is_empty() {
        blocks.push(Block::Heading("How the files were read".to_owned()));
        blocks.push(Block::Listing(gathered(assumptions)));
    }
    Section::new("Data", blocks)
}
