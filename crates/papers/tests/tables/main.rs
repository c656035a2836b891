//! Every table and figure by itself: against figures of independent prototypes, against what the papers say, and against
//! the truth. Each test computes its own part only.

mod benchmark;
mod bushing;
mod clutch;
mod loops;
mod metal_rubber;

use masing_papers::{PapersError, Part, Records, paper};

fn part(name: &str, id: &str) -> Part {
    let paper = paper(name).unwrap();
    paper.part(id, &Records::default()).unwrap()
}

/// The parts of a paper, in order.
fn parts(name: &str) -> Vec<&'static str> {
    let error = paper(name).unwrap().part("", &Records::default());
    match error {
        Err(PapersError::UnknownPart { known, .. }) => known,
        other => panic!("{other:?}"),
    }
}

/// The numbers of a row.
#[track_caller]
fn row<'a>(part: &'a Part, label: &str) -> &'a [f64] {
    let found = part.row(label);
    let labels = || part.rows.iter().map(|r| &r.label).collect::<Vec<_>>();
    &found
        .unwrap_or_else(|| panic!("no row {label} in {:?}", labels()))
        .values
}

/// Every number that has an expected one, within a share of that.
#[track_caller]
fn near(found: &[f64], expected: &[f64], share: f64) {
    assert!(found.len() >= expected.len(), "{found:?} {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found / expected - 1.0).abs() <= share || expected.is_nan(),
            "{found}, expected {expected} within {share}"
        );
    }
}

/// The largest difference from independent figures is below a share.
#[track_caller]
fn agrees(part: &Part, share: f64) {
    let largest = part.difference.as_ref().expect("independent figures");
    assert!(largest.relative < share, "{largest:?}");
}
