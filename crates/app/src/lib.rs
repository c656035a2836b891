//! The commands of `masing`, for the program and for other languages.
//!
//! A [`Call`] is a command in words, as on the command line, with tests that need no file. It is answered by the
//! document that `--json` prints; a fit and a simulation can be had as values too.

mod call;
mod cli;
mod commands;
mod console;
mod error;
mod given;
mod interrupt;
mod output;
mod output_dir;
mod provenance;
mod quantity;
mod reading;

pub use call::{Answer, Call};
pub use commands::fit::{Fitted, fit_model};
pub use commands::simulate::{Asked, Response, gradient, jacobian, respond};
pub use error::AppError;
pub use given::GivenTest;
pub use masing_report::csv::Column;
pub use masing_report::identified::Curve;

use clap::Parser as _;
use std::process::ExitCode;

/// The program: runs the command line and tells how it went.
pub fn main() -> ExitCode {
    calm_readers();
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

/// A damaged file that trips a format library is told as an error, not as a panic.
pub fn calm_readers() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !masing_data::inside_guarded_reader() {
            usual(panic);
        }
    }));
}
