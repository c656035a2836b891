//! The problem of a fit: first values, unknowns, starts.

pub(crate) mod unknown;

use crate::conditions;
use crate::error::FitError;
use crate::fit::{FitOptions, levels};
use crate::loops;
use crate::objective::{Objective, Prior, Rules, Workers};
use crate::problem::unknown::{Place, Unknown, free_parameters, mirror};
use crate::search::progress::Progress;
use crate::start::masses;
use crate::start::{guess, variations, weights};
use crate::test::Test;
use masing_model::law::by_unit::power;
use masing_model::{Features, Model, Scale};

/// A model at its first values, and its unknowns.
pub(crate) struct SetUp {
    pub(crate) model: Model,
    pub(crate) unknowns: Vec<Unknown>,
    pub(crate) rules: Rules,
    /// The automatic guess of all values, where starts were given instead.
    pub(crate) guess: Option<Vec<f64>>,
}

/// Reads the options against model and tests, and chooses the steps of the tests at the first values.
pub(crate) fn set_up(
    model: &Model,
    fitted: &mut [Test],
    options: &FitOptions,
    progress: &Progress<'_>,
) -> Result<SetUp, FitError> {
    same_kind(model, fitted)?;
    let options = &with_known_mass(model, fitted, options)?;
    let (shape, mut values) = first_values(model, fitted, options)?;
    if let Some(regressed) = loops::start::regressed(model, fitted, options)? {
        values[..regressed.len()].copy_from_slice(&regressed);
    }
    let mut set = |pairs: &[(String, f64)]| -> Result<Vec<f64>, FitError> {
        for (address, value) in pairs {
            for index in model.find(address)? {
                values[index] = *value;
                // An entry of a symmetric matrix stands for both.
                if let Some(other) = mirror(model, index) {
                    values[other] = *value;
                }
            }
        }
        Ok(values.clone())
    };
    let guess = set(&options.fixed)?;
    set(&options.starts)?;
    // A value that is held is held, whatever else is said.
    let mut values = set(&options.fixed)?;
    keep_to_ranges(model, options, &mut values)?;
    let guess = Some(guess).filter(|guess| *guess != values && model.with(guess.clone()).is_ok());
    let mut model = model.with(values)?;
    if !model.following().is_empty() {
        // The guess does not know what follows.
        let (conditions, following) = (model.conditions(), model.following());
        model = model.follow(conditions.to_vec(), following.to_vec())?;
    }
    let values = model.values();
    let (fixed, also) = addresses(options);
    let mut unknowns = free_parameters(&model, &fixed, &also)?;
    for address in &options.profiles {
        model.find(address)?;
    }
    for (address, min, max) in &options.bounds {
        for index in model.find(address)? {
            if let Some(u) = unknowns.iter_mut().find(|u| u.place == Place::Param(index)) {
                (u.min, u.max) = (u.min.max(*min), u.max.min(*max));
            }
        }
    }
    let units: Vec<String> = model.params().into_iter().map(|(_, p)| p.unit).collect();
    for u in &mut unknowns {
        if let Place::Param(index) = u.place {
            let value = values[index];
            if u.min > u.max || value < u.min || value > u.max {
                return Err(FitError::StartOutside {
                    address: u.name.clone(),
                    value,
                    min: u.min,
                    max: u.max,
                });
            }
            if u.scale == Scale::Linear {
                u.typical = if value == 0.0 {
                    alike(&model, &units, index).unwrap_or_else(|| typical(&units[index], &shape))
                } else {
                    value.abs()
                };
            }
        }
    }
    loops::start::scale(&model, &mut unknowns);
    if unknowns.is_empty() {
        return Err(FitError::NothingFree);
    }
    unknowns = conditions::coefficients(&model, fitted, unknowns);
    for (k, target) in fitted.iter_mut().enumerate() {
        if !progress.poll(values, 0) {
            let p = model.values_at(&target.conditions)?;
            target.choose_numerics(&model, &p)?;
        }
        unknowns.extend(target.nuisance(&model, &target.name, k));
    }
    levels::close(fitted.len(), &mut unknowns);
    let samples: usize = fitted.iter().map(|t| t.rows().len()).sum();
    if samples <= unknowns.len() {
        return Err(FitError::TooFewSamples {
            samples,
            unknowns: unknowns.len(),
        });
    }
    let rules = Rules {
        weights: options.weights,
        priors: priors(&model, &unknowns, options)?,
        workers: Workers::new(options.workers),
        ..Rules::default()
    };
    Ok(SetUp {
        model,
        unknowns,
        rules,
        guess,
    })
}

