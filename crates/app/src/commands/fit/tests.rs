//! How the tests turned out, for programs and for people.

use crate::measure;
use crate::names::Names;
use comfy_table::Table;
use masing_identify::Comparison;
use masing_report::figures::significant;
use masing_report::text;
use serde::Serialize;

#[derive(Serialize)]
pub struct Test {
    pub name: String,
    pub role: &'static str,
    pub samples: usize,
    pub relative_misfit: f64,
    /// Error over the alternating part of the force, where the mean is more than half of the rms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative_to_alternating: Option<f64>,
    /// Root mean square of the difference, in `unit`.
    pub rms: f64,
    /// SI unit of `rms` and of the noise; `null` where channels of several kinds are compared.
    pub unit: Option<&'static str>,
    pub lag1: f64,
    pub noise: Noise,
    /// `rest`, `free` or `periodic`; `null` for a table.
    pub start: Option<&'static str>,
    /// What the error is measured by, in words.
    #[serde(skip)]
    pub of: String,
    #[serde(skip)]
    begins: &'static str,
}

#[derive(Serialize)]
pub struct Noise {
    pub value: f64,
    pub source: &'static str,
}

impl Test {
    /// How one test turned out.
    pub fn new(
        outcome: &Comparison,
        target: &masing_identify::Test,
        role: &'static str,
        names: &Names,
    ) -> Self {
        let start = measure::start(target);
        Self {
            name: outcome.name.clone(),
            role,
            samples: outcome.samples,
            relative_misfit: outcome.relative,
            relative_to_alternating: measure::flattery(target).map(|by| by * outcome.relative),
            rms: outcome.rms,
            unit: measure::unit(target, names),
            lag1: outcome.lag1,
            noise: Noise {
                value: outcome.noise,
                source: if outcome.noise_known {
                    "cycles"
                } else {
                    "residual"
                },
            },
            start: start.map(|(word, _)| word),
            of: measure::measured_by(target, names),
            begins: start.map_or("", |(_, words)| words),
        }
    }
}

/// ` of rms force` where that holds for all tests.
pub fn scale(tests: &[Test]) -> String {
    match tests.split_first() {
        Some((first, rest)) if rest.iter().all(|t| t.of == first.of) => format!(" of {}", first.of),
        _ => String::new(),
    }
}

/// The root mean square of all differences and its unit, where all tests are in one.
pub fn rms(tests: &[Test]) -> Option<(f64, &'static str)> {
    let fitted = || tests.iter().filter(|t| t.role == "fit");
    let unit = fitted().next()?.unit?;
    let samples: usize = fitted().map(|t| t.samples).sum();
    let square: f64 = fitted().map(|t| t.samples as f64 * t.rms * t.rms).sum();
    fitted()
        .all(|t| t.unit == Some(unit))
        .then(|| ((square / samples.max(1) as f64).sqrt(), unit))
}

/// The tests as a table; what each was used for only where it differs.
pub fn table(tests: &[Test], roles: bool) -> Table {
    let scale = scale(tests);
    let alternating = tests.iter().any(|t| t.relative_to_alternating.is_some());
    let error = format!("error, %{scale}");
    let mut header = vec!["test"];
    header.extend(roles.then_some("used for"));
    header.extend(["samples", "begins", error.as_str()]);
    header.extend(scale.is_empty().then_some("of"));
    header.extend(alternating.then_some("mean left out, %"));
    let mut table = text::table(&header);
    let first = usize::from(roles) + 1;
    text::align_right(&mut table, [first, first + 2]);
    for test in tests {
        let percent = |share: f64| significant(100.0 * share, 3);
        let mut row = vec![test.name.clone()];
        if roles {
            let role = if test.role == "fit" {
                "fit"
            } else {
                "validation"
            };
            row.push(role.to_owned());
        }
        row.push(test.samples.to_string());
        row.push(test.begins.to_owned());
        row.push(percent(test.relative_misfit));
        if scale.is_empty() {
            row.push(test.of.clone());
        }
        if alternating {
            let share = test.relative_to_alternating;
            row.push(share.map_or_else(String::new, percent));
        }
        table.add_row(row);
    }
    table
}
