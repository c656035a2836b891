//! `study.toml`: tests, model and choices in one file.

use super::model::GivenModel;
use super::origin::{Origin, complaint};
use super::test::Misstated;
use super::{Choice, CompareOptions, Held, ModelSource, Role, TestSource, Value};
use crate::commands::fit::choices::{LossName, MethodName, Share};
use crate::error::AppError;
use masing_model::file;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A study: tests, a model and choices.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    /// Kind and version of the file: "masing.study/1".
    schema: String,
    /// Free text about the part that was tested, printed on the report: number, sample, direction, temperature, rig.
    #[serde(default)]
    part: BTreeMap<String, Value>,
    /// The model, as in a model file; values that are given are held unless [parameters] frees them. `masing terms` needs
    /// none.
    #[serde(default)]
    #[schemars(schema_with = "super::super::schema::model_table")]
    #[expect(dead_code, reason = "read again with positions")]
    model: toml::Table,
    /// What is said about parameters, by address such as "rt.k0"; without a line here a parameter is free and its start
    /// is found from the data.
    #[serde(default)]
    parameters: BTreeMap<String, Choice>,
    /// What holds for every test that does not say otherwise.
    #[serde(default)]
    defaults: TestSource,
    /// The tests. `[[test]]` means the same.
    #[serde(default)]
    experiment: Vec<TestSource>,
    /// The tests. `[[experiment]]` means the same.
    #[serde(default)]
    test: Vec<TestSource>,
    /// How to search.
    #[serde(default)]
    fit: StudyFit,
    /// What is compared where there is no [model].
    #[serde(default)]
    compare: CompareOptions,
}

/// The `[fit]` table.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StudyFit {
    /// How tests count against each other. Default: "equal".
    pub weights: Option<Share>,
    /// How much large residuals count. Default: "linear".
    pub loss: Option<LossName>,
    /// How to search. Default: "auto".
    pub method: Option<MethodName>,
    /// Parameters held towards a value, by address.
    pub tikhonov: BTreeMap<String, Held>,
    /// Seed of the search. Default: 0.
    pub seed: Option<u64>,
}

/// What a study says, its tests one by one.
#[derive(Debug)]
pub struct Study {
    pub part: BTreeMap<String, Value>,
    pub parameters: BTreeMap<String, Choice>,
    /// With the defaults, their files as seen from here.
    pub tests: Vec<TestSource>,
    pub fit: StudyFit,
    pub compare: CompareOptions,
    pub origin: Arc<Origin>,
}

/// What this version reads.
pub const SCHEMA: &str = "masing.study/1";

impl Study {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, AppError> {
        let text = file::load(path)?;
        Self::of_text(path, file::without_mark(&text).to_owned())
    }

