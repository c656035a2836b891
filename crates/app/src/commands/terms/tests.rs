//! Files as `masing terms` needs them.

use crate::error::AppError;
use masing_data::cycles::{self, Cycle};
use masing_data::signal::noise::from_cycles;
use masing_data::{Experiment, Preload, Record, implausible_sizes, tables};
use masing_diagnostic::{Diagnostic, RecordDiagnostic};
use masing_identify::test::TestSpec;
use masing_identify::test::reading::{
    ReadError, Whole, assumed, force_noise, missing_force, motion_of, preload_of,
};
use masing_model::MotionKind;
use masing_terms::{Options, Term, Test};
use std::path::Path;

/// What was read.
#[derive(Default)]
pub struct Tests {
    pub fitted: Vec<Test>,
    pub held_out: Vec<Test>,
    pub motion: MotionKind,
    pub diagnostics: Vec<Diagnostic>,
    pub assumptions: Vec<String>,
}

impl Tests {
    /// Reads one more file.
    pub fn add(
        &mut self,
        spec: &TestSpec,
        given: Option<&Given>,
        terms: &[String],
        held_out: bool,
    ) -> Result<(), AppError> {
        let path = spec.path.as_path();
        let Whole {
            mut experiment,
            record,
            window,
        } = Whole::read(path, spec.options.clone())?;
        let name = spec.name.clone().unwrap_or_else(|| experiment.name.clone());
        record.require_motion()?;
        let motion = motion_of(record.rotation);
        let first = self.fitted.is_empty() && self.held_out.is_empty();
        if !first && motion != self.motion {
            return Err(ReadError::MixedMotion {
                path: path.to_owned(),
            }
            .into());
        }
        self.motion = motion;
        let time = record.need_time()?.to_vec();
        let x = record.need_motion()?.to_vec();
        let force = record.need_force()?.to_vec();
        self.diagnostics
            .extend(missing_force(path, &record, &force));
        let found = cycles::cycles(&x, Some(&force), Some(&time));
        let noise = force_noise(path, &found, &force)?.filter(|n| repeats(&found, &x, *n));
        let preload = match (&spec.preload, given) {
            (Some(own), Some(_)) => {
                let expected = format!("the preload in one place; the study says {own} already");
                return Err(AppError::option("--preload", own, expected));
            }
            (Some(text), _) => Some(preload_of(text, record.rotation)?),
            (None, Some(given)) => given.of(&name, record.rotation)?,
            (None, None) => None,
        };
        let test = Test {
            name,
            velocity: record.velocity().map(<[f64]>::to_vec),
            columns: columns(spec, terms, &record)?,
            displacement: x,
            time,
            force,
            window,
            noise,
            preload,
        };
        self.refuse_twice(path, &test)?;
        self.assumptions
            .extend(assumed(path, &experiment.assumptions));
        self.diagnostics.append(&mut experiment.diagnostics);
        self.doubt(path, &experiment, test.preload);
        let doubts = experiment.assumed_units().into_iter();
        let doubts = doubts.chain(implausible_sizes(&experiment));
        self.diagnostics.extend(doubts.map(|own| own.in_file(path)));
        if held_out {
            self.held_out.push(test);
        } else {
            self.fitted.push(test);
        }
        Ok(())
    }

    /// What `inspect` finds that terms would suffer from; the rest is told there.
    fn doubt(&mut self, path: &Path, experiment: &Experiment, preload: Option<Preload>) {
        let Ok(inspection) = masing_data::inspect(experiment) else {
            return;
        };
        for finding in inspection.diagnostics {
            let matters = match &finding {
                // Powers count from the unloaded position: a zero that is off is a preload.
                Diagnostic::Record(RecordDiagnostic::Offset { .. }) => {
                    preload == Some(Preload::Motion(0.0))
                }
                Diagnostic::Record(RecordDiagnostic::Spikes { .. }) => true,
                found => found.is_channel_fault(),
            };
            if matters {
                self.diagnostics.push(finding.in_file(path));
            }
        }
    }

    /// The same samples twice would count twice, or predict themselves; two tests of one name cannot be told apart.
    fn refuse_twice(&self, path: &Path, test: &Test) -> Result<(), AppError> {
        let mut all = self.fitted.iter().chain(&self.held_out);
        let same = |own: &&Test| {
            own.window == test.window
                && own.displacement == test.displacement
                && own.force == test.force
        };
        if let Some(own) = all.clone().find(same) {
            let expected = format!("a record that is not that of test `{}` again", own.name);
            return Err(AppError::option("FILE", path.display(), expected));
        }
        if all.any(|own| own.name == test.name) {
            let expected = format!(
                "a name of its own for every test, not `{}` twice; rename a file, or name the tests in a study",
                test.name
            );
            return Err(AppError::option("FILE", path.display(), expected));
        }
        Ok(())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let all = self.fitted.iter().chain(&self.held_out);
        all.map(|t| t.name.as_str())
    }
}

