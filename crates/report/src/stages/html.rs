//! `report.html`: the stages for people who read them on a screen, a phone or paper.

mod expert;
mod fast;
mod motions;
mod slow;
mod torque;

use super::json::StagesDocument;
use super::text::lead;
use crate::figures::significant;
use crate::identified::html::{ending, footer, parameters, verdict};
use crate::{Axis, Page, Plot, Section, Shape};
use masing_identify::Names;
use masing_stages::{Course, QuasiStatic, Stages};

/// What the page is made from.
struct Report<'a> {
    document: &'a StagesDocument,
    found: &'a QuasiStatic,
    /// The slow record over time, where it has one.
    course: Option<&'a Course>,
    names: &'a Names,
}

impl Report<'_> {
    /// Names the nodes in a plot over the angle.
    fn mark_stages(&self, plot: &mut Plot) {
        let device = &self.found.device;
        let unit = self.names.length.engineering().1;
        for (i, angle) in device.angles.iter().enumerate() {
            plot.mark_x(angle / unit, device.name(i));
        }
    }
}

/// An empty plot over time.
fn over_time(title: impl Into<String>, y: Axis) -> Plot {
    Plot::new(title, Shape::History, Axis::new("time", "s"), y)
}

/// The whole page.
pub fn page(stages: &Stages) -> Page {
    let found = &stages.identified;
    let document = StagesDocument::of(stages);
    let names = found.names();
    let report = Report {
        document: &document,
        found: &stages.slow,
        course: stages.course.as_ref(),
        names: &names,
    };
    let mut sections = vec![
        verdict::section(found, &lead(&document, &names)),
        slow::section(&report),
    ];
    if let (Some(fast), Some(document)) = (&stages.fast, &document.fast) {
        sections.extend(fast::sections(&report, document, fast));
    }
    sections.push(Section::new("Parameters", parameters::blocks(found, false)).expert());
    sections.extend(ending(found));
    Page {
        title: "Stages of a damper".to_owned(),
        subtitle: subtitle(stages, &names),
        sections,
        footer: footer("stages"),
    }
}

/// Which records, and which inertia.
fn subtitle(stages: &Stages, names: &Names) -> String {
    let tests = stages.identified.comparisons.iter();
    let tests: Vec<&str> = tests.map(|t| t.name.as_str()).collect();
    let tests = tests.join(", ");
    match &stages.fast {
        None => tests,
        Some(fast) => {
            let inertia = significant(fast.motion.inertia, 4);
            let (what, unit) = if names.rotation() {
                ("inertia", "kg m^2")
            } else {
                ("mass", "kg")
            };
            format!("{tests}; {what} {inertia} {unit}")
        }
    }
}
