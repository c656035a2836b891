//! `masing schema`: JSON Schemas, for editors and programs.

use crate::console::{Console, write_out};
use crate::error::AppError;
use crate::request;
use crate::schema::{self, identified, schema_of};
use clap::{Args, ValueEnum};
use masing_report::compare::CompareDocument;
use masing_report::identified::json::FitDocument;
use masing_report::inspect::json::InspectDocument;
use masing_report::stages::json::StagesDocument;
use masing_report::terms::json::TermsDocument;
use masing_report::validate::ValidateDocument;
use schemars::JsonSchema;
use serde_json::Value;

/// Print a JSON Schema: of a study, a model file, a result, or a request that a program makes
///
/// Editors complete keys from the schema that the first line of a study names, as `masing init` writes it.
#[derive(Debug, Args)]
pub struct PrintSchema {
    /// What to describe
    #[arg(value_enum)]
    of: Described,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Described {
    /// study.toml
    Study,
    /// model.toml
    Model,
    /// What `masing fit --json` prints
    Fit,
    /// What `masing compare --json` prints
    Compare,
    /// What `masing terms --json` prints
    Terms,
    /// What `masing stages --json` prints
    Stages,
    /// What `masing validate --json` prints
    Validate,
    /// What `masing inspect --json` prints
    Inspect,
    FitRequest,
    CompareRequest,
    TermsRequest,
    StagesRequest,
    ValidateRequest,
    InspectRequest,
    SimulateRequest,
    HarmonicRequest,
    ExportRequest,
    #[value(hide = true)]
    StudyPage,
    #[value(hide = true)]
    PythonOptions,
}

impl PrintSchema {
    pub fn run(&self, _: Console) -> Result<(), AppError> {
        let schema = match self.of {
            Described::Study => schema::study(),
            Described::Model => schema::model(),
            Described::Fit => result::<FitDocument>("masing.fit/1"),
            Described::Compare => result::<CompareDocument>("masing.compare/1"),
            Described::Terms => result::<TermsDocument>("masing.terms/1"),
            Described::Stages => result::<StagesDocument>("masing.stages/1"),
            Described::Validate => result::<ValidateDocument>("masing.validate/1"),
            Described::Inspect => result::<InspectDocument>("masing.inspect/1"),
            Described::FitRequest => schema_of::<request::FitRequest>(),
            Described::CompareRequest => schema_of::<request::CompareRequest>(),
            Described::TermsRequest => schema_of::<request::TermsRequest>(),
            Described::StagesRequest => schema_of::<request::StagesRequest>(),
            Described::ValidateRequest => schema_of::<request::ValidateRequest>(),
            Described::InspectRequest => schema_of::<request::InspectRequest>(),
            Described::SimulateRequest => schema_of::<request::SimulateRequest>(),
            Described::HarmonicRequest => schema_of::<request::HarmonicRequest>(),
            Described::ExportRequest => schema_of::<request::ExportRequest>(),
            Described::StudyPage => return write_out(schema::study_page().as_bytes()),
            Described::PythonOptions => return write_out(schema::python_options().as_bytes()),
        };
        write_out(schema::text(&schema).as_bytes())
    }
}

/// The schema of a document.
fn result<T: JsonSchema>(id: &str) -> Value {
    identified(schema_of::<T>(), id)
}
