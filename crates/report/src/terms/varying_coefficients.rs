//! Coefficients as functions of amplitude and frequency, for people.

use crate::Table;
use crate::figures::{readable_unit, rounded, significant};
use crate::text;
use masing_identify::{Estimate, Names};
use masing_terms::{By, Offer, Terms, Trend};
use std::fmt::Write as _;

/// Coefficients that are offered where one set was rejected; empty otherwise.
pub fn text(terms: &Terms, names: &Names) -> String {
    let estimates = &terms.identified.estimates;
    let Some(offer) = &terms.found.offer else {
        return String::new();
    };
    let mut text = format!("\n{}\n", sentence(offer, estimates, names));
    let (header, rows) = by_test(offer, estimates, names);
    let mut table = text::number_table(&header);
    for row in rows {
        table.add_row(row);
    }
    let _ = writeln!(text, "{table}");
    text
}

/// The same as a table of the page.
pub fn table(offer: &Offer, estimates: &[Estimate], names: &Names) -> Table {
    let (header, rows) = by_test(offer, estimates, names);
    Table {
        header,
        rows,
        note: Some(
            "each coefficient of a test when nothing but it may differ between the tests"
                .to_owned(),
        ),
        words: false,
        word_columns: vec![0],
    }
}

/// What changes with what.
pub fn sentence(offer: &Offer, estimates: &[Estimate], names: &Names) -> String {
    let each = offer.trends.iter().map(|trend| {
        let (unit, factor) = unit_of(&trend.name, estimates, names);
        let powers = trend.powers.iter().map(|p| {
            let at = match p.by {
                By::Amplitude => rounded(p.at, names.length, 3),
                By::Frequency => format!("{} Hz", significant(p.at, 3)),
            };
            format!(
                "({}/{at})^({} +- {})",
                p.by.word(),
                significant(p.exponent, 3),
                significant(p.std_error, 1)
            )
        });
        let size = size(offer, &trend.name) / factor;
        format!(
            "{} = {} {unit} {}",
            trend.name,
            significant(size, 4),
            powers.collect::<Vec<_>>().join(" ")
        )
    });
    let chi2 = offer.chi2_dof.map_or(String::new(), |chi2| {
        format!(
            ", the residuals are then {} times what the noise explains",
            significant(chi2.sqrt(), 2)
        )
    });
    format!(
        "Better than one set of coefficients (BIC by {}{chi2}): {}. model.toml holds one set and cannot say this.",
        significant(offer.bic_lead, 3),
        each.collect::<Vec<_>>().join("; ")
    )
}

/// The coefficient at the amplitude and frequency that the trend names.
fn size(offer: &Offer, name: &str) -> f64 {
    let own = offer.terms.iter().find(|c| c.term.to_string() == name);
    match (own, name) {
        (Some(c), _) => c.value,
        (None, "slip") => offer.friction.ys.value,
        (None, _) => offer.friction.ks.value,
    }
}

/// Coefficients test by test, and the errors of the tests.
fn by_test(
    offer: &Offer,
    estimates: &[Estimate],
    names: &Names,
) -> (Vec<String>, Vec<Vec<String>>) {
    let mut header = vec![
        "test".to_owned(),
        "amplitude".to_owned(),
        "frequency".to_owned(),
    ];
    header.extend(offer.trends.iter().map(|trend| {
        let (unit, _) = unit_of(&trend.name, estimates, names);
        format!("{}, {unit}", trend.name)
    }));
    header.push(format!("error, % of rms {}", names.force));
    let rows = offer.tests.iter().enumerate().map(|(k, test)| {
        let mut row = vec![
            test.name.clone(),
            rounded(test.amplitude, names.length, 3),
            format!("{} Hz", significant(test.frequency, 3)),
        ];
        row.extend(offer.trends.iter().map(|t| cell(t, k, estimates, names)));
        let held_out = if test.held_out { " (held out)" } else { "" };
        row.push(format!(
            "{}{held_out}",
            significant(100.0 * test.relative, 3)
        ));
        row
    });
    (header, rows.collect())
}

fn cell(trend: &Trend, test: usize, estimates: &[Estimate], names: &Names) -> String {
    let (_, factor) = unit_of(&trend.name, estimates, names);
    match trend.by_test.get(test) {
        Some((value, error)) if value.is_finite() => format!(
            "{} +- {}",
            significant(value / factor, 4),
            significant(error / factor, 2)
        ),
        _ => "-".to_owned(),
    }
}

/// The readable unit of a coefficient, and what it is in SI.
fn unit_of(name: &str, estimates: &[Estimate], names: &Names) -> (String, f64) {
    let end = format!(".{name}");
    let own = estimates.iter().find(|e| e.address.ends_with(&end));
    let (unit, factor) = match own {
        Some(own) => readable_unit(&own.unit),
        None if name == "friction" => names.stiffness.engineering(),
        None if name == "slip" => names.length.engineering(),
        None => return (power_unit(name, names), 1.0),
    };
    (unit.to_owned(), factor)
}

/// The SI unit of a power that the joint model does not contain.
fn power_unit(name: &str, names: &Names) -> String {
    let (load, length) = match names.displacement {
        "angle" => ("N m", "rad"),
        _ => ("N", "m"),
    };
    let power = |prefix: char| name.strip_prefix(prefix)?.parse::<u32>().ok();
    match (power('k'), power('c')) {
        (Some(n), _) => format!("{load}/{length}^{n}"),
        (_, Some(n)) => format!("{load} (s/{length})^{n}"),
        _ => "(SI)".to_owned(),
    }
}
