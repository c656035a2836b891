//! The `masing` command: test-rig data into force models that can be trusted.

mod cli;
mod commands;
mod console;
mod csv;
mod error;
mod figures;
mod names;
mod output;
mod quantity;
mod reading;

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
