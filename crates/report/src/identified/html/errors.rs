//! The error of the model, test by test.

use super::test::sized;
use crate::figures::percent;
use crate::identified::{alternating, role};
use crate::{Bar, Bars, Block, Section, Table};
use masing_identify::Identified;
use masing_identify::result::Role;

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
    let rms: Vec<String> = tests
        .iter()
        .map(|test| sized(test, test.rms, &names))
        .collect();
    let mut header = ["test", "used for", "samples", "error"]
        .map(str::to_owned)
        .to_vec();
    let mut rows: Vec<Vec<String>> = tests
        .iter()
        .map(|test| {
            vec![
                test.name.clone(),
                role(test.role).to_owned(),
                test.samples.to_string(),
                percent(test.error),
            ]
        })
        .collect();
    // With a large mean the error looks small beside the whole force.
    if alternating(tests) {
        header.push("mean\nleft out".to_owned());
        for (row, test) in rows.iter_mut().zip(tests) {
            row.push(test.alternating.map_or_else(String::new, percent));
        }
    }
    // Tests of several channels have no residual in one unit.
    if rms.iter().any(|text| !text.is_empty()) {
        header.push("rms\nresidual".to_owned());
        for (row, rms) in rows.iter_mut().zip(rms) {
            row.push(rms);
        }
    }
    Table {
        header,
        rows,
        note: None,
        words: false,
        word_columns: vec![0, 1],
    }
}
