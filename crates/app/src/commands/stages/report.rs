//! `report.html`: the stages for people who read them on a screen, a phone or paper.

mod expert;
mod fast;
mod motions;
mod slow;
mod torque;

use super::document::Document;
use super::summary::fast::Rows;
use super::words::Words;
use crate::targets::gathered;
use masing_report::{Axis, Block, Note, Page, Plot, Section, Shape, Table};
use masing_stages::{Course, Dynamics, Motion, QuasiStatic};

/// What the page is made from.
pub struct Report<'a> {
    pub document: &'a Document,
    pub found: &'a QuasiStatic,
    /// The slow record over time, where it has one.
    pub course: Option<&'a Course>,
    pub dynamics: Option<(&'a Motion, &'a Dynamics)>,
    pub assumptions: &'a [String],
    /// Which records, and which inertia.
    pub heading: String,
    pub words: &'a Words,
}

impl Report<'_> {
    /// Names the nodes in a plot over the angle.
    fn mark_stages(&self, plot: &mut Plot) {
        let device = &self.found.device;
        let unit = self.words.names.length.engineering().1;
        for (i, angle) in device.angles.iter().enumerate() {
            plot.mark_x(angle / unit, device.name(i));
        }
    }
}

/// An empty plot with names and units of its axes.
fn plot(
    title: impl Into<String>,
    shape: Shape,
    x: (impl Into<String>, &str),
    y: (impl Into<String>, &str),
) -> Plot {
    Plot::new(title, shape, Axis::new(x.0, x.1), Axis::new(y.0, y.1))
}

fn table((header, rows): Rows, note: Option<&str>, word_columns: Vec<usize>) -> Block {
    Block::Table(Table {
        header,
        rows,
        note: note.map(str::to_owned),
        word_columns,
        ..Table::default()
    })
}

/// The whole page.
pub fn page(report: &Report<'_>) -> Page {
    let mut sections = vec![verdict(report), slow::section(report)];
    if let (Some((motion, found)), Some(document)) = (report.dynamics, &report.document.fast) {
        sections.extend(fast::sections(report, document, motion, found));
    }
    sections.push(data(report));
    Page {
        title: "Stages of a damper".to_owned(),
        subtitle: report.heading.clone(),
        sections,
        footer: format!("Made by masing {} stages.", env!("CARGO_PKG_VERSION")),
    }
}

fn verdict(report: &Report<'_>) -> Section {
    let slow = super::summary::slow_sentence(&report.document.quasi_static, report.words);
    let fast = report.document.fast.as_ref();
    let good = report.found.max_deviation <= 0.05 && fast.is_none_or(|f| !f.beyond_noise);
    let fast = fast.map(|f| super::summary::fast::sentence(f, report.words));
    let text = [Some(slow), fast]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    let mut blocks = vec![Block::Verdict { good, text }];
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
    let text = gathered(report.assumptions);
    Section::new("Data", vec![Block::Listing(text)])
}
