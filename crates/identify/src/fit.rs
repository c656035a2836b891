//! The main job: tests and a model in, parameters with error bars out.

use crate::error::FitError;
use crate::held_out::predict_held_out;
use crate::leave_one_out::{Left, leave_one_out};
use crate::loops;
use crate::loss::{KNEE, Loss};
use crate::masses;
use crate::objective::{Objective, Rules, Watch, Weights};
use crate::optimise::{Outcome, Stop};
use crate::outcome::{TestOutcome, outcomes};
use crate::overlooked::{outliers, overlooked};
use crate::profile::{Profile, profile};
use crate::progress::Progress;
use crate::rivals::{Rival, widen};
use crate::search::{Effort, Method, ROUGH, Searched, first_look, search};
use crate::set_up::{SetUp, set_up, starts};
use crate::target::{Content, Target};
use crate::trust::{Normals, Status, Trust, status, student, trust};
use crate::unknown::{Place, Unknown};
use crate::warning::{Warning, warnings};
use masing_model::{Model, Scale};

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Parameters held at a value, by address.
    pub fixed: Vec<(String, f64)>,
    /// Parameters started at a value, by address.
    pub starts: Vec<(String, f64)>,
    /// Parameters sought although they are not by default: what masses start with, by address.
    pub free: Vec<String>,
    /// Ranges narrower than those of the elements, by address.
    pub bounds: Vec<(String, f64, f64)>,
    /// Parameters held towards a value with a weight (Tikhonov), by address.
    pub tikhonov: Vec<(String, f64, f64)>,
    /// How tests count against each other.
    pub weights: Weights,
    /// How much large residuals count.
    pub loss: Loss,
    /// Seed of the variations of the start.
    pub seed: u64,
    /// How hard to look.
    pub effort: Effort,
    /// Parameters whose likelihood is followed away from the optimum, by address.
    pub profiles: Vec<String>,
    /// Whether every test is left out once, where there are three or more.
    pub leave_one_out: bool,
    /// Tests simulated at the same time.
    pub workers: usize,
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
    /// Standard error from leaving out one test at a time, where there are three or more.
    pub leave_one_out: Option<f64>,
    /// Whether it can be trusted.
    pub status: Status,
}

/// A number that belongs to a test, not to the part.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// Test and kind.
    pub name: String,
    /// What it is.
    pub place: Place,
    /// Value.
    pub value: f64,
    /// Standard error.
    pub std_error: f64,
    /// Interval that holds the truth in 95 of 100 cases, within the range that was searched.
    pub ci95: [f64; 2],
    /// Whether it can be trusted.
    pub status: Status,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The model with the values found.
    pub model: Model,
    /// Its parameters with error bars.
    pub parameters: Vec<Found>,
    /// Numbers found beside the parameters: offsets, delays, masses of the rig.
    pub others: Vec<Other>,
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
    /// How the error fell: evaluations so far and relative error.
    pub history: Vec<(usize, f64)>,
    /// Correlations and the weakest direction.
    pub trust: Trust,
    /// What was sought.
    pub unknowns: Vec<Unknown>,
    /// The parameters without each test in turn.
    pub left_out: Vec<Left>,
    /// The likelihood along parameters, where it was asked for.
    pub profiles: Vec<Profile>,
    /// Predicted values, fitted tests first, then those held out.
    pub predicted: Vec<Vec<f64>>,
    /// The tests as they were simulated.
    pub targets: Vec<Target>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// Searches with finer and finer steps before the last one is taken.
const MOST_ROUNDS: usize = 4;

/// Searches with residual scales taken from the last one, for robust losses.
const ROBUST_ROUNDS: usize = 2;

