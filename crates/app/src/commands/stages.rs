//! `masing stages`: clutch dampers and other staged devices from a slow record, and from a fast one.

mod document;
mod reading;
mod report;
mod summary;
mod words;

use crate::console::Console;
use crate::error::AppError;
use crate::output_dir::OutDir;
use crate::reading::Reading;
use clap::Args;
use document::Document;
use masing_identify::stages::{SlowOptions, characterise};
use masing_model::file;
use reading::Slow;
use std::path::PathBuf;
use words::Words;

/// Find the stages of a clutch damper: angles, stiffness, clearance, pre-load and friction
///
/// A slow record of angle and torque, loaded and unloaded, gives the stages. With --dynamic and --inertia, a step
/// record of torque and motion says what changes under fast loading. Works for lengths and forces as well.
#[derive(Debug, Args)]
pub struct Stages {
    /// Slow record: angle and torque in both directions
    #[arg(value_name = "QUASISTATIC")]
    slow: PathBuf,
    /// Number of drive and coast stages; found from the record if left out
    #[arg(long, value_name = "DRIVE,COAST")]
    stages: Option<String>,
    /// The folder for model.toml, stages.json and report.html
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Stages {
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let options = SlowOptions {
            stages: self.stages.as_deref().map(counts).transpose()?,
        };
        let slow = Slow::read(&self.slow, self.reading.options()?)?;
        let words = Words::of(slow.motion);
        let refuse = |source| AppError::stages(&self.slow, slow.motion, source);
        let found = characterise(&slow.angle, &slow.torque, &options).map_err(refuse)?;
        let document = Document::new(&found, &slow, &words);
        if let Some(out) = &out {
            let model = document::model(&found, slow.motion).map_err(refuse)?;
            let page = report::page(&report::Report {
                document: &document,
                slow: &slow,
                found: &found,
                words: &words,
            });
            out.write(&[
                ("model.toml", file::to_text(&model).into_bytes()),
                ("stages.json", document.to_json()?),
                ("report.html", page.render()?.into_bytes()),
            ])?;
        }
        console.show(&document, || {
            summary::text(&document, &words, &slow.assumptions, self.out.as_deref())
        })
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
