//! `report.html`: the stages for people who read them on a screen, a phone or paper.

mod slow;

use super::document::Document;
use super::reading::Slow;
use super::words::Words;
use crate::targets::gathered;
use masing_export::{Block, Note, Page, Section};
use masing_identify::stages::QuasiStatic;

/// What the page is made from.
pub struct Report<'a> {
    pub document: &'a Document,
    pub slow: &'a Slow,
    pub found: &'a QuasiStatic,
    pub words: &'a Words,
}

/// The whole page.
pub fn page(report: &Report<'_>) -> Page {
    let sections = vec![verdict(report), slow::section(report), data(report)];
    Page {
        title: "Stages of a damper".to_owned(),
        subtitle: report.slow.path.display().to_string(),
        sections,
        footer: format!("Made by masing {} stages.", env!("CARGO_PKG_VERSION")),
    }
}

fn verdict(report: &Report<'_>) -> Section {
    let slow = super::summary::slow_sentence(&report.document.quasi_static, report.words);
    let good = report.found.max_deviation <= 0.05;
    let mut blocks = vec![Block::Verdict { good, text: slow }];
    if !report.document.warnings.is_empty() {
        let note = |text: &String| Note {
            text: text.clone(),
            advice: None,
        };
        let notes = report.document.warnings.iter().map(|w| note(&w.message));
        blocks.push(Block::Notes(notes.collect()));
    }
    Section::new("Result", blocks)
}

/// How the files were read.
fn data(report: &Report<'_>) -> Section {
    let text = gathered(&report.slow.assumptions);
    Section::new("Data", vec![Block::Listing(text)])
}
