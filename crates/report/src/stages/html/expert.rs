//! Metrics and the energy balance, for experts.

use super::Report;
use super::motions::others;
use crate::figures::significant;
use crate::stages::json::FastDocument;
use crate::stages::text::fast::{cumulative, table_3};
use crate::{Block, Section, Table};
use masing_stages::{Dynamics, Motion};

/// Metrics and the energy balance.
pub(crate) fn section(
    report: &Report<'_>,
    document: &FastDocument,
    motion: &Motion,
    found: &Dynamics,
) -> Section {
    let (record, refined) = (&document.dynamic, &document.refined);
    let joule = |value: f64| format!("{} J", significant(value, 4));
    let uncertain = |value: f64, error: f64, [digits, of_error]: [u8; 2]| {
        format!(
            "{} +- {}",
            significant(value, digits),
            significant(error, of_error)
        )
    };
    // At its bound it is none.
    let at_bound = refined.viscous < 1e-3 * refined.viscous_std_error;
    let viscous = if at_bound { 0.0 } else { refined.viscous };
    let facts = [
        ("work of the load", joule(record.energy.work)),
        ("elastic energy gained", joule(record.energy.elastic)),
        ("kinetic energy gained", joule(record.energy.kinetic)),
        ("dissipated", joule(record.energy.dissipated)),
        ("by the slow friction", joule(record.energy.quasi_static)),
        ("chi2 of the refinement", significant(refined.chi2_dof, 3)),
        (
            "viscous coefficient, SI",
            uncertain(viscous, refined.viscous_std_error, [3, 2]),
        ),
        ("eta, SI", significant(record.eta, 3)),
        (
            "noise of what was measured, SI",
            significant(record.noise, 3),
        ),
    ];
    let gains = record.stages.iter().map(|s| {
        let gain = s.gain.map_or_else(|| "-".to_owned(), |g| significant(g, 3));
        vec![
            s.name.clone(),
            significant(s.energy, 4),
            significant(100.0 * s.coverage, 3),
            gain,
            if s.accepted { "yes" } else { "no" }.to_owned(),
        ]
    });
    let header = ["stage", "dissipated\nJ", "covered\n%", "gain", "accepted"];
    let unit = match record.time_unit {
        1.0 => "1 s".to_owned(),
        unit => format!("{} s", significant(unit, 3)),
    };
    let note = format!(
        "R1 to R3: errors over those of D0 while impacts are double-sided, single-sided, and while there are none. R4 to R6: \
         differences of the lengths of these regimes, unit {unit}."
    );
    let scales = refined.stiffness_scales.iter().map(|(name, entry)| {
        let number = |key: &str| entry[key].as_f64().unwrap_or(f64::NAN);
        let text = uncertain(number("value"), number("std_error"), [5, 5]);
        (format!("stiffness of {name} over slow"), text)
    });
    let gained = "An error of the inner node comes back so many times at the outer one: the gain; above 5 it is not accepted.";
    let over_time = "Fitted to the energy dissipated up to turning points and stage crossings, without the acceleration: friction alone, then with \
                     what else may dissipate. chi2 near 1 says that the energy is explained.";
    let gains = Table::new(header, gains).with_words([0, 4]);
    let cumulative = cumulative(document, report.names);
    let mut blocks = vec![
        Block::Table(table_3(document).with_note(note)),
        Block::facts(facts),
        Block::Table(gains.with_note(gained)),
        Block::Table(cumulative.with_note(over_time)),
        Block::facts(scales),
    ];
    blocks.extend(others(report, motion, found));
    Section::new("For experts", blocks).expert()
}
