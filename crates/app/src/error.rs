//! What commands fail with, how it is told and which exit code it gives.

use masing_data::{DataError, Record};
use masing_identify::test::ReadError;
use masing_identify::{FitError, Identified};
use masing_model::{FileError, ModelError, MotionKind};
use masing_papers::PapersError;
use masing_sim::SimError;
use masing_stages::StagesError;
use masing_terms::TermsError;
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
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
    /// A command that cannot be understood, in the words of the command line.
    #[error("{0}")]
    Usage(String),
    /// What is said about a test that a program gives, and cannot be understood.
    #[error("what is said about a test: {0}")]
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
    #[error(transparent)]
    Papers(PapersError),
    /// A study that cannot be used.
    #[error("{}: {what}", path.display())]
    Study {
        /// The file.
        path: PathBuf,
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

    /// A command that cannot be understood.
    pub fn usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let text = text.strip_prefix(MARK).unwrap_or(&text);
        Self::Usage(text.trim().to_owned())
    }

    /// Whether the input is to blame, rather than the work that followed: exit code 2, not 3.
    pub fn is_input(&self) -> bool {
        self.code() == 2
    }

    /// What the program writes to a standard error that is no terminal, without the mark in front.
    pub fn text(&self) -> String {
        if let Self::Usage(text) = self {
            return text.clone();
        }
        let text = self.rendered(GraphicalTheme::none(), false);
        let text = text.trim();
        text.strip_prefix(MARK).unwrap_or(text).trim().to_owned()
    }

    fn code(&self) -> u8 {
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

    /// Tells what went wrong, on standard error, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        let code = self.code();
        if code != 0 {
            let terminal = io::stderr().is_terminal();
            let plain = !terminal || std::env::var_os("NO_COLOR").is_some();
            let theme = match (terminal, plain) {
                (true, false) => GraphicalTheme::unicode(),
                (true, true) => GraphicalTheme::unicode_nocolor(),
                _ => GraphicalTheme::none(),
            };
            let text = self.rendered(theme, terminal);
            // There is nowhere left to complain about a closed standard error.
            let _ = writeln!(io::stderr(), "{}", text.trim());
        }
        ExitCode::from(code)
    }

    fn rendered(&self, mut theme: GraphicalTheme, wrap: bool) -> String {
        theme.characters.error = String::from(MARK);
        let mut text = String::new();
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .without_cause_chain()
            .with_wrap_lines(wrap);
        if handler.render_report(&mut text, &Told(self)).is_err() {
            text = self.to_string();
        }
        text
    }
}

/// What stands in front of a message.
const MARK: &str = "error:";

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
        StagesError::NoSuchStages { .. } => Some("leave --stages out to see what is found"),
        _ => None,
    }
}

/// An error as it is presented: message, line of the file, hint.
#[derive(Debug)]
struct Told<'a>(&'a AppError);

impl std::fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Told<'_> {}

impl Diagnostic for Told<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        match self.0 {
            AppError::UnknownName {
                nearest: Some(name),
                ..
            } => Some(Box::new(format!("did you mean `{name}`?"))),
            AppError::NoLibrary { .. } => Some(Box::new(
                "`cargo build` makes the one of this machine beside the program (`cargo build --release` for the program built so), `cargo xtask dist` those of Linux and Windows; `--libraries DIR` says where they are",
            )),
            AppError::Read(ReadError::WrongWay { still: None, .. }) => Some(Box::new(
                "turn the sign with `--flip force`; if force and displacement are exchanged, name the columns: \
                 `--columns displacement=NAME,force=NAME`",
            )),
            AppError::Read(ReadError::WrongWay { still: Some(_), .. }) => Some(Box::new(
                "look at the force with `masing inspect`; `--window T0..T1` uses a part where it moves",
            )),
            AppError::Stages { source, .. } => {
                stages_hint(source).map(|hint| Box::new(hint) as Box<_>)
            }
            _ => None,
        }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        match self.0 {
            AppError::Model(error) if error.excerpt.is_some() => Some(self),
            _ => None,
        }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let AppError::Model(error) = self.0 else {
            return None;
        };
        let line = error.excerpt.as_ref()?;
        let indent = line.len() - line.trim_start().len();
        let span = LabeledSpan::underline(indent..line.len());
        Some(Box::new(std::iter::once(span)))
    }
}

/// The one line of the file that the error is about, with its number.
impl SourceCode for Told<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let AppError::Model(error) = self.0 else {
            return Err(MietteError::OutOfBounds);
        };
        let (Some(text), Some(line)) = (&error.excerpt, error.line) else {
            return Err(MietteError::OutOfBounds);
        };
        if span.offset() + span.len() > text.len() {
            return Err(MietteError::OutOfBounds);
        }
        Ok(Box::new(MietteSpanContents::new_named(
            error.path.display().to_string(),
            text.as_bytes(),
            (0, text.len()).into(),
            line - 1,
            0,
            1,
        )))
    }
}
