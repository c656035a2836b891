//! Everything that `masing` can do, as typed requests.
//!
//! A request ([`request::FitRequest`], [`request::TermsRequest`], ...) is a plain value that serde reads and writes. A study, the command line
//! (feature `cli`) and other languages all make the same requests; a request is answered with the document that `--json`
//! prints. A fit and a simulation can be had as values too.
//!
//! ```
//! let json = r#"{ "model": { "toml": "schema = 'masing.model/1'\n[[element]]\ntype = 'spring'\nk = 2e5" },
//!                 "amplitude": "1mm", "frequency": [1, 10] }"#;
//! let request: masing::request::HarmonicRequest = masing::from_json(json).unwrap();
//! let answer = request.answer().unwrap();
//! assert!(answer.json.contains("masing.harmonic/1"));
//! ```

mod answer;
#[cfg(feature = "cli")]
mod cli;
mod commands;
mod console;
mod error;
mod interrupt;
mod output;
mod output_dir;
mod provenance;
mod quantity;
pub mod request;
pub mod schema;

pub use answer::{Answer, from_json};
pub use commands::fit::{Fitted, fit_model};
pub use commands::simulate::{Asked, Response, gradient, jacobian, respond};
pub use error::AppError;
pub use masing_report::csv::Column;
pub use masing_report::identified::Curve;

/// The program: runs the command line and tells how it went.
#[cfg(feature = "cli")]
pub fn main() -> std::process::ExitCode {
    use clap::Parser as _;
    calm_readers();
    match cli::Cli::parse().run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => cli::told::report(&error),
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
