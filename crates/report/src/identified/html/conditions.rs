//! Parameters over their conditions: the law with its band, and the single-level fits beside.

use crate::figures::{percent, readable_unit, significant};
use crate::{Axis, Block, Pen, Plot, Section, Shape, Table};
use masing_identify::Followed;
use masing_identify::Identified;

/// The section; nothing where no parameter follows.
pub fn section(found: &Identified) -> Option<Section> {
    if found.followed.is_empty() {
        return None;
    }
    let mut blocks = Vec::new();
    for own in &found.followed {
        blocks.push(Block::Text(sentence(own)));
        let mut tables = vec![Block::Table(levels(own))];
        if !own.ranked.is_empty() {
            tables.push(Block::Table(ranked(own)));
        }
        blocks.push(Block::Columns(vec![vec![Block::Plot(plot(own))], tables]));
    }
    Some(Section::new("Parameters over conditions", blocks))
}

/// The law in words.
fn sentence(own: &Followed) -> String {
    let parts = own.law.of.iter().zip(&own.of);
    let parts = parts.map(|((_, form), (name, unit))| {
        let unit = if unit == "1" {
            String::new()
        } else {
            format!(" in {unit}")
        };
        format!("{} ({}, x = {name}{unit})", form.name(), form.formula())
    });
    let parts: Vec<String> = parts.collect();
    format!(
        "{} follows {}; its coefficients are among the parameters above.",
        own.address,
        parts.join(" times ")
    )
}

/// The law and its band over the first condition, and the values of single levels.
fn plot(own: &Followed) -> Plot {
    let (unit, factor) = readable_unit(&own.unit);
    let (name, level_unit) = &own.of[0];
    let x = Axis::new(name, level_unit);
    let y = Axis::new(&own.address, unit);
    let title = format!("{} over {name}", own.address);
    let mut plot = Plot::new(title, Shape::Path, x, y);
    let at: Vec<f64> = own.curve.iter().map(|p| p.level).collect();
    let along = |of: fn(&masing_identify::conditions::CurvePoint) -> f64| -> Vec<f64> {
        own.curve.iter().map(|p| of(p) / factor).collect()
    };
    plot.add_faint("95 % band, lower end", &at, &along(|p| p.band[0]));
    plot.add_faint("95 % band, upper end", &at, &along(|p| p.band[1]));
    plot.draw(Pen::Model, "law", &at, &along(|p| p.value));
    let at: Vec<f64> = own.levels.iter().map(|l| l.at[0]).collect();
    let values: Vec<f64> = own.levels.iter().map(|l| l.value / factor).collect();
    plot.draw(Pen::Points, "refitted at single levels", &at, &values);
    plot
}

/// The law beside the single-level fits.
fn levels(own: &Followed) -> Table {
    let (unit, factor) = readable_unit(&own.unit);
    let mut header: Vec<String> = own
        .of
        .iter()
        .map(|(name, unit)| {
            if unit == "1" {
                name.clone()
            } else {
                format!("{name}, {unit}")
            }
        })
        .collect();
    header.push(format!("law, {unit}"));
    header.push(format!("single level, {unit}"));
    header.push("+-".to_owned());
    let rows = own.levels.iter().map(|level| {
        let mut row: Vec<String> = level.at.iter().map(|l| significant(*l, 4)).collect();
        row.push(significant(level.law / factor, 4));
        row.push(significant(level.value / factor, 4));
        row.push(significant(level.std_error / factor, 2));
        row
    });
    Table::new(header, rows)
        .with_note("single level: refitted to the tests of one level, all else held")
}

/// How the form was chosen.
fn ranked(own: &Followed) -> Table {
    let rows = own.ranked.iter().map(|form| {
        let error = if form.error.is_finite() {
            percent(form.error)
        } else {
            "leaves its range".to_owned()
        };
        vec![form.name(), form.coefficients.to_string(), error]
    });
    Table::new(["form", "coefficients", "error at levels left out"], rows).with_words([0])
}
