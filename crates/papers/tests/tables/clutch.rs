//! Clutch dampers.

use super::{part, parts, row};

fn of(id: &str) -> masing_papers::Part {
    part("clutch", id)
}

#[test]
fn all_tables_and_figures_are_there() {
    let ids = ["slow", "linearisation", "balance", "table-3", "recovery"];
    assert_eq!(parts("clutch"), ids);
}

#[test]
fn figures_4_to_6_nodes_are_found() {
    let figures = of("slow");
    // Forty runs of the prototype had at most 0.2 mrad at the strong nodes, 0.03 N m of friction everywhere; the two
    // nodes of the clearance are weak.
    for row in &figures.rows {
        let v = &row.values;
        let weak = row.label.starts_with('0');
        let angle = if weak { 4e-3 } else { 2e-4 };
        assert!((v[1] - v[0]).abs() <= angle, "{}: {v:?}", row.label);
        assert!((v[4] - v[3]).abs() <= 0.03, "{}: {v:?}", row.label);
    }
}

#[test]
fn figures_8_to_11_short_windows_follow_the_impacts() {
    let figures = of("linearisation");
    // The prototype's mean and largest errors by window; its noise was another one, and its figures have two digits.
    for (window, known) in [("0.05", [0.0016, 0.022]), ("0.4", [0.0123, 0.098])] {
        let found = row(&figures, &format!("window {window} tau_s"));
        for (found, known) in found.iter().zip(known) {
            assert!(
                (found / known - 1.0).abs() < 0.25,
                "{window}: {found} {known}"
            );
        }
    }
}

#[test]
fn tables_1_and_2_friction_at_the_nodes() {
    let table = of("balance");
    // What ten runs of the prototype stay within: drive side 1.5 %, coast side 8 %.
    for (node, truth, share) in [
        ("I+", 1.3, 0.015),
        ("II+", 3.0, 0.015),
        ("III+", 5.5, 0.015),
        ("II-", 2.4, 0.08),
    ] {
        let refined = row(&table, node)[4];
        assert!((refined / truth - 1.0).abs() <= share, "{node}: {refined}");
    }
}

#[test]
fn table_3_metrics_are_those_of_the_prototype() {
    let table = of("table-3");
    for metric in ["R1(theta)", "R2(omega)", "R3(theta)", "R5 (si)"] {
        let ours = row(&table, &format!("{metric}: masing"));
        let known = row(&table, &format!("{metric}: prototype"));
        // D3.2 is at the level of the noise, which is another one; the others differ by the noise of one run against a median.
        for (ours, known) in ours[..5].iter().zip(known) {
            assert!(
                (ours - known).abs() <= 0.02 + 0.06 * known,
                "{metric}: {ours} {known}"
            );
        }
    }
    // The refined device: the noise of the velocity, integrated (mrad).
    assert!(row(&table, "rms theta (mrad): masing")[6] < 0.6);
    for title in ["Angle by D3.2 (Figure 14)", "Acceleration (Figure 15)"] {
        let mut plots = table.plots.iter();
        assert!(plots.any(|plot| plot.title() == title), "{title}");
    }
}

#[test]
fn every_formulation_is_recovered() {
    let table = of("recovery");
    assert!(table.text.contains("6 of 6"), "{}", table.text);
}
