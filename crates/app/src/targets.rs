//! Test files as a fit or a validation needs them.

mod doubts;
mod driven;
mod record;
mod same;
mod table;

pub use record::noise_of;
pub use same::tell_apart;

use crate::error::AppError;
use crate::reading::LEAST_SAMPLES;
use masing_data::{Content, Experiment, Preload, ReadOptions, implausible_sizes as sizes};
use masing_diagnostic::{Diagnostic, OtherTest, TestDiagnostic};
use masing_identify::loops::loop_model;
use masing_identify::{FitError, InitialState, Nuisance, Test};
use masing_model::{Masses, Model, MotionKind};
use masing_sim::rate_independent;
use std::path::PathBuf;

/// What is said about one test.
#[derive(Clone, Debug)]
pub struct TestSpec {
    pub path: PathBuf,
    /// Name; the file's stem if left out.
    pub name: Option<String>,
    pub options: ReadOptions,
    /// State at the beginning; found from the record if left out.
    pub start: Option<InitialState>,
    pub preload: Option<String>,
    pub weight: f64,
    pub nuisance: Nuisance,
    /// Stages that the measured channels were filtered and thinned out by.
    pub decimation: Vec<usize>,
    /// Corner frequency (Hz) of the high-pass of the accelerometers.
    pub high_pass: Option<f64>,
    /// Whether the displacement is taken as a Fourier series, because it is noisy too.
    pub eiv: bool,
}

impl TestSpec {
    /// A file of which nothing more is said.
    pub fn plain(path: PathBuf, options: ReadOptions) -> Self {
        Self {
            path,
            name: None,
            options,
            start: None,
            preload: None,
            weight: 1.0,
            nuisance: Nuisance::default(),
            decimation: Vec::new(),
            high_pass: None,
            eiv: false,
        }
    }
}

/// What the model asks of a test.
#[derive(Clone, Debug)]
pub struct Subject {
    pub masses: Option<Masses>,
    /// Whether speed does not matter, so that records need no time.
    pub rate_independent: bool,
    /// Whether it is one loop law, alone or with linear parts.
    pub loop_law: bool,
    /// Whether the model says what its masses begin with.
    pub begun: bool,
}

impl Subject {
    pub fn of(model: &Model) -> Self {
        let (assembly, p) = (model.assembly(), model.element_values());
        Self {
            masses: model.system().cloned(),
            rate_independent: rate_independent(assembly, p).unwrap_or(false),
            loop_law: loop_model(assembly).is_some(),
            begun: model.system().is_some_and(|masses| {
                let values = &model.system_values()[masses.x0().start..];
                values.iter().any(|v| *v != 0.0)
            }),
        }
    }
}

/// Tests, and what was said while reading them.
#[derive(Debug, Default)]
pub struct Targets {
    pub list: Vec<Test>,
    pub assumptions: Vec<String>,
    pub findings: Vec<Diagnostic>,
    pub files: Vec<PathBuf>,
    /// How each of the files was to be read.
    pub asked: Vec<ReadOptions>,
}

impl Targets {
    /// Reads a file as one more test; all must be of one kind of motion, which the first decides
    /// unless the model does.
    pub fn add(
        &mut self,
        spec: &TestSpec,
        subject: &Subject,
        motion: &mut Option<MotionKind>,
    ) -> Result<(), AppError> {
        let mut options = spec.options.clone();
        let window = std::mem::take(&mut options.window);
        let mut experiment = masing_data::read(&spec.path, &options)?;
        let rotation = match &experiment.content {
            Content::Record(record) => record.rotation,
            Content::Harmonic(table) => table.rotation,
        };
        let own = if rotation {
            MotionKind::Rotation
        } else {
            MotionKind::Translation
        };
        if *motion.get_or_insert(own) != own {
            return Err(AppError::MixedMotion {
                path: spec.path.clone(),
            });
        }
        let preload = match &spec.preload {
            Some(text) => preload_of(text, rotation)?,
            None => Preload::default(),
        };
        let mut notes = Vec::new();
        let content = match (&experiment.content, &subject.masses) {
            (Content::Harmonic(table), None) => table::content(spec, table, preload)?,
            (Content::Harmonic(_), Some(_)) => {
                return Err(AppError::Fit {
                    model: "a model with masses".to_owned(),
                    source: FitError::NoLoad {
                        test: experiment.name.clone(),
                    },
                });
            }
            (Content::Record(record), masses) => {
                record.require_samples(LEAST_SAMPLES)?;
                record.require_complete()?;
                match masses {
                    Some(masses) => {
                        driven::content(spec, record, (masses, subject), window, &mut notes)?
                    }
                    None => record::content(spec, record, window, subject, preload, &mut notes)?,
                }
            }
        };
        if content.motion_record().is_some() {
            doubts::inspected(spec, &experiment, &mut notes);
        } else {
            let kind = if content.moves_masses() {
                OtherTest::Masses
            } else {
                OtherTest::Table
            };
            notes.extend(doubts::not_sought(spec, kind));
        }
        notes.extend(
            experiment
                .assumed_units()
                .map(|own| own.in_file(&spec.path)),
        );
        notes.extend(sizes(&experiment).map(|own| own.in_file(&spec.path)));
        let name = spec.name.clone().unwrap_or_else(|| experiment.name.clone());
        self.remember(spec, &mut experiment, notes);
        let mut target = Test::boxed(name, content);
        target.weight = spec.weight;
        self.list.push(target);
        Ok(())
    }

    /// Keeps what was assumed and found.
    fn remember(&mut self, spec: &TestSpec, experiment: &mut Experiment, notes: Vec<Diagnostic>) {
        let read = format!("read from {}", spec.path.display());
        self.assumptions.push(read);
        let assumed = experiment.assumptions.iter().map(|a| format!("  {a}"));
        self.assumptions.extend(assumed);
        let left_out = |note: &Diagnostic| {
            matches!(
                note.about(),
                Diagnostic::Test(TestDiagnostic::MissingForce { .. })
            )
        };
        if notes.iter().any(left_out) {
            // That they were left out says that they are missing.
            experiment.findings.retain(|f| !f.is_gap_in_force());
        }
        self.findings.append(&mut experiment.findings);
        self.findings.extend(notes);
        self.files.push(spec.path.clone());
        self.asked.push(spec.options.clone());
    }
}

/// `2.2mm` or `150N`.
pub fn preload_of(text: &str, rotation: bool) -> Result<Preload, AppError> {
    Preload::parse(text, rotation).ok_or_else(|| {
        let expected = if rotation {
            "an angle or a torque, such as 5deg or 12Nm"
        } else {
            "a displacement or a force, such as 2.2mm or 150N"
        };
        AppError::option("preload", text, expected)
    })
}
