//! Statistics for experts.

use super::test::sized;
use crate::figures::{readable_unit, significant};
use crate::{Axis, Block, Matrix, Pen, Plot, Section, Shape, Table};
use masing_identify::Identified;
use masing_identify::result::{Correlations, LeftOut};

/// Correlations above this are named.
const CLOSE: f64 = 0.9;
/// Shares of the weakest direction above this are named.
const SHARE: f64 = 0.1;
/// Columns of a table that fit on paper beside the names.
const MOST_COLUMNS: usize = 5;
/// Most pairs that are named.
const MOST_NAMED: usize = 10;

/// The loss that bounds a 95 % interval: chi squared with one degree of freedom.
const LEVEL: f64 = 3.84;

/// Everything in one folded section.
pub fn section(found: &Identified) -> Section {
    let mut blocks = vec![Block::facts(facts(found))];
    blocks.push(Block::Table(tests(found)));
    let plots = [convergence(found), singular(&found.correlations)];
    let pictures: Vec<Vec<Block>> = plots
        .into_iter()
        .flatten()
        .chain(profiles(found))
        .map(|plot| vec![Block::Plot(plot)])
        .collect();
    if !pictures.is_empty() {
        blocks.push(Block::Columns(pictures));
    }
    let correlations = &found.correlations;
    if correlations.names.len() > 1 {
        blocks.push(Block::Matrix(Matrix {
            title: "Correlation of what was sought".to_owned(),
            names: correlations.names.clone(),
            values: correlations.values.clone(),
        }));
        blocks.push(Block::Text(close(correlations)));
        blocks.push(Block::Text(weakest(correlations)));
    }
    let left_out = leave_one_out(found);
    if !left_out.is_empty() {
        blocks.push(Block::Heading(
            "Parameters with one test left out".to_owned(),
        ));
        blocks.extend(left_out.into_iter().map(Block::Table));
        let text = "Change against the fit to all tests.".to_owned();
        blocks.push(Block::Text(text));
    }
    Section::new("Statistics for experts", blocks)
        .expert()
        .on_new_sheet()
}

fn facts(found: &Identified) -> Vec<(&'static str, String)> {
    let correlations = &found.correlations;
    let chi2 = match found.error.chi2_dof {
        Some(chi2) => significant(chi2, 4),
        None => "noise not known".to_owned(),
    };
    let widened = if correlations.inflated { "yes" } else { "no" };
    let mut facts = vec![
        ("chi2 per degree of freedom", chi2),
        ("sought numbers", correlations.sought.to_string()),
        ("evaluations", found.search.evaluations.to_string()),
        ("search ended by", found.search.stop.word().to_owned()),
        (
            "errors widened for correlated residuals",
            widened.to_owned(),
        ),
    ];
    let singular = &correlations.singular;
    if let (Some(first), Some(last)) = (singular.first(), singular.last()) {
        facts.push(("condition of the Jacobian", significant(first / last, 3)));
    }
    facts
}

fn tests(found: &Identified) -> Table {
    let names = found.names();
    let rows = found.comparisons.iter().map(|test| {
        vec![
            test.name.clone(),
            test.samples.to_string(),
            sized(test, test.rms, &names),
            sized(test, test.noise.value, &names),
            test.noise.source.word().to_owned(),
            significant(test.lag1, 3),
        ]
    });
    let header = [
        "test",
        "samples",
        "rms\nresidual",
        "noise",
        "noise\nfrom",
        "lag1",
    ];
    let table = Table::new(header, rows).with_words([0, 4]);
    table.with_note("lag1: correlation of neighbouring residuals.")
}

/// Error over evaluations.
fn convergence(found: &Identified) -> Option<Plot> {
    let history = &found.search.history;
    let (_, last) = *history.last()?;
    if history.len() < 2 || !(last > 0.0) {
        return None;
    }
    // What the search makes small is the error only where every test counts the same.
    let same = (last / found.error.relative - 1.0).abs() < 0.1;
    let (name, factor) = if same {
        (format!("error, %{}", found.scale()), 100.0)
    } else {
        ("error, over its last value".to_owned(), 1.0 / last)
    };
    let x = Axis::new("evaluations", "");
    let mut plot = Plot::new("Convergence", Shape::Path, x, Axis::new(name, "").log()).low();
    let evaluations: Vec<f64> = history.iter().map(|h| h.0 as f64).collect();
    let error: Vec<f64> = history.iter().map(|h| factor * h.1).collect();
    plot.draw(Pen::Dotted, "error", &evaluations, &error);
    Some(plot)
}

