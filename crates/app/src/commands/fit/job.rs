//! What a request asks for, put together.

use super::choices::Share;
use super::values::{Values, given};
use crate::error::AppError;
use crate::request::condition;
use crate::request::{FitRequest, ModelSource, Role};
use masing_identify::test::reading::{Subject, Tests, tell_apart};
use masing_identify::{Effort, FitOptions, Place, Unknown, free_parameters};
use masing_model::{Model, MotionKind};
use std::collections::BTreeMap;

/// Everything a search needs.
pub struct Job {
    /// The model as it was named.
    pub name: String,
    pub model: Model,
    pub part: BTreeMap<String, String>,
    pub fitted: Tests,
    pub held_out: Tests,
    pub options: FitOptions,
}

impl Job {
    /// The job that a request describes, whose study was read.
    pub fn new(request: &FitRequest) -> Result<Self, AppError> {
        let Some(source) = &request.model else {
            let why = "test records do not say which model they are for; a study.toml does";
            return Err(AppError::needs("fit", "--model", why));
        };
        if request.of_role(Role::Fit).next().is_none() {
            return Err(AppError::option("tests", "", "at least one test to fit"));
        }
        let draft = source.draft(request.options.cells)?;
        let mut subject = Subject::of(&draft.model);
        let options = &request.options;
        let said = options.start.iter().chain(&options.fix);
        let said = said.map(|pair| &pair.address);
        let mut said = said.chain(request.parameters.keys());
        subject.begun |= said.any(|address| is_beginning(&draft.model, address));
        let mut motion = known_motion(&draft.model);
        let (mut fitted, mut held_out) = (Tests::default(), Tests::default());
        for test in &request.tests {
            let spec = test.spec();
            let spec = spec.map_err(|wrong| request.misstated(test, wrong))?;
            let targets = match test.role() {
                Role::Fit => &mut fitted,
                Role::Validate => &mut held_out,
            };
            targets.add(&spec, &subject, &mut motion)?;
        }
        tell_apart(&mut fitted, &mut held_out);
        let conditions = request.tests.iter().map(|test| &test.conditions);
        let conditions = condition::conditions_of(conditions, draft.model.conditions())?;
        let model = moving(&draft.model, motion)?;
        let model = model.follow(conditions, draft.model.following().to_vec())?;
        let hold = matches!(source, ModelSource::Given(given) if given.hold);
        let mut values = Values::default();
        let follows = |address: &str| {
            let places = model.find(address).unwrap_or_default();
            let mut following = model.following().iter();
            following.any(|own| places.contains(&own.param))
        };
        // The law of what follows is where its search begins.
        for (address, value) in given(&draft).into_iter().filter(|(a, _)| !follows(a)) {
            let held = if hold {
                !frees(request, &address, value)
            } else {
                of_the_test(&model, &address, value)
            };
            let list = if held {
                &mut values.fixed
            } else {
                &mut values.starts
            };
            list.push((address, value));
        }
        values.choose(request, &model)?;
        values.assign(request, &model)?;
        let job = Self {
            name: source.to_string(),
            part: request
                .part
                .iter()
                .map(|(key, text)| (key.clone(), text.to_string()))
                .collect(),
            options: options_of(request, &model, values)?,
            model,
            fitted,
            held_out,
        };
        job.can_profile()?;
        Ok(job)
    }

    /// The likelihood can only be followed along what is sought.
    fn can_profile(&self) -> Result<(), AppError> {
        let addresses =
            |pairs: &[(String, f64)]| pairs.iter().map(|(a, _)| a.clone()).collect::<Vec<_>>();
        let options = &self.options;
        let mut also = options.free.clone();
        also.extend(addresses(&options.starts));
        let sought = free_parameters(&self.model, &addresses(&options.fixed), &also)?;
        for address in &options.profiles {
            let indices = self.model.find(address)?;
            let known = |u: &Unknown| matches!(u.place, Place::Param(i) if indices.contains(&i));
            if !sought.iter().any(known) {
                let names: Vec<&str> = sought.iter().map(|u| u.name.as_str()).collect();
                let expected = format!(
                    "a parameter that is sought, and this one is held; sought: {}",
                    names.join(", ")
                );
                return Err(AppError::option("--profile", address, expected));
            }
        }
        Ok(())
    }
}

/// How to search, with values of parameters.
fn options_of(request: &FitRequest, model: &Model, values: Values) -> Result<FitOptions, AppError> {
    let asked = &request.options;
    let mut tikhonov = Vec::new();
    for (address, held) in &asked.tikhonov {
        let value = super::values::si(model, address, &held.value).map_err(|what| {
            let what = format!("tikhonov in [fit]: {what}");
            request.about(&[&["fit", "tikhonov", address]], what)
        })?;
        tikhonov.push((address.clone(), value, held.weight));
    }
    Ok(FitOptions {
        fixed: values.fixed,
        starts: values.starts,
        free: values.free,
        bounds: values.bounds,
        follow: values.follow,
        tikhonov,
        weights: asked.weights.unwrap_or(Share::Equal).into(),
        loss: asked.loss.map(Into::into).unwrap_or_default(),
        seed: asked.seed.unwrap_or_default(),
        effort: Effort {
            method: asked.method.map(Into::into).unwrap_or_default(),
            valley: !asked.no_scan,
            ..Effort::default()
        },
        profiles: asked.profile.clone(),
        leave_one_out: true,
        assess_loops: true,
        workers: match asked.threads {
            Some(0) => return Err(AppError::option("--threads", 0, "a number from 1")),
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        },
    })
}

/// Whether `[parameters]` lets go of a value that the model of a study gives. A matrix named as a whole means its
/// entries that are not zero: what is not connected stays so.
fn frees(request: &FitRequest, address: &str, value: f64) -> bool {
    let list = address.split('[').next().unwrap_or(address);
    let connected = value != 0.0 || !address.contains(',');
    let parameters = &request.parameters;
    parameters.contains_key(address) || (connected && parameters.contains_key(list))
}

/// Whether an address is that of what masses begin with.
fn is_beginning(model: &Model, address: &str) -> bool {
    model.system().is_some_and(|masses| {
        let name = address.strip_prefix(masses.name()).unwrap_or("");
        name.starts_with(".x0") || name.starts_with(".v0")
    })
}

/// Whether a value of a model file is held: what masses begin with is part of the test, matrices are known from
/// elsewhere, and a zero says that there is nothing; they are only sought when asked for.
fn of_the_test(model: &Model, address: &str, value: f64) -> bool {
    model.system().is_some_and(|masses| {
        let name = masses.name();
        let own = address
            .strip_prefix(name)
            .is_some_and(|a| a.starts_with('.'));
        own && (masses.dofs() > 1 || value == 0.0 || is_beginning(model, address))
    })
}

/// The same model for the kind of motion of the tests.
fn moving(model: &Model, motion: Option<MotionKind>) -> Result<Model, AppError> {
    let mut assembly = model.assembly().clone();
    assembly.motion = motion.unwrap_or_default();
    let mut moved = Model::new(assembly, model.system().cloned(), model.values().to_vec())?;
    moved.name.clone_from(&model.name);
    Ok(moved)
}

/// The kind of motion that the elements themselves ask for.
pub fn known_motion(model: &Model) -> Option<MotionKind> {
    (model.motion() == MotionKind::Rotation).then_some(MotionKind::Rotation)
}
