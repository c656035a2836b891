//! The motion: measured and simulated, with its stages and regimes.

use super::{Report, over_time};
use crate::figures::significant;
use crate::stages::unit_text::in_units;
use crate::{Axis, Block, Pen, Plot, Section};
use masing_data::range;
use masing_stages::{Dynamics, Motion, Predicted};

/// A channel of a simulation.
type Channel = fn(&Predicted) -> &Vec<f64>;

/// Measured motion compared with the refined device, D0 and the best formulation.
pub(crate) fn section(report: &Report<'_>, motion: &Motion, found: &Dynamics) -> Section {
    let names = report.names;
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
        let title = format!("Measured and simulated {name}");
        let mut plot = over_time(title, Axis::of(name, quantity)).grouped("motion");
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
        let traces = traces
            .iter()
            .map(|(pen, name, y)| (*pen, name.clone(), &y[..]));
        plot.add_all(&motion.time, traces);
        mark_regimes(&mut plot, found);
        if name == names.displacement {
            mark_levels(report, &mut plot, &found.refined_motion.angle[..n]);
        }
        blocks.push(Block::Plot(plot));
    }
    let instant = |t: Option<f64>| match t {
        Some(t) => format!("{} s", significant(t, 4)),
        None => "not within the record".to_owned(),
    };
    let [envelope, last] = found.regimes;
    let last = [last.double_ends, last.single_ends].map(instant);
    blocks.push(Block::facts([
        ("double-sided impacts end", instant(envelope.double_ends)),
        ("impacts end", instant(envelope.single_ends)),
        ("by the last crossings", last.join(", ")),
    ]));
    Section::new("Motion", blocks)
}

/// The end of double-sided impacts, and of all impacts.
pub(crate) fn mark_regimes(plot: &mut Plot, found: &Dynamics) {
    let ends = found.regimes[0];
    let marks = [
        (ends.double_ends, "single-sided impacts"),
        (ends.single_ends, "no impacts"),
    ];
    for (at, name) in marks {
        // A motion without such impacts has left them before it begins.
        if let Some(at) = at.filter(|t| *t > found.refined_motion.time[0]) {
            plot.mark_x(at, name);
        }
    }
}

/// Nodes within the range of a motion.
fn mark_levels(report: &Report<'_>, plot: &mut Plot, motion: &[f64]) {
    let (low, high) = range(motion);
    let device = &report.found.device;
    let unit = report.names.length.engineering().1;
    for (i, angle) in device.angles.iter().enumerate() {
        if (low..=high).contains(angle) {
            plot.mark_y(angle / unit, device.name(i));
        }
    }
}

/// The angle from every formulation that is not shown above.
pub(crate) fn others(report: &Report<'_>, motion: &Motion, found: &Dynamics) -> Vec<Block> {
    let names = report.names;
    let n = motion.len();
    let shown = [found.ranking.first().copied(), Some("D0")];
    let others = found
        .judged
        .iter()
        .filter(|j| !shown.contains(&Some(j.formulation.name)));
    others
        .map(|judged| {
            let name = judged.formulation.name;
            let title = format!("Measured {} and that of {name}", names.displacement);
            let plot = over_time(title, Axis::of(names.displacement, names.length));
            let mut plot = plot.grouped("motion").low().at_most(2000);
            let measured = in_units(&motion.angle, names.length);
            let simulated = in_units(&judged.predicted.angle[..n], names.length);
            plot.compare(&motion.time, ("measured", &measured), (name, &simulated));
            Block::Plot(plot)
        })
        .collect()
}
