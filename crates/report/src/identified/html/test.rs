//! One test: measurement, model and residual.

use super::stiffness::{self, Line};
use crate::figures::{percent, rounded, significant};
use crate::identified::{initial_state, role};
use crate::text::capital;
use crate::{Axis, Block, MOST_POINTS, Plot, Section, Shape, Table};
use masing_data::unit::Quantity;
use masing_identify::result::{Comparison, Curves, Pair, RecordCurves, Sine};
use masing_identify::{Names, Preload};

/// Points per trace on a page with that many tests, so that it still opens quickly on a phone.
pub fn points(tests: usize) -> usize {
    (12 * MOST_POINTS / tests.max(1)).clamp(800, MOST_POINTS)
}

/// Its facts and plots, with at most `points` per trace.
pub fn section(test: &Comparison, names: &Names, points: usize) -> Section {
    let drawn = |plots: [Plot; 2]| plots.map(Block::Plot).to_vec();
    let blocks = match &test.curves {
        Curves::Record(record) => {
            let channel = (names.force, names.load, &record.force);
            vec![Block::Columns(vec![
                vec![Block::Plot(loops(record, names, &test.name, points))],
                drawn(histories(&record.time, channel, &test.name, points)),
            ])]
        }
        Curves::Sines(sines) => of_sines(sines, &test.name, names),
        Curves::Masses(masses) => {
            let columns = masses.channels.iter().map(|(name, quantity, pair)| {
                let channel = (name.as_str(), *quantity, pair);
                drawn(histories(&masses.time, channel, &test.name, points))
            });
            vec![Block::Columns(columns.collect())]
        }
    };
    let mut all = vec![Block::Facts(facts(test, names))];
    all.extend(blocks);
    Section::new(format!("Test: {}", test.name), all).on_new_sheet()
}

/// How it was compared, and how it turned out.
fn facts(test: &Comparison, names: &Names) -> Vec<(String, String)> {
    let alternating = |share| format!("{} of the alternating {}", percent(share), names.force);
    let (preload, outside) = match &test.curves {
        Curves::Record(record) => (record.preload, record.outside),
        _ => (Preload::default(), 0),
    };
    let preload = match preload {
        Preload::Motion(0.0) => None,
        Preload::Motion(x) => Some(rounded(x, names.length, 4)),
        Preload::Force(f) => Some(rounded(f, names.load, 4)),
    };
    let facts = [
        ("used for", Some(role(test.role).to_owned())),
        (
            "error",
            Some(format!("{} of {}", percent(test.error), test.scale)),
        ),
        ("error, mean left out", test.alternating.map(alternating)),
        ("rms residual", Some(sized(test, test.rms, names))),
        ("values compared", Some(test.samples.to_string())),
        (
            "initial state",
            test.initial_state.map(|s| initial_state(s).1.to_owned()),
        ),
        ("preload", preload),
        (
            "samples outside the window",
            (outside > 0).then(|| outside.to_string()),
        ),
    ];
    let known = facts.into_iter().filter_map(|(name, value)| {
        let value = value.filter(|v| !v.is_empty())?;
        Some((name.to_owned(), value))
    });
    known.collect()
}

/// A size in the units of the residuals; nothing where channels of several kinds are compared.
pub fn sized(test: &Comparison, value: f64, names: &Names) -> String {
    match &test.curves {
        Curves::Record(_) => rounded(value, names.load, 3),
        Curves::Sines(_) => percent(value),
        Curves::Masses(masses) => match masses.channels.as_slice() {
            [(_, quantity, _)] => rounded(value, *quantity, 3),
            _ => String::new(),
        },
    }
}

/// Force over displacement, the model over what was measured.
fn loops(record: &RecordCurves, names: &Names, test: &str, points: usize) -> Plot {
    let (x_axis, x) = scaled(names.displacement, names.length, &record.x);
    let (y_axis, measured) = scaled(names.force, names.load, &record.force.measured);
    let model = scaled(names.force, names.load, &record.force.model).1;
    let title = format!("Loop, {test}");
    let mut plot = Plot::new(title, Shape::Path, x_axis, y_axis).at_most(points);
    plot.compare(&x, ("measured", &measured), ("model", &model));
    plot
}

