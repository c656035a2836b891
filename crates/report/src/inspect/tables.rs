//! The tables of `inspect`, in the units people read, for the terminal and the page alike.

use super::Inspected;
use crate::Table;
use crate::figures::significant;
use masing_data::unit::Quantity;
use masing_data::{Block, Cycle, Match, Preload, UnitFrom};
use masing_identify::Names;

/// The content of an empty cell.
const NOTHING: &str = "-";
/// First and last cycles of a block that are shown.
const ENDS: usize = 3;
/// Blocks whose cycles are shown one by one.
const MOST_BLOCKS: usize = 12;
/// Rows of other tables that are shown.
const MOST_ROWS: usize = 24;

/// Columns of the file and how each was used.
pub fn channels(test: &Inspected) -> Table {
    let rows = test.experiment.channels.iter().map(|c| {
        let role = c
            .role
            .map_or_else(|| "not used".to_owned(), |slot| slot.to_string());
        let how = match c.matched {
            Some(Match::Given) => "as given",
            Some(Match::Name) => "by its name",
            Some(Match::Synonym | Match::Word) => "from its name",
            Some(Match::Unit) => "from its unit",
            Some(Match::Shape) => "from its shape",
            Some(Match::Position) => "from its position",
            _ => "",
        };
        let unit_from = match c.unit_from {
            Some(UnitFrom::Given) => "unit as given",
            Some(UnitFrom::File) => "unit from the file",
            Some(_) => "unit assumed",
            None => "",
        };
        let taken = [how, unit_from].into_iter().filter(|t| !t.is_empty());
        vec![
            c.name.clone(),
            role,
            c.unit.clone().unwrap_or_else(|| NOTHING.to_owned()),
            taken.collect::<Vec<_>>().join(", "),
        ]
    });
    Table {
        words: true,
        ..Table::new(["column", "role", "unit", "taken"], rows)
    }
}

/// Blocks of like cycles, with the figures of the last cycle of each; nothing if one table says it all.
pub fn blocks(test: &Inspected) -> Option<Table> {
    let found = &test.inspection;
    if found.blocks.is_empty() || (found.blocks.len() == 1 && found.cycles.len() <= 2 * ENDS) {
        return None;
    }
    let names = test.names();
    let mut header = vec![
        "block".to_owned(),
        "cycles".to_owned(),
        "settled\nafter\ncycles".to_owned(),
        "change\nin last\n%".to_owned(),
    ];
    header.extend(figure_headers(&names));
    let row = |(i, block): (usize, &Block)| {
        let mut row = vec![
            (i + 1).to_string(),
            format!("{} to {}", block.cycles.start + 1, block.cycles.end),
            block.run_in.to_string(),
            block.drift.map_or_else(|| NOTHING.to_owned(), percent),
        ];
        row.extend(figures(&found.cycles[block.cycles.end - 1], &names));
        row
    };
    let rows: Vec<Vec<String>> = found.blocks.iter().enumerate().map(row).collect();
    Some(shorten(
        header,
        rows,
        MOST_ROWS,
        "blocks",
        Some("Figures are those of the last cycle of each block."),
    ))
}

/// Cycles one by one; of long blocks the first and the last ones.
pub fn cycles(test: &Inspected) -> Option<Table> {
    let found = &test.inspection;
    if found.cycles.is_empty() {
        return None;
    }
    let names = test.names();
    let mut header = vec!["cycle".to_owned()];
    header.extend(figure_headers(&names));
    header.push("change\nof energy\n%".to_owned());
    let chosen = chosen(&found.cycles, &found.blocks);
    let rows: Vec<Vec<String>> = chosen
        .iter()
        .map(|&i| {
            let cycle = &found.cycles[i];
            let before = i.checked_sub(1).filter(|_| follows(&found.blocks, i));
            let change = before.and_then(|b| {
                let (now, then) = (cycle.energy?, found.cycles[b].energy?);
                (then != 0.0).then(|| percent((now - then) / then.abs()))
            });
            let mut row = vec![(i + 1).to_string()];
            row.extend(figures(cycle, &names));
            row.push(change.unwrap_or_else(|| NOTHING.to_owned()));
            row
        })
        .collect();
    let left = found.cycles.len() - chosen.len();
    let note = (left > 0).then(|| {
        format!(
            "{left} of {} cycles are not shown: of each block the first {ENDS} and the last {ENDS} are.",
            found.cycles.len()
        )
    });
    Some(without_empty(Table {
        note,
        ..Table::new(header, rows)
    }))
}

/// Whether a cycle and the one before it belong to the same block.
fn follows(blocks: &[Block], i: usize) -> bool {
    blocks
        .iter()
        .any(|b| b.cycles.contains(&i) && b.cycles.start < i)
}

/// The cycles to show.
fn chosen(cycles: &[Cycle], blocks: &[Block]) -> Vec<usize> {
    if cycles.len() <= 4 * ENDS {
        return (0..cycles.len()).collect();
    }
    let shown = |i: usize| i < MOST_BLOCKS / 2 || i + MOST_BLOCKS / 2 >= blocks.len();
    let mut out = Vec::new();
    for (_, block) in blocks.iter().enumerate().filter(|(i, _)| shown(*i)) {
        let range = block.cycles.clone();
        if range.len() <= 2 * ENDS + 1 {
            out.extend(range);
        } else {
            out.extend(range.start..range.start + ENDS);
            out.extend(range.end - ENDS..range.end);
        }
    }
    out
}

