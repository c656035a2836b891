//! Table 3 and the figures of the motions.

use super::device::{TIME_SCALE, Tests};
use crate::error::PapersError;
use crate::report::{NAN, Part, Row, TIME, alike, history, ours, paper};
use masing_report::Plot;
use masing_stages::{Metrics, Predicted};

/// The columns of the table.
const NAMES: [&str; 6] = ["D1.1", "D1.2", "D2.1", "D2.2", "D3.1", "D3.2"];

/// A metric: its name, the paper's row, the prototype's row.
type Known = (&'static str, [f64; 6], [f64; 6]);

#[rustfmt::skip]
const KNOWN: [Known; 12] = [
    ("R1(theta)", [0.18, 0.95, 0.28, 0.24, 1.28, 0.38], [0.36, 0.23, 0.22, 0.12, 0.43, 0.013]),
    ("R1(omega)", [0.30, 0.90, 0.36, 0.28, 0.98, 0.38], [0.33, 0.22, 0.21, 0.12, 0.40, 0.013]),
    ("R1(alpha)", [0.58, 0.92, 0.58, 0.51, 1.06, 0.56], [0.40, 0.26, 0.26, 0.15, 0.46, 0.078]),
    ("R2(theta)", [0.32, 0.51, 0.31, 0.31, 0.41, 0.26], [0.33, 0.15, 0.20, 0.10, 0.20, 0.008]),
    ("R2(omega)", [0.45, 0.67, 0.45, 0.46, 0.50, 0.40], [0.41, 0.21, 0.26, 0.14, 0.25, 0.011]),
    ("R2(alpha)", [0.64, 0.82, 0.64, 0.64, 0.62, 0.60], [0.50, 0.28, 0.33, 0.19, 0.31, 0.025]),
    ("R3(theta)", [0.19, 0.04, 0.10, 0.04, 0.20, 0.04], [0.21, 0.07, 0.11, 0.047, 0.24, 0.006]),
    ("R3(omega)", [0.41, 0.04, 0.22, 0.05, 0.44, 0.04], [0.35, 0.11, 0.19, 0.075, 0.41, 0.008]),
    ("R3(alpha)", [0.54, 0.11, 0.33, 0.12, 0.58, 0.12], [0.53, 0.18, 0.29, 0.12, 0.61, 0.026]),
    ("R4 (di)", [0.04, 1.85, 0.07, 0.03, 0.27, 0.06], [1.60, 0.02, 1.60, 0.014, 1.58, 0.0]),
    ("R5 (si)", [45.84, 2.04, 2.84, 0.26, 45.81, 0.27], [5.77, 0.10, 2.66, 0.06, 5.84, 0.025]),
    ("R6 (ni)", [NAN, 0.19, 2.91, 0.29, NAN, 0.21], [4.18, 0.12, 1.06, 0.07, 4.26, 0.025]),
];

/// One of the twelve metrics.
fn metric(metrics: &Metrics, k: usize) -> f64 {
    let value = if k < 9 {
        metrics.errors[k / 3].map(|e| e[k % 3])
    } else {
        metrics.periods_last_crossing[k - 9].map(|t| t / TIME_SCALE)
    };
    value.unwrap_or(NAN)
}

/// The table, with the refined device as a further column.
pub fn table_3(tests: &Tests) -> Result<Part, PapersError> {
    let found = &tests.dynamics;
    let of = |name: &str, pick: &dyn Fn(&Metrics) -> f64| {
        found.formulation(name).map_or(NAN, |j| pick(&j.metrics))
    };
    let row = |label: String, pick: &dyn Fn(&Metrics) -> f64| -> Row {
        let values = NAMES.map(|name| of(name, pick));
        ours(label, values).and([pick(&found.refined_metrics)])
    };
    let mut rows = Vec::new();
    for (k, (name, published, prototype)) in KNOWN.into_iter().enumerate() {
        rows.push(paper(format!("{name}: paper, its device"), published));
        rows.push(ours(format!("{name}: prototype"), prototype));
        rows.push(row(format!("{name}: masing"), &|m| metric(m, k)));
    }
    for (k, name) in ["R4", "R5", "R6"].into_iter().enumerate() {
        let pick = move |m: &Metrics| m.periods[k].map_or(NAN, |t| t / TIME_SCALE);
        rows.push(row(format!("{name} by the envelope: masing"), &pick));
    }
    rows.push(row("rms theta (mrad): masing".to_owned(), &|m| {
        1e3 * m.rms_angle
    }));
    let text = format!(
        "Errors over those of D0 by regime, and differences of the lengths of the regimes in units of tau_s by the last crossings, as in \
         the paper. A minimum that just touches an edge makes the last crossing jump by a whole period; the envelope of the minima \
         does not. Best first: {}. As in the paper a device with dry friction is described by friction that depends on the stage (D2.2, \
         D3.2), which shows most clearly while there are no impacts (R3, R5). Two things differ from the paper's device: there one damper (D1.1) \
         is better than one friction (D1.2) while there are impacts (R1, R2, R4), here it is the other way round; and the paper's tie of D2.2 and \
         D3.2 does not appear here, because the friction of the synthetic device grows differently from stage to stage.",
        found.ranking.join(", ")
    );
    let part = Part::new(
        "Table 3: metrics of the formulations",
        text,
        alike(
            ["D1.1", "D1.2", "D2.1", "D2.2", "D3.1", "D3.2", "refined"],
            "",
            3,
        ),
        rows,
    );
    Ok(part.with_plots(figures(tests)))
}

/// The paper's figure of a formulation.
fn figure_of(name: &str) -> &'static str {
    match name {
        "D0" => "Figures 7 and 13",
        "D1.1" => "Figure B1",
        "D1.2" => "Figure B2",
        "D2.1" => "Figure B3",
        "D2.2" => "Figure B4",
        "D3.1" => "Figure B5",
        _ => "Figure 14",
    }
}

