//! The fast record: refined device and formulations.

use super::{Report, expert, motions, torque};
use crate::stages::json::{FastDocument, NodeDocument};
use crate::stages::text::fast::{ranking, refined};
use crate::stages::unit_text::{figure, in_units};
use crate::{Axis, Bar, Bars, Block, Pen, Plot, Section, Shape};
use masing_stages::{Dynamics, Fast, Judged};

/// All sections about it.
pub(crate) fn sections(report: &Report<'_>, document: &FastDocument, fast: &Fast) -> Vec<Section> {
    let (motion, found) = (&fast.motion, &fast.dynamics);
    vec![
        device(report, document, found),
        motions::section(report, motion, found),
        torque::section(report, motion, found),
        expert::section(report, document, motion, found),
    ]
}

/// Refined friction and the ranking.
fn device(report: &Report<'_>, document: &FastDocument, found: &Dynamics) -> Section {
    let names = report.names;
    let bars = document.formulations.iter().map(|f| Bar {
        name: f.name.to_owned(),
        value: f.metrics.rms_theta / names.length.engineering().1,
        text: figure(f.metrics.rms_theta, names.length, 3),
        marked: document.ranking.first() == Some(&f.name),
    });
    let mut friction = over_angle(
        report,
        "Friction under slow and under fast loading",
        Axis::of("friction h", names.load),
    );
    let places = |nodes: &mut dyn Iterator<Item = &NodeDocument>| {
        let (angle, h): (Vec<f64>, Vec<f64>) = nodes.map(|n| (n.angle, n.friction)).unzip();
        (in_units(&angle, names.length), in_units(&h, names.load))
    };
    for (nodes, name) in [
        (&report.document.quasi_static.nodes, "slow"),
        (&document.refined.nodes, "refined, fast"),
    ] {
        let (angle, h) = places(&mut nodes.iter());
        friction.draw(Pen::Dotted, name, &angle, &h);
    }
    let unknown = |n: &&NodeDocument| !["ok", "fixed"].contains(&n.status.unwrap_or("ok"));
    let (at, h) = places(&mut document.refined.nodes.iter().filter(unknown));
    if !at.is_empty() {
        // In the colour of the refined line, which is the second.
        friction.add_coloured(1, Pen::Points, "not determined", &at, &h);
    }
    report.mark_stages(&mut friction);
    let note = "+- is one standard error by the noise of the dynamic test alone: what the slow test has wrong in its nodes comes on top. Friction \
                of nodes that the dynamic test did not reach is extrapolated from the slow test.";
    let refined = refined(&document.refined, names).with_words([0, 9]);
    let bars = Bars {
        title: format!("Error of the {} by formulation", names.displacement),
        axis: format!("rms, {}", names.length.engineering().0),
        rows: bars.collect(),
        from: None,
        legend: ["others".to_owned(), "best".to_owned()],
    };
    let blocks = vec![
        Block::Table(refined.with_note(note)),
        Block::Plot(friction),
        Block::Table(ranking(document, names)),
        Block::Bars(bars),
        Block::Plot(frictions(report, found)),
        Block::Plot(dampings(report, found)),
    ];
    Section::new("Fast loading", blocks).on_new_sheet()
}

/// An empty plot over the angle.
fn over_angle(report: &Report<'_>, title: &str, y: Axis) -> Plot {
    let x = Axis::of(report.names.displacement, report.names.length);
    Plot::new(title, Shape::Path, x, y)
}

/// Friction of the formulations that have some.
fn frictions(report: &Report<'_>, found: &Dynamics) -> Plot {
    let load = report.names.load;
    let axis = Axis::of("friction h", load);
    let plot = over_angle(report, "Friction of the formulations", axis);
    with_formulations(report, plot, found, load.engineering().1, |j| {
        &j.formulation.friction
    })
}

/// Damping of the formulations that have some.
fn dampings(report: &Report<'_>, found: &Dynamics) -> Plot {
    let (load, factor) = report.names.load.engineering();
    let (length, scale) = report.names.length.engineering();
    let axis = Axis::new("damping c", format!("{load} s/{length}"));
    let plot = over_angle(report, "Viscous damping of the formulations", axis);
    with_formulations(report, plot, found, factor / scale, |j| {
        &j.formulation.viscous
    })
}

fn with_formulations(
    report: &Report<'_>,
    plot: Plot,
    found: &Dynamics,
    unit: f64,
    of: fn(&Judged) -> &Vec<f64>,
) -> Plot {
    let mut plot = plot.low();
    let angle = in_units(&report.found.device.angles, report.names.length);
    for judged in &found.judged {
        let values: Vec<f64> = of(judged).iter().map(|v| v / unit).collect();
        if values.iter().any(|v| *v > 0.0) {
            plot.draw(Pen::Dotted, judged.formulation.name, &angle, &values);
        }
    }
    report.mark_stages(&mut plot);
    plot
}
