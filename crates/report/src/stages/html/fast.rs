//! The fast record: refined device and formulations.

use super::{Report, expert, motions, plot, table, torque};
use crate::stages::json::{FastDocument, NodeDocument};
use crate::stages::text::fast::{ranking, refined};
use crate::stages::unit_text::{figure, in_units};
use crate::{Bar, Bars, Block, Pen, Plot, Section, Shape};
use masing_stages::{Dynamics, Judged, Motion};

/// All sections about it.
pub(crate) fn sections(
    report: &Report<'_>,
    document: &FastDocument,
    motion: &Motion,
    found: &Dynamics,
) -> Vec<Section> {
    vec![
        device(report, document, found),
        motions::section(report, motion, found),
        torque::section(report, motion, found),
        expert::section(report, document, motion, found),
    ]
}

/// Refined friction and the ranking.
fn device(report: &Report<'_>, document: &FastDocument, found: &Dynamics) -> Section {
    let names = &report.words.names;
    let bars = document.formulations.iter().map(|f| Bar {
        name: f.name.to_owned(),
        value: f.metrics.rms_theta / names.length.engineering().1,
        text: figure(f.metrics.rms_theta, names.length, 3),
        marked: document.ranking.first() == Some(&f.name),
    });
    let mut friction = plot(
        "Friction under slow and under fast loading",
        Shape::Path,
        (names.displacement, names.length.engineering().0),
        ("friction h", names.load.engineering().0),
    );
    let column = |pick: fn(&NodeDocument) -> f64, nodes: &[NodeDocument]| {
        nodes.iter().map(pick).collect::<Vec<f64>>()
    };
    for (nodes, name) in [
        (&report.document.quasi_static.nodes, "slow"),
        (&document.refined.nodes, "refined, fast"),
    ] {
        let angle = in_units(&column(|n| n.angle, nodes), names.length);
        let h = in_units(&column(|n| n.friction, nodes), names.load);
        friction.add_all(&angle, [(Pen::Dotted, name.to_owned(), &h[..])]);
    }
    let unknown = |n: &&NodeDocument| !["ok", "fixed"].contains(&n.status.unwrap_or("ok"));
    let (at, h): (Vec<f64>, Vec<f64>) = document
        .refined
        .nodes
        .iter()
        .filter(unknown)
        .map(|n| (n.angle, n.friction))
        .unzip();
    if !at.is_empty() {
        let (at, h) = (in_units(&at, names.length), in_units(&h, names.load));
        // In the colour of the refined line, which is the second.
        friction.add_coloured(1, Pen::Points, "not determined", &at, &h);
    }
    report.mark_stages(&mut friction);
    let note = "+- is one standard error by the noise of the dynamic test alone: what the slow test has wrong in its nodes comes on top. Friction \
                of nodes that the dynamic test did not reach is extrapolated from the slow test.";
    Section::new(
        "Fast loading",
        vec![
            table(
                refined(&document.refined, report.words),
                Some(note),
                vec![0, 9],
            ),
            Block::Plot(friction),
            table(ranking(document, report.words), None, vec![0, 2, 3]),
            Block::Bars(Bars {
                title: format!("Error of the {} by formulation", names.displacement),
                axis: format!("rms, {}", names.length.engineering().0),
                rows: bars.collect(),
                from: None,
                legend: ["others".to_owned(), "best".to_owned()],
            }),
            Block::Plot(frictions(report, found)),
            Block::Plot(dampings(report, found)),
        ],
    )
    .on_new_sheet()
}

/// Friction of the formulations that have some.
fn frictions(report: &Report<'_>, found: &Dynamics) -> Plot {
    let names = &report.words.names;
    let unit = names.load.engineering();
    let mut plot = plot(
        "Friction of the formulations",
        Shape::Path,
        (names.displacement, names.length.engineering().0),
        ("friction h", unit.0),
    )
    .low();
    add_formulations(report, &mut plot, found, unit.1, |judged| {
        &judged.formulation.friction
    });
    plot
}

/// Damping of the formulations that have some.
fn dampings(report: &Report<'_>, found: &Dynamics) -> Plot {
    let names = &report.words.names;
    let (load, factor) = names.load.engineering();
    let (length, scale) = names.length.engineering();
    let mut plot = plot(
        "Viscous damping of the formulations",
        Shape::Path,
        (names.displacement, length),
        ("damping c", &format!("{load} s/{length}")),
    )
    .low();
    add_formulations(report, &mut plot, found, factor / scale, |judged| {
        &judged.formulation.viscous
    });
    plot
}

fn add_formulations(
    report: &Report<'_>,
    plot: &mut Plot,
    found: &Dynamics,
    unit: f64,
    of: fn(&Judged) -> &Vec<f64>,
) {
    let angle = in_units(&report.found.device.angles, report.words.names.length);
    for judged in &found.judged {
        let values: Vec<f64> = of(judged).iter().map(|v| v / unit).collect();
        if values.iter().any(|v| *v > 0.0) {
            let name = judged.formulation.name.to_owned();
            plot.add_all(&angle, [(Pen::Dotted, name, &values[..])]);
        }
    }
    report.mark_stages(plot);
}
