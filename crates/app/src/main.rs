//! The `masing` command: test-rig data into force models that can be trusted.

mod cli;
mod commands;
mod console;
mod csv;
mod error;
mod figures;
mod interrupt;
mod loads;
mod measure;
mod names;
mod output;
mod output_dir;
mod quantity;
mod reading;
mod targets;

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // A damaged file that trips a format library is told as an error, not as a panic.
        if !masing_data::inside_guarded_reader() {
            usual(panic);
        }
    }));
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
