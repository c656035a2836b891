//! `report.html`: the stages for people who read them on a screen, a phone or paper.

mod expert;
mod fast;
mod motions;
mod slow;
mod torque;

use super::json::StagesDocument;
use super::text::fast::Rows;
use super::text::lead;
use super::unit_text::Words;
use crate::figures::significant;
use crate::identified::html::{ending, footer, parameters, verdict};
use crate::{Axis, Block, Page, Plot, Section, Shape, Table};
use masing_stages::{Course, QuasiStatic, Stages};

/// What the page is made from.
struct Report<'a> {
    document: &'a StagesDocument,
    found: &'a QuasiStatic,
    /// The slow record over time, where it has one.
    course: Option<&'a Course>,
    words: &'a Words,
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
pub fn page(stages: &Stages) -> Page {
    let found = &stages.identified;
    let document = StagesDocument::of(stages);
    let words = Words::of(found.model.motion());
    let report = Report {
        document: &document,
        found: &stages.slow,
        course: stages.course.as_ref(),
        words: &words,
    };
    let mut sections = vec![
        verdict::section(found, &lead(&document, &words)),
        slow::section(&report),
    ];
    if let (Some(fast), Some(document)) = (&stages.fast, &document.fast) {
        sections.extend(fast::sections(
            &report,
            document,
            &fast.motion,
            &fast.dynamics,
        ));
    }
    sections.push(Section::new("Parameters", parameters::blocks(found, false)).expert());
    sections.extend(ending(found));
    Page {
        title: "Stages of a damper".to_owned(),
        subtitle: subtitle(stages, &words),
        sections,
        footer: footer("stages"),
    }
}

/// Which records, and which inertia.
fn subtitle(stages: &Stages, words: &Words) -> String {
    let tests = stages.identified.comparisons.iter();
    let names: Vec<&str> = tests.map(|t| t.name.as_str()).collect();
    let names = names.join(", ");
    match &stages.fast {
        None => names,
        Some(fast) => {
            let inertia = significant(fast.motion.inertia, 4);
            let (what, unit) = if words.rotation {
                ("inertia", "kg m^2")
            } else {
                ("mass", "kg")
            };
            format!("{names}; {what} {inertia} {unit}")
        }
    }
}
