//! The ladder as a page: error over number of parameters, and the loops of the best.

use super::text::{header, row, shown};
use super::{Comparing, choice, structure, target, verdict};
use crate::identified::html::footer;
use crate::{Axis, Block, Page, Pen, Plot, Section, Shape, Table};
use masing_data::unit::Quantity;
use masing_identify::Names;
use masing_identify::compare::{Compared, Rung, Standing};
use masing_model::MotionKind;
use std::collections::BTreeMap;

/// Models whose loops are drawn.
const DRAWN: usize = 3;
/// Models of the table; the document has all.
const LISTED: usize = 30;

/// The page.
pub fn page(comparing: &Comparing) -> Page {
    let ladder = &comparing.found.ladder;
    let good = comparing
        .found
        .chosen()
        .is_some_and(|r| r.explodes.is_none());
    let text = verdict(comparing);
    let first = vec![
        Block::Verdict { good, text },
        Block::Plot(errors(ladder)),
        Block::Table(table(&comparing.found)),
        Block::Text(format!(
            "The records show: {}.",
            shown(&comparing.found.signs)
        )),
    ];
    let mut sections = vec![Section::new("Ladder", first)];
    sections.extend(target::section(&comparing.found, comparing.motion));
    for (k, rung) in best(ladder).enumerate() {
        let title = match (rung.standing, k) {
            (Standing::Chosen, _) => "Loops of the chosen model".to_owned(),
            (_, 0 | 1) => "Loops of the best other model".to_owned(),
            _ => "Loops of the next model".to_owned(),
        };
        let mut blocks = vec![Block::Text(structure(rung))];
        blocks.extend(loops(rung, comparing));
        sections.push(Section::new(title, blocks));
    }
    let made = vec![
        Block::Listing(comparing.command.join(" ")),
        Block::Listing(comparing.assumptions.join("\n")),
    ];
    sections.push(Section::new("How it was made", made).expert());
    Page {
        title: "Compared models".to_owned(),
        subtitle: format!(
            "{} models, {} parts of the tests left out in turn",
            ladder.len(),
            comparing.found.folds.len()
        ),
        sections,
        footer: footer("compare"),
    }
}

/// How the model of a fit was found: the ladder, and the tied models on the motion that it is for.
pub(crate) fn sections(found: &Compared, motion: MotionKind) -> Vec<Section> {
    let blocks = vec![
        Block::Text(choice(found)),
        Block::Plot(errors(&found.ladder)),
        Block::Table(table(found)),
        Block::Text(format!("The records show: {}.", shown(&found.signs))),
    ];
    let ladder = Section::new("How the model was found", blocks);
    let target = target::section(found, motion);
    std::iter::once(ladder).chain(target).collect()
}

/// The chosen model, then the others in their order.
fn best(ladder: &[Rung]) -> impl Iterator<Item = &Rung> {
    let chosen = |r: &&Rung| r.standing == Standing::Chosen;
    let others = ladder.iter().filter(move |r| !chosen(r));
    ladder.iter().filter(chosen).chain(others).take(DRAWN)
}

fn table(found: &Compared) -> Table {
    // The model is the longest: it comes last, where it may go on in further lines.
    let model_last = |mut cells: Vec<String>| {
        let model = cells.remove(1);
        cells.push(model);
        cells
    };
    let header = header(found);
    let header = model_last(header.iter().map(|h| (*h).to_owned()).collect());
    let chosen = |i: &usize| found.ladder[*i].standing == Standing::Chosen;
    let count = found.ladder.len();
    let listed: Vec<usize> = (0..count).filter(|i| *i < LISTED || chosen(i)).collect();
    let more = count - listed.len();
    let last = header.len() - 1;
    let rows = listed.iter().map(|i| model_last(row(found, *i)));
    Table {
        rows: rows.collect(),
        note: (more > 0).then(|| format!("{more} more are in the JSON document.")),
        // Mark, largest, remark and model.
        word_columns: vec![0, 4, last - 1, last],
        header,
        ..Table::default()
    }
}

/// Error over number of parameters.
fn errors(ladder: &[Rung]) -> Plot {
    let mut plot = Plot::new(
        "Error over number of parameters",
        Shape::Path,
        Axis::new("parameters", ""),
        Axis::new("error", "%").log(),
    );
    let points = |of: &dyn Fn(&Rung) -> f64, chosen: bool| -> (Vec<f64>, Vec<f64>) {
        let own = ladder
            .iter()
            .filter(|r| !chosen || r.standing == Standing::Chosen);
        own.map(|r| (r.trial.parameters as f64, 100.0 * of(r)))
            .unzip()
    };
    let mut least: BTreeMap<usize, f64> = BTreeMap::new();
    for rung in ladder {
        let own = least.entry(rung.trial.parameters).or_insert(f64::INFINITY);
        *own = own.min(100.0 * rung.trial.fitted());
    }
    let (x, y): (Vec<f64>, Vec<f64>) = least.iter().map(|(n, e)| (*n as f64, *e)).unzip();
    plot.draw(Pen::Faint, "fitted, the smallest", &x, &y);
    let (x, y) = points(&|r| r.trial.left_out_rms(), false);
    plot.draw(Pen::Points, "left out", &x, &y);
    let (x, y) = points(&|r| r.trial.left_out_rms(), true);
    plot.draw(Pen::Points, "chosen", &x, &y);
    plot
}

/// The loops of every fitted test beside those of the model.
fn loops(rung: &Rung, comparing: &Comparing) -> Vec<Block> {
    let names = Names::of(comparing.motion);
    let x_axis = || Axis::of(names.displacement, names.length);
    let y_axis = || Axis::of(names.force, names.load);
    let scaled = |values: &[f64], quantity: Quantity| -> Vec<f64> {
        let factor = quantity.engineering().1;
        values.iter().map(|v| v / factor).collect()
    };
    let each = rung.trial.loops().into_iter().map(|own| {
        let mut plot = Plot::new(own.test, Shape::Path, x_axis(), y_axis());
        let measured = scaled(&own.measured, names.load);
        let predicted = scaled(&own.predicted, names.load);
        let x = scaled(&own.x, names.length);
        plot.compare(&x, ("measured", &measured), ("model", &predicted));
        Block::Plot(plot)
    });
    each.collect()
}
