//! What was noticed about the data, and what was assumed.

use crate::text::gathered;
use crate::{Block, Note, Section};
use masing_identify::result::DataNotes;

/// The section.
pub fn section(data: &DataNotes) -> Section {
    let mut blocks = Vec::new();
    if data.findings.is_empty() {
        let text = "Nothing wrong was found in the data.".to_owned();
        blocks.push(Block::Text(text));
    } else {
        let notes = data.findings.iter().map(|finding| Note {
            text: finding.message.clone(),
            advice: None,
        });
        blocks.push(Block::Notes(notes.collect()));
    }
    if !data.assumptions.is_empty() {
        blocks.push(Block::Heading("How the files were read".to_owned()));
        blocks.push(Block::Listing(gathered(&data.assumptions)));
    }
    Section::new("Data", blocks)
}
