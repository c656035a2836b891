//! `report.html` of a search for terms.

use super::text::{called, lead};
use super::varying_coefficients;
use crate::figures::{rounded, significant};
use crate::identified::html::test::scaled;
use crate::identified::html::{ending, errors, footer, parameters, tests, verdict};
use crate::{Axis, Bar, Bars, Block, Page, Pen, Plot, Section, Shape, Table};
use masing_identify::Names;
use masing_identify::result::Curves;
use masing_terms::Terms;

/// The whole page.
pub fn page(terms: &Terms) -> Page {
    let found = &terms.identified;
    let names = found.names();
    let mut sections = vec![
        verdict::section(found, &lead(terms)),
        // Addresses of powers are long: the table needs the whole width.
        Section::new("Model", parameters::blocks(found, false)),
        errors::section(found),
        motions(terms, &names),
    ];
    sections.extend(tests(found));
    sections.extend(varying(terms, &names));
    sections.push(friction(terms, &names));
    sections.push(ranking(terms, &names));
    sections.extend(ending(found));
    let selected = terms.found.terms.iter().map(|c| c.term.to_string());
    Page {
        title: "Terms of a force model".to_owned(),
        subtitle: format!(
            "{} from {}",
            selected.collect::<Vec<_>>().join(", "),
            verdict::counted(found)
        ),
        sections,
        footer: footer("terms"),
    }
}

/// Amplitude, frequency and samples of every test.
fn motions(terms: &Terms, names: &Names) -> Section {
    let rows = terms.found.tests.iter().map(|test| {
        vec![
            test.name.clone(),
            rounded(test.amplitude, names.length, 3),
            format!("{} Hz", significant(test.frequency, 3)),
            test.predicted.len().to_string(),
        ]
    });
    let table = Table {
        header: ["test", "amplitude", "frequency", "samples in the file"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        note: Some("Tests are compared from their first turns on.".to_owned()),
        word_columns: vec![0],
        ..Table::default()
    };
    Section::new("Motions", vec![Block::Table(table)])
}

/// Coefficients as functions of amplitude and frequency, where one set was rejected.
fn varying(terms: &Terms, names: &Names) -> Option<Section> {
    let offer = terms.found.offer.as_ref()?;
    let estimates = &terms.identified.estimates;
    let blocks = vec![
        Block::Text(varying_coefficients::sentence(offer, estimates, names)),
        Block::Table(varying_coefficients::table(offer, estimates, names)),
    ];
    Some(Section::new(
        "Coefficients that change between tests",
        blocks,
    ))
}

/// Distribution of sliders, and the force of the friction part over the motion.
fn friction(terms: &Terms, names: &Names) -> Section {
    let total: f64 = terms.found.distribution.iter().map(|s| s.ks).sum();
    let bars = Bars {
        title: "Stiffness over slip displacement".to_owned(),
        axis: "share of the sliders' stiffness, %".to_owned(),
        rows: terms
            .found
            .distribution
            .iter()
            .map(|s| Bar {
                name: rounded(s.ys, names.length, 3),
                value: 100.0 * s.ks / total,
                text: rounded(s.ks, names.stiffness, 3),
                marked: false,
            })
            .collect(),
        legend: [String::new(), String::new()],
        from: None,
    };
    let mut blocks = vec![Block::Text(
        "The bars are stiffnesses over a fixed grid of slip displacements, none of them negative, with all candidate powers in play. Neighbouring bars stand for one slider between them."
            .to_owned(),
    )];
    let mut columns = Vec::new();
    if !terms.found.distribution.is_empty() {
        columns.push(vec![Block::Bars(bars)]);
    }
    let first = terms
        .identified
        .comparisons
        .iter()
        .zip(&terms.found.tests)
        .next();
    if let Some((Curves::Record(record), outcome)) = first.map(|(c, o)| (&c.curves, o)) {
        let force: Vec<f64> = outcome.rows.iter().map(|&i| outcome.friction[i]).collect();
        let (x_axis, x) = scaled(names.displacement, names.length, &record.x);
        let (y_axis, z) = scaled(names.force, names.load, &force);
        let title = format!("Force of the spring-sliders, {}", outcome.name);
        let mut plot = Plot::new(title, Shape::Path, x_axis, y_axis);
        plot.add("spring-sliders", &x, &z);
        columns.push(vec![Block::Plot(plot)]);
    }
    blocks.push(Block::Columns(columns));
    Section::new("Friction", blocks)
}

/// Error reduction ratios and criteria.
fn ranking(terms: &Terms, names: &Names) -> Section {
    let ranking = &terms.found.ranking;
    let bars = Bars {
        title: "Error reduction ratio of the ranked terms".to_owned(),
        axis: "error reduction ratio, % (logarithmic)".to_owned(),
        rows: ranking
            .terms
            .iter()
            .enumerate()
            .map(|(k, r)| Bar {
                name: called(&r.term, names),
                value: 100.0 * r.err,
                text: format!("{} %", significant(100.0 * r.err, 3)),
                marked: k >= ranking.length,
            })
            .collect(),
        legend: [
            "within the model of APRESS(16)".to_owned(),
            "beyond it".to_owned(),
        ],
        // Ratios span eight decades.
        from: Some(1e-6),
    };
    let lengths: Vec<f64> = (1..=ranking.terms.len()).map(|n| n as f64).collect();
    let mut plot = Plot::new(
        "APRESS over the number of terms",
        Shape::History,
        Axis::new("terms", ""),
        Axis::new("mean square over noise", "").log(),
    );
    for (alpha, curve) in &ranking.apress {
        let pen = if *alpha == 0.0 {
            Pen::Dotted
        } else {
            Pen::Line
        };
        plot.add_all(
            &lengths,
            [(pen, format!("alpha {alpha}"), &curve.values[..])],
        );
    }
    let mut right = vec![Block::Plot(plot)];
    if let Some(curve) = &ranking.validation {
        let mut plot = Plot::new(
            "Error on the tests held out, over the number of terms",
            Shape::History,
            Axis::new("terms", ""),
            Axis::new("error", "% of rms force").log(),
        );
        let percent: Vec<f64> = curve.values.iter().map(|v| 100.0 * v).collect();
        plot.add_all(
            &lengths,
            [(Pen::Dotted, "held out".to_owned(), &percent[..])],
        );
        right.push(Block::Plot(plot.low()));
    }
    let blocks = vec![
        Block::Text(format!(
            "The greedy order of the paper's dictionary: powers k and c, Chebyshev terms a. APRESS with alpha = 16 is least at {} terms, AIC at {}, BIC at {}. The model above does not follow this order: its powers are the best of all subsets by BIC beside the spring-sliders, {} ahead of the next.",
            ranking.length,
            ranking.aic.length,
            ranking.bic.length,
            significant(terms.found.bic_lead, 3)
        )),
        Block::Columns(vec![vec![Block::Bars(bars)], right]),
    ];
    Section::new("Ranking and criteria", blocks).expert()
}
