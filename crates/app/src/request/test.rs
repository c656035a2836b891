//! One test: where its data are, and what is said about it.

use super::condition::{self, Conditions};
use super::filter::{FilterSource, Undo, filters, resolve};
use super::value::{Value, one_or_more};
use crate::error::AppError;
use masing_data::unit::{Quantity, parse_quantity};
use masing_data::{AmplitudeKind, DataError, Experiment, Gaps, ReadOptions, Table, Window};
use masing_identify::compare::Added;
use masing_identify::test::TestSpec;
use masing_identify::{InitialState, Nuisance};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A test. In `[defaults]` of a study: what holds for every test that does not say otherwise.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct TestSource {
    /// The data file, relative to the study; `file#part` picks a sheet, a variable or a pair of columns, `file#*` makes a test
    /// of every part, and a pattern such as `eol/*.csv` of every file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Name of the test; that of the file without ending if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the test is fitted, or held out and predicted. Default: "fit".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Record of motion and force, or table of dynamic stiffness; found by the columns if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindName>,
    /// How amplitudes of a table are meant. Default: "zero-to-peak".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amplitude: Option<AmplitudeName>,
    /// Which column plays which role; a name, a number from 1, or a sum or difference of those.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, Value>,
    /// Units of roles or columns.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, String>,
    /// Channels whose sign is turned.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    pub flip: Vec<String>,
    /// Channels whose offset is removed: "mean", "first", "midrange" or a value such as "0.2mm".
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub zero: BTreeMap<String, Value>,
    /// The part of the record that counts: "all", "stabilised" (last full cycle), { cycle = 3 } or [0.5, 2.0] in seconds.
    /// What comes before it is its history. Default: "all".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowChoice>,
    /// What to do with missing values of motion, load or time. Default: "keep", which refuses them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gaps: Option<GapsName>,
    /// Samples per second of a file without a time column, such as "200Hz".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Value>,
    /// Initial state; found from the record by default. `start` means the same.
    #[serde(alias = "start", skip_serializing_if = "Option::is_none")]
    pub initial: Option<Initial>,
    /// What the part is under before the test: a displacement or a force, such as "2.2mm" or "150N".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preload: Option<Value>,
    /// How much the test counts, from 1e-6 to 1e6. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// What the rig may have added to the record, estimated with the parameters.
    #[serde(skip_serializing_if = "Nuisances::is_empty")]
    pub nuisance: Nuisances,
    /// Whether the displacement is taken as a Fourier series, because it is noisy too. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eiv: Option<bool>,
    /// What channels went through before they were written, in this order; a table or a list of them. The force of the
    /// model goes through it too, unless `undo` restores the channel.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "filters")]
    #[schemars(with = "super::filter::Written")]
    pub filter: Vec<FilterSource>,
    /// Whether moving averages are undone: true, or a list of channels. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<Undo>,
    /// Stages that the measured channels were filtered and thinned out by, such as [5, 4].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decimation: Vec<usize>,
    /// Corner frequency of the high-pass of the accelerometers, such as "0.5Hz".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_pass: Option<Value>,
    /// Levels of its conditions, by name, such as { current = "0.5A", temperature = "20degC" }: parameters may follow them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: Conditions,
    /// The numbers themselves, where a program has them and no file need be read.
    #[serde(skip)]
    pub content: Option<Arc<Table>>,
    /// Where the test stands in a study: name and position of its list.
    #[serde(skip)]
    pub place: Option<(&'static str, usize)>,
}

/// What a test is used for.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Parameters are found from it.
    #[default]
    Fit,
    /// It is held out and predicted.
    Validate,
}

choice! {
    /// Kind of data.
    pub enum KindName for masing_data::Kind {
        /// Motion and force over time.
        Record,
        /// Dynamic stiffness over frequency and amplitude.
        Harmonic,
    }
}

choice! {
    /// How amplitudes are meant.
    pub enum AmplitudeName for AmplitudeKind {
        /// Half the stroke.
        ZeroToPeak,
        /// The whole stroke.
        PeakToPeak,
    }
}

/// What to do with missing values.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum GapsName {
    /// An error that names the line
    #[serde(rename = "keep", alias = "refuse")]
    #[default]
    Refuse,
    /// Straight lines between the neighbours
    Interpolate,
}

