//! What commands fail with, how it is told and which exit code it gives.

use masing_data::{DataError, Record};
use masing_identify::test::ReadError;
use masing_identify::{FitError, Identified};
use masing_model::{FileError, ModelError, MotionKind};
#[cfg(feature = "cli")]
use masing_papers::PapersError;
use masing_sim::SimError;
use masing_stages::StagesError;
use masing_terms::TermsError;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Everything a command can fail with.
#[derive(Debug, Error)]
pub enum AppError {
    /// An option that is wrong or does not go with the others.
    #[error("{option} `{found}`: expected {expected}")]
    Option {
        /// Name of the option.
        option: String,
        /// What was given.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
    /// An option that does not go alone.
    #[error("{option} needs {other} here: {why}")]
    Needs {
        /// Name of the option.
        option: &'static str,
        /// What is missing.
        other: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A drive that does not go with the model.
    #[error("{}: {found}; expected {expected}", model.display())]
    WrongDrive {
        /// The model file.
        model: PathBuf,
        /// What the model is.
        found: &'static str,
        /// What goes with it.
        expected: &'static str,
    },
    /// A request that cannot be understood.
    #[error("{0}")]
    Said(String),
    /// An option whose text cannot be read.
    #[error("{option}: {source}")]
    OptionText {
        /// Name of the option.
        option: String,
        /// What is wrong with it.
        source: Box<DataError>,
    },
    /// A name that is not in the catalogue.
    #[error("unknown model `{name}`; known: {}", known.join(", "))]
    UnknownName {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// An element that cannot be built.
    #[error(transparent)]
    Build(#[from] ModelError),
    /// What was found in data and cannot be the parameter of an element.
    #[error(
        "{source}; expected the units of the data to be right (--units displacement=mm,force=kN)\n{assumed}"
    )]
    FoundModel {
        /// What is in the way.
        source: TermsError,
        /// How the data were read.
        assumed: String,
    },
    /// A model file that cannot be used.
    #[error(transparent)]
    Model(#[from] FileError),
    /// A data file or an option about it that cannot be used.
    #[error(transparent)]
    Data(Box<DataError>),
    /// A file that cannot be a test.
    #[error(transparent)]
    Read(ReadError),
    /// A simulation that cannot be run or did not finish.
    #[error("{}{}: {source}", path.display(), line.map(|l| format!(", line {l}")).unwrap_or_default())]
    Simulation {
        /// The file that drives it.
        path: PathBuf,
        /// The line of the sample concerned.
        line: Option<usize>,
        /// What went wrong.
        source: SimError,
    },
    /// A test of a table that did not come out.
    #[error("{} at {amplitude} {unit}, {frequency} Hz: {source}", path.display())]
    Test {
        /// The model file.
        path: PathBuf,
        /// Amplitude of the test.
        amplitude: f64,
        /// Its unit.
        unit: &'static str,
        /// Frequency of the test (Hz).
        frequency: f64,
        /// What went wrong.
        source: SimError,
    },
    /// A fit that cannot be made.
    #[error("cannot fit `{model}`: {source}")]
    Fit {
        /// The model as given.
        model: String,
        /// What is in the way.
        source: FitError,
    },
    /// Models that cannot be compared.
    #[error("cannot compare models: {source}")]
    Compare {
        /// What is in the way.
        source: FitError,
    },
    /// A record that does not show the stages of a device.
    #[error("{}: {message}", path.display())]
    Stages {
        /// The file.
        path: PathBuf,
        /// What is wrong, in the words of the motion.
        message: String,
        /// What it was.
        source: Box<StagesError>,
    },
    /// A search for terms that cannot be made.
    #[error("cannot find terms: {0}")]
    Terms(#[from] TermsError),
    /// A paper that cannot be reproduced.
    #[cfg(feature = "cli")]
    #[error(transparent)]
    Papers(PapersError),
    /// A study that cannot be used.
    #[error("{}{}: {what}", path.display(), line.map(|l| format!(", line {l}")).unwrap_or_default())]
    Study {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where the problem has one.
        line: Option<usize>,
        /// The text of that line.
        excerpt: Option<String>,
        /// What is wrong with it.
        what: String,
    },
    /// A search that did not settle.
    #[error("the search did not settle ({stop}); the values are the best so far")]
    NotConverged {
        /// Why it stopped.
        stop: &'static str,
    },
    /// A model that does not describe the tests that it was fitted to.
    #[error("the model does not describe the tests: error {:.0} %", 100.0 * error)]
    DoesNotDescribe {
        /// The relative error.
        error: f64,
    },
    /// Sub-steps so short that the run would not end.
    #[error(
        "{}: the [numerics] of the model ask for {steps} steps on this record; expected at most {most}",
        path.display()
    )]
    TooManySteps {
        /// The file that drives the simulation.
        path: PathBuf,
        /// How many it would take.
        steps: usize,
        /// How many are run.
        most: usize,
    },
    /// No library to put into an FMU.
    #[error(
        "no library for FMUs in {}; expected {}",
        folders.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(", "),
        names.join(" or ")
    )]
    NoLibrary {
        /// Where was looked.
        folders: Vec<PathBuf>,
        /// What was looked for.
        names: Vec<&'static str>,
    },
    /// A library that cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// An export that does not give the forces of the model.
    #[error(
        "the exported model does not give the forces of {}: they differ by {difference:.1e} of the largest",
        model.display()
    )]
    ExportDiffers {
        /// The model file.
        model: PathBuf,
        /// Largest difference over the largest force.
        difference: f64,
    },
    /// A model that cannot be exported as it is.
    #[error("{}: {source}", model.display())]
    NotExported {
        /// The model file.
        model: PathBuf,
        /// What is in the way.
        source: SimError,
    },
    /// A page that could not be put together.
    #[error(transparent)]
    Page(#[from] masing_report::PageError),
    /// A path that cannot be written to.
    #[error("cannot write {}: {reason}", path.display())]
    Unwritable {
        /// The path as given.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// Standard output that cannot be written to.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
}

impl AppError {
    /// An option that is wrong or does not go with the others.
    pub fn option(
        option: &str,
        found: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Option {
            option: option.to_owned(),
            found: format!("{found}"),
            expected: expected.into(),
        }
    }

    /// An option that does not go alone.
    pub fn needs(option: &'static str, other: &'static str, why: &'static str) -> Self {
        Self::Needs { option, other, why }
    }

    /// A path that cannot be written to.
    pub fn unwritable(path: &Path, error: &io::Error) -> Self {
        Self::Unwritable {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }

    /// A simulation driven by a record that failed.
    pub fn simulation(record: &Record, source: SimError) -> Self {
        ReadError::simulation(record, source).into()
    }

    /// A device that could not be characterised; the library speaks of angles and torques.
    pub fn stages(path: &Path, motion: MotionKind, source: StagesError) -> Self {
        let text = source.to_string();
        Self::Stages {
            path: path.to_owned(),
            message: match motion {
                MotionKind::Rotation => text,
                MotionKind::Translation => text
                    .replace("angle", "displacement")
                    .replace("torque", "force"),
            },
            source: Box::new(source),
        }
    }

    /// Why no trustworthy result came out, where none did.
    pub fn untrustworthy(found: &Identified) -> Option<Self> {
        let stop = found.search.stop;
        (found.verdict().exit_code() != 0).then(|| {
            if stop.converged() {
                Self::DoesNotDescribe {
                    error: found.error.relative,
                }
            } else {
                Self::NotConverged { stop: stop.word() }
            }
        })
    }

    /// Whether the input is to blame, rather than the work that followed: exit code 2, not 3.
    pub fn is_input(&self) -> bool {
        self.code() == 2
    }

    /// What the program writes to a standard error that is no terminal, without the mark in front: message, line of the
    /// file, hint.
    pub fn text(&self) -> String {
        let mut text = self.to_string();
        if let Some((path, line, excerpt)) = self.excerpt() {
            let margin = " ".repeat(line.to_string().len());
            let indent = excerpt.len() - excerpt.trim_start().len();
            let marks = "^".repeat(excerpt.trim_start().chars().count());
            let _ = write!(
                text,
                "\n {margin} ,-[{}:{line}]\n {line} | {excerpt}\n {margin} : {}{marks}\n {margin} `----",
                path.display(),
                " ".repeat(indent)
            );
        }
        if let Some(hint) = self.hint() {
            let _ = write!(text, "\n hint: {hint}");
        }
        text
    }

    /// The line of a file that the error is about: file, number, text.
    pub(crate) fn excerpt(&self) -> Option<(&Path, usize, &str)> {
        match self {
            Self::Model(error) => Some((&error.path, error.line?, error.excerpt.as_deref()?)),
            Self::Study {
                path,
                line,
                excerpt,
                ..
            } => Some((path, (*line)?, excerpt.as_deref()?)),
            _ => None,
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownName {
                nearest: Some(name),
                ..
            } => Some(format!("did you mean `{name}`?")),
            Self::NoLibrary { .. } => Some(
                "`cargo build` makes the one of this machine beside the program (`cargo build --release` for the program built so), `cargo xtask dist` those of Linux and Windows; `--libraries DIR` says where they are".to_owned(),
            ),
            Self::Read(ReadError::WrongWay { still: None, .. }) => Some(
                "turn the sign with `--flip force`; if force and displacement are exchanged, name the columns: \
                 `--columns displacement=NAME,force=NAME`"
                    .to_owned(),
            ),
            Self::Read(ReadError::WrongWay { still: Some(_), .. }) => Some(
                "look at the force with `masing inspect`; `--window T0..T1` uses a part where it moves"
                    .to_owned(),
            ),
            Self::Stages { source, .. } => stages_hint(source).map(str::to_owned),
            _ => None,
        }
    }

    /// Exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            // Whoever reads has seen enough.
            Self::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Simulation { source, .. }
            | Self::Test { source, .. }
            | Self::NotExported { source, .. }
                if !is_input(source) =>
            {
                3
            }
            Self::NotConverged { .. }
            | Self::DoesNotDescribe { .. }
            | Self::ExportDiffers { .. }
            | Self::Fit {
                source: FitError::NoFormula { .. },
                ..
            } => 3,
            Self::Fit {
                source: FitError::Sim(source),
                ..
            } if !is_input(source) => 3,
            Self::Stages { source, .. } if matches!(&**source, StagesError::Sim(e) if !is_input(e)) => {
                3
            }
            _ => 2,
        }
    }
}