/// A channel over time, and the residual below it.
fn histories(
    time: &[f64],
    (name, quantity, channel): (&str, Quantity, &Pair),
    test: &str,
    points: usize,
) -> [Plot; 2] {
    let (axis, measured) = scaled(name, quantity, &channel.measured);
    let model = scaled(name, quantity, &channel.model).1;
    let residual = scaled(name, quantity, &channel.residual()).1;
    let plot = |title: String, axis: Axis| {
        let x = if counted(time) {
            Axis::new("sample", "")
        } else {
            Axis::new("time", "s")
        };
        Plot::new(format!("{title}, {test}"), Shape::History, x, axis)
            .grouped(test)
            .at_most(points)
    };
    let below = Axis::new("residual", axis.unit.clone());
    let mut over_time = plot(format!("{} over time", capital(name)), axis);
    over_time.compare(time, ("measured", &measured), ("model", &model));
    let mut left = plot(format!("{}, model minus measured", capital(name)), below).low();
    left.add("residual", time, &residual);
    [over_time, left]
}

/// Stiffness and loss angle over frequency, and the rows of the table.
fn of_sines(sines: &[Sine], test: &str, names: &Names) -> Vec<Block> {
    let mut lines: Vec<Line> = Vec::new();
    for sine in sines {
        let at = lines
            .iter()
            .position(|line| line.amplitude.total_cmp(&sine.amplitude).is_eq());
        let at = at.unwrap_or_else(|| {
            lines.push(Line::at(sine.amplitude));
            lines.len() - 1
        });
        let point = |k: usize| [sine.frequency, sine.stiffness[k], sine.loss_angle[k]];
        lines[at].measured.push(point(0));
        lines[at].model.push(point(1));
    }
    lines.sort_by(|a, b| a.amplitude.total_cmp(&b.amplitude));
    for line in &mut lines {
        line.model.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    let plots = stiffness::plots(test, &lines, names);
    vec![
        Block::Columns(plots.map(|plot| vec![Block::Plot(plot)]).to_vec()),
        Block::Table(table(sines, names)),
    ]
}

fn table(sines: &[Sine], names: &Names) -> Table {
    let (stiffness, factor) = names.stiffness.engineering();
    let angle = |value: f64| {
        if value.is_finite() {
            significant(value.to_degrees(), 3)
        } else {
            String::new()
        }
    };
    let rows = sines.iter().map(|sine| {
        let [measured, model] = sine.stiffness;
        vec![
            rounded(sine.amplitude, names.length, 4),
            rounded(sine.frequency, Quantity::Frequency, 4),
            significant(measured / factor, 4),
            significant(model / factor, 4),
            format!("{:+.1} %", 100.0 * (model / measured - 1.0)),
            angle(sine.loss_angle[0]),
            angle(sine.loss_angle[1]),
        ]
    });
    let header = [
        "amplitude",
        "frequency",
        &format!("stiffness\nmeasured\n{stiffness}"),
        "\nmodel",
        "\ndifference",
        "loss angle\nmeasured\ndeg",
        "\nmodel",
    ];
    Table::new(header, rows)
}

/// Whether times are only sample numbers, as in records without time.
pub fn counted(time: &[f64]) -> bool {
    time.windows(2).all(|w| w[1] == w[0] + 1.0) && time.first().is_some_and(|t| t.fract() == 0.0)
}

/// An axis and its values in the unit people read.
pub fn scaled(name: &str, quantity: Quantity, values: &[f64]) -> (Axis, Vec<f64>) {
    let (unit, factor) = quantity.engineering();
    let values = values.iter().map(|v| v / factor).collect();
    (Axis::new(name, unit), values)
}