/// Initial state of a test.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Initial {
    /// Found from the record.
    Auto,
    /// At rest.
    #[serde(alias = "at-rest")]
    Rest,
    /// Estimated with the parameters.
    #[serde(alias = "estimated")]
    Free,
    /// That of a closed cycle.
    Periodic,
}

/// The part of a record that counts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(untagged)]
pub enum WindowChoice {
    /// `all`, `stabilised`, `cycle=3` or `0.5..2s`.
    Named(String),
    /// One cycle.
    Cycle {
        /// Its number, from 1.
        cycle: usize,
    },
    /// From one time to another.
    Times([Value; 2]),
}

impl WindowChoice {
    fn window(&self) -> Result<Window, DataError> {
        match self {
            WindowChoice::Named(text) => text.parse(),
            WindowChoice::Cycle { cycle } => format!("cycle={cycle}").parse(),
            WindowChoice::Times([from, to]) => format!("{from}..{to}").parse(),
        }
    }
}

/// What the rig may have added to a record.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Nuisances {
    /// A zero of the force that is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_offset: Option<bool>,
    /// A zero of the displacement that is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displacement_offset: Option<bool>,
    /// A delay between the channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<bool>,
    /// A force that is larger or smaller than in the other tests by a factor, as on another day; a test that is held out gets
    /// one only where its own table says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<bool>,
    /// A mass between the part and the load cell: true, or its value in kg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moving_mass: Option<MovingMass>,
}

/// A mass that moves with the part.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(untagged)]
pub enum MovingMass {
    /// Whether it is estimated.
    Sought(bool),
    /// Known, in kg or with a unit.
    Known(Value),
}

/// A negative mass asks for it to be found.
const SOUGHT: f64 = -1.0;

impl Nuisances {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// `force-offset,delay,moving-mass=0.35`.
    pub fn parse(texts: &[String]) -> Result<Self, AppError> {
        let mut out = Self::default();
        for text in texts.iter().flat_map(|text| text.split(',')).map(str::trim) {
            match (text, text.strip_prefix("moving-mass=")) {
                ("force-offset", _) => out.force_offset = Some(true),
                ("displacement-offset", _) => out.displacement_offset = Some(true),
                ("delay", _) => out.delay = Some(true),
                ("level", _) => out.level = Some(true),
                ("moving-mass", _) => out.moving_mass = Some(MovingMass::Sought(true)),
                (_, Some(mass)) if parse_quantity(mass, Quantity::Mass).is_ok_and(|m| m >= 0.0) => {
                    let Ok(mass) = mass.parse();
                    out.moving_mass = Some(MovingMass::Known(mass));
                }
                _ => {
                    let expected = "force-offset, displacement-offset, delay, level, moving-mass or moving-mass=KG, separated by commas";
                    return Err(AppError::option("--nuisance", text, expected));
                }
            }
        }
        Ok(out)
    }

    /// Adds what records turned out to call for.
    pub fn add(&mut self, added: Added) {
        if added.force_offset {
            self.force_offset.get_or_insert(true);
        }
        if added.moving_mass {
            self.moving_mass.get_or_insert(MovingMass::Sought(true));
        }
    }

    fn resolved(&self) -> Result<Nuisance, AppError> {
        let moving_mass = match &self.moving_mass {
            None | Some(MovingMass::Sought(false)) => None,
            Some(MovingMass::Sought(true)) => Some(SOUGHT),
            Some(MovingMass::Known(value)) => {
                match parse_quantity(&value.to_string(), Quantity::Mass) {
                    Ok(mass) if mass >= 0.0 => Some(mass),
                    _ => {
                        let expected = "true, or a mass in kg";
                        return Err(AppError::option("moving-mass", value, expected));
                    }
                }
            }
        };
        Ok(Nuisance {
            force_offset: self.force_offset.unwrap_or(false),
            motion_offset: self.displacement_offset.unwrap_or(false),
            delay: self.delay.unwrap_or(false),
            level: self.level.unwrap_or(false),
            moving_mass,
        })
    }
}

/// Rows per sample beyond which a simulation would not come to an end.
const MOST_ROWS: usize = 1000;

/// Takes what `other` says where nothing is said.
macro_rules! fill {
    ($own:expr, $other:expr; $($field:ident),*) => {
        $(if $own.$field.is_none() {
            $own.$field.clone_from(&$other.$field);
        })*
    };
}

