//! Parameters that follow test conditions: what is asked, the levels of the tests, starts, and what is told.
//!
//! A fit with parameters that follow begins at single levels: there the model is an ordinary one. The followed
//! parameters are then refitted level by level with all else held, and the coefficients are their regression in the
//! coordinates of the form. `docs/math/conditions.md` derives the method.

mod asked;
mod choice;
mod levels;
mod regression;
mod told;

pub use choice::RankedForm;
pub use told::{CurvePoint, Followed, SingleLevel};

pub use asked::outside;
pub(crate) use asked::{distinct, is_needed};
pub(crate) use told::{followed, judge};

use crate::error::FitError;
use crate::fit::FitOptions;
use crate::fit::job::Job;
use crate::objective::Objective;
use crate::problem::unknown::{Place, Unknown};
use crate::problem::{SetUp, set_up};
use crate::search::progress::Progress;
use crate::search::{Effort, ROUGH, first_look};
use crate::test::Test;
use asked::Asked;
use levels::{Group, LevelFit, level_fits};
use masing_model::{Following, Form, Model, Scale};

/// What a parameter follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Follow {
    /// One condition, or two.
    pub of: Vec<String>,
    /// The form over each of them.
    pub form: FormChoice,
}

/// The form of a parameter over its conditions.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FormChoice {
    /// Chosen by predicting levels that were left out.
    #[default]
    Auto,
    /// One form for every condition; a piecewise form without knots has one at every level of the tests.
    Given(Vec<Form>),
}

/// How a fit with parameters that follow begins.
pub(crate) struct Plan {
    /// Models with first coefficients, the most promising first.
    pub(crate) starts: Vec<Model>,
    /// How the forms of parameters were ranked, by parameter.
    pub(crate) ranked: Vec<(usize, Vec<RankedForm>)>,
}

/// Levels at which all parameters are sought for a start: the lowest, the highest and one between.
const ANCHORS: usize = 3;

/// First values of everything; `None` where nothing follows.
pub(crate) fn plan(
    model: &Model,
    fitted: &[Test],
    options: &FitOptions,
    progress: &Progress<'_>,
) -> Result<Option<Plan>, FitError> {
    let asked = asked::read(model, fitted, options)?;
    if asked.is_empty() {
        return Ok(None);
    }
    let conditions = asked::conditions(model, fitted, &asked)?;
    let groups = Group::all(fitted, &conditions);
    for own in &asked {
        own.check_levels(fitted)?;
    }
    let plain = model.follow(Vec::new(), Vec::new())?;
    if let Some(known) = asked.iter().map(Asked::known).collect::<Option<Vec<_>>>() {
        // All laws are given, as those of a model that is fitted again.
        let starts = vec![plain.follow(conditions, known)?];
        let ranked = Vec::new();
        return Ok(Some(Plan { starts, ranked }));
    }
    // Near enough is good enough for what all are then sought together from.
    let looked = first_look(fitted);
    let fitted = looked.as_deref().unwrap_or(fitted);
    let mut anchors = anchors(&plain, fitted, &groups, &asked, options, progress)?;
    anchors.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let best = anchors.first().ok_or(FitError::NoStart)?;
    let mut ranked = Vec::new();
    let mut forms = Vec::new();
    for (i, own) in asked.iter().enumerate() {
        forms.push(match &own.forms {
            Some(forms) => forms.clone(),
            None => {
                let table = choice::rank(own, i, fitted, &conditions, best)?;
                let chosen = choice::choose(&table);
                let forms = chosen.map(|ranked| ranked.forms.clone());
                ranked.push((own.param, table));
                forms.ok_or_else(|| own.too_few(3, best.fits.len()))?
            }
        });
    }
    let start = |anchor: &Anchor| -> Option<Model> {
        let laws = asked.iter().zip(&forms).enumerate();
        let laws = laws.map(|(i, (own, forms))| {
            let points = anchor.points(i);
            let of = own.of.iter().cloned().zip(forms.iter().cloned());
            let law = Following {
                param: own.param,
                of: of.collect(),
                coefficients: Vec::new(),
            };
            regression::within_range(&law, &points, &own.range)
        });
        let laws: Option<Vec<Following>> = laws.collect();
        anchor.model.follow(conditions.clone(), laws?).ok()
    };
    let starts: Vec<Model> = anchors.iter().filter_map(start).collect();
    if starts.is_empty() {
        return Err(FitError::NoStart);
    }
    Ok(Some(Plan { starts, ranked }))
}

/// The model at its guess, with parameters that follow as the tests' strengths do.
pub(crate) fn by_strength(
    model: &Model,
    fitted: &[Test],
    options: &FitOptions,
    strengths: &[f64],
) -> Result<Model, FitError> {
    let asked = asked::read(model, fitted, options)?;
    let conditions = asked::conditions(model, fitted, &asked)?;
    let groups = Group::all(fitted, &conditions);
    let loops = fitted.iter().zip(strengths);
    let loops = loops.filter_map(|(t, strength)| Some((t.features()?, strength)));
    // The guess is that of the strongest tests.
    let strongest = loops.max_by(|(a, one), (b, other)| {
        let by_strength = one.total_cmp(other);
        by_strength.then_with(|| a.amplitude.total_cmp(&b.amplitude))
    });
    let (features, _) = strongest.ok_or(FitError::NoStart)?;
    let params = model.params().into_iter();
    let values: Vec<f64> = params
        .zip(crate::start::guess(model, &features))
        .map(|((_, p), value)| value.clamp(p.min, p.max))
        .collect();
    let law = |own: &Asked| {
        let forms = own.forms.clone().unwrap_or_default();
        let law = Following {
            param: own.param,
            of: own.of.iter().cloned().zip(forms).collect(),
            coefficients: Vec::new(),
        };
        let points = groups.iter().map(|g| {
            let strength = strengths[g.tests[0]];
            (&g.levels, strength * values[own.param])
        });
        let points: Vec<regression::Point<'_>> = points.collect();
        regression::within_range(&law, &points, &own.range)
    };
    let laws: Option<Vec<Following>> = asked.iter().map(law).collect();
    let model = model.with(values.clone())?;
    Ok(model.follow(conditions, laws.ok_or(FitError::NoStart)?)?)
}