/// Frequency and damping against amplitude.
pub fn ring_down(test: &Inspected) -> Option<Table> {
    let points = &test.inspection.ring_down;
    let record = test.record()?;
    if points.is_empty() {
        return None;
    }
    let (name, quantity) = driver(record);
    let unit = quantity.engineering();
    let header = vec![
        "time\ns".to_owned(),
        format!("amplitude\nof {name}\n{}", unit.0),
        "frequency\nHz".to_owned(),
        "damping\nratio".to_owned(),
    ];
    let rows = points.iter().map(|p| {
        vec![
            significant(p.time, 5),
            significant(p.amplitude / unit.1, 5),
            significant(p.frequency, 5),
            significant(p.damping_ratio, 4),
        ]
    });
    Some(shorten(header, rows.collect(), MOST_ROWS, "periods", None))
}

/// Name and kind of the channel that stands for the motion.
pub fn driver(record: &masing_data::Record) -> (String, Quantity) {
    use masing_data::Role::{Acceleration, Angle, Displacement, Velocity};
    let signal = [Displacement, Angle, Acceleration, Velocity]
        .into_iter()
        .find_map(|role| record.signal(role));
    signal.map_or_else(
        || ("motion".to_owned(), Quantity::Length),
        |s| (s.slot.to_string(), s.quantity),
    )
}

/// Dynamic stiffness and loss angle: the rows of a table.
pub fn harmonic(test: &Inspected) -> Option<Table> {
    let points = &test.inspection.harmonic;
    if points.is_empty() || test.record().is_some() {
        return None;
    }
    let names = test.names();
    let unit = |quantity: Quantity| quantity.engineering().0;
    let header = vec![
        "frequency\nHz".to_owned(),
        format!("amplitude\n{}", unit(names.length)),
        "preload".to_owned(),
        format!("dynamic\nstiffness\n{}", unit(names.stiffness)),
        format!("storage\n{}", unit(names.stiffness)),
        format!("loss\n{}", unit(names.stiffness)),
        "loss\nangle\ndeg".to_owned(),
    ];
    let rows = points.iter().map(|p| {
        vec![
            shown(Some(p.frequency), Quantity::Frequency),
            shown(Some(p.amplitude), names.length),
            match p.preload {
                Some(Preload::Motion(v)) => crate::figures::engineering(v, names.length),
                Some(Preload::Force(v)) => crate::figures::engineering(v, names.load),
                None => NOTHING.to_owned(),
            },
            shown(Some(p.stiffness), names.stiffness),
            shown(Some(p.storage()), names.stiffness),
            shown(Some(p.loss()), names.stiffness),
            shown(Some(p.loss_angle), Quantity::Angle),
        ]
    });
    Some(shorten(header, rows.collect(), 2 * MOST_ROWS, "rows", None))
}

fn figure_headers(names: &Names) -> Vec<String> {
    let unit = |quantity: Quantity| quantity.engineering().0;
    vec![
        format!("ampli-\ntude\n{}", unit(names.length)),
        "fre-\nquency\nHz".to_owned(),
        "energy\nper cycle\nJ".to_owned(),
        format!("secant\nstiffness\n{}", unit(names.stiffness)),
        format!("dynamic\nstiffness\n{}", unit(names.stiffness)),
        "loss\nangle\ndeg".to_owned(),
        "equiv.\ndamping\nratio".to_owned(),
    ]
}

fn figures(cycle: &Cycle, names: &Names) -> [String; 7] {
    [
        shown(Some(cycle.amplitude), names.length),
        shown(cycle.frequency, Quantity::Frequency),
        shown(cycle.energy, Quantity::Energy),
        shown(cycle.secant_stiffness, names.stiffness),
        shown(cycle.dynamic_stiffness, names.stiffness),
        shown(cycle.loss_angle, Quantity::Angle),
        shown(cycle.damping_ratio, Quantity::Number),
    ]
}

fn shown(value: Option<f64>, quantity: Quantity) -> String {
    value.filter(|v| v.is_finite()).map_or_else(
        || NOTHING.to_owned(),
        |value| significant(value / quantity.engineering().1, 4),
    )
}

/// A share as a signed percentage.
fn percent(share: f64) -> String {
    format!("{:+.1}", 100.0 * share)
}

/// Keeps the first and last rows of a long table, and says so.
fn shorten(
    header: Vec<String>,
    mut rows: Vec<Vec<String>>,
    most: usize,
    what: &str,
    note: Option<&str>,
) -> Table {
    let all = rows.len();
    let mut notes: Vec<String> = note.map(str::to_owned).into_iter().collect();
    if all > most {
        rows.drain(most / 2..all - most / 2);
        notes.push(format!(
            "{} of {all} {what} are not shown: the first {} and the last {} are.",
            all - rows.len(),
            most / 2,
            most / 2
        ));
    }
    without_empty(Table {
        note: (!notes.is_empty()).then(|| notes.join(" ")),
        ..Table::new(header, rows)
    })
}

/// Leaves out columns that say nothing, such as the frequency of a record without time.
fn without_empty(mut table: Table) -> Table {
    let speaks: Vec<bool> = (0..table.header.len())
        .map(|c| table.rows.iter().any(|row| row[c] != NOTHING))
        .collect();
    let keep = |cells: &mut Vec<String>| {
        let mut flags = speaks.iter();
        cells.retain(|_| *flags.next().unwrap_or(&true));
    };
    keep(&mut table.header);
    table.rows.iter_mut().for_each(keep);
    table
}