/// Fits `model` to the tests of `fitted` and predicts those of `held_out`.
pub fn fit(
    model: &Model,
    mut fitted: Vec<Target>,
    held_out: Vec<Target>,
    options: &FitOptions,
    watch: Option<&Watch<'_>>,
) -> Result<Fit, FitError> {
    if options.effort.method == Method::SemiAnalytic {
        return loops::by_formula(model, fitted, held_out);
    }
    let SetUp {
        model,
        unknowns,
        rules,
        guess,
    } = set_up(model, &fitted, options)?;
    for target in &mut fitted {
        target.choose_numerics(&model, model.values())?;
    }
    let progress = Progress::new(watch);
    let mut job = Job {
        model: &model,
        unknowns: &unknowns,
        fitted,
        rules,
        effort: options.effort,
        progress: &progress,
    };
    let found = job.elements_first(options, guess.as_deref())?;
    let Searched {
        best: mut outcome,
        mut rivals,
    } = match found {
        Some(found) => found,
        None => job.first_search(options, guess.as_deref())?,
    };
    job.settle_steps(&mut outcome)?;
    if options.weights == Weights::Noise && job.guess_noise(&outcome)? {
        job.search_again(&mut outcome)?;
        // Minima of another cost say nothing about this one.
        rivals.clear();
    }
    if options.loss != Loss::Linear {
        job.rules.loss = options.loss;
        rivals.clear();
        for _ in 0..ROBUST_ROUNDS {
            job.take_scales(&outcome)?;
            job.search_again(&mut outcome)?;
        }
    }
    let fitted = std::mem::take(&mut job.fitted);
    let objective = Objective::new(&model, &fitted, &unknowns, job.rules.clone());
    summarise(&objective, &outcome, &rivals, held_out, options, &progress)
}

/// A fit under way.
struct Job<'a> {
    model: &'a Model,
    unknowns: &'a [Unknown],
    fitted: Vec<Target>,
    rules: Rules,
    effort: Effort,
    progress: &'a Progress<'a>,
}