/// Addresses that are held, and those that are sought although they are not by default.
fn addresses(options: &FitOptions) -> (Vec<String>, Vec<String>) {
    let of = |pairs: &[(String, f64)]| pairs.iter().map(|(address, _)| address.clone()).collect();
    let mut also = options.free.clone();
    also.extend::<Vec<String>>(of(&options.starts));
    (of(&options.fixed), also)
}

/// Masses where the tests have some, and none where a motion is prescribed.
fn same_kind(model: &Model, fitted: &[Test]) -> Result<(), FitError> {
    for target in fitted {
        match (target.moves_masses(), model.system()) {
            (true, None) => return Err(FitError::NoMasses),
            (true, Some(_)) | (false, None) => {}
            (false, Some(_)) => {
                return Err(FitError::NoLoad {
                    test: target.name.clone(),
                });
            }
        }
    }
    Ok(())
}

/// A first guess of all values, and the size of the motion that it is made for.
fn first_values(
    model: &Model,
    fitted: &[Test],
    options: &FitOptions,
) -> Result<(Features, Vec<f64>), FitError> {
    if model.system().is_none() {
        let shape = largest_loop(fitted)?;
        let values = guess(model, &shape);
        return Ok((shape, values));
    }
    if fitted.is_empty() {
        return Err(FitError::NoTests);
    }
    let mut known = vec![None; model.param_count()];
    for (address, value) in options.starts.iter().chain(&options.fixed) {
        for index in model.find(address)? {
            known[index] = Some(*value);
            if let Some(other) = mirror(model, index) {
                known[other] = Some(*value);
            }
        }
    }
    let (fixed, also) = addresses(options);
    let sought = free_parameters(model, &fixed, &also)?;
    let mut guess = masses::guess(model, fitted, &known, &sought).ok_or(FitError::NoMotion)?;
    for address in &options.free {
        for index in model.find(address)? {
            guess.begin_at(model, fitted, index);
        }
    }
    Ok((guess.features, guess.values))
}

/// Where no test shows a force, the mass stays as given.
fn with_known_mass(
    model: &Model,
    fitted: &[Test],
    options: &FitOptions,
) -> Result<FitOptions, FitError> {
    let mut options = options.clone();
    let shown = fitted.iter().any(|t| t.shows_forces());
    let Some(masses) = model.system().filter(|_| !shown) else {
        return Ok(options);
    };
    if masses.dofs() > 1 {
        // The matrices of a structure are given.
        return Ok(options);
    }
    let address = format!("{}.m", masses.name());
    if options.fixed.iter().any(|(known, _)| *known == address) {
        return Ok(options);
    }
    let started = options.starts.iter().rev().find(|(a, _)| *a == address);
    match started.cloned() {
        Some(given) => options.fixed.push(given),
        None => return Err(FitError::MassNeeded { address }),
    }
    Ok(options)
}

/// The size of a parameter of the same element with the same unit.
fn alike(model: &Model, units: &[String], index: usize) -> Option<f64> {
    let part = model.assembly().parts().iter();
    let part = part.clone().find(|p| p.params.contains(&index))?;
    let others = part.params.clone().filter(|&i| units[i] == units[index]);
    let sizes = others.map(|i| model.values()[i].abs());
    sizes.reduce(f64::max).filter(|size| *size > 0.0)
}

/// Features of the test with the largest amplitude.
fn largest_loop(fitted: &[Test]) -> Result<Features, FitError> {
    if fitted.is_empty() {
        return Err(FitError::NoTests);
    }
    let loops = fitted.iter().filter_map(|t| t.features());
    loops
        .max_by(|a, b| a.amplitude.total_cmp(&b.amplitude))
        .ok_or(FitError::NoLoop)
}

/// Moves the automatic guess into ranges that the user narrows; given values stay as they are.
fn keep_to_ranges(model: &Model, options: &FitOptions, values: &mut [f64]) -> Result<(), FitError> {
    for (address, min, max) in &options.bounds {
        let given = |pairs: &[(String, f64)]| pairs.iter().any(|(given, _)| given == address);
        if min <= max && !given(&options.starts) && !given(&options.fixed) {
            for index in model.find(address)? {
                values[index] = values[index].clamp(*min, *max);
            }
        }
    }
    Ok(())
}

