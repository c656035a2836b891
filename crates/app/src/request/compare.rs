//! A request to compare models.

use super::{TargetSource, TestSource};
use crate::error::AppError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Rank models by what they predict of tests left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CompareRequest {
    /// A study, whose tests and `[compare]` come first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<PathBuf>,
    /// The tests: ranked by, or held out and only shown.
    pub tests: Vec<TestSource>,
    /// What is compared, and for how long.
    pub options: CompareOptions,
    /// The folder for compare.json, report.html and model.toml.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    /// The command as it was typed, where it was.
    #[serde(skip)]
    pub typed: Option<Vec<String>>,
}

/// What is compared, and for how long.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct CompareOptions {
    /// Models to compare, such as 'bouc-wen+dashpot,series(gap,slider)+dashpot,rt'; found from the
    /// records if left out
    #[cfg_attr(feature = "cli", arg(long, value_name = "MODEL,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// Most candidates that are tried, such as 40; or a time such as 60s, and then the result depends
    /// on the machine
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// The motion that the model is for, a file of time and displacement: errors count as often as it has their speed and
    /// amplitude, and tied models are compared on it
    #[cfg_attr(feature = "cli", arg(long = "for", value_name = "FILE"))]
    #[serde(
        rename = "for",
        alias = "target",
        skip_serializing_if = "Option::is_none"
    )]
    pub target: Option<TargetSource>,
}

/// How long to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Most candidates; no limit where only the time counts.
    pub candidates: Option<usize>,
    /// Most seconds.
    pub seconds: Option<f64>,
}

impl Budget {
    /// So many candidates, on every machine the same.
    pub const fn candidates(count: usize) -> Self {
        Self {
            candidates: Some(count),
            seconds: None,
        }
    }

    fn seconds(most: f64) -> Self {
        Self {
            candidates: None,
            seconds: Some(most),
        }
    }
}

impl CompareOptions {
    /// Takes what is not said from others.
    pub fn complete(&mut self, others: Self) {
        if self.models.is_empty() {
            self.models = others.models;
        }
        self.budget = self.budget.take().or(others.budget);
        self.target = self.target.take().or(others.target);
    }

    /// The models one by one: commas inside parentheses and brackets belong to a model.
    pub fn each_model(&self) -> Result<Vec<String>, AppError> {
        let mut out = Vec::new();
        for text in &self.models {
            let (mut depth, mut start) = (0_usize, 0);
            for (i, c) in text.char_indices() {
                match c {
                    '(' | '[' => depth += 1,
                    ')' | ']' => depth = depth.saturating_sub(1),
                    ',' if depth == 0 => {
                        out.push(&text[start..i]);
                        start = i + 1;
                    }
                    _ => {}
                }
            }
            out.push(&text[start..]);
        }
        let out: Vec<String> = out.into_iter().map(|m| m.trim().to_owned()).collect();
        if out.iter().any(String::is_empty) {
            let expected = "models separated by commas";
            return Err(AppError::option(
                "--models",
                self.models.join(","),
                expected,
            ));
        }
        Ok(out)
    }

    /// How long to look.
    pub fn budget(&self) -> Result<Budget, AppError> {
        let Some(text) = &self.budget else {
            return Ok(Budget::candidates(masing_identify::compare::BUDGET));
        };
        let seconds = text.trim().strip_suffix('s').map(str::trim_end);
        let positive = |s: f64| s > 0.0 && s.is_finite();
        let parsed = match seconds {
            Some(number) => number
                .parse()
                .ok()
                .filter(|s| positive(*s))
                .map(Budget::seconds),
            None => text
                .trim()
                .parse()
                .ok()
                .filter(|n| *n > 0)
                .map(Budget::candidates),
        };
        let expected = "a number of candidates from 1, or a time such as 60s";
        parsed.ok_or_else(|| AppError::option("--budget", text, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(models: &[&str], budget: Option<&str>) -> CompareOptions {
        CompareOptions {
            models: models.iter().map(|m| (*m).to_owned()).collect(),
            budget: budget.map(str::to_owned),
            target: None,
        }
    }

    #[test]
    fn models_are_told_apart_by_outer_commas() {
        let own = options(&["spring, series(gap,slider)+p[powers=1,3],rt"], None);
        let each = own.each_model().unwrap();
        assert_eq!(each, ["spring", "series(gap,slider)+p[powers=1,3]", "rt"]);
        for empty in ["", "spring,,rt", "spring,"] {
            assert!(options(&[empty], None).each_model().is_err(), "{empty}");
        }
    }

    #[test]
    fn budgets_are_numbers_or_times() {
        let budget = |text: &str| options(&[], Some(text)).budget().ok();
        assert_eq!(budget("40"), Some(Budget::candidates(40)));
        assert_eq!(budget("1.5s"), Some(Budget::seconds(1.5)));
        for wrong in ["0", "-1", "0s", "x", "s", "nan s", "1m"] {
            assert_eq!(budget(wrong), None, "{wrong}");
        }
    }
}
