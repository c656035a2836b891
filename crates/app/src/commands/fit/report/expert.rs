//! Statistics for those who know what they mean.

use super::Report;
use super::view::View;
use crate::names::Names;
use masing_identify::{Found, Left, Place};
use masing_report::figures::{readable_unit, significant};
use masing_report::{Axis, Block, Matrix, Pen, Plot, Section, Shape, Table};

/// Correlations above this are named.
const CLOSE: f64 = 0.9;
/// Shares of the weakest direction above this are named.
const SHARE: f64 = 0.1;
/// Columns of a table that fit on paper beside the names.
const MOST_COLUMNS: usize = 5;
/// At most so many pairs are named.
const MOST_NAMED: usize = 10;

/// The loss that bounds a 95 % interval: chi squared with one degree of freedom.
const LEVEL: f64 = 3.84;

/// Everything in one folded section.
pub fn section(report: &Report<'_>, view: &View, names: &Names) -> Section {
    let mut blocks = vec![Block::Facts(facts(report))];
    blocks.push(Block::Table(tests(view, names)));
    let plots = [convergence(report, view), singular(report)];
    let pictures: Vec<Vec<Block>> = plots
        .into_iter()
        .flatten()
        .chain(profiles(report))
        .map(|plot| vec![Block::Plot(plot)])
        .collect();
    if !pictures.is_empty() {
        blocks.push(Block::Columns(pictures));
    }
    if view.sought.len() > 1 {
        blocks.push(Block::Matrix(Matrix {
            title: "Correlation of what was sought".to_owned(),
            names: view.sought.iter().map(|s| s.name.clone()).collect(),
            values: view.correlation.clone(),
        }));
        blocks.push(Block::Text(close(view)));
        blocks.push(Block::Text(weakest(view)));
    }
    let left_out = leave_one_out(report);
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

fn facts(report: &Report<'_>) -> Vec<(String, String)> {
    let fit = report.fit;
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let chi2 = fit
        .chi2_dof
        .map_or_else(|| "noise not known".to_owned(), |c| significant(c, 4));
    let mut facts = vec![
        fact("chi2 per degree of freedom", chi2),
        fact("sought numbers", fit.unknowns.len().to_string()),
        fact("evaluations", fit.evaluations.to_string()),
        fact("search ended by", report.document.stop.clone()),
        fact(
            "errors widened for correlated residuals",
            if fit.trust.inflated { "yes" } else { "no" }.to_owned(),
        ),
    ];
    let singular = &fit.trust.singular;
    if let (Some(first), Some(last)) = (singular.first(), singular.last()) {
        facts.push(fact(
            "condition of the Jacobian",
            significant(first / last, 3),
        ));
    }
    facts
}

fn tests(view: &View, names: &Names) -> Table {
    let rows = view.tests.iter().map(|test| {
        let outcome = &test.outcome;
        vec![
            test.name.clone(),
            outcome.samples.to_string(),
            test.sized(outcome.rms, names),
            test.sized(outcome.noise, names),
            if outcome.noise_known {
                "cycles"
            } else {
                "residual"
            }
            .to_owned(),
            significant(outcome.lag1, 3),
        ]
    });
    Table {
        header: [
            "test",
            "samples",
            "rms\ndifference",
            "noise",
            "noise\nfrom",
            "lag1",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.collect(),
        note: Some("lag1: correlation of neighbouring residuals.".to_owned()),
        words: false,
        word_columns: vec![0, 4],
    }
}

/// Error over evaluations.
fn convergence(report: &Report<'_>, view: &View) -> Option<Plot> {
    let history = &report.fit.history;
    let (_, last) = *history.last()?;
    if history.len() < 2 || !(last > 0.0) {
        return None;
    }
    // What the search makes small is the error only where every test counts the same.
    let same = (last / report.fit.relative - 1.0).abs() < 0.1;
    let (name, factor) = if same {
        (format!("error, %{}", view.scale), 100.0)
    } else {
        ("error, over its last value".to_owned(), 1.0 / last)
    };
    let x = Axis::new("evaluations", "");
    let mut plot = Plot::new("Convergence", Shape::Path, x, Axis::new(name, "").log()).low();
    let evaluations: Vec<f64> = history.iter().map(|h| h.0 as f64).collect();
    let error: Vec<f64> = history.iter().map(|h| factor * h.1).collect();
    plot.add_all(
        &evaluations,
        [(Pen::Dotted, "error".to_owned(), &error[..])],
    );
    Some(plot)
}

/// What the tests say about every direction of the sought numbers.
fn singular(report: &Report<'_>) -> Option<Plot> {
    let values = &report.fit.trust.singular;
    if values.len() < 2 {
        return None;
    }
    let axis = Axis::new("singular value, relative", "").log();
    let x = Axis::new("direction", "");
    let mut plot = Plot::new("Singular values of the Jacobian", Shape::Path, x, axis).low();
    let number: Vec<f64> = (1..=values.len()).map(|i| i as f64).collect();
    plot.add_all(&number, [(Pen::Dotted, "value".to_owned(), &values[..])]);
    Some(plot)
}

/// The likelihood along parameters, with the level that bounds the 95 % interval.
fn profiles(report: &Report<'_>) -> impl Iterator<Item = Plot> {
    report.fit.profiles.iter().map(|profile| {
        let params = report.model.params();
        let unit = params
            .iter()
            .find(|(address, _)| *address == profile.address);
        let (unit, factor) = readable_unit(unit.map_or("", |(_, param)| param.unit.as_str()));
        let title = format!("Likelihood along {}", profile.address);
        let x = Axis::new(profile.address.clone(), unit);
        let y = Axis::new("loss of -2 log likelihood", "");
        let mut plot = Plot::new(title, Shape::Path, x, y).low();
        let values: Vec<f64> = profile.values.iter().map(|v| v / factor).collect();
        plot.add_all(
            &values,
            [(Pen::Dotted, "loss".to_owned(), &profile.loss[..])],
        );
        if let [first, .., last] = values[..] {
            plot.add_faint("95 %", &[first, last], &[LEVEL; 2]);
        }
        plot
    })
}

/// Pairs that the tests hardly tell apart.
fn close(view: &View) -> String {
    let n = view.sought.len();
    let mut pairs: Vec<(f64, usize, usize)> = (0..n)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| (view.correlation[i * n + j], j, i))
        .filter(|(r, ..)| r.abs() > CLOSE)
        .collect();
    pairs.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    if pairs.is_empty() {
        return format!("No two are correlated by more than {CLOSE}.");
    }
    let named = pairs.iter().take(MOST_NAMED).map(|(r, i, j)| {
        let (a, b) = (&view.sought[*i].name, &view.sought[*j].name);
        format!("{a} and {b} ({r:.3})")
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let more = pairs.len().saturating_sub(MOST_NAMED);
    let rest = if more > 0 {
        format!(", and {more} more pairs")
    } else {
        String::new()
    };
    format!("Correlated by more than {CLOSE}: {named}{rest}.")
}

/// What moves together in the direction in which the tests say least.
fn weakest(view: &View) -> String {
    let mut moved: Vec<_> = view
        .sought
        .iter()
        .filter(|s| s.weakest.abs() > SHARE)
        .collect();
    moved.sort_by(|a, b| b.weakest.abs().total_cmp(&a.weakest.abs()));
    let named = moved
        .iter()
        .take(MOST_NAMED)
        .map(|s| format!("{} ({:+.2})", s.name, s.weakest));
    format!(
        "Weakest direction, in the scaled numbers of the search: {}.",
        named.collect::<Vec<_>>().join(", ")
    )
}

/// How the parameters move when a test is left out; tables that fit on paper.
fn leave_one_out(report: &Report<'_>) -> Vec<Table> {
    let fit = report.fit;
    let sought: Vec<(usize, &Found)> = (0..fit.unknowns.len())
        .filter_map(|at| match fit.unknowns[at].place {
            Place::Param(i) => Some((at, fit.parameters.get(i)?)),
            _ => None,
        })
        .collect();
    let tables = fit.left_out.chunks(MOST_COLUMNS).map(|some| {
        let mut header = vec!["parameter".to_owned()];
        header.extend(some.iter().map(|left| format!("without\n{}", left.test)));
        let rows = sought.iter().map(|(at, found)| {
            let change = |left: &Left| left.values[*at] / found.value - 1.0;
            let changes = some.iter().map(|left| signed(change(left)));
            std::iter::once(found.address.clone())
                .chain(changes)
                .collect()
        });
        Table {
            header,
            rows: rows.collect(),
            note: None,
            words: false,
            word_columns: vec![0],
        }
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