fn priors(
    model: &Model,
    unknowns: &[Unknown],
    options: &FitOptions,
) -> Result<Vec<Prior>, FitError> {
    let mut out = Vec::new();
    for (address, value, weight) in &options.tikhonov {
        for index in model.find(address)? {
            let unknown = unknowns.iter().position(|u| u.place == Place::Param(index));
            let Some(unknown) = unknown else { continue };
            let u = &unknowns[unknown];
            if !(*value >= u.min && *value <= u.max && *weight >= 0.0) {
                return Err(FitError::Prior {
                    address: address.clone(),
                    value: *value,
                    weight: *weight,
                });
            }
            out.push(Prior {
                unknown,
                value: *value,
                weight: *weight,
            });
        }
    }
    Ok(out)
}

/// A size for a parameter that starts at zero, by its unit.
fn typical(unit: &str, shape: &Features) -> f64 {
    match unit {
        "N/m" | "N m/rad" => shape.secant,
        "N" | "N m" => shape.force,
        "m" | "rad" => shape.amplitude,
        "m/s" | "rad/s" => shape.speed.max(1e-9),
        "N s/m" | "N m s/rad" => shape.force / shape.speed.max(1e-9),
        unit => match power(unit) {
            Some((true, n)) => shape.secant / shape.amplitude.powi(n - 1),
            Some((false, n)) => shape.force / shape.speed.max(1e-9).powi(n),
            None => 1.0,
        },
    }
}

/// Factor by which a guess from units may be wrong, either way.
const SPREAD: f64 = 5.0;
/// Variations of the guess that are tried where it may be far off.
const VARIATIONS: usize = 40;
/// Variations from which a descent starts.
const TRIED: usize = 4;

/// Values to descend from: the guess, and the best of a seeded set of variations.
pub(crate) fn starts(
    objective: &Objective<'_>,
    targets: &[Test],
    options: &FitOptions,
) -> Vec<Vec<f64>> {
    let (model, unknowns) = (objective.model, objective.unknowns);
    let first = first_values_of(model, unknowns, targets);
    if !far_off(model, unknowns, options) {
        return vec![first];
    }
    let mut starts = loops::start::starts(objective, targets, &first, options);
    let tried = TRIED.saturating_sub(starts.len());
    let best = varied(objective, &first, options.seed)
        .into_iter()
        .take(tried);
    starts.push(first);
    starts.extend(best);
    for start in &mut starts {
        weights::project(objective, start);
    }
    starts
}

/// The unknowns at the values and coefficients of a model; what belongs to a test as the test begins.
pub(crate) fn first_values_of(model: &Model, unknowns: &[Unknown], targets: &[Test]) -> Vec<f64> {
    let each = unknowns.iter().map(|u| first_value(model, targets, u));
    each.collect()
}

/// The first value of an unknown.
pub(crate) fn first_value(model: &Model, targets: &[Test], u: &Unknown) -> f64 {
    let coefficient = |param: usize, k: usize| {
        let own = model.following().iter().find(|f| f.param == param)?;
        own.coefficients.get(k).copied()
    };
    match u.place {
        Place::Param(index) => model.values()[index],
        Place::Coefficient { param, k } => coefficient(param, k).unwrap_or_default(),
        place => place
            .target()
            .map_or(0.0, |k| targets[k].first_value(model, u)),
    }
}

/// Whether the guess may be far off: it is only of the right size, and not all of it was given.
pub(crate) fn far_off(model: &Model, unknowns: &[Unknown], options: &FitOptions) -> bool {
    let parts = model.assembly().parts();
    let solved = parts.iter().all(|p| p.element.law().guess_solves());
    let given = unknowns
        .iter()
        .filter(|u| matches!(u.place, Place::Param(_)))
        .all(|u| options.starts.iter().any(|(address, _)| *address == u.name));
    !solved && !given
}

/// Other values to descend from, where those of [`starts`] led to no sound result.
pub(crate) fn elsewhere(
    objective: &Objective<'_>,
    first: &[f64],
    options: &FitOptions,
) -> Vec<Vec<f64>> {
    let varied = varied(objective, first, options.seed.wrapping_add(1));
    varied.into_iter().take(TRIED).collect()
}

