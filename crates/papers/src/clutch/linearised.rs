//! Figures 8 to 11: the transmitted torque by instantaneous stochastic linearisation.

use super::device::{ETA, INERTIA, TIME_SCALE, Tests, mark_nodes};
use crate::error::PapersError;
use crate::report::{NAN, Part, TIME, column, history, ours, paper, path};
use masing_report::{Pen, Plot};
use masing_stages::linearise;

/// Windows in units of tau_s, with mean and largest error by an independent prototype.
const WINDOWS: [(f64, [f64; 2]); 5] = [
    (0.02, [0.0017, 0.022]),
    (0.05, [0.0016, 0.022]),
    (0.1, [0.0024, 0.033]),
    (0.2, [0.0056, 0.062]),
    (0.4, [0.0123, 0.098]),
];

/// Windows, and the comparison with the slow device.
pub fn figures_8_to_11(tests: &Tests) -> Result<Part, PapersError> {
    let (motion, device) = (&tests.motion, &tests.found.device);
    let scale = tests.truth.largest_torque();
    let acceleration = tests.exact.acceleration.iter().flatten();
    let truth: Vec<f64> = tests
        .exact
        .torque
        .iter()
        .zip(acceleration)
        .map(|(t, a)| t - INERTIA * a)
        .collect();
    let mut rows = Vec::new();
    for (width, known) in WINDOWS {
        let found = linearise(motion, device, ETA, width * TIME_SCALE);
        let off = found
            .torque
            .iter()
            .zip(&truth)
            .map(|(a, b)| (a - b).abs() / scale);
        let (sum, largest) = off.fold((0.0, 0.0_f64), |(s, m), d| (s + d, m.max(d)));
        let [mean, most] = found.deviation;
        let [rest, rest_most] = found.elastic_deviation;
        let values = [
            sum / truth.len() as f64,
            largest,
            mean,
            most,
            rest,
            rest_most,
        ];
        let remark = format!(
            "prototype {} and {} against the true torque",
            known[0], known[1]
        );
        rows.push(ours(format!("window {width} tau_s"), values).remark(remark));
    }
    rows.push(paper(
        "paper, 0.05 tau_s",
        [NAN, NAN, 0.02, 0.10, 0.02, 0.05],
    ));
    let found = &tests.dynamics.linearised;
    let mut history = history(
        "Transmitted torque: linearised, and that of the slow device (Figure 9)",
        TIME,
        ("torque", "N m"),
    );
    history.compare(
        &motion.time,
        ("linearised", &found.torque),
        ("slow device", &found.slow),
    );
    let mut elastic = path(
        "Elastic torque at zero velocity (Figure 11)",
        ("angle", "rad"),
        ("torque", "N m"),
    );
    elastic.draw(Pen::Dotted, "slow", &device.angles, &device.torques);
    let pick = |k: usize| found.at_rest.iter().map(|row| row[k]).collect::<Vec<f64>>();
    elastic.draw(Pen::Points, "fast", &pick(0), &pick(1));
    let part = Part::new(
        "Figures 8 to 11: transmitted torque by linearisation",
        "Differences in shares of the largest torque: from the true transmitted torque, from that of the slow device, and of the \
         elastic torque at rest from the slow one. Short windows follow the impacts, long ones smear them; the elastic torque \
         under fast loading is that of the slow test.",
        vec![
            column("truth, mean", "", 2),
            column("truth, max", "", 2),
            column("slow, mean", "", 2),
            column("slow, max", "", 2),
            column("elastic, mean", "", 2),
            column("elastic, max", "", 2),
        ],
        rows,
    );
    mark_nodes(&mut elastic, device);
    let mut plots = vec![windows(tests), history];
    plots.extend(first_swing(tests));
    plots.push(elastic);
    Ok(part.with_plots(plots))
}

/// What the length of the window does.
fn windows(tests: &Tests) -> Plot {
    let motion = &tests.motion;
    let mut plot = history(
        "Transmitted torque by the length of the window (Figure 8)",
        TIME,
        ("torque", "N m"),
    );
    let [short, long] =
        [0.05, 0.4].map(|w| linearise(motion, &tests.found.device, ETA, w * TIME_SCALE));
    plot.compare(
        &motion.time,
        ("0.05 tau_s", &short.torque),
        ("0.4 tau_s", &long.torque),
    );
    plot
}

/// Torque over angle within the first full swing.
fn first_swing(tests: &Tests) -> Option<Plot> {
    let found = &tests.dynamics.linearised;
    let [from, to] = found.first_swing?;
    let mut plot = path(
        "Transmitted torque over the first swing (Figure 10)",
        ("angle", "rad"),
        ("torque", "N m"),
    );
    plot.compare(
        &tests.motion.angle[from..=to],
        ("linearised", &found.torque[from..=to]),
        ("slow device", &found.slow[from..=to]),
    );
    let device = &tests.found.device;
    mark_nodes(&mut plot, device);
    Some(plot)
}