impl Job<'_> {
    /// A structure whose matrices are sought too: they are near their values already, so that the
    /// elements are sought first, together with the damping and stiffness beside them, which can
    /// take their place. That is done with the matrices as given and as guessed, and all are sought
    /// together only from the better of the two. `None` where there is nothing of the kind.
    fn elements_first(
        &self,
        options: &FitOptions,
        guess: Option<&[f64]>,
    ) -> Result<Option<Searched>, FitError> {
        let apart = |u: &Unknown| matches!(u.place, Place::Param(i) if masses::apart_from_elements(self.model, i));
        let own: Vec<Unknown> = self
            .unknowns
            .iter()
            .filter(|u| !apart(u))
            .cloned()
            .collect();
        if own.is_empty() || own.len() == self.unknowns.len() {
            return Ok(None);
        }
        let guessed = guess.map(|values| self.model.with(values.to_vec()));
        let guessed = guessed.transpose()?;
        // Near enough is good enough for what all are then sought together from.
        let fitted = first_look(&self.fitted).unwrap_or_else(|| self.fitted.clone());
        let rough = Effort {
            descent: ROUGH,
            ..self.effort
        };
        let mut best: Option<(f64, Vec<f64>)> = None;
        for model in std::iter::once(self.model).chain(&guessed) {
            let job = Job {
                model,
                unknowns: &own,
                fitted: fitted.clone(),
                rules: self.rules.among(self.unknowns, &own),
                effort: rough,
                progress: self.progress,
            };
            let Ok(Searched { best: found, .. }) = job.first_search(options, None) else {
                continue;
            };
            let values = job.objective(&job.fitted).values_of(&found.x);
            let mut values = own.iter().zip(values);
            let all = self.unknowns.iter().map(|u| match u.place {
                Place::Param(index) if apart(u) => model.values()[index].clamp(u.min, u.max),
                _ => values.next().map_or(0.0, |(_, value)| value),
            });
            let all = all.collect();
            if found.cost < best.as_ref().map_or(f64::INFINITY, |(cost, _)| *cost) {
                best = Some((found.cost, all));
            }
            if found.stop == Stop::Interrupted {
                break;
            }
        }
        let (_, start) = best.ok_or(FitError::NoStart)?;
        let objective = self.objective(&self.fitted);
        let norm = objective.norm();
        let watch = |x: &[f64], cost: f64, n: usize| self.progress.watch(x, cost / norm, n);
        let objective = objective.watched(Some(&watch));
        self.accept(search(&objective, None, &[start], &self.nearby()))
            .map(Some)
    }

    /// How to go on from near a minimum: Jacobians settle at once what gradients would take long for.
    fn nearby(&self) -> Effort {
        Effort {
            valley: false,
            far: false,
            method: match self.effort.method {
                Method::Auto => Method::TrustRegion,
                method => method,
            },
            ..self.effort
        }
    }

    /// From the starts to the deepest minimum; `guess` is the automatic one
    /// where starts were given: a start from which nothing leads on must not be the end.
    fn first_search(
        &self,
        options: &FitOptions,
        guess: Option<&[f64]>,
    ) -> Result<Searched, FitError> {
        let objective = self.objective(&self.fitted);
        let norm = objective.norm();
        let watch = |x: &[f64], cost: f64, n: usize| self.progress.watch(x, cost / norm, n);
        let objective = objective.watched(Some(&watch));
        let coarse = first_look(&self.fitted);
        let first = coarse.as_ref().map(|tests| self.objective(tests));
        let norm = first.as_ref().map_or(1.0, Objective::norm);
        let glance = |x: &[f64], cost: f64, n: usize| self.progress.glance(x, cost / norm, n);
        let first = first.map(|first| first.watched(Some(&glance)));
        let looking = first.as_ref().unwrap_or(&objective);
        let mut starts = starts(looking, &self.fitted, options);
        let other = guess.map(|guess| {
            let mut other = starts[0].clone();
            for (value, u) in other.iter_mut().zip(self.unknowns) {
                if let Place::Param(index) = u.place {
                    *value = guess[index].clamp(u.min, u.max);
                }
            }
            other
        });
        starts.extend(other);
        let Some(fewer) = self.with_fewer_rows() else {
            let found = search(&objective, first.as_ref(), &starts, &self.effort);
            return self.accept(found);
        };
        let fewer = self.objective(&fewer);
        let norm = fewer.norm();
        let glance = |x: &[f64], cost: f64, n: usize| self.progress.glance(x, cost / norm, n);
        let fewer = fewer.watched(Some(&glance));
        let mut near = self.accept(search(&fewer, first.as_ref(), &starts, &self.effort))?;
        self.search_again(&mut near.best)?;
        Ok(near)
    }

    /// The tests with fewer rows between the samples, where some have many.
    fn with_fewer_rows(&self) -> Option<Vec<Target>> {
        let fewer = |t: &Target| t.with_fewer_rows();
        if !self.fitted.iter().any(|t| fewer(t).is_some()) {
            return None;
        }
        let each = self.fitted.iter();
        Some(
            each.map(|t| fewer(t).unwrap_or_else(|| t.clone()))
                .collect(),
        )
    }

    fn objective<'o>(&'o self, targets: &'o [Target]) -> Objective<'o> {
        Objective::new(self.model, targets, self.unknowns, self.rules.clone())
    }

    fn accept(&self, found: Option<Searched>) -> Result<Searched, FitError> {
        let sound = |best: &Outcome| best.stop != Stop::BadStart && best.cost.is_finite();
        let found = found
            .filter(|found| sound(&found.best))
            .ok_or(FitError::NoStart)?;
        self.progress.spent(found.best.evaluations);
        Ok(found)
    }

    /// Goes on from the last minimum, whose neighbourhood is known by now.
    fn search_again(&self, outcome: &mut Outcome) -> Result<(), FitError> {
        if outcome.stop == Stop::Interrupted {
            return Ok(());
        }
        let objective = self.objective(&self.fitted);
        let norm = objective.norm();
        let watch = |x: &[f64], cost: f64, n: usize| self.progress.watch(x, cost / norm, n);
        let objective = objective.watched(Some(&watch));
        let start = [objective.values_of(&outcome.x)];
        *outcome = self
            .accept(search(&objective, None, &start, &self.nearby()))?
            .best;
        Ok(())
    }

    /// The steps are frozen during a search and checked again at its end.
    fn settle_steps(&mut self, outcome: &mut Outcome) -> Result<(), FitError> {
        for _ in 1..MOST_ROUNDS {
            let p = {
                let objective = self.objective(&self.fitted);
                objective.parameters(&objective.values_of(&outcome.x))
            };
            let mut refined = self.fitted.clone();
            let mut finer = false;
            for target in &mut refined {
                let before = (target.numerics(), cycles(target));
                target.choose_numerics(self.model, &p)?;
                let after = (target.numerics(), cycles(target));
                finer |= after.0.increment < 0.99 * before.0.increment
                    || after.0.max_dt < 0.99 * before.0.max_dt
                    || after.1 > before.1;
            }
            if !finer || outcome.stop == Stop::Interrupted {
                break;
            }
            self.fitted = refined;
            self.search_again(outcome)?;
        }
        Ok(())
    }

    /// Takes the noise of tests that do not show it from the residual; whether there were any.
    fn guess_noise(&mut self, outcome: &Outcome) -> Result<bool, FitError> {
        let tests = self.compare(outcome)?;
        let mut any = false;
        for (target, test) in self.fitted.iter_mut().zip(&tests) {
            if test.noise_known {
                continue;
            }
            any = true;
            target.noise_guessed = true;
            match &mut target.content {
                Content::Rig(rig) => rig.noise = Some(test.noise),
                Content::Table(table) => table.noise = Some(test.noise),
                Content::Driven(driven) => {
                    for channel in &mut driven.channels {
                        channel
                            .noise
                            .get_or_insert(test.relative * size(&channel.measured));
                    }
                }
            }
        }
        Ok(any)
    }

    /// Where residuals begin to count less, from the spread of the middle half of them.
    fn take_scales(&mut self, outcome: &Outcome) -> Result<(), FitError> {
        let tests = self.compare(outcome)?;
        self.rules.scales = tests
            .iter()
            .map(|test| {
                let mut sizes: Vec<f64> = test.weighted.iter().map(|r| r.abs()).collect();
                sizes.sort_by(f64::total_cmp);
                let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
                // 1.4826: the standard deviation of a normal distribution over its median size.
                (KNEE * 1.4826 * median).max(1e-9)
            })
            .collect();
        Ok(())
    }

    fn compare(&self, outcome: &Outcome) -> Result<Vec<TestOutcome>, FitError> {
        let objective = self.objective(&self.fitted);
        let predicted = predictions(&objective, &objective.values_of(&outcome.x))?;
        Ok(outcomes(&objective, &predicted))
    }
}

