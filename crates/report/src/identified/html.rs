//! `report.html`: a result for people who read it on a screen, a phone or paper.

mod conditions;
mod covered;
pub mod data;
pub mod errors;
mod expert;
pub mod parameters;
pub mod provenance;
mod stiffness;
pub mod test;
pub mod verdict;

use crate::{Page, Section, compare};
use masing_identify::Identified;

/// The page of a fit.
pub fn fit(found: &Identified) -> Page {
    let parameters = Section::new("Parameters", parameters::blocks(found, true));
    page(found, "fit", Some(parameters), Some(expert::section(found)))
}

/// The page of a model beside tests that it has not seen.
pub fn validate(found: &Identified) -> Page {
    page(found, "validate", None, None)
}

/// Verdict and tests, with what only some have.
fn page(
    found: &Identified,
    command: &str,
    parameters: Option<Section>,
    expert: Option<Section>,
) -> Page {
    let mut sections = vec![verdict::section(found, "")];
    sections.extend(parameters);
    sections.extend(conditions::section(found));
    if let Some(compared) = &found.compared {
        sections.extend(compare::html::sections(compared, found.model.motion()));
    }
    sections.push(errors::section(found));
    sections.extend(tests(found));
    if found.model.following().is_empty() {
        // At one level a picture would hold for nothing else.
        sections.extend(stiffness::section(found));
    }
    sections.extend(ending(found));
    sections.extend(expert);
    Page {
        title: verdict::title(found),
        subtitle: verdict::subtitle(found),
        sections,
        footer: footer(command),
    }
}

/// A section for every test.
pub fn tests(found: &Identified) -> Vec<Section> {
    let names = found.names();
    let points = test::points(found.comparisons.len());
    let each = found.comparisons.iter();
    each.map(|test| test::section(test, &names, points))
        .collect()
}

/// What was noticed about the data, and what was run.
pub fn ending(found: &Identified) -> [Section; 2] {
    [
        data::section(found),
        provenance::section(&found.provenance, &found.model),
    ]
}

/// The last line of a page.
pub fn footer(command: &str) -> String {
    format!("Made by masing {} {command}.", env!("CARGO_PKG_VERSION"))
}
