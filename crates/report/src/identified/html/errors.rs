//! The error of the model, test by test.

use super::test::sized;
use crate::figures::percent;
use crate::identified::{alternating, role};
use crate::{Bar, Bars, Block, Section, Table};
use masing_identify::Identified;
use masing_identify::result::{Comparison, Role};

/// Bars and a table.
pub fn section(found: &Identified) -> Section {
    let bars = Bars {
        title: "Error of every test".to_owned(),
        axis: format!("error, %{}", found.scale()),
        rows: found
            .comparisons
            .iter()
            .map(|test| Bar {
                name: test.name.clone(),
                value: 100.0 * test.error,
                text: percent(test.error),
                marked: test.role == Role::HeldOut,
            })
            .collect(),
        from: None,
        legend: ["fitted".to_owned(), "held out".to_owned()],
    };
    let blocks = vec![Block::Columns(vec![
        vec![Block::Table(table(found))],
        vec![Block::Bars(bars)],
    ])];
    Section::new("Errors", blocks)
}

fn table(found: &Identified) -> Table {
    let (tests, names) = (&found.comparisons, found.names());
    let rms = |test: &Comparison| sized(test, test.rms, &names);
    // With a large mean the error looks small beside the whole force.
    let alternating = alternating(tests);
    // Tests of several channels have no residual in one unit.
    let residual = tests.iter().any(|test| !rms(test).is_empty());
    let mut header = vec!["test", "used for", "samples", "error"];
    header.extend(alternating.then_some("mean\nleft out"));
    header.extend(residual.then_some("rms\nresidual"));
    let rows = tests.iter().map(|test| {
        let mut row = vec![
            test.name.clone(),
            role(test.role).to_owned(),
            test.samples.to_string(),
            percent(test.error),
        ];
        row.extend(alternating.then(|| test.alternating.map_or_else(String::new, percent)));
        row.extend(residual.then(|| rms(test)));
        row
    });
    Table::new(header, rows).with_words([0, 1])
}
