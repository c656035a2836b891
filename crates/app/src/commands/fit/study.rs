//! `study.toml`: tests, model and choices in one file.

use super::choices::{LossName, MethodName, SOUGHT, Share};
use crate::error::AppError;
use masing_data::unit::Quantity;
use masing_data::{Gaps, ReadOptions, Window, parse_quantity};
use masing_identify::test::TestSpec;
use masing_identify::{InitialState, Nuisance};
use masing_model::file::{self, Draft};
use serde::Deserialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    schema: String,
    #[serde(default)]
    pub part: BTreeMap<String, String>,
    // What is sought by `masing terms` needs no model.
    #[serde(default)]
    model: toml::Table,
    #[serde(default)]
    pub parameters: BTreeMap<String, Choice>,
    #[serde(rename = "experiment")]
    pub experiments: Vec<Test>,
    #[serde(default)]
    pub fit: Choices,
}

/// What is said about one parameter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub start: Option<f64>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub fixed: Option<f64>,
}

impl Choice {
    /// Refuses what contradicts itself.
    pub fn check(&self, address: &str, study: &Path) -> Result<(), AppError> {
        let refuse = |what: String| {
            Err(AppError::Study {
                path: study.to_owned(),
                what: format!("[parameters] \"{address}\": {what}"),
            })
        };
        for (key, value) in [("start", self.start), ("fixed", self.fixed)] {
            if let Some(value) = value.filter(|v| !v.is_finite()) {
                return refuse(format!("{key} = {value}; expected a number"));
            }
        }
        if let (Some(fixed), Some(start)) = (self.fixed, self.start) {
            return refuse(format!(
                "fixed = {fixed} holds it, start = {start} sets it free; expected one of the two"
            ));
        }
        let min = self.min.unwrap_or(f64::NEG_INFINITY);
        let max = self.max.unwrap_or(f64::INFINITY);
        if min.partial_cmp(&max) != Some(Ordering::Less) {
            return refuse(format!(
                "min = {min}, max = {max}; expected min below max (`fixed` holds a value)"
            ));
        }
        for (key, value) in [("start", self.start), ("fixed", self.fixed)] {
            if let Some(value) = value.filter(|v| *v < min || *v > max) {
                let expected = match (self.min, self.max) {
                    (Some(min), Some(max)) => format!("from min = {min} to max = {max}"),
                    (Some(min), None) => format!("from min = {min}"),
                    (None, _) => format!("up to max = {max}"),
                };
                return refuse(format!("{key} = {value}; expected a value {expected}"));
            }
        }
        Ok(())
    }
}

/// One test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    name: Option<String>,
    file: String,
    #[serde(default)]
    pub role: Role,
    kind: Option<KindName>,
    amplitude: Option<String>,
    #[serde(default)]
    columns: BTreeMap<String, String>,
    #[serde(default)]
    units: BTreeMap<String, String>,
    #[serde(default)]
    flip: Vec<String>,
    #[serde(default)]
    zero: BTreeMap<String, toml::Value>,
    window: Option<toml::Value>,
    gaps: Option<String>,
    rate: Option<toml::Value>,
    #[serde(default)]
    start: Begin,
    preload: Option<String>,
    weight: Option<f64>,
    #[serde(default)]
    nuisance: Disturbed,
    #[serde(default)]
    eiv: bool,
    /// Stages that the measured channels were filtered and thinned out by.
    #[serde(default)]
    decimation: Vec<usize>,
    /// Corner frequency of the high-pass of the accelerometers.
    #[serde(rename = "high-pass")]
    high_pass: Option<toml::Value>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    #[default]
    Fit,
    Validate,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum KindName {
    Record,
    Harmonic,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Begin {
    #[default]
    Auto,
    Rest,
    Free,
    Periodic,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Disturbed {
    #[serde(default)]
    force_offset: bool,
    #[serde(default)]
    displacement_offset: bool,
    #[serde(default)]
    delay: bool,
    moving_mass: Option<toml::Value>,
}

/// The `[fit]` table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    pub weights: Option<Share>,
    pub loss: Option<LossName>,
    pub method: Option<MethodName>,
    #[serde(default)]
    pub tikhonov: BTreeMap<String, Held>,
    #[serde(default)]
    pub seed: u64,
}

/// Where a parameter is held to, and how strongly.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    pub value: f64,
    #[serde(default = "one")]
    pub weight: f64,
}