/// A model found without following, and its followed parameters level by level.
struct Anchor {
    model: Model,
    fits: Vec<LevelFit>,
    /// Sum of the costs of the levels.
    cost: f64,
}

impl Anchor {
    /// The values of followed parameter `i` over the levels.
    fn points(&self, i: usize) -> Vec<regression::Point<'_>> {
        let each = self.fits.iter();
        each.map(|fit| (&fit.levels, fit.values[i])).collect()
    }
}

fn anchors(
    plain: &Model,
    fitted: &[Test],
    groups: &[Group],
    asked: &[Asked],
    options: &FitOptions,
    progress: &Progress<'_>,
) -> Result<Vec<Anchor>, FitError> {
    let last = groups.len().saturating_sub(1);
    let mut at: Vec<usize> = (0..ANCHORS).map(|i| i * last / (ANCHORS - 1)).collect();
    at.dedup();
    // All tests together where no single level can be fitted.
    let everything: Vec<usize> = (0..fitted.len()).collect();
    let mut sets: Vec<&[usize]> = at.iter().map(|&g| groups[g].tests.as_slice()).collect();
    sets.push(&everything);
    let params: Vec<usize> = asked.iter().map(|own| own.param).collect();
    let options = FitOptions {
        follow: Vec::new(),
        effort: Effort {
            descent: ROUGH,
            ..options.effort
        },
        ..options.clone()
    };
    let mut out = Vec::new();
    let mut failed = None;
    for (i, set) in sets.into_iter().enumerate() {
        if i == at.len() && !out.is_empty() {
            break;
        }
        let mut tests: Vec<Test> = set.iter().map(|&k| fitted[k].clone()).collect();
        match without_following(plain, &mut tests, &options, progress) {
            Ok(model) => {
                let fits = level_fits(&model, fitted, groups, &params, &options)?;
                let cost = fits.iter().map(|fit| fit.cost).sum();
                out.push(Anchor { model, fits, cost });
            }
            Err(error) => failed = Some(error),
        }
        if progress.stopped() && !out.is_empty() {
            break;
        }
    }
    match failed {
        Some(error) if out.is_empty() => Err(error),
        _ => Ok(out),
    }
}

/// The model found from tests as if nothing followed.
fn without_following(
    plain: &Model,
    tests: &mut [Test],
    options: &FitOptions,
    progress: &Progress<'_>,
) -> Result<Model, FitError> {
    let SetUp {
        model,
        unknowns,
        rules,
        guess,
    } = set_up(plain, tests, options, progress)?;
    let job = Job {
        model: &model,
        unknowns: &unknowns,
        fitted: tests.to_vec(),
        rules: rules.clone(),
        effort: options.effort,
        progress,
    };
    let found = job.first_search(options, guess.as_deref(), None)?;
    let objective = Objective::new(&model, tests, &unknowns, rules);
    let values = objective.values_of(&found.best.x);
    Ok(model.with(objective.parameters(&values))?)
}

/// The unknowns of a model with its coefficients in place of the parameters that follow.
pub(crate) fn coefficients(model: &Model, fitted: &[Test], unknowns: Vec<Unknown>) -> Vec<Unknown> {
    let params = model.params();
    let mut out = Vec::new();
    for u in unknowns {
        let own = model
            .following()
            .iter()
            .find(|f| u.place == Place::Param(f.param));
        let Some(own) = own else {
            out.push(u);
            continue;
        };
        let unit = &params[own.param].1.unit;
        let names = own.coefficient_names(unit, model.conditions());
        for (k, (name, _)) in names.into_iter().enumerate() {
            let sized = own.factors().any(|(_, form, range)| {
                let values = matches!(form, Form::Piecewise(_));
                (values && range.contains(&k)) || (k == 0 && matches!(form, Form::Power))
            });
            // The values of a piecewise law, and the size of a power, are searched as the parameter itself is.
            let scale = if sized && own.coefficients[k] > 0.0 && u.min >= 0.0 {
                Scale::Log
            } else {
                Scale::Linear
            };
            let positive = scale == Scale::Log;
            out.push(Unknown {
                name: format!("{}.{name}", u.name),
                place: Place::Coefficient {
                    param: own.param,
                    k,
                },
                min: if positive {
                    f64::MIN_POSITIVE
                } else {
                    f64::NEG_INFINITY
                },
                max: f64::INFINITY,
                scale,
                typical: typical(own, k, fitted),
            });
        }
    }
    out
}

/// The change of a coefficient that changes the parameter about as much as it is.
fn typical(own: &Following, k: usize, fitted: &[Test]) -> f64 {
    let each = fitted.iter().filter_map(|t| own.value(&t.conditions).ok());
    let sizes: Vec<(f64, f64)> = each.map(|(value, by)| (value.abs(), by[k].abs())).collect();
    let most = |of: fn(&(f64, f64)) -> f64| sizes.iter().map(of).fold(0.0, f64::max);
    let size = most(|s| s.0) / most(|s| s.1);
    if size.is_finite() && size > 0.0 {
        size
    } else {
        1.0
    }
}
