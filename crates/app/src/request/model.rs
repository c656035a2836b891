//! Where a model comes from.

use crate::error::AppError;
use masing_model::file::{self, Draft};
use masing_model::{Assembly, Model, Shape, presets, registry};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::path::Path;

/// A model: by name, by file, or as it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ModelSource {
    /// An element, a preset, a sum such as `bouc-wen + polynomial-spring[powers=1,3]`, or a `model.toml`.
    Named(String),
    /// The model itself.
    Given(Box<GivenModel>),
}

/// A model that lies in no file of its own.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenModel {
    /// The text of a `model.toml`; values may be left out where they are to be found.
    #[serde(serialize_with = "to_text", deserialize_with = "from_text")]
    #[schemars(with = "String")]
    pub toml: Draft,
    /// What documents call it.
    #[serde(default)]
    pub name: String,
    /// Whether the values it gives are held in a fit, as those of a study; otherwise they are starts.
    #[serde(default)]
    pub hold: bool,
}

fn to_text<S: Serializer>(draft: &Draft, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&file::draft_to_text(draft))
}

fn from_text<'de, D: Deserializer<'de>>(from: D) -> Result<Draft, D::Error> {
    let text = String::deserialize(from)?;
    file::parse_draft(Path::new("model"), &text).map_err(de::Error::custom)
}

impl fmt::Display for ModelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModelSource::Named(name) => name,
            ModelSource::Given(given) => &given.name,
        })
    }
}

/// What the command line says of a model that is not to be found.
#[cfg(feature = "cli")]
pub const COMPLETE: &str = "The model, a model.toml with a value for every parameter";

impl From<std::ffi::OsString> for ModelSource {
    /// A model by the name of a file.
    fn from(path: std::ffi::OsString) -> Self {
        Self::Named(path.to_string_lossy().into_owned())
    }
}

impl ModelSource {
    /// The model, which must have a value for every parameter.
    pub fn complete(&self) -> Result<Model, AppError> {
        match self {
            ModelSource::Named(name) => Ok(file::read(Path::new(name))?),
            ModelSource::Given(given) => {
                given.toml.model.check()?;
                Ok(given.toml.model.clone())
            }
        }
    }

    /// The model, and which of its values are given. `cells` is how many an element has that has any, where the text does
    /// not say so.
    pub fn draft(&self, cells: Option<usize>) -> Result<Draft, AppError> {
        let refuse = |cells: usize, expected: String| AppError::option("--cells", cells, expected);
        let name = match self {
            ModelSource::Given(given) => return Ok(given.toml.clone()),
            ModelSource::Named(name) => name,
        };
        if is_toml(Path::new(name)) {
            return match cells {
                None => Ok(file::read_draft(Path::new(name))?),
                Some(cells) => {
                    let why = format!("no such option, because {name} says how many cells it has");
                    Err(refuse(cells, why))
                }
            };
        }
        let has_cells = |kind: &str| registry::find(kind).is_ok_and(|kind| kind.takes("cells"));
        let assembly = Assembly::from_names(name, |kind| {
            let mut shape = Shape::default();
            if let Some(cells) = cells.filter(|_| has_cells(kind)) {
                shape.numbers.insert("cells".to_owned(), cells as f64);
            }
            shape
        })?;
        let laws = assembly.parts().iter().flat_map(|part| part.laws());
        let mut kinds = laws.map(|part| part.kind.as_str());
        if let Some(cells) = cells.filter(|_| !kinds.any(has_cells)) {
            let chains = presets::shaped_by("cells").join(", ");
            let why = format!("a model with a chain ({chains}), which `{name}` is not");
            return Err(refuse(cells, why));
        }
        let model = Model::with_defaults(assembly, None)?;
        let given = vec![false; model.param_count()];
        Ok(Draft { model, given })
    }
}

/// Whether a file is a study or a model by its name.
pub fn is_toml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("toml"))
}
