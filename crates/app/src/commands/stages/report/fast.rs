//! The fast record: refined device, motions, torque, metrics.

use super::Report;
use crate::commands::stages::document::{FastDocument, NodeDocument};
use crate::commands::stages::summary::fast::{Rows, ranking, refined, table_3};
use crate::commands::stages::words::{figure, in_units};
use crate::figures::significant;
use masing_export::{Axis, Bar, Bars, Block, Pen, Plot, Section, Shape, Table};
use masing_identify::stages::{Dynamics, Motion, Predicted};

/// All sections about it.
pub fn sections(
    report: &Report<'_>,
    document: &FastDocument,
    motion: &Motion,
    found: &Dynamics,
) -> Vec<Section> {
    vec![
        device(report, document),
        motions(report, motion, found),
        torque(report, motion, found),
        expert(document),
    ]
}

fn table((header, rows): Rows, note: Option<&str>, word_columns: Vec<usize>) -> Block {
    Block::Table(Table {
        header,
        rows,
        note: note.map(str::to_owned),
        word_columns,
        ..Table::default()
    })
}

/// Refined friction and the ranking.
fn device(report: &Report<'_>, document: &FastDocument) -> Section {
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
    let note = "One standard error. Friction of nodes that the dynamic test did not reach goes on as the slow friction does.";
    Section::new(
        "Fast loading",
        vec![
            table(
                refined(&document.refined, report.words),
                Some(note),
                vec![0, 6],
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
        ],
    )
    .on_new_sheet()
}

/// A channel of a simulation.
type Channel = fn(&Predicted) -> &Vec<f64>;

/// Measured motion beside the refined device, D0 and the best formulation.
fn motions(report: &Report<'_>, motion: &Motion, found: &Dynamics) -> Section {
    let names = &report.words.names;
    let mut blocks = Vec::new();
    let n = motion.len();
    let best = found
        .ranking
        .first()
        .and_then(|name| found.formulation(name));
    let slow = found.formulation("D0");
    let channels: [(&str, _, &Vec<f64>, Channel); 3] = [
        (names.displacement, names.length, &motion.angle, |p| {
            &p.angle
        }),
        ("velocity", names.velocity, &motion.velocity, |p| {
            &p.velocity
        }),
        (
            "acceleration",
            names.acceleration,
            &motion.acceleration,
            |p| &p.acceleration,
        ),
    ];
    for (name, quantity, measured, of) in channels {
        let mut plot = plot(
            format!("Measured and simulated {name}"),
            Shape::History,
            ("time", "s"),
            (name, quantity.engineering().0),
        )
        .grouped("motion");
        let scaled = |values: &[f64]| in_units(&values[..n], quantity);
        let measured = scaled(measured);
        let refined = scaled(of(&found.refined_motion));
        let mut traces = vec![
            (Pen::Measured, "measured".to_owned(), measured),
            (Pen::Model, "refined".to_owned(), refined),
        ];
        for judged in best.into_iter().chain(slow) {
            let name = judged.formulation.name.to_owned();
            traces.push((Pen::Line, name, scaled(of(&judged.predicted))));
        }
        plot.add_all(
            &motion.time,
            traces
                .iter()
                .map(|(pen, name, y)| (*pen, name.clone(), &y[..])),
        );
        blocks.push(Block::Plot(plot));
    }
    let instant = |t: Option<f64>| {
        t.map_or_else(
            || "not within the record".to_owned(),
            |t| format!("{} s", significant(t, 4)),
        )
    };
    let [envelope, last] = found.regimes;
    blocks.push(Block::Facts(vec![
        (
            "double-sided impacts end".to_owned(),
            instant(envelope.double_ends),
        ),
        ("impacts end".to_owned(), instant(envelope.single_ends)),
        (
            "by the last crossings".to_owned(),
            format!(
                "{}, {}",
                instant(last.double_ends),
                instant(last.single_ends)
            ),
        ),
    ]));
    Section::new("Motion", blocks)
}

/// Transmitted torque by linearisation against the slow device.
fn torque(report: &Report<'_>, motion: &Motion, found: &Dynamics) -> Section {
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
    let text = format!(
        "Linearised within windows of {} ms. The elastic {} at rest differs from the slow one by {} % of the largest on average and {} % at most; the whole {} by {} % and {} %.",
        significant(1e3 * linearised.window, 2),
        names.force,
        significant(100.0 * linearised.elastic_deviation[0], 2),
        significant(100.0 * linearised.elastic_deviation[1], 2),
        names.force,
        significant(100.0 * linearised.deviation[0], 2),
        significant(100.0 * linearised.deviation[1], 2),
    );
    Section::new(
        format!("Transmitted {}", names.force),
        vec![
            Block::Text(text),
            Block::Plot(history),
            Block::Plot(elastic),
        ],
    )
}

/// Metrics and the energy balance.
fn expert(document: &FastDocument) -> Section {
    let energy = &document.dynamic.energy;
    let joule = |value: f64| format!("{} J", significant(value, 4));
    let facts = vec![
        ("work of the load".to_owned(), joule(energy.work)),
        ("elastic energy gained".to_owned(), joule(energy.elastic)),
        ("kinetic energy gained".to_owned(), joule(energy.kinetic)),
        ("dissipated".to_owned(), joule(energy.dissipated)),
        (
            "by the slow friction".to_owned(),
            joule(energy.quasi_static),
        ),
        (
            "chi2 of the refinement".to_owned(),
            significant(document.refined.chi2_dof, 3),
        ),
        (
            "viscous coefficient, SI".to_owned(),
            format!(
                "{} +- {}",
                significant(document.refined.viscous, 3),
                significant(document.refined.viscous_std_error, 2)
            ),
        ),
        ("eta, SI".to_owned(), significant(document.dynamic.eta, 3)),
        (
            "noise of what was measured, SI".to_owned(),
            significant(document.dynamic.noise, 3),
        ),
    ];
    let gains = document.dynamic.stages.iter().map(|s| {
        let gain = s.gain.map_or_else(|| "-".to_owned(), |g| significant(g, 3));
        vec![
            s.name.clone(),
            significant(s.energy, 4),
            significant(100.0 * s.coverage, 3),
            gain,
            if s.accepted { "yes" } else { "no" }.to_owned(),
        ]
    });
    let header = ["stage", "dissipated\nJ", "covered\n%", "gain", "accepted"].map(str::to_owned);
    let unit = match document.dynamic.time_unit {
        1.0 => "1 s".to_owned(),
        unit => format!("{} s", significant(unit, 3)),
    };
    let note = format!(
        "R1 to R3: errors over those of D0 while impacts are double-sided, single-sided, and while there are none. R4 to R6: \
         differences of the lengths of these regimes, unit {unit}."
    );
    let scales = document
        .refined
        .stiffness_scales
        .iter()
        .map(|(name, entry)| {
            let number = |key: &str| significant(entry[key].as_f64().unwrap_or(f64::NAN), 5);
            (
                format!("stiffness of {name} over slow"),
                format!("{} +- {}", number("value"), number("std_error")),
            )
        });
    Section::new(
        "For experts",
        vec![
            table(table_3(document), Some(&note), vec![0]),
            Block::Facts(facts),
            table((header.to_vec(), gains.collect()), Some("An error of the inner node comes back so many times at the outer one: the gain; above 5 it is not accepted."), vec![0, 4]),
            Block::Facts(scales.collect()),
        ],
    )
    .expert()
}

fn plot(
    title: impl Into<String>,
    shape: Shape,
    x: (impl Into<String>, &str),
    y: (impl Into<String>, &str),
) -> Plot {
    Plot::new(title, shape, Axis::new(x.0, x.1), Axis::new(y.0, y.1))
}
