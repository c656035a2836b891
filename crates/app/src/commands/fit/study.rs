//! `study.toml`: tests, model and choices in one file.

use crate::error::AppError;
use masing_data::unit::Quantity;
use masing_data::{Gaps, ReadOptions, Window, parse_quantity};
use masing_identify::{Nuisance, Start};
use masing_model::file::{self, Draft};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    schema: String,
    #[serde(default)]
    pub part: BTreeMap<String, String>,
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

/// One test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    pub name: Option<String>,
    file: String,
    #[serde(default)]
    pub role: Role,
    kind: Option<String>,
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
    pub weight: Option<f64>,
    #[serde(default)]
    nuisance: Disturbed,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    #[default]
    Fit,
    Validate,
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
    pub weights: Option<super::Share>,
    loss: Option<String>,
    method: Option<String>,
    tikhonov: Option<toml::Table>,
    #[serde(default)]
    pub seed: u64,
}

const SCHEMA: &str = "masing.study/1";

impl Study {
    /// Reads the file; what this version cannot do yet is refused, not passed over.
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
        let not_yet = |what: &str| Err(refuse(format!("{what} is not possible yet")));
        if let Some(loss) = study.fit.loss.as_deref().filter(|loss| *loss != "linear") {
            return not_yet(&format!("[fit] loss = \"{loss}\""));
        }
        if let Some(method) = study.fit.method.as_deref().filter(|m| *m != "trust-region") {
            return not_yet(&format!("[fit] method = \"{method}\""));
        }
        if study.fit.tikhonov.is_some() {
            return not_yet("[fit] tikhonov");
        }
        if let Some(test) = study
            .experiments
            .iter()
            .find(|t| t.kind.as_deref() == Some("harmonic"))
        {
            return not_yet(&format!(
                "fitting the table `{}` (kind = \"harmonic\")",
                test.file
            ));
        }
        if !study.experiments.iter().any(|t| t.role == Role::Fit) {
            return Err(refuse("no [[experiment]] has role = \"fit\"".to_owned()));
        }
        Ok(study)
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
    /// The file, relative to the study.
    pub fn path(&self, study: &Path) -> PathBuf {
        study.parent().unwrap_or(Path::new("")).join(&self.file)
    }

    /// How it is to be read.
    pub fn options(&self) -> Result<ReadOptions, AppError> {
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
        if let Some(gaps) = &self.gaps {
            options.gaps = gaps.parse::<Gaps>()?;
        }
        if let Some(rate) = &self.rate {
            options.rate = Some(parse_quantity(&plain(rate), Quantity::Frequency)?);
        }
        Ok(options)
    }

    /// The state at its beginning, if the study says so.
    pub fn start(&self) -> Option<Start> {
        match self.start {
            Begin::Auto => None,
            Begin::Rest => Some(Start::Rest),
            Begin::Free => Some(Start::Free),
            Begin::Periodic => Some(Start::Periodic),
        }
    }

    /// Displacement that preload adds.
    pub fn preload(&self, rotation: bool) -> Result<f64, AppError> {
        let quantity = if rotation {
            Quantity::Angle
        } else {
            Quantity::Length
        };
        match &self.preload {
            Some(text) => Ok(parse_quantity(text, quantity)?),
            None => Ok(0.0),
        }
    }

    /// What else is sought with it.
    pub fn nuisance(&self) -> Result<Nuisance, AppError> {
        let mass = match &self.nuisance.moving_mass {
            None | Some(toml::Value::Boolean(false)) => None,
            // A negative mass asks for it to be found.
            Some(toml::Value::Boolean(true)) => Some(-1.0),
            Some(value) => match plain(value).parse::<f64>() {
                Ok(mass) if mass >= 0.0 => Some(mass),
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
