//! `masing stages`: clutch dampers and other staged devices from a slow record, and from a fast one.

mod reading;

use crate::console::{Console, document};
use crate::error::AppError;
use crate::interrupt;
use crate::output_dir::OutDir;
use crate::provenance;
use crate::quantity;
use crate::reading::Reading;
use clap::Args;
use masing_data::unit::Quantity;
use masing_data::{ReadOptions, parse_quantity};
use masing_identify::Names;
use masing_model::file;
use masing_report::stages::json::StagesDocument;
use masing_report::stages::{html, text};
use masing_stages::{FastOptions, SlowOptions, Stages as Found};
use reading::{Fast, Slow};
use std::path::{Path, PathBuf};

/// Find the stages of a clutch damper: angles, stiffness, clearance, pre-load and friction
///
/// A slow record of angle and torque, loaded and unloaded, gives the stages. With --dynamic and --inertia, a step
/// record of torque and motion says what changes under fast loading. Works for lengths and forces as well.
#[derive(Debug, Args)]
pub struct Stages {
    /// Slow record: angle and torque in both directions
    #[arg(value_name = "QUASISTATIC")]
    slow: PathBuf,
    /// Fast record: torque on the inertia, and its velocity, angle or acceleration
    #[arg(long, value_name = "FILE", requires = "inertia")]
    dynamic: Option<PathBuf>,
    /// Inertia on the device in the fast test, such as 0.25 (kg m^2); a mass in kg for lengths and forces
    #[arg(
        long,
        value_name = "J",
        requires = "dynamic",
        allow_hyphen_values = true
    )]
    inertia: Option<String>,
    /// Number of drive and coast stages; found from the record if left out
    #[arg(
        long = "stages",
        value_name = "DRIVE,COAST",
        allow_hyphen_values = true
    )]
    counts: Option<String>,
    /// Sharpness of the friction (s/rad or s/m); from the peak speed if left out
    #[arg(long, requires = "dynamic", allow_hyphen_values = true)]
    eta: Option<f64>,
    /// Unit of time of R4 to R6 and of the window of the linearisation, such as 0.1s
    #[arg(long, value_name = "TIME", requires = "dynamic")]
    time_scale: Option<String>,
    /// Seek friction within the clearance too
    #[arg(long, requires = "dynamic")]
    clearance_friction: bool,
    /// Columns of the fast record, where they differ from --columns
    #[arg(long, value_name = "ROLE=COLUMN,...", requires = "dynamic")]
    dynamic_columns: Vec<String>,
    /// Units of the fast record, where they differ from --units
    #[arg(long, value_name = "ROLE=UNIT,...", requires = "dynamic")]
    dynamic_units: Vec<String>,
    /// The folder for model.toml, stages.json and report.html
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}