/// Variations of the first values, those with the lowest cost first.
fn varied(objective: &Objective<'_>, first: &[f64], seed: u64) -> Vec<Vec<f64>> {
    let (model, unknowns) = (objective.model, objective.unknowns);
    // A matrix is known to some extent; far from it a structure is unstable.
    let of_matrix = |index: usize| {
        let structure = model.system().is_some_and(|m| m.dofs() > 1);
        structure && index >= model.assembly().param_count()
    };
    // What belongs to a test and begins at zero, as the offset of a rig that was zeroed, stays there.
    let sizes: Vec<f64> = unknowns
        .iter()
        .map(|u| match u.place {
            Place::Param(_) => u.typical,
            _ => 0.0,
        })
        .collect();
    let varied = variations(first, &sizes, SPREAD, VARIATIONS, seed);
    let mut tried: Vec<(f64, Vec<f64>)> = varied
        .into_iter()
        .enumerate()
        .take_while(|(k, _)| !objective.stopped(first, *k))
        .map(|(_, mut v)| {
            for ((value, u), first) in v.iter_mut().zip(unknowns).zip(first) {
                // Coefficients are exponents and slopes, which no factor varies.
                let known = match u.place {
                    Place::Param(i) => of_matrix(i),
                    Place::Coefficient { .. } => true,
                    _ => false,
                };
                *value = if known { *first } else { *value }.clamp(u.min, u.max);
            }
            (objective.cost(&v).unwrap_or(f64::INFINITY), v)
        })
        .collect();
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    tried.into_iter().map(|(_, values)| values).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{model, record};
    use masing_sim::Numerics;

    fn given(pairs: &[(&str, f64)]) -> Vec<(String, f64)> {
        pairs.iter().map(|(a, v)| ((*a).to_owned(), *v)).collect()
    }

    #[test]
    fn the_best_variation_of_a_guess_is_a_start() {
        let model = model("bouc-wen+dashpot");
        let mut tests = [record(
            &model,
            &[2e5, 400.0, 100.0, 1.0, 300.0],
            600,
            0.0,
            1,
        )];
        let options = FitOptions::default();
        let set = set_up(&model, &mut tests, &options, &Progress::new(None)).expect("a problem");
        let objective = Objective::new(&set.model, &tests, &set.unknowns, set.rules.clone());
        let found = starts(&objective, &tests, &options);
        // The guess is never missing, and no more are tried than a search has time for.
        assert!(found.len() <= 2 * TRIED + 1, "{}", found.len());
        assert!(found.contains(&set.model.values().to_vec()));
        // All starts given: nothing else is tried.
        let all = given(&[
            ("bouc-wen.a", 1e5),
            ("bouc-wen.beta", 1.0),
            ("bouc-wen.gamma", 0.0),
            ("bouc-wen.n", 1.0),
            ("dashpot.c", 1.0),
        ]);
        let options = FitOptions {
            starts: all,
            ..FitOptions::default()
        };
        assert!(!far_off(&set.model, &set.unknowns, &options));
        assert!(!elsewhere(&objective, &found[0], &options).contains(&found[0]));
    }

    #[test]
    fn who_asks_to_stop_waits_for_no_first_values() {
        let model = model("rt");
        let options = FitOptions::default();
        let steps = |stop: bool| {
            let mut tests = [record(&model, model.values(), 60, 0.0, 1)];
            let watch = move |_: &[f64], _: f64, _: usize| stop;
            let progress = Progress::new(Some(&watch));
            let set = set_up(&model, &mut tests, &options, &progress).expect("a problem");
            let objective = Objective::new(&set.model, &tests, &set.unknowns, set.rules.clone());
            let objective = objective.watched(Some(&watch));
            let others = elsewhere(&objective, set.model.values(), &options).len();
            (tests[0].numerics() == Numerics::default(), others)
        };
        assert_eq!(steps(false), (false, TRIED));
        assert_eq!(steps(true), (true, 0));
    }

    #[test]
    fn what_is_fixed_is_not_sought_and_bounds_narrow() {
        let model = model("spring+dashpot");
        let mut tests = [record(&model, &[1e5, 300.0], 100, 0.0, 1)];
        let options = FitOptions {
            fixed: given(&[("spring.k", 2e5)]),
            bounds: vec![("dashpot.c".to_owned(), 10.0, 1e3)],
            ..FitOptions::default()
        };
        let set = set_up(&model, &mut tests, &options, &Progress::new(None)).expect("a problem");
        assert_eq!(set.model.values()[0], 2e5);
        let [c] = set.unknowns.as_slice() else {
            panic!("one unknown: {:?}", set.unknowns)
        };
        assert_eq!((c.name.as_str(), c.min, c.max), ("dashpot.c", 10.0, 1e3));
        let wrong = FitOptions {
            starts: given(&[("dashpot.c", 5.0)]),
            ..options.clone()
        };
        assert!(matches!(
            set_up(&model, &mut tests, &wrong, &Progress::new(None)),
            Err(FitError::StartOutside { .. })
        ));
        let both = given(&[("spring.k", 1.0), ("dashpot.c", 1.0)]);
        let nothing = FitOptions {
            fixed: both,
            ..FitOptions::default()
        };
        assert!(matches!(
            set_up(&model, &mut tests, &nothing, &Progress::new(None)),
            Err(FitError::NothingFree)
        ));
    }
}