/// Takes the entries of `others` that a table does not have.
pub fn complete<V: Clone>(own: &mut BTreeMap<String, V>, others: &BTreeMap<String, V>) {
    for (key, value) in others {
        own.entry(key.clone()).or_insert_with(|| value.clone());
    }
}

/// A complaint about one key of a test.
#[derive(Debug)]
pub struct Misstated {
    /// The key.
    pub key: &'static str,
    /// What is wrong with it.
    pub error: Box<AppError>,
}

impl Misstated {
    /// What is wrong with a key.
    fn new(key: &'static str, error: AppError) -> Self {
        Self {
            key,
            error: Box::new(error),
        }
    }
}

impl TestSource {
    /// A file of which nothing more is said.
    pub fn file(path: &Path) -> Self {
        Self {
            file: Some(path.to_string_lossy().into_owned()),
            ..Self::default()
        }
    }

    /// What one is to do with it.
    pub fn role(&self) -> Role {
        self.role.unwrap_or_default()
    }

    /// The file, or what stands for it.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(self.file.as_deref().unwrap_or_default())
    }

    /// Takes what the defaults say where the test says nothing; columns, units and the like one by one.
    #[must_use]
    pub fn with_defaults(mut self, defaults: &Self) -> Self {
        fill!(self, defaults; file, name, role, kind, amplitude, window, gaps, rate, initial, preload, weight, eiv, high_pass, undo);
        let nuisance = &mut self.nuisance;
        fill!(nuisance, defaults.nuisance; force_offset, displacement_offset, delay, moving_mass);
        if self.role != Some(Role::Validate) {
            fill!(nuisance, defaults.nuisance; level);
        }
        complete(&mut self.columns, &defaults.columns);
        complete(&mut self.units, &defaults.units);
        complete(&mut self.zero, &defaults.zero);
        complete(&mut self.conditions, &defaults.conditions);
        if self.flip.is_empty() {
            self.flip.clone_from(&defaults.flip);
        }
        if self.filter.is_empty() {
            self.filter.clone_from(&defaults.filter);
        }
        if self.decimation.is_empty() {
            self.decimation.clone_from(&defaults.decimation);
        }
        self
    }

    /// One test for every file that a pattern stands for; files are relative to `folder`.
    pub fn each(&self, folder: &Path) -> Result<Vec<Self>, Misstated> {
        let misstated = |error| Misstated::new("file", error);
        let Some(file) = &self.file else {
            let error = AppError::option("file", "", "the name of a data file");
            return Err(misstated(error));
        };
        let path = folder.join(file);
        let paths = match &self.content {
            Some(_) => vec![path],
            None => super::expanded(&path).map_err(misstated)?,
        };
        if let (Some(name), true) = (&self.name, paths.len() > 1) {
            let expected = format!("one file for the test `{name}`, not {}", paths.len());
            return Err(misstated(AppError::option("file", file, expected)));
        }
        let each = paths.iter().map(|path| Self {
            file: Some(path.to_string_lossy().into_owned()),
            ..self.clone()
        });
        Ok(each.collect())
    }

    /// Reads it as a file would be read.
    pub fn read(&self) -> Result<Experiment, AppError> {
        let spec = self.spec().map_err(|wrong| *wrong.error)?;
        Ok(masing_data::read(&spec.path, &spec.options)?)
    }

    /// Everything said about the test, checked.
    pub fn spec(&self) -> Result<TestSpec, Misstated> {
        let at = |key: &'static str| move |error| Misstated::new(key, error);
        Ok(TestSpec {
            path: self.path(),
            name: self.name.clone(),
            options: self.options()?,
            initial: match self.initial {
                None | Some(Initial::Auto) => None,
                Some(Initial::Rest) => Some(InitialState::AtRest),
                Some(Initial::Free) => Some(InitialState::Estimated),
                Some(Initial::Periodic) => Some(InitialState::Periodic),
            },
            preload: self.preload.as_ref().map(Value::to_string),
            weight: self.weight().map_err(at("weight"))?,
            nuisance: self.nuisance.resolved().map_err(at("nuisance"))?,
            filters: self.filtered()?.0,
            decimation: self.decimation().map_err(at("decimation"))?,
            high_pass: self.high_pass().map_err(at("high-pass"))?,
            eiv: self.eiv.unwrap_or(false),
            conditions: condition::levels(&self.conditions).map_err(at("conditions"))?,
        })
    }

    /// How it is to be read.
    pub fn options(&self) -> Result<ReadOptions, Misstated> {
        fn at(key: &'static str) -> impl Fn(DataError) -> Misstated {
            move |error| Misstated::new(key, error.into())
        }
        let mut options = ReadOptions {
            content: self.content.clone(),
            undo: self.filtered()?.1,
            ..ReadOptions::default()
        };
        for (role, column) in &self.columns {
            let slot = role.parse().map_err(at("columns"))?;
            options.columns.push((slot, column.to_string()));
        }
        for (role, unit) in &self.units {
            options.units.push((role.clone(), unit.clone()));
        }
        for role in &self.flip {
            options.parse_flip(role).map_err(at("flip"))?;
        }
        for (role, what) in &self.zero {
            let slot = role.parse().map_err(at("zero"))?;
            let zero = what.to_string().parse().map_err(at("zero"))?;
            options.zero.push((slot, zero));
        }
        if let Some(window) = &self.window {
            options.window = window.window().map_err(at("window"))?;
        }
        options.amplitude = self.amplitude.map(Into::into).unwrap_or_default();
        options.kind = self.kind.map(Into::into);
        options.gaps = match self.gaps {
            None | Some(GapsName::Refuse) => Gaps::Keep,
            Some(GapsName::Interpolate) => Gaps::Interpolate,
        };
        if let Some(rate) = &self.rate {
            let rate = crate::quantity::positive("--rate", &rate.to_string(), Quantity::Frequency);
            options.rate = Some(rate.map_err(|error| Misstated::new("rate", error))?);
        }
        Ok(options)
    }

    /// Filters and averages to undo.
    pub(super) fn filtered(&self) -> Result<super::filter::Resolved, Misstated> {
        let resolved = resolve(&self.filter, self.undo.as_ref());
        let key = if self.filter.is_empty() {
            "undo"
        } else {
            "filter"
        };
        resolved.map_err(|error| Misstated::new(key, error))
    }

    fn weight(&self) -> Result<f64, AppError> {
        let weight = self.weight.unwrap_or(1.0);
        if (1e-6..=1e6).contains(&weight) {
            return Ok(weight);
        }
        let expected = "a number from 1e-6 to 1e6; role = \"validate\" leaves a test out";
        Err(AppError::option("weight", weight, expected))
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
        match parse_quantity(&value.to_string(), Quantity::Frequency) {
            Ok(corner) if corner > 0.0 => Ok(Some(corner)),
            _ => {
                let expected = "a frequency above zero, such as \"0.5Hz\"";
                Err(AppError::option("high-pass", value, expected))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TestSource {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn columns_may_be_called_anything() {
        let test = read("file = 'a.csv'\ncolumns = { displacement = \"pos, a=1\", time = 1 }");
        let options = test.options().unwrap();
        let columns: Vec<&str> = options.columns.iter().map(|(_, c)| c.as_str()).collect();
        assert_eq!(columns, ["pos, a=1", "1"]);
    }

    #[test]
    fn defaults_fill_what_a_test_leaves_open() {
        let defaults = read(
            "units = { force = 'kN', displacement = 'mm' }\nweight = 2.0\nstart = 'rest'\nnuisance = { delay = true }",
        );
        let test = read(
            "file = 'a.csv'\nunits = { force = 'N' }\ninitial = 'estimated'\nnuisance = { force-offset = true }",
        );
        let test = test.with_defaults(&defaults);
        assert_eq!(test.units["force"], "N");
        assert_eq!(test.units["displacement"], "mm");
        let spec = test.spec().unwrap();
        assert_eq!(
            (spec.weight, spec.initial),
            (2.0, Some(InitialState::Estimated))
        );
        assert!(spec.nuisance.delay && spec.nuisance.force_offset);
    }

    #[test]
    fn requests_are_written_and_read() {
        let text = "file = 'a.csv'\nwindow = [0.5, '2s']\nzero = { force = 'mean', displacement = '0.2mm' }\nnuisance = { moving-mass = 0.35 }";
        let test = read(text);
        let json = serde_json::to_string(&test).unwrap();
        let again: TestSource = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&again).unwrap(), json);
        assert_eq!(again.options().unwrap().window, Window::Time(0.5, 2.0));
        assert_eq!(again.spec().unwrap().nuisance.moving_mass, Some(0.35));
        let wrong = read("file = 'a.csv'\nwindow = 'some'").spec().unwrap_err();
        assert_eq!(wrong.key, "window");
    }
}
