//! Metrics and the energy balance, for experts.

use super::motions::others;
use super::{Report, table};
use crate::figures::significant;
use crate::stages::json::FastDocument;
use crate::stages::text::fast::{cumulative, table_3};
use crate::{Block, Section};
use masing_stages::{Dynamics, Motion};

/// Metrics and the energy balance.
pub(crate) fn section(
    report: &Report<'_>,
    document: &FastDocument,
    motion: &Motion,
    found: &Dynamics,
) -> Section {
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
        ("viscous coefficient, SI".to_owned(), {
            let (value, error) = (document.refined.viscous, document.refined.viscous_std_error);
            // At its bound it is none.
            let value = if value < 1e-3 * error { 0.0 } else { value };
            format!("{} +- {}", significant(value, 3), significant(error, 2))
        }),
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
    let gained = "An error of the inner node comes back so many times at the outer one: the gain; above 5 it is not accepted.";
    let over_time = "Fitted to the energy dissipated up to turning points and stage crossings, without the acceleration: friction alone, then with \
                     what else may dissipate. chi2 near 1 says that the energy is explained.";
    let mut blocks = vec![
        table(table_3(document), Some(&note), vec![0]),
        Block::Facts(facts),
        table((header.to_vec(), gains.collect()), Some(gained), vec![0, 4]),
        table(cumulative(document, report.words), Some(over_time), vec![0]),
        Block::Facts(scales.collect()),
    ];
    blocks.extend(others(report, motion, found));
    Section::new("For experts", blocks).expert()
}