/// Cycles that a test is repeated.
fn cycles(target: &Target) -> usize {
    match &target.content {
        Content::Rig(rig) => rig.cycles,
        Content::Table(table) => table.points.iter().map(|p| p.cycles).max().unwrap_or(1),
        Content::Driven(driven) => driven.cycles(),
    }
}

fn size(values: &[f64]) -> f64 {
    let finite: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    (finite.iter().map(|v| v * v).sum::<f64>() / finite.len().max(1) as f64).sqrt()
}

fn predictions(objective: &Objective<'_>, values: &[f64]) -> Result<Vec<Vec<f64>>, FitError> {
    (0..objective.targets.len())
        .map(|k| Ok(objective.predict(k, values, false)?.values))
        .collect()
}

fn summarise(
    objective: &Objective<'_>,
    outcome: &Outcome,
    rivals: &[Rival],
    mut held_out: Vec<Target>,
    options: &FitOptions,
    progress: &Progress<'_>,
) -> Result<Fit, FitError> {
    let values = objective.values_of(&outcome.x);
    let model = objective.model.with(objective.parameters(&values))?;
    let mut predicted = predictions(objective, &values)?;
    let tests = outcomes(objective, &predicted);
    let normals = Normals::new(objective, &outcome.at);
    let mut trust = trust(objective, &outcome.x, &normals, &tests);
    let interrupted = outcome.stop == Stop::Interrupted;
    let left_out = if options.leave_one_out && objective.targets.len() >= 3 && !interrupted {
        leave_one_out(objective, outcome, &normals, progress)
    } else {
        vec![]
    };
    let spread = Left::spread(&left_out, objective.unknowns);
    let alone = trust.std_error.clone();
    widen(&mut trust, objective, &outcome.x, rivals);
    for i in 0..values.len() {
        // The larger of the two counts.
        let error = trust.std_error[i].max(spread.get(i).copied().unwrap_or(0.0));
        if error > alone[i] {
            trust.std_error[i] = error;
            let found = status(objective, i, outcome.x[i], values[i], error, false);
            if trust.status[i] != Status::Unidentifiable {
                trust.status[i] = found;
            }
        }
    }
    let mut parameters = found(&model, objective, &trust, &spread);
    if matches!(outcome.stop, Stop::Evaluations | Stop::Interrupted) {
        // An error bar belongs to a minimum; where the search did not reach one nothing is sure.
        let sure = parameters.iter_mut().filter(|p| p.status == Status::Ok);
        sure.for_each(|p| p.status = Status::PoorlyDetermined);
    }
    let others = others(objective, &values, &trust);
    let mut profiles = Vec::new();
    for address in &options.profiles {
        for index in model.find(address)? {
            if !interrupted {
                profiles.extend(profile(objective, outcome, &trust, index, progress));
            }
        }
    }
    let mut validation = Vec::new();
    for target in &mut held_out {
        let (outcome, values) = predict_held_out(&model, target)?;
        validation.push(outcome);
        predicted.push(values);
    }
    let count: usize = tests.iter().map(|t| t.samples).sum();
    let known = tests.iter().all(|t| t.noise_known);
    let chi2: f64 = tests
        .iter()
        .map(|t| t.samples as f64 * (t.rms / t.noise).powi(2))
        .sum();
    let relative =
        (tests.iter().map(|t| t.relative.powi(2)).sum::<f64>() / tests.len() as f64).sqrt();
    let (evaluations, history) = progress.take();
    let mut fit = Fit {
        model,
        parameters,
        others,
        relative,
        chi2_dof: known.then(|| chi2 / (count - values.len()) as f64),
        tests,
        validation,
        stop: outcome.stop,
        evaluations,
        history,
        trust,
        unknowns: objective.unknowns.to_vec(),
        left_out,
        profiles,
        predicted,
        targets: objective.targets.iter().cloned().chain(held_out).collect(),
        warnings: Vec::new(),
    };
    fit.warnings = warnings(&fit);
    fit.warnings.extend(outliers(objective, &fit.tests));
    if !interrupted {
        let disturbed = overlooked(objective, outcome, &normals, &fit.tests);
        fit.warnings.extend(disturbed);
    }
    if objective.rules.priors.iter().any(|p| p.weight > 0.0) {
        fit.warnings.push(Warning::held(objective));
    }
    Ok(fit)
}

