//! The page that `inspect --out` writes.

use super::json::FileDocument;
use super::{Inspected, tables, text};
use crate::figures::engineering;
use crate::identified::html::footer;
use crate::identified::html::test::scaled;
use crate::text::capital;
use crate::{Axis, Block, MOST_POINTS, Note, Page, Plot, Section, Shape};
use masing_data::unit::Quantity;
use masing_data::{Cycle, HarmonicPoint, Record};

/// Most loops that are drawn.
const MOST_LOOPS: usize = 8;
/// Fewest points of a loop that is worth drawing.
const LEAST_POINTS: usize = 100;

/// The whole page.
pub fn page(sections: Vec<Section>, files: &[FileDocument]) -> Page {
    let title = match files {
        [one] => format!("Test data: {}", one.name),
        _ => format!("Test data: {} tests", files.len()),
    };
    let warnings: usize = files.iter().map(|f| f.warnings.len()).sum();
    let subtitle = match warnings {
        0 => "Nothing wrong was found.".to_owned(),
        1 => "One finding.".to_owned(),
        n => format!("{n} findings."),
    };
    Page {
        title,
        subtitle,
        sections,
        footer: footer("inspect"),
    }
}

/// One test: diagnostics, loop, histories, tables, what was assumed.
pub fn section(test: &Inspected) -> Section {
    let diagnostics = &test.inspection.diagnostics;
    let mut blocks = vec![Block::Verdict {
        good: diagnostics.is_empty(),
        text: text::verdict(test),
    }];
    if !diagnostics.is_empty() {
        let notes = diagnostics.iter().map(|finding| Note {
            text: finding.message(test.units()),
            advice: text::advice(test, finding),
        });
        blocks.push(Block::Notes(notes.collect()));
    }
    blocks.push(Block::Facts(text::facts(test)));
    if let Some(record) = test.record() {
        blocks.extend(loops(test, record).map(Block::Plot));
        blocks.extend(histories(test, record).into_iter().map(Block::Plot));
        blocks.extend(decay(test).into_iter().map(Block::Plot));
    }
    blocks.extend(spectra(test).into_iter().map(Block::Plot));
    let titled = [
        ("Blocks of cycles", tables::blocks(test)),
        ("Cycles", tables::cycles(test)),
        ("Free decay", tables::ring_down(test)),
        ("Dynamic stiffness", tables::harmonic(test)),
        ("What was read", Some(tables::channels(test))),
    ];
    for (title, table) in titled {
        if let Some(table) = table {
            blocks.push(Block::Heading(title.to_owned()));
            blocks.push(Block::Table(table));
        }
    }
    blocks.push(Block::Text(format!(
        "File format: {}.",
        test.experiment.format
    )));
    Section::new(test.title(), blocks).on_new_sheet()
}

/// Force over displacement: the last cycle of every block, the first of all, and the whole record behind them where
/// that is still a picture.
fn loops(test: &Inspected, record: &Record) -> Option<Plot> {
    let (x, force) = (record.motion()?, record.force()?);
    let names = test.names();
    let found = &test.inspection;
    let (x_axis, x) = scaled(names.displacement, names.length, x);
    let (y_axis, force) = scaled(names.force, names.load, force);
    let mut plot = Plot::new(
        format!("Loop, {}", test.experiment.name),
        Shape::Path,
        x_axis,
        y_axis,
    );
    let cycles = found.cycles.len().max(1);
    if record.len() <= MOST_POINTS || MOST_POINTS / cycles >= LEAST_POINTS {
        plot.add_faint("whole record", &x, &force);
    }
    let mut chosen: Vec<usize> = found.blocks.iter().map(|b| b.cycles.end - 1).collect();
    if found.blocks.len() == 1 && found.blocks[0].cycles.len() > 1 {
        chosen.insert(0, found.blocks[0].cycles.start);
    }
    if chosen.len() > MOST_LOOPS {
        let last = chosen.len() - 1;
        chosen = (0..MOST_LOOPS)
            .map(|k| chosen[k * last / (MOST_LOOPS - 1)])
            .collect();
    }
    for i in chosen {
        let Cycle { start, end, .. } = found.cycles[i];
        let range = start..(end + 1).min(x.len());
        plot.add(format!("cycle {}", i + 1), &x[range.clone()], &force[range]);
    }
    Some(plot)
}

