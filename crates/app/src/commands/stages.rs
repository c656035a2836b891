//! `masing stages`: clutch dampers and other staged devices from a slow record, and from a fast one.

mod reading;

use crate::console::{Console, document};
use crate::error::AppError;
use crate::interrupt;
use crate::output_dir::OutDir;
use crate::provenance;
use crate::quantity;
use crate::request::{StagesRequest, TestSource, Value, unfiltered};
use masing_data::parse_quantity;
use masing_data::unit::Quantity;
use masing_identify::Names;
use masing_model::file;
use masing_report::stages::json::StagesDocument;
use masing_report::stages::{html, text};
use masing_stages::{FastOptions, SlowOptions, Stages as Found};
use reading::{Fast, Slow};

impl StagesRequest {
    /// Characterises the device, and tells its stages.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        self.complete()?;
        let options = SlowOptions {
            stages: self.options.counts.as_deref().map(counts).transpose()?,
        };
        let fast_options = self.fast_options()?;
        if self.dynamic.is_some() {
            // A long refinement can be ended with the best so far.
            interrupt::listen();
        }
        let spec = unfiltered(self.slow.spec().map_err(|wrong| *wrong.error)?)?;
        let slow = Slow::read(&spec.path, spec.options)?;
        let motion = slow.record.motion;
        let inertia = self.inertia(&Names::of(motion))?;
        let fast = match &self.dynamic {
            Some(test) => {
                let spec = unfiltered(test.spec().map_err(|wrong| *wrong.error)?)?;
                Some(Fast::read(&spec.path, spec.options, motion)?)
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
        let tests = std::iter::once(&self.slow).chain(&self.dynamic);
        let files: Vec<_> = tests.map(TestSource::path).collect();
        let command = provenance::command(self.typed.as_deref(), "stages", self);
        found.provenance = provenance::of(command, &files, self.facts());
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
        let inertia = self.options.inertia.as_ref().map(Value::to_string);
        let given = [
            ("inertia", inertia),
            ("stages", self.options.counts.clone()),
        ];
        let given = given.into_iter();
        given
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }

    /// A fast record needs an inertia, and the other way round.
    fn complete(&self) -> Result<(), AppError> {
        let needs = |option, other, why| Err(AppError::needs(option, other, why));
        match (&self.dynamic, &self.options.inertia) {
            (Some(_), None) => needs("--dynamic", "--inertia", "its torque moves an inertia"),
            (None, Some(_)) => needs("--inertia", "--dynamic", "it is moved by the fast record"),
            _ => Ok(()),
        }
    }

    fn fast_options(&self) -> Result<FastOptions, AppError> {
        if let Some(eta) = self
            .options
            .eta
            .filter(|eta| !(*eta > 0.0 && eta.is_finite()))
        {
            return Err(AppError::option("--eta", eta, "a positive number"));
        }
        let scale = self.options.time_scale.as_ref().map(Value::to_string);
        let time_scale =
            scale.map(|text| quantity::positive("--time-scale", &text, Quantity::Time));
        Ok(FastOptions {
            eta: self.options.eta,
            time_scale: time_scale.transpose()?,
            clearance_friction: self.options.clearance_friction,
        })
    }

    /// A moment of inertia, or a mass.
    fn inertia(&self, names: &Names) -> Result<Option<f64>, AppError> {
        let Some(text) = self.options.inertia.as_ref().map(Value::to_string) else {
            return Ok(None);
        };
        let (own, other) = if names.rotation() {
            (Quantity::Inertia, Quantity::Mass)
        } else {
            (Quantity::Mass, Quantity::Inertia)
        };
        if parse_quantity(&text, own).is_err() && parse_quantity(&text, other).is_ok() {
            let expected = format!("a {own}: the slow record is of {}s", names.force);
            return Err(AppError::option("--inertia", text, expected));
        }
        quantity::positive("--inertia", &text, own).map(Some)
    }
}

/// `4,3`: drive and coast.
fn counts(text: &str) -> Result<[usize; 2], AppError> {
    let expected = "two numbers, drive and coast, such as 4,3";
    let refuse = || AppError::option("--stages", text, expected);
    let (drive, coast) = text.split_once(',').ok_or_else(refuse)?;
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| refuse());
    let counts = [number(drive)?, number(coast)?];
    if counts == [0, 0] {
        return Err(refuse());
    }
    Ok(counts)
}
