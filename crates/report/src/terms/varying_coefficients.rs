//! Coefficients as functions of amplitude and frequency, for people.

use crate::Table;
use crate::figures::{readable_unit, rounded, significant};
use crate::text;
use masing_identify::Names;
use masing_identify::result::Role;
use masing_terms::{By, Offer, Terms, Trend};

/// What is offered where one set of coefficients was refused; nothing where it was not.
pub fn text(terms: &Terms) -> String {
    let Some(offer) = &terms.offer else {
        return String::new();
    };
    let by_test = by_test(terms, offer);
    let mut table = text::number_table(&by_test.header);
    table.add_rows(by_test.rows);
    format!("\n{}\n{table}\n", sentence(terms, offer))
}

/// The same as a table of the page.
pub fn table(terms: &Terms, offer: &Offer) -> Table {
    let note = "each coefficient of a test when nothing but it may differ between the tests";
    by_test(terms, offer).with_words([0]).with_note(note)
}

/// What changes with what.
pub fn sentence(terms: &Terms, offer: &Offer) -> String {
    let names = terms.identified.names();
    let each = offer.trends.iter().map(|trend| {
        let (unit, factor) = unit_of(terms, &trend.name);
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
fn by_test(terms: &Terms, offer: &Offer) -> Table {
    let names = terms.identified.names();
    let mut header = ["test", "amplitude", "frequency"]
        .map(str::to_owned)
        .to_vec();
    let trends = offer.trends.iter();
    header.extend(trends.map(|t| format!("{}, {}", t.name, unit_of(terms, &t.name).0)));
    header.push(format!("error, % of rms {}", names.force));
    let tests = terms.identified.comparisons.iter().zip(&terms.outcomes);
    let rows = tests.zip(&offer.errors).enumerate();
    let rows = rows.map(|(k, ((test, motion), error))| {
        let mut row = vec![
            test.name.clone(),
            rounded(motion.amplitude, names.length, 3),
            format!("{} Hz", significant(motion.frequency, 3)),
        ];
        row.extend(offer.trends.iter().map(|trend| cell(terms, trend, k)));
        let held_out = match test.role {
            Role::HeldOut => " (held out)",
            _ => "",
        };
        row.push(format!("{}{held_out}", significant(100.0 * error, 3)));
        row
    });
    Table::new(header, rows)
}

fn cell(terms: &Terms, trend: &Trend, test: usize) -> String {
    let (_, factor) = unit_of(terms, &trend.name);
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
fn unit_of(terms: &Terms, name: &str) -> (String, f64) {
    let names = terms.identified.names();
    let end = format!(".{name}");
    let mut estimates = terms.identified.estimates.iter();
    let (unit, factor) = match estimates.find(|e| e.address.ends_with(&end)) {
        Some(own) => readable_unit(&own.unit),
        None if name == "friction" => names.stiffness.engineering(),
        None if name == "slip" => names.length.engineering(),
        None => return (power_unit(name, &names), 1.0),
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
