//! `masing reproduce bushing`, whole: every table against figures of an independent prototype (N, mm, s), and against
//! what the paper says.

mod bench;

use bench::{Bench, Json as _};
use serde_json::Value;
use std::sync::OnceLock;

/// The document, computed once for all checks, and the page written with it.
fn run() -> &'static (Value, String) {
    static RUN: OnceLock<(Value, String)> = OnceLock::new();
    RUN.get_or_init(|| {
        let bench = Bench::new();
        let done = bench.run("reproduce bushing --json --out page.html");
        (done.succeeds().json(), bench.read("page.html"))
    })
}

fn part(id: &str) -> &'static Value {
    let parts = run().0["parts"].as_array().unwrap();
    let found = parts.iter().find(|part| part["id"] == id);
    found.unwrap_or_else(|| panic!("no part {id}"))
}

/// The numbers of a row; NaN where there is none.
fn row(id: &str, label: &str) -> Vec<f64> {
    let rows = part(id)["rows"].as_array().unwrap();
    let found = rows.iter().find(|row| row["label"] == label);
    let found = found.unwrap_or_else(|| panic!("no row {label} in {id}"));
    let values = found["values"].as_array().unwrap();
    values
        .iter()
        .map(|v| match v.as_f64() {
            Some(v) => v,
            None if v == "infinite" => f64::INFINITY,
            None => f64::NAN,
        })
        .collect()
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], share: f64) {
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found / expected - 1.0).abs() <= share || expected.is_nan(),
            "{found}, expected {expected} within {share}"
        );
    }
}

const NAN: f64 = f64::NAN;

/// One test for all checks: every test may be a process of its own, and the command takes long.
#[test]
fn every_table_and_figure_is_reproduced() {
    the_document_is_whole();
    nothing_is_far_from_the_independent_figures();
    table_1_adjoints_with_and_without_the_product_rule();
    table_2_the_gradient_is_exact();
    tables_3_and_4_only_the_scan_is_reliable();
    table_5_the_friction_as_printed_is_half();
    table_6_a_triangle_alone_does_not_tell_alpha();
    figure_5_converges_with_cells();
    figure_6_stiffens_and_relaxes_as_in_the_paper();
    figure_12_errors_of_a_slope_grow();
}

