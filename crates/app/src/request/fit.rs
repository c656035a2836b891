//! A request for a fit.

use super::study::Study;
use super::test::complete;
use super::value::one_or_more;
use super::{
    Assignment, CompareOptions, ModelSource, Origin, Role, TestSource, Value, assignments,
};
use crate::commands::fit::choices::{LossName, MethodName, Share};
use crate::error::AppError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Find the parameters of a model from tests, with error bars and a verdict.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FitRequest {
    /// A study, whose tests, model and choices come first; what is said beside it is added, or replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<PathBuf>,
    /// The tests, fitted or held out.
    pub tests: Vec<TestSource>,
    /// The model; the values of a file are starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSource>,
    /// Free text about the part, printed on the report.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub part: BTreeMap<String, Value>,
    /// What is said about parameters, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Choice>,
    /// How to search.
    pub options: FitOptions,
    /// What is compared where no model is given.
    pub compare: CompareOptions,
    /// The folder for model.toml, fit.json, report.html and summary.csv.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    /// The study as it was written.
    #[serde(skip)]
    pub origin: Option<Arc<Origin>>,
    /// The command as it was typed, where it was.
    #[serde(skip)]
    pub typed: Option<Vec<String>>,
}

/// How to search.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct FitOptions {
    /// Hold a parameter at a value: SI, or with a unit, such as rt.k0=200N/mm
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            value_name = "PARAMETER=VALUE",
            allow_hyphen_values = true,
            value_delimiter = ','
        )
    )]
    #[serde(with = "assignments", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "BTreeMap<String, Value>")]
    pub fix: Vec<Assignment>,
    /// Start a parameter at a value: SI, or with a unit
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            value_name = "PARAMETER=VALUE",
            allow_hyphen_values = true,
            value_delimiter = ','
        )
    )]
    #[serde(with = "assignments", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "BTreeMap<String, Value>")]
    pub start: Vec<Assignment>,
    /// Cells of a chain
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<usize>,
    /// How tests count against each other
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<Share>,
    /// How much large residuals count; huber and soft-l1 are not pulled by outliers
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<LossName>,
    /// How to search
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodName>,
    /// Let a parameter follow a condition of the tests: eyring-dashpot.f=current:exp-quadratic; without a form, or with
    /// auto, it is chosen by levels left out; a second condition after *
    #[cfg_attr(feature = "cli", arg(long, value_name = "PARAMETER=CONDITION:FORM"))]
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    pub follow: Vec<String>,
    /// Parameters held towards a value, by address
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tikhonov: BTreeMap<String, Held>,
    /// Follow the likelihood along a parameter: an interval that needs no straight lines
    #[cfg_attr(feature = "cli", arg(long, value_name = "PARAMETER"))]
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    pub profile: Vec<String>,
    /// Do not look for other minima along the valley of a chain
    #[cfg_attr(feature = "cli", arg(long))]
    pub no_scan: bool,
    /// Seed of the search
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Tests simulated at the same time; all cores if left out. The result is the same
    #[cfg_attr(feature = "cli", arg(long, value_name = "COUNT"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

/// What is said about one parameter; numbers are SI, texts carry a unit.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Choice {
    /// First value of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Value>,
    /// Lowest value that is tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Value>,
    /// Highest value that is tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    /// Value at which it is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<Value>,
    /// The condition that it follows, or two.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    #[schemars(with = "super::value::OneOrMore<String>")]
    pub of: Vec<String>,
    /// Its form over each of them: "linear", "quadratic", "exp-linear", "exp-quadratic", "power", "piecewise",
    /// "arrhenius" or "auto". Default: "auto".
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    #[schemars(with = "super::value::OneOrMore<String>")]
    pub form: Vec<String>,
}

/// Where a parameter is held to, and how strongly.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The value: SI, or with a unit.
    pub value: Value,
    /// How strongly. Default: 1.
    #[serde(default = "one")]
    pub weight: f64,
}

fn one() -> f64 {
    1.0
}

impl FitRequest {
    /// The request with everything that its study says, and one test for every file.
    pub fn resolved(mut self) -> Result<Self, AppError> {
        let mut tests = Vec::new();
        if let Some(path) = &self.study {
            if self.model.is_some() {
                let why = "the study says which model it is for";
                return Err(AppError::needs("--model", "test records", why));
            }
            if self.options.cells.is_some() {
                let why = "a study says `cells` in its [[model.element]]";
                return Err(AppError::needs("--cells", "test records", why));
            }
            let study = Study::read(path)?;
            self.model = study.model()?;
            self.part = study.part;
            complete(&mut self.parameters, &study.parameters);
            let (own, all) = (&mut self.options, study.fit);
            own.weights = own.weights.or(all.weights);
            own.loss = own.loss.or(all.loss);
            own.method = own.method.or(all.method);
            own.seed = own.seed.or(all.seed);
            complete(&mut own.tikhonov, &all.tikhonov);
            self.compare.complete(study.compare);
            tests = study.tests;
            self.origin = Some(study.origin);
        }
        for test in &self.tests {
            let each = test.each(Path::new("")).map_err(|wrong| *wrong.error)?;
            tests.extend(each);
        }
        self.tests = tests;
        Ok(self)
    }

    /// The tests of one role.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &TestSource> {
        self.tests.iter().filter(move |test| test.role() == role)
    }

    /// A complaint about what a test says, with its line where it stands in a study.
    pub fn misstated(&self, test: &TestSource, wrong: super::test::Misstated) -> AppError {
        super::study::misstated(self.origin.as_deref(), test, wrong)
    }

    /// A complaint about a parameter.
    pub fn about(&self, keys: &[&[&str]], what: impl std::fmt::Display) -> AppError {
        match &self.origin {
            Some(origin) => origin.complaint(keys, what),
            None => AppError::Said(what.to_string()),
        }
    }
}
