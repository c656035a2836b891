//! Figures 4 to 6: the slow test.

use super::device::{TIME_SCALE, Tests, mark_nodes};
use crate::error::PapersError;
use crate::report::{NAN, Part, TIME, column, history, ours, path};
use masing_report::{Pen, Plot};

/// Nodes found beside nodes put in.
pub fn figures_4_to_6(tests: &Tests) -> Result<Part, PapersError> {
    let (found, truth) = (&tests.found, &tests.truth);
    let device = &found.device;
    let mut rows = Vec::new();
    for i in 0..device.len().min(truth.len()) {
        let stiffness = |d: &masing_stages::Device| {
            let stage = d.stages().into_iter().find(|s| s.outer == i);
            stage.map_or(NAN, |s| d.stiffness(s))
        };
        let error = |k: usize| found.std_error[i][k].unwrap_or(NAN);
        rows.push(ours(
            device.name(i),
            [
                truth.angles[i],
                device.angles[i],
                error(0),
                truth.friction[i],
                device.friction[i],
                error(2),
                stiffness(truth),
                stiffness(device),
            ],
        ));
    }
    let text = format!(
        "Stages by dynamic programming and variable projection, without being told how many there are. Torque is met within {:.4} of the largest \
         on average and {:.4} at most, its rate within {:.5} and {:.4} of the largest torque per tau_s; the paper has 0.008 and 0.05, 0.005 and 0.05 on its \
         real device.",
        found.mean_deviation,
        found.max_deviation,
        tests.course.rate_deviation[0] * TIME_SCALE,
        tests.course.rate_deviation[1] * TIME_SCALE,
    );
    let part = Part::new(
        "Figures 4 to 6: the slow test",
        text,
        vec![
            column("Theta, put in", "rad", 4),
            column("found", "rad", 5),
            column("+-", "rad", 2),
            column("hQ, put in", "N m", 4),
            column("found", "N m", 4),
            column("+-", "N m", 2),
            column("k, put in", "N m/rad", 4),
            column("found", "N m/rad", 5),
        ],
        rows,
    );
    let mut plot = path(
        "Torque over angle, slow (Figures 4 to 6)",
        ("angle", "rad"),
        ("torque", "N m"),
    );
    for (path, name) in [
        (&found.paths.up, "measured, up"),
        (&found.paths.down, "measured, down"),
    ] {
        plot.draw(Pen::Measured, name, &path.angle, &path.torque);
    }
    let with = |sense: f64| -> Vec<f64> {
        let pairs = device.torques.iter().zip(&device.friction);
        pairs.map(|(t, h)| t + sense * h).collect()
    };
    for (sense, name) in [(1.0, "found, up"), (-1.0, "found, down")] {
        plot.draw(Pen::Model, name, &device.angles, &with(sense));
    }
    mark_nodes(&mut plot, device);
    let mut plots = vec![plot];
    plots.extend(over_time(tests));
    Ok(part.with_plots(plots))
}

/// Torque over time, and its rate.
fn over_time(tests: &Tests) -> [Plot; 2] {
    let course = &tests.course;
    let mut torque = history(
        "Torque over time, slow (Figures 4 and 6)",
        TIME,
        ("torque", "N m"),
    );
    let (measured, found) = (&course.torque, &course.device);
    torque.compare(&course.time, ("measured", measured), ("found", found));
    let mut rate = history(
        "Rate of the torque, slow (Figure 6)",
        TIME,
        ("rate of the torque", "N m/s"),
    );
    let (measured, found) = (&course.torque_rate, &course.device_rate);
    rate.compare(&course.time, ("measured", measured), ("found", found));
    [torque.low(), rate.low()]
}