fn the_document_is_whole() {
    let (json, page) = run();
    assert_eq!(json["schema"], "masing.reproduce/1");
    assert_eq!(json["paper"], "bushing");
    assert_eq!(json["out"], "page.html");
    let ids: Vec<&str> = json["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["id"].as_str().unwrap())
        .collect();
    for id in [
        "table-1",
        "table-2",
        "table-3",
        "table-4",
        "table-5",
        "table-6",
        "figure-5",
        "figure-6-left",
        "figure-6-right",
        "figure-12",
    ] {
        assert!(ids.contains(&id), "{id}");
    }
    for part in json["parts"].as_array().unwrap() {
        assert!(page.contains(part["title"].as_str().unwrap()));
        let columns = part["columns"].as_array().unwrap().len();
        for row in part["rows"].as_array().unwrap() {
            assert!(row["values"].as_array().unwrap().len() <= columns, "{row}");
        }
    }
    assert!(page.contains("not public"));
}

/// Every number that the prototype gave, to the digits that it was written down with.
fn nothing_is_far_from_the_independent_figures() {
    for (id, within) in [
        // Four digits, and three for a'c = 0.0141.
        ("table-1", 3e-4),
        // One step a sample against the same; four steps a sample against none at all (3.5e-5 in alpha).
        ("table-2", 1e-4),
        // Minima of a flat valley, by another optimiser, to four digits; errors to three.
        ("table-3", 3e-3),
        ("table-4", 1e-8),
        // Slopes at the cusps are read from slightly other samples, and the inversion magnifies that.
        ("table-5", 0.03),
        // A closed formula.
        ("figure-12", 1e-9),
        // Rises of 3 % from stiffnesses of five digits.
        ("figure-6-left", 2e-3),
        // Steps chosen for 1e-4.
        ("payne", 1e-4),
        ("figure-6-right", 1e-4),
    ] {
        let difference = part(id)["difference"]["relative"].as_f64().unwrap();
        assert!(difference < within, "{id}: {difference}");
    }
}

fn table_1_adjoints_with_and_without_the_product_rule() {
    for s in ["s = 0.1", "s = 1", "s = 10", "s = 100", "s = 1000", "none"] {
        let exact = row("table-1", &format!("{s}: Euler, exact"));
        // The transpose: to all digits.
        near(&exact[6..7], &exact[7..8], 1e-10);
        // Second order against first: 6 % in alpha, little elsewhere.
        let ours = row("table-1", &format!("{s}: masing"));
        near(&ours[..4], &exact[..4], 7e-3);
        near(&ours[4..6], &exact[4..6], 0.06);
    }
    let expanded = |s: &str| row("table-1", &format!("{s}: Euler, eqs (12), (13)"));
    // Nearly right, off, wrong, absurd, infinite.
    near(
        &expanded("s = 1")[1..6],
        &row("table-1", "s = 1: Euler, exact")[1..6],
        1e-3,
    );
    near(
        &expanded("s = 10"),
        &[
            NAN, NAN, -0.3432, -10.363, -1466.0, -3421.0, 0.007_371, 0.007_301,
        ],
        1e-3,
    );
    near(
        &expanded("s = 100"),
        &[NAN, NAN, 14.35, -15.14, -3681.0, 8836.0, 0.0141, 0.007_289],
        3e-4,
    );
    for value in &expanded("s = 1000")[2..7] {
        // 1e16 to 1e21: rounding that has grown.
        assert!(value.is_finite() && value.abs() > 1e12, "{value}");
    }
    assert!(expanded("none")[2..7].iter().all(|v| v.is_infinite()));
}

fn table_2_the_gradient_is_exact() {
    let adjoint = row("table-2", "masing: adjoint, none");
    near(
        &adjoint,
        &[21403.090, -205.885, -0.447_03, -10.5525, -1438.93, -1589.55],
        3e-5,
    );
    // Central differences with relative steps of 1e-5.
    near(
        &row("table-2", "masing: central differences, none"),
        &adjoint,
        1e-7,
    );
    let fine = row("table-2", "masing: adjoint, none, 4 steps a sample");
    near(
        &fine,
        &[
            21_402.852_44,
            -205.883_999_9,
            -0.447_255_59,
            -10.552_415_65,
            -1_438.927_763,
            -1_590.273_567,
        ],
        1e-4,
    );
}

fn tables_3_and_4_only_the_scan_is_reliable() {
    for id in ["table-3", "table-4"] {
        let fit = row(id, "masing: fit, with scan");
        near(&fit[..5], &[1.0; 5], 1e-6);
        // Rounding, in per cent.
        assert!(fit[5] < 1e-8, "{fit:?}");
    }
    let region = row("table-3", "masing: trust region");
    near(
        &region,
        &[1.0076, 0.9646, 0.6232, 1.5481, 0.6460, 0.212],
        3e-3,
    );
    let line = row("table-3", "masing: line search");
    near(
        &line,
        &[1.0035, 0.9781, 0.6797, 1.4323, 0.6350, 0.203],
        3e-3,
    );
    for local in [
        &line,
        &region,
        &row("table-3", "masing: line search, logarithms"),
    ] {
        // All in the valley: Kr C0 between 0.86 and 1 of the truth.
        let product = local[2] * local[3];
        assert!(product > 0.86 && product < 1.0, "{product}");
    }
    // From far away the trust region and the line search in logarithms arrive.
    for label in ["masing: trust region", "masing: line search, logarithms"] {
        near(&row("table-4", label)[..5], &[1.0; 5], 1e-6);
    }
}

fn table_5_the_friction_as_printed_is_half() {
    let rows = part("table-5")["rows"].as_array().unwrap();
    let values: Vec<Vec<f64>> = rows
        .iter()
        .filter(|row| {
            row["source"] == "masing" && row["label"].as_str().unwrap().contains("triangle")
        })
        .map(|row| {
            let values = row["values"].as_array().unwrap();
            values.iter().map(|v| v.as_f64().unwrap()).collect()
        })
        .collect();
    assert_eq!(values.len(), 4);
    for row in &values {
        near(&row[5..6], &[2.0 * row[4]], 1e-12);
        // Independent: 15.8 to 19.6 % as printed, 1.5 to 5.0 % doubled; the paper's start is 15.32 % off.
        assert!(row[6] > 15.0 && row[6] < 20.0, "{row:?}");
        assert!(row[7] > 1.0 && row[7] < 5.5, "{row:?}");
    }
    near(&values[0][1..6], &[0.979, 0.865, 1.004, 0.513, 1.027], 0.03);
    near(&values[2][1..6], &[0.660, 1.050, 1.544, 0.537, 1.074], 0.03);
}

fn table_6_a_triangle_alone_does_not_tell_alpha() {
    let start = row("table-6", "start, eqs (21) to (26)");
    // As far off as the paper's.
    near(&start[5..6], &[15.32], 0.1);
    let truth = row("table-6", "truth");
    let alone = row("table-6", "masing: trust region");
    near(
        &row("table-6", "masing: line search, logarithms")[..6],
        &alone[..6],
        1e-3,
    );
    // As good as the noise allows on the triangle, and wrong on the step.
    assert!(alone[5] <= truth[5] && alone[6] > 3.0 * truth[6]);
    let both = row("table-6", "masing: fit of triangle and step");
    // 1 % of noise on 3000 samples leaves about 2 % in alpha.
    near(&both[..5], &truth[..5], 0.05);
    near(&both[5..7], &truth[5..7], 0.01);
}

fn figure_5_converges_with_cells() {
    let rows = part("figure-5")["rows"].as_array().unwrap();
    let off: Vec<f64> = rows
        .iter()
        .map(|row| row["values"][3].as_f64().unwrap())
        .collect();
    assert!(off.windows(2).all(|w| w[1] < w[0]), "{off:?}");
    assert!(row("figure-5", "10 cells")[3] < 2.5);
    assert!(row("figure-5", "15 cells")[3] < 1.5);
}

fn figure_6_stiffens_and_relaxes_as_in_the_paper() {
    // The paper says 4 % and 4.5 %.
    near(&row("figure-6-left", "10 Hz")[1..2], &[4.0], 0.02);
    near(&row("figure-6-left", "100 Hz")[1..2], &[4.5], 0.02);
    near(
        &row("figure-6-left", "1 Hz"),
        &[450.76, 3.42, 442.31, 11.67, 280.97],
        1e-3,
    );
    for (label, force) in [("0.1 s", 468.41), ("1 s", 428.27), ("60 s", 408.59)] {
        near(&row("figure-6-right", label), &[force], 1e-4);
    }
    for (label, stiffness) in [("0.02 mm", 937.5), ("0.2 mm", 643.4), ("2 mm", 406.6)] {
        near(&row("payne", label), &[stiffness], 2e-4);
    }
}

fn figure_12_errors_of_a_slope_grow() {
    near(&row("figure-12", "Tg2 x 1"), &[1.0; 4], 1e-9);
    let low = row("figure-12", "Tg2 x 0.9");
    assert!(low[0] < 0.5 && low[2] > 1.5, "{low:?}");
}

#[test]
fn bad_use_is_refused() {
    let bench = Bench::new();
    let message = bench.run("reproduce bushings").fails(2);
    assert!(message.contains("bushing"), "{message}");
    // Said before the work is done, not after it.
    let message = bench
        .run("reproduce bushing --out nowhere/page.html")
        .fails(2);
    assert!(message.contains("nowhere/page.html"), "{message}");
    assert!(bench.files().is_empty());
}