fn one() -> f64 {
    1.0
}

/// Rows per sample beyond which a simulation would not come to an end.
const MOST_ROWS: usize = 1000;

const SCHEMA: &str = "masing.study/1";

impl Study {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, AppError> {
        let refuse = |what: String| AppError::Study {
            path: path.to_owned(),
            what,
        };
        let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
        let study: Self = toml::from_str(&text).map_err(|error| refuse(error.to_string()))?;
        if study.schema != SCHEMA {
            return Err(refuse(format!(
                "the schema is `{}`; this version reads `{SCHEMA}`",
                study.schema
            )));
        }
        if !study.experiments.iter().any(|t| t.role == Role::Fit) {
            return Err(refuse("no [[experiment]] has role = \"fit\"".to_owned()));
        }
        Ok(study)
    }

    /// Whether `[parameters]` says something about that address, or about the list it belongs to.
    pub fn mentions(&self, address: &str) -> bool {
        let list = address.split('[').next().unwrap_or(address);
        self.parameters.contains_key(address) || self.parameters.contains_key(list)
    }

    /// Whether `[parameters]` lets go of a value that the model gives. A matrix named as a whole means its
    /// entries that are not zero: what is not connected stays so.
    pub fn frees(&self, address: &str, value: f64) -> bool {
        let connected = value != 0.0 || !address.contains(',');
        self.parameters.contains_key(address) || (connected && self.mentions(address))
    }

    /// The model, some of whose values may be left open.
    pub fn model(&self, path: &Path) -> Result<Draft, AppError> {
        let mut table = self.model.clone();
        table.insert("schema".to_owned(), "masing.model/1".into());
        let text = toml::to_string(&table).map_err(|error| AppError::Study {
            path: path.to_owned(),
            what: error.to_string(),
        })?;
        // The lines are those of the part of the study that holds the model, which nobody sees.
        file::parse_draft(path, &text).map_err(|mut error| {
            (error.line, error.excerpt) = (None, None);
            error.into()
        })
    }
}

impl Test {
    /// The lines of one `[[experiment]]`.
    pub fn parse(text: &str) -> Result<Self, AppError> {
        toml::from_str(text).map_err(|error| AppError::Said(error.message().to_owned()))
    }

    /// Everything said about the test; its file is relative to the study.
    pub fn spec(&self, study: &Path) -> Result<TestSpec, AppError> {
        let weight = self.weight.unwrap_or(1.0);
        if !(1e-6..=1e6).contains(&weight) {
            let expected = "a number from 1e-6 to 1e6; role = \"validate\" leaves a test out";
            return Err(AppError::option("weight", weight, expected));
        }
        Ok(TestSpec {
            path: study.parent().unwrap_or(Path::new("")).join(&self.file),
            name: self.name.clone(),
            options: self.options()?,
            initial: self.start(),
            preload: self.preload.clone(),
            weight,
            nuisance: self.nuisance()?,
            decimation: self.decimation()?,
            high_pass: self.high_pass()?,
            eiv: self.eiv,
        })
    }