/// How well the tests determine every direction of the unknowns.
fn singular(correlations: &Correlations) -> Option<Plot> {
    let values = &correlations.singular;
    if values.len() < 2 {
        return None;
    }
    let axis = Axis::new("singular value, relative", "").log();
    let x = Axis::new("direction", "");
    let mut plot = Plot::new("Singular values of the Jacobian", Shape::Path, x, axis).low();
    let number: Vec<f64> = (1..=values.len()).map(|i| i as f64).collect();
    plot.draw(Pen::Dotted, "value", &number, values);
    Some(plot)
}

/// The likelihood along parameters, with the level that bounds the 95 % interval.
fn profiles(found: &Identified) -> impl Iterator<Item = Plot> {
    found.profiles.iter().map(|profile| {
        let own = found
            .estimates
            .iter()
            .find(|e| e.address == profile.address);
        let (unit, factor) = readable_unit(own.map_or("", |e| &e.unit));
        let title = format!("Likelihood along {}", profile.address);
        let x = Axis::new(profile.address.clone(), unit);
        let y = Axis::new("loss of -2 log likelihood", "");
        let mut plot = Plot::new(title, Shape::Path, x, y).low();
        let values: Vec<f64> = profile.values.iter().map(|v| v / factor).collect();
        plot.draw(Pen::Dotted, "loss", &values, &profile.loss);
        if let [first, .., last] = values[..] {
            plot.add_faint("95 %", &[first, last], &[LEVEL; 2]);
        }
        plot
    })
}

/// Pairs that the tests can hardly separate.
fn close(correlations: &Correlations) -> String {
    let (names, n) = (&correlations.names, correlations.names.len());
    let mut pairs: Vec<(f64, usize, usize)> = (0..n)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| (correlations.values[i * n + j], j, i))
        .filter(|(r, ..)| r.abs() > CLOSE)
        .collect();
    pairs.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    if pairs.is_empty() {
        return format!("No two are correlated by more than {CLOSE}.");
    }
    let named = pairs.iter().take(MOST_NAMED).map(|(r, i, j)| {
        let (a, b) = (&names[*i], &names[*j]);
        format!("{a} and {b} ({r:.3})")
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let more = pairs.len().saturating_sub(MOST_NAMED);
    let rest = match more {
        0 => String::new(),
        more => format!(", and {more} more pairs"),
    };
    format!("Correlated by more than {CLOSE}: {named}{rest}.")
}

/// The parameters that move together in the least determined direction.
fn weakest(correlations: &Correlations) -> String {
    let shares = correlations.names.iter().zip(&correlations.weakest);
    let mut moved: Vec<_> = shares.filter(|(_, share)| share.abs() > SHARE).collect();
    moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let named = moved
        .iter()
        .take(MOST_NAMED)
        .map(|(name, share)| format!("{name} ({share:+.2})"));
    format!(
        "Weakest direction, in the scaled numbers of the search: {}.",
        named.collect::<Vec<_>>().join(", ")
    )
}

/// How the parameters move when a test is left out; tables that fit on paper.
fn leave_one_out(found: &Identified) -> Vec<Table> {
    let tables = found.left_out.chunks(MOST_COLUMNS).map(|some| {
        let mut header = vec!["parameter".to_owned()];
        header.extend(some.iter().map(|left| format!("without\n{}", left.test)));
        let sought = found.estimates.iter().enumerate();
        let sought = sought.filter(|(i, _)| some[0].values[*i].is_some());
        let rows = sought.map(|(i, own)| {
            let change = |left: &LeftOut| left.values[i].map(|v| v / own.value - 1.0);
            let changes = some.iter().map(change);
            let changes = changes.map(|change| change.map_or_else(String::new, signed));
            std::iter::once(own.address.clone())
                .chain(changes)
                .collect()
        });
        Table::new(header, rows).with_words([0])
    });
    tables.collect()
}

/// A change as a percentage.
fn signed(change: f64) -> String {
    if change.abs() < 5e-4 {
        "0 %".to_owned()
    } else if change.is_finite() {
        format!("{:+.1} %", 100.0 * change)
    } else {
        String::new()
    }
}
