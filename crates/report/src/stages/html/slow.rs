//! The slow record: stages, loop, friction.

use super::{Report, over_time as history};
use crate::figures::significant;
use crate::stages::text::slow_table;
use crate::stages::unit_text::in_units;
use crate::{Axis, Block, Pen, Plot, Section, Shape};
use masing_stages::{Course, Device, Path};

/// Table and pictures.
pub(crate) fn section(report: &Report<'_>) -> Section {
    let table = slow_table(&report.document.quasi_static, report.names);
    let note = "A row is a node with the stage that ends there, seen from the clearance. Friction h is half the width of the loop, hysteresis \
                2h the full width. +- is one standard error.";
    let mut blocks = vec![
        Block::Table(table.with_note(note)),
        Block::Plot(paths(report)),
        Block::Plot(friction(report)),
        Block::Plot(deviation(report)),
    ];
    if let Some(course) = report.course {
        blocks.extend(over_time(report, course));
    }
    Section::new("Slow loading", blocks)
}

/// Torque over time, and its rate.
fn over_time(report: &Report<'_>, course: &Course) -> Vec<Block> {
    let names = report.names;
    let (unit, factor) = names.load.engineering();
    let text = format!(
        "Over time: the rate of the {} differs from that of the device by {} % of the largest {} per second on average and {} % at most.",
        names.force,
        significant(100.0 * course.rate_deviation[0], 2),
        names.force,
        significant(100.0 * course.rate_deviation[1], 2),
    );
    let rate = format!("{unit}/s");
    let mut blocks = vec![Block::Text(text)];
    for (title, unit, measured, device) in [
        (names.force.to_owned(), unit, &course.torque, &course.device),
        (
            format!("rate of the {}", names.force),
            &rate,
            &course.torque_rate,
            &course.device_rate,
        ),
    ] {
        let plot = history(
            format!("Slow test over time: {title}"),
            Axis::new(title, unit),
        );
        let mut plot = plot.grouped("slow").low();
        let scaled = |values: &[f64]| values.iter().map(|v| v / factor).collect::<Vec<f64>>();
        let (measured, device) = (scaled(measured), scaled(device));
        plot.compare(&course.time, ("measured", &measured), ("device", &device));
        blocks.push(Block::Plot(plot));
    }
    blocks
}

/// Both paths and the device over them.
fn paths(report: &Report<'_>) -> Plot {
    let (names, found) = (report.names, report.found);
    let mut plot = plot(report, "Both paths and the device", names.force);
    let x = |v: &[f64]| in_units(v, names.length);
    let y = |v: &[f64]| in_units(v, names.load);
    for (path, name) in [
        (&found.paths.up, "measured, loading towards drive"),
        (&found.paths.down, "measured, towards coast"),
    ] {
        plot.draw(Pen::Measured, name, &x(&path.angle), &y(&path.torque));
    }
    let device = &found.device;
    let angle = x(&device.angles);
    let sum = |sense: f64| -> Vec<f64> {
        let pairs = device.torques.iter().zip(&device.friction);
        y(&pairs.map(|(t, h)| t + sense * h).collect::<Vec<_>>())
    };
    let (upper, lower, middle) = (sum(1.0), sum(-1.0), y(&device.torques));
    plot.add_all(
        &angle,
        [
            (Pen::Model, "device, towards drive".to_owned(), &upper[..]),
            (Pen::Model, "device, towards coast".to_owned(), &lower[..]),
            (Pen::Dotted, format!("elastic {}", names.force), &middle[..]),
        ],
    );
    plot
}

/// Half the distance of the paths, and the friction of the device.
fn friction(report: &Report<'_>) -> Plot {
    let (names, found) = (report.names, report.found);
    let title = "Friction: half the distance between the paths";
    let mut plot = plot(report, title, "friction h");
    let (angle, half) = half_distance(&found.paths.up, &found.paths.down, &found.device);
    let angle = in_units(&angle, names.length);
    let half = in_units(&half, names.load);
    plot.draw(Pen::Points, "measured", &angle, &half);
    let nodes = in_units(&found.device.angles, names.length);
    let friction = in_units(&found.device.friction, names.load);
    plot.draw(Pen::Dotted, "device", &nodes, &friction);
    plot
}

/// The residual of the record.
fn deviation(report: &Report<'_>) -> Plot {
    let (names, found) = (report.names, report.found);
    let title = format!("Measured {} less that of the device", names.force);
    let mut plot = plot(report, &title, names.force).low();
    for (path, sense, name) in [
        (&found.paths.up, 1.0, "towards drive"),
        (&found.paths.down, -1.0, "towards coast"),
    ] {
        let pairs = path.angle.iter().zip(&path.torque);
        let off: Vec<f64> = pairs.map(|(a, t)| t - found.predicted(*a, sense)).collect();
        let angle = in_units(&path.angle, names.length);
        plot.add(name, &angle, &in_units(&off, names.load));
    }
    plot
}

fn plot(report: &Report<'_>, title: &str, ordinate: &str) -> Plot {
    let names = report.names;
    let x = Axis::of(names.displacement, names.length);
    let mut plot = Plot::new(title, Shape::Path, x, Axis::of(ordinate, names.load));
    report.mark_stages(&mut plot);
    plot
}

/// Half the distance between stretches of the paths, relative to the elastic curve, which is steep.
fn half_distance(up: &Path, down: &Path, device: &Device) -> (Vec<f64>, Vec<f64>) {
    // About one for every four points of the width of the picture.
    const STRETCHES: usize = 150;
    let (low, high) = (device.angles[0], device.angles[device.len() - 1]);
    let width = (high - low) / STRETCHES as f64;
    let mut out = (Vec::new(), Vec::new());
    for k in 0..STRETCHES {
        let from = low + width * k as f64;
        let mean = |path: &Path| {
            let part = path.within([from, from + width]);
            let count = part.angle.len();
            let pairs = part.angle.iter().zip(&part.torque);
            let sum: f64 = pairs.map(|(a, t)| t - device.elastic().at(*a)).sum();
            (count > 0).then(|| sum / count as f64)
        };
        if let (Some(upper), Some(lower)) = (mean(up), mean(down)) {
            out.0.push(from + 0.5 * width);
            out.1.push(0.5 * (upper - lower));
        }
    }
    out
}