/// Standard errors that an interval of 95 % reaches to either side.
fn reach(objective: &Objective<'_>) -> f64 {
    let rows: usize = (0..objective.targets.len())
        .map(|k| objective.rows(k).len())
        .sum();
    student(rows.saturating_sub(objective.unknowns.len()))
}

/// The interval of an unknown, which cannot leave the range that was searched.
fn interval(u: &Unknown, value: f64, reach: f64) -> [f64; 2] {
    let ends = match u.scale {
        // By factors: the interval never crosses zero.
        Scale::Log => {
            let factor = (reach / value).exp();
            [value / factor, value * factor]
        }
        Scale::Linear => [value - reach, value + reach],
    };
    [ends[0].max(u.min), ends[1].min(u.max)]
}

/// What was found beside the parameters.
fn others(objective: &Objective<'_>, values: &[f64], trust: &Trust) -> Vec<Other> {
    let reach = reach(objective);
    let each = objective.unknowns.iter().zip(values).enumerate();
    each.filter(|(_, (u, _))| !matches!(u.place, Place::Param(_)) && !u.place.is_start())
        .map(|(i, (u, &value))| Other {
            name: u.name.clone(),
            place: u.place,
            value,
            std_error: trust.std_error[i],
            ci95: interval(u, value, reach * trust.std_error[i]),
            status: trust.status[i],
        })
        .collect()
}

/// All parameters of the model with what is known about them.
fn found(model: &Model, objective: &Objective<'_>, trust: &Trust, spread: &[f64]) -> Vec<Found> {
    let reach = reach(objective);
    let params = model.params().into_iter().zip(model.values()).enumerate();
    params
        .map(|(index, ((address, _), &value))| {
            let sought = objective
                .unknowns
                .iter()
                .position(|u| u.place == Place::Param(index));
            let Some(i) = sought else {
                return Found {
                    address,
                    value,
                    std_error: None,
                    ci95: None,
                    leave_one_out: None,
                    status: Status::Fixed,
                };
            };
            let error = trust.std_error[i];
            Found {
                address,
                value,
                std_error: Some(error),
                ci95: Some(interval(&objective.unknowns[i], value, reach * error)),
                leave_one_out: spread.get(i).copied(),
                status: trust.status[i],
            }
        })
        .collect()
}