/// Measured and simulated angle of every formulation (Figures 13, 14, B1 to B5), accelerations of three (Figure 15).
fn figures(tests: &Tests) -> Vec<Plot> {
    let (motion, found) = (&tests.motion, &tests.dynamics);
    let mut plots = Vec::new();
    let n = motion.len();
    for judged in &found.judged {
        let name = judged.formulation.name;
        let mut plot = history(
            format!("Angle by {name} ({})", figure_of(name)),
            TIME,
            ("angle", "rad"),
        )
        .grouped("angle")
        .low();
        plot.compare(
            &motion.time,
            ("measured", &motion.angle),
            (name, &judged.predicted.angle[..n]),
        );
        let ends = found.regimes[1];
        for (at, name) in [(ends.double_ends, "si"), (ends.single_ends, "ni")] {
            if let Some(at) = at {
                plot.mark_x(at, name);
            }
        }
        let device = &tests.found.device;
        for (i, angle) in device.angles.iter().enumerate() {
            plot.mark_y(*angle, device.name(i));
        }
        plots.push(plot);
    }
    let channels: [(_, _, _, Channel, &[&str]); 2] = [
        (
            "Velocity (Figures 7, 13 and 14)",
            ("velocity", "rad/s"),
            &motion.velocity,
            |p| &p.velocity,
            &["D0", "D3.2"],
        ),
        (
            "Acceleration (Figure 15)",
            ("acceleration", "rad/s^2"),
            &motion.acceleration,
            |p| &p.acceleration,
            &["D0", "D2.1", "D3.2"],
        ),
    ];
    for (title, quantity, measured, channel, names) in channels {
        let mut plot = history(title, TIME, quantity).grouped("angle");
        plot.add_faint("measured", &motion.time, measured);
        for name in names {
            if let Some(judged) = found.formulation(name) {
                plot.add(*name, &motion.time, &channel(&judged.predicted)[..n]);
            }
        }
        plots.push(plot);
    }
    plots
}

/// A channel of a simulation.
type Channel = fn(&Predicted) -> &Vec<f64>;