    /// How it is to be read.
    fn options(&self) -> Result<ReadOptions, AppError> {
        let pairs = |map: &BTreeMap<String, String>| {
            map.iter()
                .map(|(k, v)| format!("{k}={v}"))
                .collect::<Vec<_>>()
                .join(",")
        };
        let mut options = ReadOptions::default();
        if !self.columns.is_empty() {
            options.parse_columns(&pairs(&self.columns))?;
        }
        if !self.units.is_empty() {
            options.parse_units(&pairs(&self.units))?;
        }
        if !self.flip.is_empty() {
            options.parse_flip(&self.flip.join(","))?;
        }
        for (role, what) in &self.zero {
            options.parse_zero(&format!("{role}={}", plain(what)))?;
        }
        if let Some(window) = &self.window {
            options.window = window_of(window)?;
        }
        if let Some(amplitude) = &self.amplitude {
            options.amplitude = amplitude.parse()?;
        }
        if let Some(kind) = self.kind {
            options.kind = Some(match kind {
                KindName::Record => masing_data::Kind::Record,
                KindName::Harmonic => masing_data::Kind::Harmonic,
            });
        }
        if let Some(gaps) = &self.gaps {
            options.gaps = gaps.parse::<Gaps>()?;
        }
        if let Some(rate) = &self.rate {
            options.rate = Some(parse_quantity(&plain(rate), Quantity::Frequency)?);
        }
        Ok(options)
    }

    /// The state at its beginning, if the study says so.
    fn start(&self) -> Option<InitialState> {
        match self.start {
            Begin::Auto => None,
            Begin::Rest => Some(InitialState::AtRest),
            Begin::Free => Some(InitialState::Estimated),
            Begin::Periodic => Some(InitialState::Periodic),
        }
    }

    /// The stages, if they are ones.
    fn decimation(&self) -> Result<Vec<usize>, AppError> {
        let stages = &self.decimation;
        let most = stages
            .iter()
            .try_fold(1, |all: usize, r| all.checked_mul(*r));
        if stages.iter().all(|r| *r >= 2) && most.is_some_and(|all| all <= MOST_ROWS) {
            return Ok(stages.clone());
        }
        let expected = format!("whole numbers from 2, whose product is at most {MOST_ROWS}");
        let found = format!("{stages:?}");
        Err(AppError::option("decimation", found, expected))
    }

    /// The corner of the accelerometers, if it is one.
    fn high_pass(&self) -> Result<Option<f64>, AppError> {
        let Some(value) = &self.high_pass else {
            return Ok(None);
        };
        let text = plain(value);
        match parse_quantity(&text, Quantity::Frequency) {
            Ok(corner) if corner > 0.0 => Ok(Some(corner)),
            _ => {
                let expected = "a frequency above zero, such as \"0.5Hz\"";
                Err(AppError::option("high-pass", text, expected))
            }
        }
    }

    /// What else is sought with it.
    fn nuisance(&self) -> Result<Nuisance, AppError> {
        let mass = match &self.nuisance.moving_mass {
            None | Some(toml::Value::Boolean(false)) => None,
            Some(toml::Value::Boolean(true)) => Some(SOUGHT),
            Some(value) => match plain(value).parse::<f64>() {
                Ok(mass) if mass >= 0.0 && mass.is_finite() => Some(mass),
                _ => {
                    let expected = "true, or a mass in kg";
                    return Err(AppError::option("moving-mass", plain(value), expected));
                }
            },
        };
        Ok(Nuisance {
            force_offset: self.nuisance.force_offset,
            motion_offset: self.nuisance.displacement_offset,
            delay: self.nuisance.delay,
            moving_mass: mass,
        })
    }
}

/// "stabilised", { cycle = 3 } or [0.5, 2.0].
fn window_of(value: &toml::Value) -> Result<Window, AppError> {
    let text = match value {
        toml::Value::Table(table) => match table.get("cycle") {
            Some(cycle) => format!("cycle={}", plain(cycle)),
            None => plain(value),
        },
        toml::Value::Array(ends) => ends.iter().map(plain).collect::<Vec<_>>().join(".."),
        other => plain(other),
    };
    Ok(text.parse()?)
}

/// A value as it would stand on the command line.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