/// Every channel over time, or over the sample number.
fn histories(test: &Inspected, record: &Record) -> Vec<Plot> {
    let (axis, time) = match &record.time {
        Some(time) => (Axis::new("time", "s"), time.clone()),
        None => {
            let count = (0..record.len()).map(|i| i as f64).collect();
            (Axis::new("sample", ""), count)
        }
    };
    let channels = record.signals.iter();
    channels
        .map(|signal| {
            let name = signal.slot.to_string();
            let (y_axis, values) = scaled(&name, signal.quantity, &signal.values);
            let title = format!(
                "{}, {}",
                capital(&name.replace('_', " ")),
                test.experiment.name
            );
            let plot = Plot::new(title, Shape::History, axis.clone(), y_axis);
            let mut plot = plot.grouped(test.title());
            plot.add(name, &time, &values);
            plot
        })
        .collect()
}

/// Frequency and damping over amplitude, for records without force.
fn decay(test: &Inspected) -> Vec<Plot> {
    let points = &test.inspection.ring_down;
    let (Some(record), false) = (test.record(), points.is_empty()) else {
        return Vec::new();
    };
    let (name, quantity) = tables::driver(record);
    let amplitude: Vec<f64> = points.iter().map(|p| p.amplitude).collect();
    let (axis, amplitude) = scaled(&format!("amplitude of {name}"), quantity, &amplitude);
    let frequency: Vec<f64> = points.iter().map(|p| p.frequency).collect();
    let damping: Vec<f64> = points.iter().map(|p| p.damping_ratio).collect();
    [
        ("Frequency", "Hz", frequency),
        ("Damping ratio", "", damping),
    ]
    .into_iter()
    .map(|(title, unit, values)| {
        let y = Axis::new(title.to_lowercase(), unit);
        let mut plot = Plot::new(
            format!("{title} over amplitude"),
            Shape::Path,
            axis.clone(),
            y,
        );
        plot.add(title.to_lowercase(), &amplitude, &values);
        plot
    })
    .collect()
}

/// Dynamic stiffness and loss angle over frequency, one line per amplitude, for tables.
fn spectra(test: &Inspected) -> Vec<Plot> {
    let points = &test.inspection.harmonic;
    if test.record().is_some() || points.iter().any(|p| p.frequency.is_nan()) {
        return Vec::new();
    }
    let names = test.names();
    let mut amplitudes: Vec<f64> = points.iter().map(|p| p.amplitude).collect();
    amplitudes.sort_by(f64::total_cmp);
    amplitudes.dedup_by(|a, b| a.total_cmp(b).is_eq());
    let plot = |title: &str, quantity: Quantity, value: fn(&HarmonicPoint) -> f64| {
        let name = title.to_lowercase();
        let axis = Axis::new("frequency", "Hz");
        let mut plot = Plot::new(title, Shape::Path, axis, scaled(&name, quantity, &[]).0);
        for amplitude in &amplitudes {
            let of_line = points
                .iter()
                .filter(|p| p.amplitude.total_cmp(amplitude).is_eq());
            let mut line: Vec<&HarmonicPoint> = of_line.collect();
            line.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
            let frequency: Vec<f64> = line.iter().map(|p| p.frequency).collect();
            let values: Vec<f64> = line.iter().map(|p| value(p)).collect();
            let label = if amplitude.is_nan() {
                name.clone()
            } else {
                engineering(*amplitude, names.length)
            };
            plot.add(label, &frequency, &scaled("", quantity, &values).1);
        }
        plot
    };
    let mut plots = vec![plot("Dynamic stiffness", names.stiffness, |p| p.stiffness)];
    if points.iter().any(|p| p.loss_angle.is_finite()) {
        plots.push(plot("Loss angle", Quantity::Angle, |p| p.loss_angle));
    }
    plots
}
