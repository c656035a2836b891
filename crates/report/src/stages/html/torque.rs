//! The transmitted torque under fast loading, compared with that of the slow device.

use super::motions::mark_regimes;
use super::{Report, over_time};
use crate::figures::significant;
use crate::stages::unit_text::in_units;
use crate::{Axis, Block, Pen, Plot, Section, Shape, Table};
use masing_stages::{Dynamics, Linearised, Motion, linearise};

/// Factor on the window length that shows the effect of smoothing.
const LONGER: f64 = 8.0;

/// Transmitted torque by linearisation against the slow device.
pub(crate) fn section(report: &Report<'_>, motion: &Motion, found: &Dynamics) -> Section {
    let names = report.names;
    let linearised = &found.linearised;
    let torque = |values: &[f64]| in_units(values, names.load);
    let title = format!(
        "Transmitted {}: fast, and what the slow device would transmit",
        names.force
    );
    let axis = Axis::of(names.force, names.load);
    let mut history = over_time(title, axis).grouped("motion");
    let (fast, slow) = (torque(&linearised.torque), torque(&linearised.slow));
    history.compare(
        &motion.time,
        ("fast, linearised", &fast),
        ("slow device", &slow),
    );
    mark_regimes(&mut history, found);
    let mut elastic = Plot::new(
        format!("Elastic {} where the velocity is zero", names.force),
        Shape::Path,
        Axis::of(names.displacement, names.length),
        Axis::of(format!("elastic {}", names.force), names.load),
    );
    let device = &report.found.device;
    let angle = in_units(&device.angles, names.length);
    elastic.draw(Pen::Dotted, "slow", &angle, &torque(&device.torques));
    let pick = |k: usize| {
        linearised
            .at_rest
            .iter()
            .map(|row| row[k])
            .collect::<Vec<f64>>()
    };
    let at = in_units(&pick(0), names.length);
    elastic.draw(Pen::Points, "fast", &at, &torque(&pick(1)));
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
    let names = report.names;
    let [from, to] = linearised.first_swing?;
    let title = format!(
        "Transmitted {} over the first swing, {} to {} s",
        names.force,
        significant(motion.time[from], 3),
        significant(motion.time[to], 3)
    );
    let x = Axis::of(names.displacement, names.length);
    let mut plot = Plot::new(title, Shape::Path, x, Axis::of(names.force, names.load));
    let angle = in_units(&motion.angle[from..=to], names.length);
    let part = |values: &[f64]| in_units(&values[from..=to], names.load);
    let (fast, slow) = (part(&linearised.torque), part(&linearised.slow));
    plot.compare(&angle, ("fast, linearised", &fast), ("slow device", &slow));
    report.mark_stages(&mut plot);
    Some(plot)
}

/// Largest differences of the elastic torque by stage.
fn by_stage(report: &Report<'_>, linearised: &Linearised) -> Option<Block> {
    let device = &report.found.device;
    let stages = linearised.by_stage(device).into_iter();
    let rows = stages.map(|(stage, count, largest)| {
        let name = device.name(stage.outer);
        vec![name, count.to_string(), significant(100.0 * largest, 2)]
    });
    let header = ["stage", "turning\npoints", "largest difference\n%"];
    let force = report.names.force;
    let note = format!(
        "Elastic {force} at turning points within the stage: largest difference between fast and slow, in per cent of the largest {force}."
    );
    let table = Table::new(header, rows).with_words([0]).with_note(note);
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// The effect of the window length.
fn windows(report: &Report<'_>, motion: &Motion, found: &Dynamics) -> Plot {
    let names = report.names;
    let own = &found.linearised;
    let long = linearise(motion, &report.found.device, found.eta, LONGER * own.window);
    let title = format!("Transmitted {} by the length of the window", names.force);
    let plot = over_time(title, Axis::of(names.force, names.load));
    let mut plot = plot.grouped("motion").low();
    let named = |l: &Linearised| format!("{} ms", significant(1e3 * l.window, 2));
    let [a, b] = [own, &long].map(|l| in_units(&l.torque, names.load));
    plot.compare(&motion.time, (&named(own), &a), (&named(&long), &b));
    plot
}
