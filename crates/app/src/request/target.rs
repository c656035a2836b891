//! The motion that a model is for.

use super::{TestSource, condition, unfiltered_drive};
use crate::error::AppError;
use masing_identify::compare::Target;
use masing_identify::test::reading::{ReadError, Whole, assumed, motion_of};
use masing_model::MotionKind;
use masing_sim::Motion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::path::Path;
use std::str::FromStr;

/// A file of time and displacement, or a table that says how to read it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TargetSource {
    /// The file.
    File(String),
    /// The file with its columns, units, offsets, conditions, ...
    Test(Box<TestSource>),
}

impl FromStr for TargetSource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::File(text.to_owned()))
    }
}

impl From<TestSource> for TargetSource {
    fn from(test: TestSource) -> Self {
        Self::Test(Box::new(test))
    }
}

impl TargetSource {
    /// As a test of which only the motion counts.
    pub fn test(&self) -> TestSource {
        let mut test = match self {
            Self::File(file) => TestSource::file(Path::new(file)),
            Self::Test(test) => (**test).clone(),
        };
        // What is said of all files may be about forces, which this one need not have.
        let of_force = |role: &str| role == "force" || role == "torque";
        test.columns.retain(|role, _| !of_force(role));
        test.units.retain(|role, _| !of_force(role));
        test.zero.retain(|role, _| !of_force(role));
        test.flip.retain(|role| !of_force(role));
        test
    }

    /// Where the numbers are to be filled in, if a program has them.
    pub fn test_mut(&mut self) -> Option<&mut TestSource> {
        match self {
            Self::File(_) => None,
            Self::Test(test) => Some(test),
        }
    }

    /// As it stands in a study: relative to its folder, read as the defaults say. How much of a test counts and what its
    /// force went through is not said of a motion.
    pub fn in_study(&self, folder: &Path, defaults: &TestSource) -> Self {
        let common = TestSource {
            window: None,
            filter: Vec::new(),
            undo: None,
            ..defaults.clone()
        };
        let mut test = self.test().with_defaults(&common);
        if let Some(file) = &test.file {
            test.file = Some(folder.join(file).to_string_lossy().into_owned());
        }
        Self::from(test)
    }

    /// Reads the motion, and says how it was understood.
    pub fn read(&self, kind: MotionKind) -> Result<(Target, Vec<String>), AppError> {
        let test = self.test();
        let path = test.path();
        if path.as_os_str().is_empty() {
            return Err(AppError::option("for", "", "the name of a data file"));
        }
        let options = unfiltered_drive(&test)?;
        let levels = condition::levels(&test.conditions)?;
        let whole = Whole::read(&path, options)?;
        let record = &whole.record;
        record.require_motion()?;
        if motion_of(record.rotation) != kind {
            return Err(ReadError::MixedMotion { path }.into());
        }
        let cut = |values: &[f64]| values[whole.window.clone()].to_vec();
        let motion = Motion::new(
            cut(record.need_time()?),
            cut(record.need_motion()?),
            record.velocity().map(cut),
        );
        let target = Target {
            name: test.name.unwrap_or_else(|| whole.experiment.name.clone()),
            motion: motion.map_err(|source| AppError::simulation(record, source))?,
            levels,
        };
        Ok((target, assumed(&path, &whole.experiment.assumptions)))
    }
}