/// Whether cycles repeat each other in their motion, so that differences of their forces are noise: what the differences
/// of the motion make of the force must be less than half of it.
fn repeats(found: &[Cycle], x: &[f64], noise: f64) -> bool {
    let moved = cycles::blocks(found)
        .iter()
        .filter_map(|block| from_cycles(x, found, block))
        .map(|own| own.value)
        .fold(0.0, f64::max);
    let stiffness = found.iter().filter_map(|c| c.secant_stiffness);
    stiffness.fold(0.0, f64::max) * moved < 0.5 * noise
}

/// Columns of the file that candidates ask for.
fn columns(
    spec: &TestSpec,
    terms: &[String],
    record: &Record,
) -> Result<Vec<(String, Vec<f64>)>, AppError> {
    let asked: Vec<&String> = terms
        .iter()
        .filter(|t| Term::parse(t, &[]).is_err())
        .collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let tables = tables(&spec.path, &spec.options)?;
    let mut found = Vec::new();
    for name in asked {
        let channels = tables.iter().flat_map(|t| &t.channels);
        let Some(own) = channels.into_iter().find(|c| c.name == *name) else {
            continue;
        };
        let rows = record.first_row..record.first_row + record.len();
        if let Some(values) = own.values.get(rows) {
            found.push((name.clone(), values.to_vec()));
        }
    }
    Ok(found)
}

/// Sets the candidates that were named.
pub fn candidates(names: &[String], tests: &Tests, options: &mut Options) -> Result<(), AppError> {
    options.stiffness.clear();
    options.damping.clear();
    let every = |name: &&String| {
        let mut all = tests.fitted.iter().chain(&tests.held_out);
        all.all(|t| t.columns.iter().any(|(own, _)| own == *name))
    };
    let columns: Vec<String> = names.iter().filter(every).cloned().collect();
    for name in names {
        match Term::parse(name.trim(), &columns)? {
            Term::Stiffness(power) => options.stiffness.push(power),
            Term::Damping(power) => options.damping.push(power),
            Term::Chebyshev(_) => {
                let expected = "a term without memory; --degree sets the Chebyshev terms";
                return Err(AppError::option("--terms", name, expected));
            }
            other => options.extra.push(other),
        }
    }
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort();
    if let Some(pair) = sorted.windows(2).find(|w| w[0] == w[1]) {
        return Err(AppError::option("--terms", pair[0], "every term once"));
    }
    Ok(())
}

/// Preloads as they were given: one for all tests, or one each.
pub struct Given {
    texts: Vec<(Option<String>, String)>,
}

impl Given {
    /// `2.2mm`, or `test1=2.2mm,test2=150N`.
    pub fn parse(text: &str) -> Result<Self, AppError> {
        let each = text.split(',').map(|part| match part.split_once('=') {
            Some((name, value)) => (Some(name.trim().to_owned()), value.trim().to_owned()),
            None => (None, part.trim().to_owned()),
        });
        let texts: Vec<_> = each.collect();
        let common = texts.iter().filter(|(name, _)| name.is_none()).count();
        if common > 1 || (common == 1 && texts.len() > 1) {
            let expected =
                "one preload for all tests, such as 2.2mm, or one each: test1=2.2mm,test2=1mm";
            return Err(AppError::option("--preload", text, expected));
        }
        Ok(Self { texts })
    }

    fn of(&self, test: &str, rotation: bool) -> Result<Option<Preload>, AppError> {
        let own = self.texts.iter().find(|(name, _)| match name {
            Some(name) => name == test,
            None => true,
        });
        let Some((_, text)) = own else {
            return Ok(None);
        };
        Ok(Some(preload_of(text, rotation)?))
    }

    /// Refuses names of tests that there are not.
    pub fn all_used(&self, tests: &Tests) -> Result<(), AppError> {
        for (name, _) in &self.texts {
            if let Some(name) = name
                && !tests.names().any(|own| own == name)
            {
                let names: Vec<&str> = tests.names().collect();
                let expected = format!("the name of a test: {}", names.join(", "));
                return Err(AppError::option("--preload", name, expected));
            }
        }
        Ok(())
    }
}
