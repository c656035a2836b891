//! `report.html` of a search for terms.

use super::document::Document;
use super::model::Built;
use super::offer;
use super::summary::{called, verdict};
use super::tests::Tests;
use crate::commands::fit::report::provenance::{self, Provenance};
use crate::commands::fit::report::view::{Pair, Record, Shown, Test as Shows, View};
use crate::commands::fit::report::{data, errors, parameters, test};
use crate::names::{Names, units};
use masing_data::Preload;
use masing_diagnostic::{Units, all_good};
use masing_identify::Comparison;
use masing_report::figures::{rounded, significant};
use masing_report::{Axis, Bar, Bars, Block, Intervals, Note, Page, Pen, Plot, Section, Shape};
use masing_terms::{Found, Outcome};

/// What the page is made from.
pub struct Report<'a> {
    pub found: &'a Found,
    pub built: &'a Built,
    pub document: &'a Document,
    pub tests: &'a Tests,
    pub provenance: &'a Provenance,
}

impl Report<'_> {
    /// The whole page.
    pub fn page(&self) -> Page {
        let names = Names::of(self.tests.motion);
        let view = self.view(&names);
        let mut sections = vec![
            self.result(&names),
            self.parameters(),
            errors::section(&view, &names),
        ];
        let points = test::points(view.tests.len());
        sections.extend(view.tests.iter().map(|t| test::section(t, &names, points)));
        sections.extend(self.offer(&names));
        sections.push(self.friction(&names));
        sections.push(self.ranking(&names));
        sections.push(data(
            &self.tests.findings,
            self.units(),
            &self.tests.assumptions,
        ));
        sections.push(provenance::section(self.provenance, &self.built.model));
        let held_out = view.tests.iter().filter(|t| t.held_out).count();
        Page {
            title: "Terms of a force model".to_owned(),
            subtitle: format!(
                "{} from {}, {held_out} held out",
                self.document.selected.join(", "),
                match view.tests.len() - held_out {
                    1 => "1 test".to_owned(),
                    n => format!("{n} tests"),
                }
            ),
            sections,
            footer: format!("Made by masing {} terms.", env!("CARGO_PKG_VERSION")),
        }
    }

    fn units(&self) -> Units {
        units(self.built.model.motion())
    }

    fn result(&self, names: &Names) -> Section {
        let units = self.units();
        let mut blocks = vec![Block::Verdict {
            good: all_good(&self.found.diagnostics),
            text: verdict(self.found, names),
        }];
        if !self.found.diagnostics.is_empty() {
            let notes = self.found.diagnostics.iter().map(|d| Note {
                text: d.message(units),
                advice: d.advice().map(|advice| advice.line(units)),
            });
            blocks.push(Block::Notes(notes.collect()));
        }
        Section::new("Result", blocks)
    }

    fn parameters(&self) -> Section {
        let units = self.built.model.params().into_iter().map(|(_, p)| p.unit);
        let found: Vec<_> = self.built.parameters.iter().zip(units).collect();
        let rows: Vec<_> = self
            .built
            .parameters
            .iter()
            .filter_map(parameters::interval)
            .collect();
        // Addresses of powers are long: the table needs the whole width.
        let mut blocks = vec![Block::Table(parameters::table(&found))];
        if !rows.is_empty() {
            blocks.push(Block::Intervals(Intervals {
                title: "How well each parameter is determined".to_owned(),
                axis: "95 % interval, relative to the value".to_owned(),
                rows,
            }));
        }
        Section::new("Model", blocks)
    }

    /// Coefficients as functions of amplitude and frequency, where one set was refused.
    fn offer(&self, names: &Names) -> Option<Section> {
        let offer = self.found.offer.as_ref()?;
        let blocks = vec![
            Block::Text(offer::sentence(offer, self.built, names)),
            Block::Table(offer::table(offer, self.built, names)),
        ];
        Some(Section::new(
            "Coefficients that change between tests",
            blocks,
        ))
    }

    /// Distribution of sliders, and the force of the friction part over the motion.
    fn friction(&self, names: &Names) -> Section {
        let total: f64 = self.found.distribution.iter().map(|s| s.ks).sum();
        let bars = Bars {
            title: "Stiffness over slip displacement".to_owned(),
            axis: "share of the sliders' stiffness, %".to_owned(),
            rows: self
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
        if !self.found.distribution.is_empty() {
            columns.push(vec![Block::Bars(bars)]);
        }
        let pairs = self.tests.fitted.iter().zip(&self.found.tests);
        if let Some((own, outcome)) = pairs.into_iter().next() {
            let pick =
                |values: &[f64]| -> Vec<f64> { outcome.rows.iter().map(|&i| values[i]).collect() };
            let (x_axis, x) =
                test::scaled(names.displacement, names.length, &pick(&own.displacement));
            let (y_axis, z) = test::scaled(names.force, names.load, &pick(&outcome.friction));
            let title = format!("Force of the spring-sliders, {}", outcome.name);
            let mut plot = Plot::new(title, Shape::Path, x_axis, y_axis);
            plot.add("spring-sliders", &x, &z);
            columns.push(vec![Block::Plot(plot)]);
        }
        blocks.push(Block::Columns(columns));
        Section::new("Friction", blocks)
    }

    /// Error reduction ratios and criteria.
    fn ranking(&self, names: &Names) -> Section {
        let ranking = &self.found.ranking;
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
                significant(self.found.bic_lead, 3)
            )),
            Block::Columns(vec![vec![Block::Bars(bars)], right]),
        ];
        Section::new("Ranking and criteria", blocks).expert()
    }

    fn view(&self, names: &Names) -> View {
        let records = self.tests.fitted.iter().chain(&self.tests.held_out);
        let tests = records.zip(&self.found.tests).map(|(own, outcome)| {
            let pick =
                |values: &[f64]| -> Vec<f64> { outcome.rows.iter().map(|&i| values[i]).collect() };
            Shows {
                name: outcome.name.clone(),
                held_out: outcome.held_out,
                outcome: compared(outcome),
                scale: format!("rms {}", names.force),
                alternating: None,
                shown: Shown::Record(Record {
                    time: pick(&own.time),
                    x: pick(&own.displacement),
                    preload: Preload::default(),
                    force: Pair {
                        measured: pick(&own.force),
                        model: pick(&outcome.predicted),
                    },
                    facts: vec![
                        (
                            "samples in the file".to_owned(),
                            format!("{}, compared from the first turns on", own.time.len()),
                        ),
                        (
                            "amplitude, frequency".to_owned(),
                            format!(
                                "{}, {} Hz",
                                rounded(outcome.amplitude, names.length, 3),
                                significant(outcome.frequency, 3)
                            ),
                        ),
                    ],
                }),
            }
        });
        View {
            tests: tests.collect(),
            sought: Vec::new(),
            correlation: Vec::new(),
            scale: format!(" of rms {}", names.force),
        }
    }
}

fn compared(outcome: &Outcome) -> Comparison {
    Comparison {
        name: outcome.name.clone(),
        samples: outcome.samples,
        relative: outcome.relative,
        rms: outcome.rms,
        lag1: outcome.lag1,
        noise: outcome.noise,
        noise_known: outcome.noise_known,
        variance: 0.0,
        floor: 0.0,
        weighted: Vec::new(),
    }
}