#[cfg(feature = "cli")]
impl From<PapersError> for AppError {
    fn from(error: PapersError) -> Self {
        match error {
            PapersError::Data(error) => Self::Data(error),
            other => Self::Papers(other),
        }
    }
}

impl From<ReadError> for AppError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Data(error) => Self::Data(error),
            ReadError::Simulation { path, line, source } => Self::Simulation { path, line, source },
            ReadError::Fit(source) => Self::Fit {
                model: "a model with masses".to_owned(),
                source,
            },
            other => Self::Read(other),
        }
    }
}

impl From<DataError> for AppError {
    fn from(error: DataError) -> Self {
        Self::Data(Box::new(error))
    }
}

/// Whether the input is to blame, rather than the work that followed.
fn is_input(error: &SimError) -> bool {
    matches!(
        error,
        SimError::TooFewSamples { .. }
            | SimError::Length { .. }
            | SimError::Time { .. }
            | SimError::NotFinite { .. }
            | SimError::Input { .. }
            | SimError::Column { .. }
            | SimError::Dof { .. }
            | SimError::SingularMass
            | SimError::Masses
            | SimError::Model(_)
    )
}

/// What to type about a record that does not show stages.
fn stages_hint(error: &StagesError) -> Option<&'static str> {
    match error {
        StagesError::WrongSign => Some("turn the sign with `--flip torque` (or `--flip force`)"),
        StagesError::Swapped { .. } => {
            Some("say which column is which: `--columns angle=NAME,torque=NAME`")
        }
        StagesError::OneDirection { .. } => {
            Some("load and unload: up to the drive end, down to the coast end, back to zero")
        }
        StagesError::GivesEnergy { .. } => {
            Some("turn a sign with `--flip velocity`, `--flip torque` or the like")
        }
        StagesError::NoStages { .. } => Some(
            "`masing fit` and `masing terms` describe loops without stages; if there are some, say how many: `--stages 4,3`",
        ),
        StagesError::NoSuchStages { .. } => Some("leave --stages out to see what is found"),
        _ => None,
    }
}
