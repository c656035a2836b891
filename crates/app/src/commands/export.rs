//! `masing export`: a model for simulations, checked.

mod check;
mod libraries;
mod summary;

use crate::console::Console;
use crate::error::AppError;
use crate::output::OutFile;
use crate::request::condition;
use crate::request::{ExportRequest, Format};
use check::Check;
use libraries::{Libraries, Missing};
use masing_export::fmu::{Fmu, Version};
use masing_model::{Model, StepLimits, Validity, file};
use masing_sim::stepper::usual_limits;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    model: String,
    to: Format,
    out: String,
    libraries: Vec<&'static str>,
    missing: Vec<Missing>,
    interfaces: Vec<&'static str>,
    /// The element that has whole steps only, if Model Exchange is not offered.
    steps_only: Option<String>,
    parameters: usize,
    states: usize,
    numerics: Option<Limits>,
    validity: Option<Covered>,
    check: Check,
}

#[derive(Serialize)]
struct Limits {
    /// `null` for no limit.
    increment: Option<f64>,
    max_dt: Option<f64>,
}

/// What the tests covered.
#[derive(Serialize)]
struct Covered {
    displacement: [f64; 2],
    speed: Option<f64>,
    frequency: Option<[f64; 2]>,
}

impl From<Validity> for Covered {
    fn from(tests: Validity) -> Self {
        Self {
            displacement: tests.displacement,
            speed: Some(tests.speed).filter(|v| v.is_finite()),
            frequency: tests.frequency,
        }
    }
}

const SCHEMA: &str = "masing.export/1";
const CHECK: &str = "export-check.json";

impl ExportRequest {
    /// Writes and checks the file.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let model_path = PathBuf::from(self.model.to_string());
        let given = condition::parse(&self.condition)?;
        let mut model = self.model.complete()?;
        if !given.is_empty() {
            model = condition::at_levels(&model, &given)?;
        }
        let model = settled(model, &model_path)?;
        let out = OutFile::prepare(&self.out)?;
        let beside = OutFile::prepare(&self.out.with_file_name(CHECK))?;
        let libraries = Libraries::find(self.libraries.as_deref())?;
        let version = match self.to {
            Format::Fmu2 => Version::Two,
            Format::Fmu3 => Version::Three,
        };
        let stem = self.out.file_stem().unwrap_or_default().to_string_lossy();
        let refuse = |source| AppError::NotExported {
            model: model_path.clone(),
            source,
        };
        let experiment = check::experiment(&model).map_err(refuse)?;
        let fmu = Fmu::new(&model, version, &stem, experiment);
        // What is checked is what was written, not what was meant to be.
        let written = file::parse(Path::new(masing_export::fmu::MODEL), fmu.model_text())?;
        let check = Check::run(&model, &written).map_err(refuse)?;
        if check.is_different() {
            return Err(AppError::ExportDiffers {
                model: model_path.clone(),
                difference: check.same_motion,
            });
        }
        let archive = fmu.archive(libraries.linux.as_deref(), libraries.windows.as_deref());
        let variables = fmu.variables();
        let steps_only = variables.model_exchange().err().map(str::to_owned);
        let mut interfaces = vec!["Co-Simulation"];
        if steps_only.is_none() {
            interfaces.insert(0, "Model Exchange");
        }
        let document = Document {
            schema: SCHEMA,
            model: self.model.to_string(),
            to: self.to,
            out: self.out.display().to_string(),
            libraries: libraries.names(),
            missing: libraries.missing(),
            interfaces,
            steps_only,
            parameters: model.param_count(),
            states: model.assembly().state_count(),
            numerics: model.numerics.map(|n| Limits {
                increment: Some(n.increment).filter(|v| v.is_finite()),
                max_dt: Some(n.max_dt).filter(|v| v.is_finite()),
            }),
            validity: model.validity.map(Covered::from),
            check,
        };
        let mut json =
            serde_json::to_vec_pretty(&document).map_err(|error| AppError::Stdout(error.into()))?;
        json.push(b'\n');
        out.write(|to| to.write_all(&archive?.finish()?))?;
        beside.write(|to| to.write_all(&json))?;
        console.show(&document, || summary::text(&document, &model))
    }
}

/// The model with the sub-steps that it will be stepped with.
fn settled(mut model: Model, path: &Path) -> Result<Model, AppError> {
    let refuse = |source| AppError::NotExported {
        model: path.to_owned(),
        source,
    };
    if model.system().is_some() {
        return Err(refuse(masing_sim::SimError::Masses));
    }
    if model.numerics.is_none() {
        let limits = usual_limits(&model).map_err(refuse)?;
        if limits.increment.is_finite() || limits.max_dt.is_finite() {
            model.numerics = Some(StepLimits {
                increment: limits.increment,
                max_dt: limits.max_dt,
            });
        }
    }
    Ok(model)
}