    /// What a text says that stands, or will stand, in a file.
    pub fn of_text(path: &Path, text: String) -> Result<Self, AppError> {
        let written: StudyFile = toml::from_str(&text).map_err(|error| {
            let at = error.span().map(|span| span.start);
            complaint(path, &text, at, error.message().to_owned())
        })?;
        let origin = Arc::new(Origin {
            path: path.to_owned(),
            text,
        });
        if written.schema != SCHEMA {
            let what = format!(
                "the schema is `{}`; this version reads `{SCHEMA}`",
                written.schema
            );
            return Err(origin.complaint(&[&["schema"]], what));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut tests = Vec::new();
        let lists = [("experiment", written.experiment), ("test", written.test)];
        for (list, own) in lists {
            for (i, test) in own.into_iter().enumerate() {
                let mut test = test.with_defaults(&written.defaults);
                test.place = Some((list, i));
                let each = test.each(folder);
                tests.extend(each.map_err(|wrong| misstated(Some(&origin), &test, wrong))?);
            }
        }
        if !tests.iter().any(|t| t.role() == Role::Fit) {
            let what = "no [[experiment]] has role = \"fit\"";
            return Err(origin.complaint(&[], what));
        }
        for test in &tests {
            test.spec()
                .map_err(|wrong| misstated(Some(&origin), test, wrong))?;
        }
        let mut compare = written.compare;
        compare.target = compare
            .target
            .map(|target| target.in_study(folder, &written.defaults));
        Ok(Self {
            part: written.part,
            parameters: written.parameters,
            tests,
            fit: written.fit,
            compare,
            origin,
        })
    }

    /// The model, some of whose values may be left open; none where it is to be found.
    pub fn model(&self) -> Result<Option<ModelSource>, AppError> {
        let Origin { path, text } = &*self.origin;
        let none = || {
            self.origin
                .complaint(&[], "no [model]; expected [[model.element]]")
        };
        let parsed = DeTable::parse(text).map_err(|error| {
            let at = error.span().map(|span| span.start);
            complaint(path, text, at, error.message().to_owned())
        })?;
        let Some((key, value)) = parsed.get_ref().get_key_value("model") else {
            return Ok(None);
        };
        let DeValue::Table(table) = value.get_ref() else {
            return Err(none());
        };
        let draft = file::draft_in(path, text, table, key.span().start)?;
        let parts = draft.model.assembly().parts();
        let kinds: Vec<&str> = parts.iter().map(|p| p.kind.as_str()).collect();
        let name = kinds.join("+");
        let given = GivenModel {
            toml: draft,
            name,
            hold: true,
        };
        Ok(Some(ModelSource::Given(Box::new(given))))
    }
}

/// A complaint about what a test says, with its line where it stands in a study.
pub fn misstated(origin: Option<&Origin>, test: &TestSource, wrong: Misstated) -> AppError {
    let (Some(origin), Some((list, i))) = (origin, test.place) else {
        return *wrong.error;
    };
    let i = i.to_string();
    let place = |key: &'static str| [list, i.as_str(), key];
    let other = if wrong.key == "initial" {
        "start"
    } else {
        wrong.key
    };
    let keys: [&[&str]; 4] = [
        &place(wrong.key),
        &place(other),
        &["defaults", wrong.key],
        &[list, i.as_str()],
    ];
    origin.complaint(&keys, *wrong.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Study, String> {
        let path = std::env::temp_dir().join(format!("masing-{name}-{}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let study = Study::read(&path).and_then(|study| study.model().map(|_| study));
        let study = study.map_err(|error| {
            let folder = format!("{}/", std::env::temp_dir().display());
            error.to_string().replace(&folder, "")
        });
        std::fs::remove_file(&path).unwrap();
        study
    }

    const HEAD: &str = "schema = 'masing.study/1'\n[[model.element]]\ntype = 'spring'\n";

    #[test]
    fn defaults_and_both_names_of_tests_are_read() {
        let text = format!(
            "{HEAD}[defaults]\nwindow = 'stabilised'\n[[experiment]]\nfile = 'a.csv'\n[[test]]\nfile = 'b.csv'\nrole = 'validate'\n"
        );
        let study = read("both", &text).unwrap();
        let roles: Vec<Role> = study.tests.iter().map(TestSource::role).collect();
        assert_eq!(roles, [Role::Fit, Role::Validate]);
        assert!(study.tests.iter().all(|t| t.window.is_some()));
    }

    #[test]
    fn complaints_name_file_line_and_key() {
        for (case, line, words, text) in [
            (
                "field",
                5,
                "unknown field `wieght`",
                "[[test]]\nwieght = 1\n",
            ),
            ("type", 5, "expected a string", "[[test]]\nfile = 3\n"),
            (
                "weight",
                6,
                "weight `0`",
                "[[test]]\nfile = 'a.csv'\nweight = 0\n",
            ),
            (
                "given",
                5,
                "weight `0`",
                "[defaults]\nweight = 0\n[[test]]\nfile = 'a.csv'\n",
            ),
            (
                "role",
                6,
                "unknown role",
                "[[test]]\nfile = 'a.csv'\ncolumns = { foo = 'x' }\n",
            ),
            (
                "file",
                4,
                "the name of a data file",
                "[[test]]\nweight = 1\n",
            ),
            (
                "value",
                7,
                "expected a number",
                "[[test]]\nfile = 'a.csv'\n[[model.element]]\ntype = 'dashpot'\nc = 'x'\n",
            ),
        ] {
            let said = read(case, &format!("{HEAD}{text}")).unwrap_err();
            let line = if case == "value" { line + 1 } else { line };
            assert!(said.contains(&format!("line {line}: ")), "{case}: {said}");
            assert!(said.contains(words), "{case}: {said}");
        }
        let said = read("role-fit", HEAD).unwrap_err();
        assert!(said.contains("role = \"fit\""), "{said}");
    }
}
