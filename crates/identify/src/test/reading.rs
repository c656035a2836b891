//! Files as tests: noise, initial state, closed cycles, window, preload, and diagnostics.
//!
//! One reader for fits, validations, terms and stages.

mod closed_cycle;
mod doubts;
mod driven_masses;
mod duplicate_files;
mod error;
mod initial_state;
mod load;
mod motion_record;
mod noise;
mod source;
mod stiffness_table;

pub use closed_cycle::close;
pub use duplicate_files::tell_apart;
pub use error::ReadError;
pub use load::load_of;
pub use noise::force_noise;
pub use source::{LEAST_SAMPLES, Whole, assumed, cut_record, missing_force, motion_of, preload_of};

use super::{InitialState, Kind, Nuisance, Test};
use crate::error::FitError;
use crate::loops::loop_model;
use masing_data::signal::Filter;
use masing_data::{Content, Experiment, Preload, ReadOptions, implausible_sizes};
use masing_diagnostic::{Diagnostic, OtherTest, TestDiagnostic};
use masing_model::{Levels, Masses, Model, MotionKind};
use masing_sim::rate_independent;
use std::path::PathBuf;

/// What is said about one test.
#[derive(Clone, Debug)]
pub struct TestSpec {
    /// The file.
    pub path: PathBuf,
    /// Name; the file's stem if left out.
    pub name: Option<String>,
    /// How it is to be read: columns, units, signs, offsets, window, amplitudes; or its numbers.
    pub options: ReadOptions,
    /// Initial state; found from the record if left out.
    pub initial: Option<InitialState>,
    /// The preload, such as `2.2mm` or `150N`.
    pub preload: Option<String>,
    /// Weight in the cost.
    pub weight: f64,
    /// What the rig may have added, estimated with the parameters.
    pub nuisance: Nuisance,
    /// Filters that the measured force went through, and the force of the model goes through as well.
    pub filters: Vec<Filter>,
    /// Stages that the measured channels were filtered and thinned out by.
    pub decimation: Vec<usize>,
    /// Corner frequency (Hz) of the high-pass of the accelerometers.
    pub high_pass: Option<f64>,
    /// Whether the displacement is replaced by a Fourier series because it is noisy too.
    pub eiv: bool,
    /// Levels of its conditions, in SI.
    pub conditions: Levels,
}

impl TestSpec {
    /// A file without further options.
    pub fn plain(path: PathBuf, options: ReadOptions) -> Self {
        Self {
            path,
            name: None,
            options,
            initial: None,
            preload: None,
            weight: 1.0,
            nuisance: Nuisance::default(),
            filters: Vec::new(),
            decimation: Vec::new(),
            high_pass: None,
            eiv: false,
            conditions: Levels::new(),
        }
    }

    fn name(&self, experiment: &Experiment) -> String {
        self.name.clone().unwrap_or_else(|| experiment.name.clone())
    }
}

/// What the model requires of a test.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// Its masses.
    pub masses: Option<Masses>,
    /// Whether speed does not matter, so that records need no time.
    pub rate_independent: bool,
    /// Whether it is one loop law, alone or with linear parts.
    pub loop_law: bool,
    /// Whether the model gives the initial state of its masses.
    pub begun: bool,
}

impl Subject {
    /// The requirements of a model.
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

/// Tests, and what was noticed while reading them.
#[derive(Debug, Default)]
pub struct Tests {
    /// The tests.
    pub list: Vec<Test>,
    /// How the files were understood, to be printed always.
    pub assumptions: Vec<String>,
    /// What was noticed.
    pub diagnostics: Vec<Diagnostic>,
    /// The files.
    pub files: Vec<PathBuf>,
    /// How each of the files was to be read.
    pub asked: Vec<ReadOptions>,
}

impl Tests {
    /// Reads a file as one more test; all must be of one kind of motion, which the first decides
    /// unless the model does.
    pub fn add(
        &mut self,
        spec: &TestSpec,
        subject: &Subject,
        motion: &mut Option<MotionKind>,
    ) -> Result<(), ReadError> {
        let mut options = spec.options.clone();
        let window = std::mem::take(&mut options.window);
        let mut experiment = masing_data::read(&spec.path, &options)?;
        let own = motion_of(experiment.rotation());
        if *motion.get_or_insert(own) != own {
            return Err(ReadError::MixedMotion {
                path: spec.path.clone(),
            });
        }
        let preload = match &spec.preload {
            Some(text) => preload_of(text, experiment.rotation())?,
            None => Preload::default(),
        };
        let mut notes = Vec::new();
        let kind: Box<dyn Kind> = match (&experiment.content, &subject.masses) {
            (Content::Harmonic(table), None) => {
                Box::new(stiffness_table::read(&spec.path, table, preload)?)
            }
            (Content::Harmonic(_), Some(_)) => {
                let test = experiment.name.clone();
                return Err(FitError::NoLoad { test }.into());
            }
            (Content::Record(record), masses) => {
                record.require_samples(LEAST_SAMPLES)?;
                record.require_complete()?;
                let whole = (record, window);
                match masses {
                    Some(masses) => Box::new(driven_masses::read(
                        spec,
                        whole,
                        (masses, subject),
                        &mut notes,
                    )?),
                    None => Box::new(motion_record::read(
                        spec, whole, subject, preload, &mut notes,
                    )?),
                }
            }
        };
        if kind.motion_record().is_some() {
            doubts::inspected(spec, &experiment, &mut notes);
        } else {
            if !spec.filters.is_empty() {
                let path = spec.path.clone();
                return Err(ReadError::FilteredOther { path });
            }
            let other = if kind.moves_masses() {
                OtherTest::Masses
            } else {
                OtherTest::Table
            };
            notes.extend(doubts::not_sought(spec, other));
        }
        let doubts = experiment.assumed_units().into_iter();
        let doubts = doubts.chain(implausible_sizes(&experiment));
        notes.extend(doubts.map(|own| own.in_file(&spec.path)));
        let mut test = Test::boxed(spec.name(&experiment), kind);
        test.weight = spec.weight;
        test.conditions.clone_from(&spec.conditions);
        self.remember(spec, &mut experiment, notes);
        self.list.push(test);
        Ok(())
    }

    /// Keeps what was assumed and found.
    fn remember(&mut self, spec: &TestSpec, experiment: &mut Experiment, notes: Vec<Diagnostic>) {
        self.assumptions
            .extend(assumed(&spec.path, &experiment.assumptions));
        let left_out = |note: &Diagnostic| {
            matches!(
                note.about(),
                Diagnostic::Test(TestDiagnostic::MissingForce { .. })
            )
        };
        if notes.iter().any(left_out) {
            // That they were left out says that they are missing.
            experiment.diagnostics.retain(|f| !f.is_gap_in_force());
        }
        self.diagnostics.append(&mut experiment.diagnostics);
        self.diagnostics.extend(notes);
        self.files.push(spec.path.clone());
        self.asked.push(spec.options.clone());
    }
}