impl Stages {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let options = SlowOptions {
            stages: self.counts.as_deref().map(counts).transpose()?,
        };
        let fast_options = self.fast_options()?;
        if self.dynamic.is_some() {
            // A long refinement can be ended with the best so far.
            interrupt::listen();
        }
        let (path, reading) = self.reading.source(&self.slow)?;
        let slow = Slow::read(&path, reading)?;
        let motion = slow.record.motion;
        let inertia = self.inertia(&Names::of(motion))?;
        let fast = match &self.dynamic {
            Some(path) => {
                let (path, reading) = self.dynamic_source(path)?;
                Some(Fast::read(&path, reading, motion)?)
            }
            None => None,
        };
        let progress = console.spinner("looking for stages".to_owned());
        let mut stages = Found::of(&slow.record, &options)
            .map_err(|source| AppError::stages(&slow.path, motion, source))?;
        if let (Some(fast), Some(inertia)) = (&fast, inertia) {
            progress.set_message("simulating the formulations");
            let watch = |_: &[f64], _: f64, evaluations: usize| {
                progress.set_message(format!("refining, {evaluations} simulations"));
                interrupt::asked()
            };
            stages = stages
                .with_fast(
                    &fast.name,
                    &fast.record,
                    inertia,
                    &fast_options,
                    Some(&watch),
                )
                .map_err(|source| AppError::stages(&fast.path, motion, source))?;
        }
        progress.finish_and_clear();
        let found = &mut stages.identified;
        found.data = slow.data;
        if let Some(fast) = fast {
            found.data.diagnostics.extend(fast.data.diagnostics);
            found.data.assumptions.extend(fast.data.assumptions);
        }
        let files = std::iter::once(&self.slow).chain(&self.dynamic);
        found.provenance = provenance::of(&self.reading.given, files, self.facts());
        let json = StagesDocument::of(&stages);
        if let Some(out) = &out {
            let model = file::to_text(&stages.identified.model);
            out.write(&[
                ("model.toml", model.into_bytes()),
                ("stages.json", document(&json)?),
                ("report.html", html::page(&stages).render()?.into_bytes()),
            ])?;
        }
        console.show(&json, || text::text(&stages, self.out.as_deref()))?;
        AppError::untrustworthy(&stages.identified).map_or(Ok(()), Err)
    }

    /// The choices of a run, for the page.
    fn facts(&self) -> Vec<(String, String)> {
        let given = [("inertia", &self.inertia), ("stages", &self.counts)];
        let given = given.into_iter();
        given
            .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)))
            .collect()
    }

    fn fast_options(&self) -> Result<FastOptions, AppError> {
        if let Some(eta) = self.eta.filter(|eta| !(*eta > 0.0 && eta.is_finite())) {
            return Err(AppError::option("--eta", eta, "a positive number"));
        }
        let scale = self.time_scale.as_deref();
        let time_scale = scale.map(|text| quantity::positive("--time-scale", text, Quantity::Time));
        Ok(FastOptions {
            eta: self.eta,
            time_scale: time_scale.transpose()?,
            clearance_friction: self.clearance_friction,
        })
    }

    /// A moment of inertia, or a mass.
    fn inertia(&self, names: &Names) -> Result<Option<f64>, AppError> {
        let Some(text) = &self.inertia else {
            return Ok(None);
        };
        let (own, other) = if names.rotation() {
            (Quantity::Inertia, Quantity::Mass)
        } else {
            (Quantity::Mass, Quantity::Inertia)
        };
        if parse_quantity(text, own).is_err() && parse_quantity(text, other).is_ok() {
            let expected = format!("a {own}: the slow record is of {}s", names.force);
            return Err(AppError::option("--inertia", text, expected));
        }
        quantity::positive("--inertia", text, own).map(Some)
    }

    /// The fast record, or the test that stands for it, and how it is read.
    fn dynamic_source(&self, path: &Path) -> Result<(PathBuf, ReadOptions), AppError> {
        match self.reading.given.test(path) {
            Some(spec) => Ok((spec.path.clone(), spec.options.clone())),
            None => Ok((path.to_owned(), self.dynamic_options()?)),
        }
    }

    /// How the fast record is read: as the slow one, but for what is said of it alone.
    fn dynamic_options(&self) -> Result<ReadOptions, AppError> {
        let mut options = self.reading.options()?;
        if !self.dynamic_columns.is_empty() {
            options.columns = ReadOptions::default().columns;
        }
        if !self.dynamic_units.is_empty() {
            options.units = ReadOptions::default().units;
        }
        for text in &self.dynamic_columns {
            options.parse_columns(text)?;
        }
        for text in &self.dynamic_units {
            options.parse_units(text)?;
        }
        Ok(options)
    }
}

/// `4,3`: drive and coast.
fn counts(text: &str) -> Result<[usize; 2], AppError> {
    let refuse = || {
        AppError::option(
            "--stages",
            text,
            "two numbers, drive and coast, such as 4,3",
        )
    };
    let (drive, coast) = text.split_once(',').ok_or_else(refuse)?;
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| refuse());
    let counts = [number(drive)?, number(coast)?];
    if counts == [0, 0] {
        return Err(refuse());
    }
    Ok(counts)
}
