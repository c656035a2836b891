//! `fit.json`: the result for programs, in SI.

use super::loops::LoopsDocument;
use crate::json::Named;
use masing_diagnostic::{Entry, Units};
use masing_identify::result::{Comparison, Identified, OverallError};
use masing_identify::{Estimate, KeyFigures, Profile};
use schemars::JsonSchema;
use serde::Serialize;

/// `masing.fit/1`.
#[derive(JsonSchema, Serialize)]
pub struct FitDocument {
    schema: &'static str,
    model: String,
    converged: bool,
    stop: &'static str,
    evaluations: usize,
    seconds: f64,
    parameters: Named<EstimateDocument>,
    misfit: ErrorDocument,
    experiments: Vec<TestDocument>,
    #[schemars(with = "Vec<crate::json::EntrySchema>")]
    warnings: Vec<Entry>,
    #[serde(skip_serializing_if = "Named::is_empty")]
    others: Named<EstimateDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<KeyFiguresDocument>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    profiles: Vec<ProfileDocument>,
    #[serde(flatten)]
    loops: LoopsDocument,
}

impl FitDocument {
    /// Of a result.
    pub fn of(found: &Identified) -> Self {
        Self {
            schema: "masing.fit/1",
            model: found.provenance.model.clone(),
            converged: found.search.stop.converged(),
            stop: found.search.stop.word(),
            evaluations: found.search.evaluations,
            seconds: found.search.seconds,
            parameters: EstimateDocument::all(&found.estimates),
            misfit: ErrorDocument::of(&found.error),
            experiments: found.comparisons.iter().map(TestDocument::of).collect(),
            warnings: warnings(found),
            others: EstimateDocument::all(&found.nuisance),
            character: found.key_figures.map(KeyFiguresDocument::of),
            profiles: found.profiles.iter().map(ProfileDocument::of).collect(),
            loops: LoopsDocument::of(found),
        }
    }
}

/// What was noticed about the data, then about the result; the same words once.
pub fn warnings(found: &Identified) -> Vec<Entry> {
    let units = Units::of_rotation(found.names().rotation());
    let mut out: Vec<Entry> = Vec::new();
    for one in found.data.diagnostics.iter().chain(&found.diagnostics) {
        let entry = Entry::of(one, units);
        // One file that is read for several tests says the same every time.
        if !out.contains(&entry) {
            out.push(entry);
        }
    }
    out
}

/// A parameter, or a number that belongs to a test.
#[derive(JsonSchema, Serialize)]
pub struct EstimateDocument {
    value: f64,
    unit: String,
    std_error: Option<f64>,
    ci95: Option<[f64; 2]>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    leave_one_out: Option<f64>,
}

impl EstimateDocument {
    /// All of them, by address.
    pub fn all(estimates: &[Estimate]) -> Named<Self> {
        let each = estimates.iter().map(|e| {
            let own = Self {
                value: e.value,
                unit: e.unit.clone(),
                std_error: e.std_error,
                ci95: e.interval,
                status: e.status.word(),
                leave_one_out: e.leave_one_out,
            };
            (e.address.clone(), own)
        });
        Named(each.collect())
    }
}

/// The error over all fitted tests.
#[derive(JsonSchema, Serialize)]
pub struct ErrorDocument {
    relative: f64,
    /// Root mean square of all residuals, in `unit`; `null` where tests are in different units.
    rms: Option<f64>,
    unit: Option<&'static str>,
    chi2_dof: Option<f64>,
}

impl ErrorDocument {
    /// Of a result.
    pub fn of(error: &OverallError) -> Self {
        Self {
            relative: error.relative,
            rms: error.rms,
            unit: error.unit,
            chi2_dof: error.chi2_dof,
        }
    }
}

/// One test beside what the model gives.
#[derive(JsonSchema, Serialize)]
pub struct TestDocument {
    name: String,
    role: &'static str,
    samples: usize,
    relative_misfit: f64,
    /// Error over the alternating part of the force, where the mean is more than half of the rms.
    #[serde(skip_serializing_if = "Option::is_none")]
    relative_to_alternating: Option<f64>,
    /// Root mean square of the residuals, in `unit`.
    rms: f64,
    /// SI unit of `rms` and of the noise; `null` where channels of several kinds are compared.
    unit: Option<&'static str>,
    lag1: f64,
    noise: NoiseDocument,
    /// `rest`, `free` or `periodic`; `null` for a table.
    start: Option<&'static str>,
}

#[derive(JsonSchema, Serialize)]
struct NoiseDocument {
    value: f64,
    source: &'static str,
}

impl TestDocument {
    /// Of one test.
    pub fn of(test: &Comparison) -> Self {
        Self {
            name: test.name.clone(),
            role: test.role.word(),
            samples: test.samples,
            relative_misfit: test.error,
            relative_to_alternating: test.alternating,
            rms: test.rms,
            unit: test.unit,
            lag1: test.lag1,
            noise: NoiseDocument {
                value: test.noise.value,
                source: test.noise.source.word(),
            },
            start: test
                .initial_state
                .map(|start| super::initial_state(start).0),
        }
    }
}

/// Rates and friction of the model, SI.
#[derive(JsonSchema, Serialize)]
struct KeyFiguresDocument {
    small_amplitude: f64,
    small_amplitude_rate: f64,
    large_amplitude: f64,
    large_amplitude_rate: f64,
    frequency: f64,
    friction: f64,
    friction_speed: f64,
}

impl KeyFiguresDocument {
    fn of(figures: KeyFigures) -> Self {
        Self {
            small_amplitude: figures.small,
            small_amplitude_rate: figures.small_rate,
            large_amplitude: figures.large,
            large_amplitude_rate: figures.large_rate,
            frequency: figures.frequency,
            friction: figures.friction,
            friction_speed: figures.speed,
        }
    }
}

/// The likelihood along a parameter.
#[derive(JsonSchema, Serialize)]
struct ProfileDocument {
    parameter: String,
    values: Vec<f64>,
    loss: Vec<f64>,
    ci95: [Option<f64>; 2],
}

impl ProfileDocument {
    fn of(profile: &Profile) -> Self {
        Self {
            parameter: profile.address.clone(),
            values: profile.values.clone(),
            loss: profile.loss.clone(),
            ci95: profile.ci95,
        }
    }
}
