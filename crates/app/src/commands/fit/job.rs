//! What a study or the command line asks for, put together.

use super::Fit;
use super::choices::Share;
use super::study::{Role, Study};
use crate::error::AppError;
use masing_identify::test::reading::{Subject, Tests, tell_apart};
use masing_identify::{Effort, FitOptions, Place, Unknown, free_parameters};
use masing_model::file::{self, Draft};
use masing_model::{Assembly, Model, MotionKind, Shape, presets, registry};
use std::collections::BTreeMap;
use std::path::Path;

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
    /// The job that the arguments describe.
    pub fn new(args: &Fit) -> Result<Self, AppError> {
        let mut job = match args.files.as_slice() {
            [path] if is_toml(path) => Self::of_study(args, path)?,
            _ => Self::of_files(args)?,
        };
        tell_apart(&mut job.fitted, &mut job.held_out);
        let options = &mut job.options;
        let starts = pairs("--start", &args.start)?;
        let fixed = pairs("--fix", &args.fix)?;
        let among = |address: &String, pairs: &Pairs| pairs.iter().any(|(a, _)| a == address);
        if let Some((address, value)) = starts.iter().find(|(address, _)| among(address, &fixed)) {
            let expected = "a parameter that --fix does not hold";
            let found = format!("{address}={value}");
            return Err(AppError::option("--start", found, expected));
        }
        options
            .fixed
            .retain(|(address, _)| !among(address, &starts));
        options.starts.extend(starts);
        options.fixed.extend(fixed);
        options.profiles.clone_from(&args.profile);
        options.seed = args.seed.unwrap_or(options.seed);
        if let Some(weights) = args.weights {
            options.weights = weights.into();
        }
        if let Some(loss) = args.loss {
            options.loss = loss.into();
        }
        if let Some(method) = args.method {
            options.effort.method = method.into();
        }
        options.effort.valley = !args.no_scan;
        options.leave_one_out = true;
        options.workers = match args.threads {
            Some(0) => return Err(AppError::option("--threads", 0, "a number from 1")),
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        job.can_profile()?;
        Ok(job)
    }

    /// The likelihood can only be followed along what is sought.
    fn can_profile(&self) -> Result<(), AppError> {
        let addresses = |pairs: &Pairs| pairs.iter().map(|(a, _)| a.clone()).collect::<Vec<_>>();
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

    /// Test records and a model by name.
    fn of_files(args: &Fit) -> Result<Self, AppError> {
        if let Some(toml) = args.files.iter().find(|path| is_toml(path)) {
            let expected = "test records; a study goes alone, and a model.toml after --model";
            return Err(AppError::option("FILE", toml.display(), expected));
        }
        let Some(name) = args.model.clone() else {
            return Err(AppError::Needs {
                option: "fit",
                other: "--model",
                why: "test records do not say which model they are for; a study.toml does",
            });
        };
        let (model, starts, fixed) = model_of(&name, args.cells)?;
        let mut subject = Subject::of(&model);
        let said = args.start.iter().chain(&args.fix);
        subject.begun |= said.clone().any(|pair| is_beginning(&model, pair));
        let mut motion = known_motion(&model);
        let (mut fitted, mut held_out) = (Tests::default(), Tests::default());
        for (paths, targets) in [(&args.files, &mut fitted), (&args.validate, &mut held_out)] {
            for path in paths {
                let spec = args.spec(path)?;
                targets.add(&spec, &subject, &mut motion)?;
            }
        }
        Ok(Self {
            model: moving(&model, motion)?,
            name,
            part: BTreeMap::new(),
            fitted,
            held_out,
            options: FitOptions {
                starts,
                fixed,
                ..FitOptions::default()
            },
        })
    }

    /// A study.
    fn of_study(args: &Fit, path: &Path) -> Result<Self, AppError> {
        if args.model.is_some() {
            let why = "the study says which model it is for";
            return Err(AppError::Needs {
                option: "--model",
                other: "test records",
                why,
            });
        }
        if args.cells.is_some() {
            let why = "a study says `cells` in its [[model.element]]";
            return Err(AppError::Needs {
                option: "--cells",
                other: "test records",
                why,
            });
        }
        let about_tests = match (&args.preload, args.nuisance.is_empty()) {
            (Some(_), _) => Some("--preload"),
            (None, false) => Some("--nuisance"),
            (None, true) => None,
        };
        if let Some(option) = about_tests.or(args.reading.given())
            && args.validate.is_empty()
        {
            let why = "a study says it for each test, in its [[experiment]]";
            return Err(AppError::Needs {
                option,
                other: "test records, or files after --validate",
                why,
            });
        }
        let study = Study::read(path)?;
        let draft = study.model(path)?;
        let mut subject = Subject::of(&draft.model);
        let mut said = study.parameters.keys();
        subject.begun |= said.any(|address| is_beginning(&draft.model, address));
        let mut motion = known_motion(&draft.model);
        let (mut fitted, mut held_out) = (Tests::default(), Tests::default());
        for test in &study.experiments {
            let targets = if test.role == Role::Fit {
                &mut fitted
            } else {
                &mut held_out
            };
            targets.add(&test.spec(path)?, &subject, &mut motion)?;
        }
        for extra in &args.validate {
            let spec = args.spec(extra)?;
            held_out.add(&spec, &subject, &mut motion)?;
        }
        let kinds: Vec<&str> = draft
            .model
            .assembly()
            .parts()
            .iter()
            .map(|p| p.kind.as_str())
            .collect();
        Ok(Self {
            name: kinds.join("+"),
            options: options_of(&study, &draft, path)?,
            model: moving(&draft.model, motion)?,
            part: study.part,
            fitted,
            held_out,
        })
    }
}

/// What a study says beside its tests.
fn options_of(study: &Study, draft: &Draft, path: &Path) -> Result<FitOptions, AppError> {
    let mut options = FitOptions {
        weights: study.fit.weights.unwrap_or(Share::Equal).into(),
        loss: study.fit.loss.map(Into::into).unwrap_or_default(),
        seed: study.fit.seed,
        effort: Effort {
            method: study.fit.method.map(Into::into).unwrap_or_default(),
            ..Effort::default()
        },
        // A value in the model is given; [parameters] may set it free again.
        fixed: given(draft)
            .into_iter()
            .filter(|(address, value)| !study.frees(address, *value))
            .collect(),
        starts: given(draft)
            .into_iter()
            .filter(|(address, value)| study.frees(address, *value))
            .collect(),
        ..FitOptions::default()
    };
    let known = |address: &str, table: &str| match draft.model.find(address) {
        Ok(_) => Ok(()),
        Err(error) => Err(AppError::Study {
            path: path.to_owned(),
            what: format!("{table}: {error}"),
        }),
    };
    for address in study.fit.tikhonov.keys() {
        known(address, "tikhonov in [fit]")?;
    }
    for (address, choice) in &study.parameters {
        choice.check(address, path)?;
        known(address, "[parameters]")?;
        let pair = |value: f64| (address.clone(), value);
        options.fixed.extend(choice.fixed.map(pair));
        options.starts.extend(choice.start.map(pair));
        if choice.fixed.is_none() {
            options.free.push(address.clone());
        }
        if choice.min.is_some() || choice.max.is_some() {
            let range = (
                choice.min.unwrap_or(f64::NEG_INFINITY),
                choice.max.unwrap_or(f64::INFINITY),
            );
            options.bounds.push((address.clone(), range.0, range.1));
        }
    }
    let held = study.fit.tikhonov.iter();
    options.tikhonov = held
        .map(|(address, held)| (address.clone(), held.value, held.weight))
        .collect();
    Ok(options)
}

/// Values by address.
type Pairs = Vec<(String, f64)>;

/// Whether an address is that of what masses begin with.
fn is_beginning(model: &Model, address: &str) -> bool {
    model.system().is_some_and(|masses| {
        let name = address.strip_prefix(masses.name()).unwrap_or("");
        name.starts_with(".x0") || name.starts_with(".v0")
    })
}

/// The model that `--model` names, starts that its file gives, and values that it holds.
fn model_of(name: &str, cells: Option<usize>) -> Result<(Model, Pairs, Pairs), AppError> {
    let path = Path::new(name);
    if let Some(cells) = cells.filter(|_| is_toml(path)) {
        let expected = format!("no such option, because {name} says how many cells it has");
        return Err(AppError::option("--cells", cells, expected));
    }
    if is_toml(path) {
        let draft = file::read_draft(path)?;
        // What masses begin with is part of the test, matrices are known from elsewhere, and a zero
        // says that there is nothing; they are only sought when asked for.
        let held = |address: &str, value: f64| {
            draft.model.system().is_some_and(|masses| {
                let name = masses.name();
                let own = address
                    .strip_prefix(name)
                    .is_some_and(|a| a.starts_with('.'));
                own && (masses.dofs() > 1 || value == 0.0 || is_beginning(&draft.model, address))
            })
        };
        let (fixed, starts) = given(&draft)
            .into_iter()
            .partition(|(address, value)| held(address, *value));
        return Ok((draft.model, starts, fixed));
    }
    let mut shape = Shape::default();
    if let Some(cells) = cells {
        shape.numbers.insert("cells".to_owned(), cells as f64);
    }
    let has_cells = |kind: &str| registry::find(kind).is_ok_and(|kind| kind.takes("cells"));
    let assembly = Assembly::from_names(name, |kind| {
        if has_cells(kind) {
            shape.clone()
        } else {
            Shape::default()
        }
    })?;
    let mut kinds = assembly.parts().iter().map(|part| part.kind.as_str());
    if let Some(cells) = cells.filter(|_| !kinds.any(has_cells)) {
        let chains = presets::shaped_by("cells").join(", ");
        let expected = format!("a model with a chain ({chains}), which `{name}` is not");
        return Err(AppError::option("--cells", cells, expected));
    }
    let model = Model::with_defaults(assembly, None)?;
    Ok((model, Vec::new(), Vec::new()))
}

/// The same model for the kind of motion of the tests.
fn moving(model: &Model, motion: Option<MotionKind>) -> Result<Model, AppError> {
    let mut assembly = model.assembly().clone();
    assembly.motion = motion.unwrap_or_default();
    let mut moved = Model::new(assembly, model.system().cloned(), model.values().to_vec())?;
    moved.name.clone_from(&model.name);
    Ok(moved)
}

pub fn is_toml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("toml"))
}

/// The kind of motion that the elements themselves ask for.
pub fn known_motion(model: &Model) -> Option<MotionKind> {
    (model.motion() == MotionKind::Rotation).then_some(MotionKind::Rotation)
}

/// The values that a draft gives, by address.
fn given(draft: &Draft) -> Vec<(String, f64)> {
    let values = draft.model.params().into_iter().zip(draft.model.values());
    values
        .zip(&draft.given)
        .filter(|(_, given)| **given)
        .map(|(((address, _), value), _)| (address, *value))
        .collect()
}

/// `parameter=value` options.
fn pairs(option: &str, texts: &[String]) -> Result<Vec<(String, f64)>, AppError> {
    texts
        .iter()
        .flat_map(|text| text.split(','))
        .map(|text| {
            let expected = "PARAMETER=VALUE in SI without a unit, such as rt.alpha=0.1";
            let (address, value) = text
                .split_once('=')
                .ok_or_else(|| AppError::option(option, text, expected))?;
            let value = value.trim().parse::<f64>().ok().filter(|v| v.is_finite());
            let value = value.ok_or_else(|| AppError::option(option, text, expected))?;
            Ok((address.trim().to_owned(), value))
        })
        .collect()
}
