//! The transmitted torque under fast loading, compared with that of the slow device.

use super::motions::mark_regimes;
use super::{Report, plot, table};
use crate::figures::significant;
use crate::stages::unit_text::in_units;
use crate::{Block, Pen, Plot, Section, Shape};
use masing_stages::{Dynamics, Linearised, Motion, linearise};

/// Factor on the window length that shows the effect of smoothing.
const LONGER: f64 = 8.0;

/// Transmitted torque by linearisation against the slow device.
pub(crate) fn section(report: &Report<'_>, motion: &Motion, found: &Dynamics) -> Section {
    let names = &report.words.names;
    let linearised = &found.linearised;
    let load = names.load.engineering().0;
    let mut history = plot(
        format!(
            "Transmitted {}: fast, and what the slow device would transmit",
            names.force
        ),
        Shape::History,
        ("time", "s"),
        (names.force, load),
    )
    .grouped("motion");
    let (fast, slow) = (
        in_units(&linearised.torque, names.load),
        in_units(&linearised.slow, names.load),
    );
    history.add_all(
        &motion.time,
        [
            (Pen::Measured, "fast, linearised".to_owned(), &fast[..]),
            (Pen::Model, "slow device".to_owned(), &slow[..]),
        ],
    );
    mark_regimes(&mut history, found);
    let mut elastic = plot(
        format!("Elastic {} where the velocity is zero", names.force),
        Shape::Path,
        (names.displacement, names.length.engineering().0),
        (format!("elastic {}", names.force), load),
    );
    let device = &report.found.device;
    let angle = in_units(&device.angles, names.length);
    let curve = in_units(&device.torques, names.load);
    elastic.add_all(&angle, [(Pen::Dotted, "slow".to_owned(), &curve[..])]);
    let pick = |k: usize| {
        linearised
            .at_rest
            .iter()
            .map(|row| row[k])
            .collect::<Vec<f64>>()
    };
    let (at, value) = (
        in_units(&pick(0), names.length),
        in_units(&pick(1), names.load),
    );
    elastic.add_all(&at, [(Pen::Points, "fast".to_owned(), &value[..])]);
    report.mark_stages(&mut elastic);
    let text = format!(
        "Linearised within windows of {} ms. The elastic {} where the velocity is zero differs from the slow one by {} % of the largest on average and {} % at most; the whole {} by {} % and {} %.",
        significant(1e3 * linearised.window, 2),
        names.force,
        significant(100.0 * linearised.elastic_deviation[0], 2),
        significant(100.0 * linearised.elastic_deviation[1], 2),
        names.force,
        significant(100.0 * linearised.deviation[0], 2),
        significant(100.0 * linearised.deviation[1], 2),
    );
    let mut blocks = vec![Block::Text(text), Block::Plot(history)];
    blocks.extend(first_swing(report, motion, linearised).map(Block::Plot));
    blocks.push(Block::Plot(elastic));
    blocks.extend(by_stage(report, linearised));
    blocks.push(Block::Plot(windows(report, motion, found)));
    Section::new(format!("Transmitted {}", names.force), blocks)
}

/// Torque over angle within the first full swing.
fn first_swing(report: &Report<'_>, motion: &Motion, linearised: &Linearised) -> Option<Plot> {
    let names = &report.words.names;
    let [from, to] = linearised.first_swing?;
    let mut plot = plot(
        format!(
            "Transmitted {} over the first swing, {} to {} s",
            names.force,
            significant(motion.time[from], 3),
            significant(motion.time[to], 3)
        ),
        Shape::Path,
        (names.displacement, names.length.engineering().0),
        (names.force, names.load.engineering().0),
    );
    let angle = in_units(&motion.angle[from..=to], names.length);
    let part = |values: &[f64]| in_units(&values[from..=to], names.load);
    let (fast, slow) = (part(&linearised.torque), part(&linearised.slow));
    plot.add_all(
        &angle,
        [
            (Pen::Measured, "fast, linearised".to_owned(), &fast[..]),
            (Pen::Model, "slow device".to_owned(), &slow[..]),
        ],
    );
    report.mark_stages(&mut plot);
    Some(plot)
}

/// Largest differences of the elastic torque by stage.
fn by_stage(report: &Report<'_>, linearised: &Linearised) -> Option<Block> {
    let device = &report.found.device;
    let rows: Vec<Vec<String>> = linearised
        .by_stage(device)
        .into_iter()
        .map(|(stage, count, largest)| {
            vec![
                device.name(stage.outer),
                count.to_string(),
                significant(100.0 * largest, 2),
            ]
        })
        .collect();
    let header = ["stage", "turning\npoints", "largest difference\n%"].map(str::to_owned);
    let note = format!(
        "Elastic {} at turning points within the stage: largest difference between fast and slow, in per cent of the largest {}.",
        report.words.names.force, report.words.names.force
    );
    (!rows.is_empty()).then(|| table((header.to_vec(), rows), Some(&note), vec![0]))
}

/// The effect of the window length.
fn windows(report: &Report<'_>, motion: &Motion, found: &Dynamics) -> Plot {
    let names = &report.words.names;
    let own = &found.linearised;
    let long = linearise(motion, &report.found.device, found.eta, LONGER * own.window);
    let mut plot = plot(
        format!("Transmitted {} by the length of the window", names.force),
        Shape::History,
        ("time", "s"),
        (names.force, names.load.engineering().0),
    )
    .grouped("motion")
    .low();
    let named = |l: &Linearised| format!("{} ms", significant(1e3 * l.window, 2));
    let (a, b) = (
        in_units(&own.torque, names.load),
        in_units(&long.torque, names.load),
    );
    plot.add_all(
        &motion.time,
        [
            (Pen::Measured, named(own), &a[..]),
            (Pen::Model, named(&long), &b[..]),
        ],
    );
    plot
}
