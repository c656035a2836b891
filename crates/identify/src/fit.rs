//! The main job: tests and a model in, parameters with error bars out.

use crate::error::FitError;
use crate::features::{Features, features};
use crate::objective::{Objective, Watch, Weights};
use crate::optimise::{LeastSquares, Outcome, Stop};
use crate::search::{Effort, search};
use crate::start::{guess, variations};
use crate::target::{Start, Target};
use crate::trust::{Status, TestOutcome, Trust, outcome, outcomes, trust};
use crate::unknown::{Place, Unknown, free_parameters};
use crate::warning::{Warning, warnings};
use masing_model::{Assembly, Scale};
use masing_sim::Prescribed;

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Parameters held at a value, by address.
    pub fixed: Vec<(String, f64)>,
    /// Parameters started at a value, by address.
    pub starts: Vec<(String, f64)>,
    /// Ranges narrower than those of the elements, by address.
    pub bounds: Vec<(String, f64, f64)>,
    /// How tests count against each other.
    pub weights: Weights,
    /// Seed of the variations of the start.
    pub seed: u64,
    /// How hard to look.
    pub effort: Effort,
}

/// One parameter of the model after the fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Address.
    pub address: String,
    /// Value.
    pub value: f64,
    /// Standard error; `None` for a parameter that was given.
    pub std_error: Option<f64>,
    /// Interval that holds the truth in 95 of 100 cases.
    pub ci95: Option<[f64; 2]>,
    /// Whether it can be trusted.
    pub status: Status,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Fit {
    /// All parameters of the model.
    pub p: Vec<f64>,
    /// The same with error bars.
    pub parameters: Vec<Found>,
    /// Numbers found beside the parameters: offsets, delays, start states.
    pub others: Vec<(String, f64)>,
    /// How the tests that were fitted turned out.
    pub tests: Vec<TestOutcome>,
    /// How the tests that were held out turned out.
    pub validation: Vec<TestOutcome>,
    /// Relative error over all fitted tests, each with the same share.
    pub relative: f64,
    /// Mean square of residuals over noise, where the noise is known.
    pub chi2_dof: Option<f64>,
    /// Why the search stopped.
    pub stop: Stop,
    /// Evaluations of all tests.
    pub evaluations: usize,
    /// Correlations and the weakest direction.
    pub trust: Trust,
    /// What was sought.
    pub unknowns: Vec<Unknown>,
    /// Predicted forces, fitted tests first, then those held out.
    pub predicted: Vec<Vec<f64>>,
    /// The tests as they were simulated.
    pub targets: Vec<Target>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// Fits `assembly` to the tests of `fitted` and predicts those of `held_out`.
pub fn fit(
    assembly: &Assembly,
    mut fitted: Vec<Target>,
    mut held_out: Vec<Target>,
    options: &FitOptions,
    watch: Option<&Watch<'_>>,
) -> Result<Fit, FitError> {
    let shape = largest_loop(&fitted)?;
    let (values, unknowns) = set_up(assembly, &fitted, options, &shape)?;
    for target in fitted.iter_mut().chain(&mut held_out) {
        target.choose_numerics(assembly, &values)?;
    }
    let mut starts = starts(assembly, &values, &unknowns, &fitted, options);
    let mut evaluations = 0;
    let mut rounds = 0;
    let mut effort = options.effort;
    // The steps are frozen during a search and checked again at its end.
    let outcome = loop {
        let objective = Objective::new(assembly, &values, &fitted, &unknowns, options.weights);
        let objective = match watch {
            Some(watch) => objective.watched(watch),
            None => objective,
        };
        let found = search(&objective, &starts, &effort).ok_or(FitError::NoStart)?;
        if found.stop == Stop::BadStart {
            return Err(FitError::NoStart);
        }
        evaluations += found.evaluations;
        let at = objective.values_of(&found.x);
        let p = objective.parameters(&at);
        let mut finer = false;
        let mut refined = fitted.clone();
        for target in &mut refined {
            let before = target.numerics;
            target.choose_numerics(assembly, &p)?;
            finer |= target.numerics.increment < 0.99 * before.increment
                || target.numerics.max_dt < 0.99 * before.max_dt;
        }
        rounds += 1;
        if !finer || found.stop == Stop::Interrupted || rounds == MOST_ROUNDS {
            break found;
        }
        fitted = refined;
        starts = vec![at];
        // The right minimum is known by now; finer steps only move it a little.
        effort.valley = false;
    };
    let objective = Objective::new(assembly, &values, &fitted, &unknowns, options.weights);
    summarise(&objective, &outcome, held_out, evaluations, assembly)
}

/// Searches with finer and finer steps before the last one is taken.
const MOST_ROUNDS: usize = 4;

/// Features of the test with the largest amplitude.
fn largest_loop(fitted: &[Target]) -> Result<Features, FitError> {
    if fitted.is_empty() {
        return Err(FitError::NoTests);
    }
    fitted
        .iter()
        .filter_map(features)
        .max_by(|a, b| a.amplitude.total_cmp(&b.amplitude))
        .ok_or(FitError::NoLoop)
}

/// All parameters at their first values, and what is sought.
fn set_up(
    assembly: &Assembly,
    fitted: &[Target],
    options: &FitOptions,
    shape: &Features,
) -> Result<(Vec<f64>, Vec<Unknown>), FitError> {
    let mut values = guess(assembly, shape);
    for (address, value) in options.starts.iter().chain(&options.fixed) {
        for index in assembly.find(address)? {
            values[index] = *value;
        }
    }
    assembly.check(&values)?;
    let fixed: Vec<String> = options
        .fixed
        .iter()
        .map(|(address, _)| address.clone())
        .collect();
    let mut unknowns = free_parameters(assembly, &fixed)?;
    for (address, min, max) in &options.bounds {
        for index in assembly.find(address)? {
            if let Some(u) = unknowns.iter_mut().find(|u| u.place == Place::Param(index)) {
                (u.min, u.max) = (u.min.max(*min), u.max.min(*max));
            }
        }
    }
    for u in &mut unknowns {
        if let Place::Param(index) = u.place {
            if values[index] < u.min || values[index] > u.max {
                return Err(FitError::StartOutside {
                    address: u.name.clone(),
                    value: values[index],
                    min: u.min,
                    max: u.max,
                });
            }
            if u.scale == Scale::Linear {
                u.typical = if values[index] == 0.0 {
                    typical(assembly, index, shape)
                } else {
                    values[index].abs()
                };
            }
        }
    }
    if unknowns.is_empty() {
        return Err(FitError::NothingFree);
    }
    for (k, target) in fitted.iter().enumerate() {
        unknowns.extend(disturbances(assembly, target, k));
    }
    let samples: usize = fitted.iter().map(|t| t.samples().count()).sum();
    if samples <= unknowns.len() {
        return Err(FitError::TooFewSamples {
            samples,
            unknowns: unknowns.len(),
        });
    }
    Ok((values, unknowns))
}

/// A size for a parameter that starts at zero, by its unit.
fn typical(assembly: &Assembly, index: usize, shape: &Features) -> f64 {
    match assembly
        .params()
        .nth(index)
        .map_or("", |(_, p)| p.unit.as_str())
    {
        "N/m" => shape.secant,
        "N" => shape.force,
        "m" => shape.amplitude,
        "N s/m" => shape.force / shape.speed.max(1e-9),
        _ => 1.0,
    }
}

/// What is sought beside the parameters for one test.
fn disturbances(assembly: &Assembly, target: &Target, k: usize) -> Vec<Unknown> {
    let linear = |name: &str, place: Place, typical: f64, min: f64, max: f64| Unknown {
        name: format!("{} {name}", target.name),
        place,
        min,
        max,
        scale: Scale::Linear,
        typical,
    };
    let wide = (f64::NEG_INFINITY, f64::INFINITY);
    let x = target.motion.x();
    let amplitude = x
        .iter()
        .fold(0.0_f64, |m, q| m.max((q - x[0]).abs()))
        .max(f64::MIN_POSITIVE);
    let mut out = Vec::new();
    if target.nuisance.force_offset {
        out.push(linear(
            "force offset",
            Place::ForceOffset(k),
            target.peak(),
            wide.0,
            wide.1,
        ));
    }
    if target.nuisance.motion_offset {
        out.push(linear(
            "displacement offset",
            Place::MotionOffset(k),
            amplitude,
            -10.0 * amplitude,
            10.0 * amplitude,
        ));
    }
    if target.nuisance.delay {
        let (t, n) = (target.motion.time(), target.motion.len());
        let step = (t[n - 1] - t[0]) / (n - 1) as f64;
        out.push(linear(
            "delay",
            Place::Delay(k),
            step,
            -20.0 * step,
            20.0 * step,
        ));
    }
    if target.nuisance.moving_mass.is_some_and(|m| m < 0.0) {
        let a = target
            .acceleration()
            .iter()
            .fold(0.0_f64, |m, a| m.max(a.abs()));
        let size = if a > 0.0 {
            0.1 * target.peak() / a
        } else {
            1.0
        };
        out.push(linear(
            "moving mass",
            Place::MovingMass(k),
            size,
            0.0,
            1e3 * size,
        ));
    }
    if target.start == Start::Free {
        for (state, (name, spec)) in assembly.states().enumerate() {
            // The reference of a chain is where it is unstrained; together with the cells it would
            // be counted twice.
            if name.ends_with(".reference") {
                continue;
            }
            let size = if spec.unit == "N" {
                target.peak()
            } else {
                amplitude
            };
            out.push(linear(
                &format!("start of {name}"),
                Place::Start { target: k, state },
                size,
                wide.0,
                wide.1,
            ));
        }
    }
    out
}

/// The guess, and the best of a seeded set of variations where a guess by units may be far off.
fn starts(
    assembly: &Assembly,
    values: &[f64],
    unknowns: &[Unknown],
    fitted: &[Target],
    options: &FitOptions,
) -> Vec<Vec<f64>> {
    let first: Vec<f64> = unknowns
        .iter()
        .map(|u| match u.place {
            Place::Param(index) => values[index],
            _ => 0.0_f64.clamp(u.min, u.max),
        })
        .collect();
    let chain_only = assembly
        .parts()
        .iter()
        .all(|p| ["rt", "sts", "spring", "dashpot"].contains(&p.kind.as_str()));
    let given = unknowns
        .iter()
        .filter(|u| matches!(u.place, Place::Param(_)))
        .all(|u| options.starts.iter().any(|(address, _)| *address == u.name));
    if chain_only || given {
        return vec![first];
    }
    let objective = Objective::new(assembly, values, fitted, unknowns, options.weights);
    let mut tried: Vec<(f64, Vec<f64>)> = variations(&first, 5.0, 40, options.seed)
        .into_iter()
        .map(|mut v| {
            for (value, u) in v.iter_mut().zip(unknowns) {
                *value = value.clamp(u.min, u.max);
            }
            let x: Vec<f64> = unknowns
                .iter()
                .zip(&v)
                .map(|(u, &v)| u.internal(v))
                .collect();
            (
                objective
                    .linearise(&x)
                    .map_or(f64::INFINITY, |at| at.r.norm_squared()),
                v,
            )
        })
        .collect();
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    std::iter::once(first)
        .chain(tried.into_iter().take(4).map(|(_, v)| v))
        .collect()
}

fn summarise(
    objective: &Objective<'_>,
    outcome: &Outcome,
    held_out: Vec<Target>,
    evaluations: usize,
    assembly: &Assembly,
) -> Result<Fit, FitError> {
    let values = objective.values_of(&outcome.x);
    let p = objective.parameters(&values);
    let tests = outcomes(objective, &outcome.at);
    let trust = trust(objective, &outcome.x, &outcome.at, &tests);
    let parameters = assembly
        .params()
        .enumerate()
        .map(|(index, (address, param))| {
            let sought = objective
                .unknowns
                .iter()
                .position(|u| u.place == Place::Param(index));
            let value = p[index];
            match sought {
                None => Found {
                    address,
                    value,
                    std_error: None,
                    ci95: None,
                    status: Status::Fixed,
                },
                Some(i) => {
                    let error = trust.std_error[i];
                    let reach = match param.scale() {
                        // By factors: the interval never crosses zero.
                        Scale::Log => {
                            let factor = (1.96 * error / value).exp();
                            [value / factor, value * factor]
                        }
                        Scale::Linear => [value - 1.96 * error, value + 1.96 * error],
                    };
                    Found {
                        address,
                        value,
                        std_error: Some(error),
                        ci95: Some(reach),
                        status: trust.status[i],
                    }
                }
            }
        })
        .collect();
    let others = objective
        .unknowns
        .iter()
        .zip(&values)
        .filter(|(u, _)| !matches!(u.place, Place::Param(_) | Place::Start { .. }))
        .map(|(u, &v)| (u.name.clone(), v))
        .collect();
    let mut predicted = Vec::new();
    for k in 0..objective.targets.len() {
        predicted.push(objective.predict(k, &values)?.force);
    }
    let mut validation = Vec::new();
    for target in &held_out {
        let force = predict(assembly, &p, target)?;
        validation.push(compare(target, &force));
        predicted.push(force);
    }
    let count: usize = tests.iter().map(|t| t.samples).sum();
    let known = tests.iter().all(|t| t.noise_known);
    let chi2: f64 = tests
        .iter()
        .map(|t| t.samples as f64 * (t.rms / t.noise).powi(2))
        .sum();
    let relative =
        (tests.iter().map(|t| t.relative.powi(2)).sum::<f64>() / tests.len() as f64).sqrt();
    let mut fit = Fit {
        p,
        parameters,
        others,
        relative,
        chi2_dof: known.then(|| chi2 / (count - values.len()) as f64),
        tests,
        validation,
        stop: outcome.stop,
        evaluations,
        trust,
        unknowns: objective.unknowns.to_vec(),
        predicted,
        targets: objective.targets.iter().cloned().chain(held_out).collect(),
        warnings: Vec::new(),
    };
    fit.warnings = warnings(&fit);
    Ok(fit)
}

/// The force of a model in a test that it was not fitted to.
pub fn predict(assembly: &Assembly, p: &[f64], target: &Target) -> Result<Vec<f64>, FitError> {
    let unknowns = [];
    match target.start {
        Start::Periodic => {
            let targets = [target.clone()];
            let objective = Objective::new(assembly, p, &targets, &unknowns, Weights::Equal);
            Ok(objective.predict(0, &[])?.force)
        }
        Start::Rest | Start::Free => {
            Ok(Prescribed::new(assembly, &target.motion, target.numerics).run(p)?)
        }
    }
}

/// Compares a predicted force with a test.
pub fn compare(target: &Target, force: &[f64]) -> TestOutcome {
    let residual: Vec<f64> = target
        .samples()
        .map(|i| force[i] - target.force[i])
        .collect();
    outcome(target, &residual, 0.0)
}
