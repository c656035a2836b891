//! `masing completions`: scripts for shells.

use crate::cli::Cli;
use crate::console::{Console, write_out};
use crate::error::AppError;
use clap::{Args, CommandFactory as _};
use clap_complete::{Shell, generate};

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, _: Console) -> Result<(), AppError> {
        // Into memory first: the generator cannot report a closed pipe.
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "masing", &mut script);
        write_out(&script)
    }
}
