//! `fit.json`: the result for programs, in SI.

use super::loops::Loops;
use super::tests::{self, Test};
use crate::error::AppError;
use crate::names::{Names, units as units_of};
use masing_diagnostic::{Diagnostic, Entry, entries};
use masing_identify::{Fit, Place, key_figures};
use masing_model::{Model, MotionKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The result of a fit.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    model: String,
    pub converged: bool,
    pub stop: String,
    pub evaluations: usize,
    pub seconds: f64,
    pub parameters: Map<String, Value>,
    pub misfit: Misfit,
    pub experiments: Vec<Test>,
    pub warnings: Vec<Entry>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub others: Map<String, Value>,
    /// The model in words of the shop floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<InWords>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<ProfileDocument>,
    /// What is said about a loop law beside the rest.
    #[serde(flatten)]
    pub loops: Loops,
    #[serde(skip)]
    pub rotation: bool,
    #[serde(skip)]
    pub rows: Vec<Row>,
    /// What was found beside the parameters, for the table.
    #[serde(skip)]
    pub other_rows: Vec<Row>,
}

/// Rates and friction of the model, SI.
#[derive(Clone, Copy, Serialize)]
pub struct InWords {
    pub small_amplitude: f64,
    pub small_amplitude_rate: f64,
    pub large_amplitude: f64,
    pub large_amplitude_rate: f64,
    pub frequency: f64,
    pub friction: f64,
    pub friction_speed: f64,
}

/// The likelihood along a parameter.
#[derive(Clone, Serialize)]
pub struct ProfileDocument {
    pub parameter: String,
    pub values: Vec<f64>,
    pub loss: Vec<f64>,
    pub ci95: [Option<f64>; 2],
}

/// One parameter, for the table.
pub struct Row {
    pub address: String,
    pub unit: String,
    pub value: f64,
    pub std_error: Option<f64>,
    pub status: &'static str,
}

#[derive(Serialize)]
pub struct Misfit {
    pub relative: f64,
    /// Root mean square of all differences, in `unit`; `null` where tests are in different units.
    pub rms: Option<f64>,
    pub unit: Option<&'static str>,
    pub chi2_dof: Option<f64>,
}

impl Document {
    pub fn new(
        name: &str,
        fit: &Fit,
        model: &Model,
        seconds: f64,
        findings: &[Diagnostic],
    ) -> Self {
        let units: Vec<String> = model.params().into_iter().map(|(_, p)| p.unit).collect();
        let rows: Vec<Row> = fit
            .parameters
            .iter()
            .zip(units)
            .map(|(found, unit)| Row {
                address: found.address.clone(),
                unit,
                value: found.value,
                std_error: found.std_error,
                status: found.status.word(),
            })
            .collect();
        let parameters = rows
            .iter()
            .zip(&fit.parameters)
            .map(|(row, found)| {
                let entry = json!({
                    "value": row.value,
                    "unit": row.unit,
                    "std_error": row.std_error,
                    "ci95": found.ci95,
                    "status": row.status,
                });
                let mut entry = entry;
                if let Some(spread) = found.leave_one_out {
                    entry["leave_one_out"] = json!(spread);
                }
                (row.address.clone(), entry)
            })
            .collect();
        let (other_rows, others) = beside(fit, model.motion());
        let names = Names::of(model.motion());
        let roles = fit.tests.iter().map(|t| (t, "fit"));
        let roles = roles.chain(fit.validation.iter().map(|t| (t, "validate")));
        let experiments: Vec<Test> = roles
            .zip(&fit.targets)
            .map(|((outcome, role), target)| Test::new(outcome, target, role, &names))
            .collect();
        let rms = tests::rms(&experiments);
        let spoken = units_of(model.motion());
        let mut warnings = entries(findings, spoken);
        warnings.extend(entries(&fit.diagnostics, spoken));
        Self {
            schema: "masing.fit/1",
            model: name.to_owned(),
            converged: fit.stop.converged(),
            stop: format!("{:?}", fit.stop).to_lowercase(),
            evaluations: fit.evaluations,
            seconds,
            parameters,
            misfit: Misfit {
                relative: fit.relative,
                rms: rms.map(|(value, _)| value),
                unit: rms.map(|(_, unit)| unit),
                chi2_dof: fit.chi2_dof,
            },
            experiments,
            warnings,
            others,
            character: key_figures(model, &fit.targets).map(|c| InWords {
                small_amplitude: c.small,
                small_amplitude_rate: c.small_rate,
                large_amplitude: c.large,
                large_amplitude_rate: c.large_rate,
                frequency: c.frequency,
                friction: c.friction,
                friction_speed: c.speed,
            }),
            profiles: fit
                .profiles
                .iter()
                .map(|p| ProfileDocument {
                    parameter: p.address.clone(),
                    values: p.values.clone(),
                    loss: p.loss.clone(),
                    ci95: p.ci95,
                })
                .collect(),
            loops: Loops::default(),
            rotation: model.motion() == MotionKind::Rotation,
            rows,
            other_rows,
        }
    }

    /// The bytes of `fit.json`.
    pub fn to_json(&self) -> Result<Vec<u8>, AppError> {
        let mut bytes =
            serde_json::to_vec_pretty(self).map_err(|error| AppError::Stdout(error.into()))?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// What was found beside the parameters, as rows of a table and as entries.
fn beside(fit: &Fit, motion: MotionKind) -> (Vec<Row>, Map<String, Value>) {
    let rows = fit.others.iter().map(|other| Row {
        address: other.name.clone(),
        unit: unit_of(other.place, motion).to_owned(),
        value: other.value,
        std_error: Some(other.std_error),
        status: other.status.word(),
    });
    let entries = fit.others.iter().map(|other| {
        let entry = json!({
            "value": other.value,
            "unit": unit_of(other.place, motion),
            "std_error": other.std_error,
            "ci95": other.ci95,
            "status": other.status.word(),
        });
        (other.name.clone(), entry)
    });
    (rows.collect(), entries.collect())
}

/// The SI unit of what is found beside the parameters.
fn unit_of(place: Place, motion: MotionKind) -> &'static str {
    let turning = motion == MotionKind::Rotation;
    match place {
        Place::ForceOffset(_) if turning => "N m",
        Place::ForceOffset(_) => "N",
        Place::MotionOffset(_) if turning => "rad",
        Place::MotionOffset(_) => "m",
        Place::Delay(_) => "s",
        Place::MovingMass(_) if turning => "kg m^2",
        Place::MovingMass(_) => "kg",
        Place::Param(_) | Place::Start { .. } | Place::Turn { .. } => "",
    }
}
