//! How far the model is off, test by test.

use super::view::{Test, View};
use crate::names::Names;
use masing_report::figures::percent;
use masing_report::{Bar, Bars, Block, Section, Table};

/// Bars and a table.
pub fn section(view: &View, names: &Names) -> Section {
    let bars = Bars {
        title: "Error of every test".to_owned(),
        axis: format!("error, %{}", view.scale),
        rows: view
            .tests
            .iter()
            .map(|test| Bar {
                name: test.name.clone(),
                value: 100.0 * test.outcome.relative,
                text: percent(test.outcome.relative),
                marked: test.held_out,
            })
            .collect(),
        from: None,
        legend: ["fitted".to_owned(), "held out".to_owned()],
    };
    let blocks = vec![Block::Columns(vec![
        vec![Block::Table(table(view, names))],
        vec![Block::Bars(bars)],
    ])];
    Section::new("Errors", blocks)
}

fn table(view: &View, names: &Names) -> Table {
    let rms: Vec<String> = view
        .tests
        .iter()
        .map(|test| test.sized(test.outcome.rms, names))
        .collect();
    let mut header = ["test", "used for", "samples", "error"]
        .map(str::to_owned)
        .to_vec();
    let mut rows: Vec<Vec<String>> = view
        .tests
        .iter()
        .map(|test| {
            vec![
                test.name.clone(),
                role(test).to_owned(),
                test.outcome.samples.to_string(),
                percent(test.outcome.relative),
            ]
        })
        .collect();
    // With a large mean the error looks small beside the whole force.
    if view.tests.iter().any(|t| t.alternating.is_some()) {
        header.push("mean\nleft out".to_owned());
        for (row, test) in rows.iter_mut().zip(&view.tests) {
            row.push(test.alternating.map_or_else(String::new, percent));
        }
    }
    // Tests of several channels have no difference in one unit.
    if rms.iter().any(|text| !text.is_empty()) {
        header.push("rms\ndifference".to_owned());
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

/// What a test was used for.
pub fn role(test: &Test) -> &'static str {
    if test.held_out { "held out" } else { "fit" }
}
