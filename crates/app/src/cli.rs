//! The command line as a whole.

use crate::commands::{
    completions, export, fit, harmonic, init, inspect, models, reproduce, signal, simulate, stages,
    terms, validate,
};
use crate::console::Console;
use crate::error::AppError;
use crate::reading::Reading;
use clap::{Parser, Subcommand};

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
    Models(models::Models),
    Signal(signal::Signal),
    Inspect(inspect::Inspect),
    Init(init::Init),
    Simulate(Box<simulate::Simulate>),
    Harmonic(harmonic::Harmonic),
    Fit(Box<fit::Fit>),
    Validate(validate::Validate),
    Stages(Box<stages::Stages>),
    Terms(Box<terms::Terms>),
    Export(export::Export),
    Reproduce(reproduce::Reproduce),
    Completions(completions::Completions),
}

impl Cli {
    /// Runs the command that was asked for.
    pub fn run(self) -> Result<(), AppError> {
        let console = Console::new(self.json, self.quiet);
        self.run_on(console)
    }

    /// Runs the command and tells its result there.
    pub fn run_on(self, console: Console) -> Result<(), AppError> {
        match self.command {
            Command::Models(command) => command.run(console),
            Command::Signal(command) => command.run(console),
            Command::Inspect(command) => command.run(console),
            Command::Init(command) => command.run(console),
            Command::Simulate(command) => command.run(console),
            Command::Harmonic(command) => command.run(console),
            Command::Fit(command) => command.run(console),
            Command::Validate(command) => command.run(console),
            Command::Stages(command) => command.run(console),
            Command::Terms(command) => command.run(console),
            Command::Export(command) => command.run(console),
            Command::Reproduce(command) => command.run(console),
            Command::Completions(command) => command.run(console),
        }
    }

    /// How the command reads data, if it does.
    pub fn reading(&mut self) -> Option<&mut Reading> {
        match &mut self.command {
            Command::Inspect(command) => Some(&mut command.reading),
            Command::Simulate(command) => Some(&mut command.reading),
            Command::Fit(command) => Some(&mut command.reading),
            Command::Validate(command) => Some(&mut command.reading),
            Command::Stages(command) => Some(&mut command.reading),
            Command::Terms(command) => Some(&mut command.reading),
            Command::Init(_)
            | Command::Models(_)
            | Command::Signal(_)
            | Command::Harmonic(_)
            | Command::Export(_)
            | Command::Reproduce(_)
            | Command::Completions(_) => None,
        }
    }

    /// The fit that is asked for.
    pub fn fit(&self) -> Result<&fit::Fit, AppError> {
        match &self.command {
            Command::Fit(command) => Ok(command),
            other => Err(AppError::option("command", format!("{other:?}"), "fit")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
