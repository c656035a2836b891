//! The command line as a whole: arguments become requests.

mod compare;
mod data;
mod fit;
mod reading;
mod simulate;
mod stages;
mod terms;
pub mod told;

use crate::commands::{completions, reproduce, schema, signal};
use crate::console::Console;
use crate::error::AppError;
use crate::request::{
    ExportRequest, HarmonicRequest, ModelsRequest, Nuisances, Role, TestSource, Value, is_toml,
};
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Test-rig data of bushings, isolators, joints, dampers and clutches into force models that can be
/// trusted.
#[derive(Debug, Parser)]
#[command(name = "masing", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    /// Print one JSON document on standard output and nothing else there
    #[arg(long, global = true, help_heading = "Printing")]
    json: bool,
    /// Print nothing but errors
    #[arg(long, short, global = true, help_heading = "Printing")]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 2 bad usage or bad input; 3 the work ran but no \
trustworthy result came out.";

#[derive(Debug, Subcommand)]
enum Command {
    /// List the models, or show one: equations, parameters, units, ranges, reference
    Models(ModelsRequest),
    Signal(signal::Signal),
    Inspect(data::Inspect),
    Init(data::Init),
    Simulate(Box<simulate::Simulate>),
    /// Tabulate dynamic stiffness, loss angle and energy per cycle of a model
    ///
    /// Every amplitude is run at every frequency until the response is periodic.
    Harmonic(HarmonicRequest),
    Fit(Box<fit::Fit>),
    Compare(Box<compare::Compare>),
    Validate(data::Validate),
    Stages(Box<stages::Stages>),
    Terms(Box<terms::Terms>),
    /// Write a model as an FMU for simulations, and check it
    ///
    /// The file is re-simulated against the model: the largest difference of the force is printed for
    /// several step sizes and stored beside the file as export-check.json.
    Export(ExportRequest),
    Reproduce(reproduce::Reproduce),
    Schema(schema::PrintSchema),
    Completions(completions::Completions),
}

impl Cli {
    /// Runs the command that was asked for.
    pub fn run(self) -> Result<(), AppError> {
        let console = Console::new(self.json, self.quiet);
        match self.command {
            Command::Models(command) => command.run(console),
            Command::Signal(command) => command.run(console),
            Command::Inspect(command) => command.request()?.run(console),
            Command::Init(command) => command.request()?.run(console),
            Command::Simulate(command) => command.request()?.run(console),
            Command::Harmonic(command) => command.run(console),
            Command::Fit(command) => command.request()?.run(console),
            Command::Compare(command) => command.request()?.run(console),
            Command::Validate(command) => command.request()?.run(console),
            Command::Stages(command) => command.request()?.run(console),
            Command::Terms(command) => command.request()?.run(console),
            Command::Export(command) => command.run(console),
            Command::Reproduce(command) => command.run(console),
            Command::Schema(command) => command.run(console),
            Command::Completions(command) => command.run(console),
        }
    }
}

/// The words of this process. Only the arguments: where the program lies says something about the machine, not about
/// the run.
fn typed() -> Vec<String> {
    let typed = std::env::args_os().skip(1);
    let typed = typed.map(|word| word.to_string_lossy().into_owned());
    std::iter::once("masing".to_owned()).chain(typed).collect()
}

/// The study among the files, which goes alone.
fn study_of(files: &[PathBuf], expected: &str) -> Result<Option<PathBuf>, AppError> {
    match (files, files.iter().find(|path| is_toml(path))) {
        (_, None) => Ok(None),
        ([study], Some(_)) => Ok(Some(study.clone())),
        (_, Some(study)) => Err(AppError::option("FILE", study.display(), expected)),
    }
}

/// Says what options say of every test.
fn said_of_all(
    tests: &mut [TestSource],
    preload: Option<&str>,
    nuisance: &[String],
) -> Result<(), AppError> {
    let nuisance = Nuisances::parse(nuisance)?;
    for test in tests {
        test.preload = preload.map(|text| Value::Text(text.to_owned()));
        test.nuisance = nuisance.clone();
        if test.role == Some(Role::Validate) {
            // A level of its own would hide how far off the prediction is.
            test.nuisance.level = None;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn several_files_are_held_out_at_once() {
        let words = [
            "masing",
            "fit",
            "a.csv",
            "--model",
            "spring",
            "--validate",
            "b.csv",
            "c.csv",
        ];
        let Command::Fit(fit) = Cli::try_parse_from(words).unwrap().command else {
            unreachable!("the words say fit");
        };
        let request = fit.request().unwrap();
        let roles = request
            .tests
            .iter()
            .map(|t| (t.file.as_deref().unwrap_or(""), t.role()));
        assert_eq!(
            roles.collect::<Vec<_>>(),
            [
                ("a.csv", Role::Fit),
                ("b.csv", Role::Validate),
                ("c.csv", Role::Validate)
            ]
        );
    }
}
