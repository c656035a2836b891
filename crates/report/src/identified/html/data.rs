//! What was noticed about the data, and what was assumed.

use crate::text::gathered;
use crate::{Block, Note, Section};
use masing_diagnostic::Units;
use masing_identify::Identified;

/// The section.
pub fn section(found: &Identified) -> Section {
    let data = &found.data;
    let units = Units::of_rotation(found.names().rotation());
    let mut blocks = Vec::new();
    if data.diagnostics.is_empty() {
        let text = "Nothing wrong was found in the data.".to_owned();
        blocks.push(Block::Text(text));
    } else {
        let notes = data.diagnostics.iter().map(|one| Note {
            text: one.message(units),
            advice: one.advice().map(|advice| advice.line(units)),
        });
        blocks.push(Block::Notes(notes.collect()));
    }
    if !data.assumptions.is_empty() {
        blocks.push(Block::Heading("How the files were read".to_owned()));
        blocks.push(Block::Listing(gathered(&data.assumptions)));
    }
    Section::new("Data", blocks)
}
