//! What is told about parameters that follow: law, band, and the single-level fits beside.

use super::choice::RankedForm;
use super::levels::{Group, level_fits};
use crate::error::FitError;
use crate::fit::FitOptions;
use crate::objective::Objective;
use crate::problem::unknown::Place;
use crate::uncertainty::interval::reach;
use crate::uncertainty::{Status, Uncertainty};
use masing_model::{Following, Levels, Model};

/// A parameter over its conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// The parameter.
    pub address: String,
    /// Its SI unit.
    pub unit: String,
    /// The conditions with their SI units.
    pub of: Vec<(String, String)>,
    /// The law.
    pub law: Following,
    /// How its form was chosen, the best first; empty where it was given.
    pub ranked: Vec<RankedForm>,
    /// The parameter refitted at every level with all else held.
    pub levels: Vec<SingleLevel>,
    /// The law over its first condition, the other in the middle of its range.
    pub curve: Vec<CurvePoint>,
}

/// A parameter refitted at one level.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleLevel {
    /// The levels, in the order of the conditions.
    pub at: Vec<f64>,
    /// Value.
    pub value: f64,
    /// Standard error.
    pub std_error: f64,
    /// What the law says there.
    pub law: f64,
}

/// The law at one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The level.
    pub level: f64,
    /// Value.
    pub value: f64,
    /// Ends of the 95 % band.
    pub band: [f64; 2],
}

/// Points of a curve.
const POINTS: usize = 41;

/// Standard error of a law at given levels, and its value.
fn error_at(
    own: &Following,
    levels: &Levels,
    objective: &Objective<'_>,
    trust: &Uncertainty,
) -> Result<(f64, f64), FitError> {
    let (value, slopes) = own.value(levels)?;
    let each = objective.unknowns.iter().enumerate();
    let mine: Vec<(usize, f64)> = each
        .filter_map(|(i, u)| match u.place {
            Place::Coefficient { param, k } if param == own.param => Some((i, slopes[k])),
            _ => None,
        })
        .collect();
    let mut variance = 0.0;
    for (i, a) in &mine {
        for (j, b) in &mine {
            let covariance =
                trust.correlation[(*i, *j)] * trust.std_error[*i] * trust.std_error[*j];
            variance += a * b * covariance;
        }
    }
    Ok((value, variance.max(0.0).sqrt()))
}

/// Judges coefficients by what the parameter is known to at the levels of the tests: alone they may lie far from them, as
/// the value at no current or at 0 K.
pub(crate) fn judge(objective: &Objective<'_>, values: &[f64], trust: &mut Uncertainty) {
    for own in objective.following(values) {
        let known = objective.tests.iter().map(|test| {
            let found = error_at(&own, &test.conditions, objective, trust);
            found.map_or(f64::NAN, |(value, error)| error / value.abs())
        });
        let worst = known.fold(
            0.0,
            |worst: f64, one| {
                if one.is_nan() { one } else { worst.max(one) }
            },
        );
        for (u, status) in objective.unknowns.iter().zip(&mut trust.status) {
            match u.place {
                Place::Coefficient { param, .. } if param == own.param => {
                    *status = Status::of(worst, 1.0);
                }
                _ => {}
            }
        }
    }
}

/// Everything about the parameters that follow.
pub(crate) fn followed(
    model: &Model,
    objective: &Objective<'_>,
    trust: &Uncertainty,
    options: &FitOptions,
    ranked: &[(usize, Vec<RankedForm>)],
) -> Result<Vec<Followed>, FitError> {
    let following = model.following();
    if following.is_empty() {
        return Ok(Vec::new());
    }
    let groups = Group::all(objective.tests, model.conditions());
    let params: Vec<usize> = following.iter().map(|own| own.param).collect();
    let plain = model.follow(Vec::new(), Vec::new())?;
    let single = level_fits(&plain, objective.tests, &groups, &params, options)?;
    let all = model.params();
    let reach = reach(objective);
    let mut out = Vec::new();
    for (i, own) in following.iter().enumerate() {
        let (address, param) = &all[own.param];
        let unit = |name: &String| {
            let found = model.conditions().iter().find(|c| c.name == *name);
            (
                name.clone(),
                found.map_or("1", |c| c.unit.as_str()).to_owned(),
            )
        };
        let levels = single.iter().map(|fit| {
            Ok(SingleLevel {
                at: own.of.iter().map(|(name, _)| fit.levels[name]).collect(),
                value: fit.values[i],
                std_error: fit.errors[i],
                law: own.value(&fit.levels)?.0,
            })
        });
        let levels: Result<Vec<SingleLevel>, FitError> = levels.collect();
        let mut curve = Vec::new();
        let first = own.of.first().map(|(name, _)| name);
        if let Some(condition) = model.conditions().iter().find(|c| Some(&c.name) == first) {
            let [low, high] = condition.range;
            let mut at = model.middle();
            for k in 0..POINTS {
                let level = low + (high - low) * k as f64 / (POINTS - 1) as f64;
                at.insert(condition.name.clone(), level);
                let (value, error) = error_at(own, &at, objective, trust)?;
                // By factors where it is positive: a band of a limit does not reach below zero.
                let relative = reach * error / value.abs();
                let band = if param.min >= 0.0 && value > 0.0 {
                    [value * (-relative).exp(), value * relative.exp()]
                } else {
                    [value - reach * error, value + reach * error]
                };
                curve.push(CurvePoint { level, value, band });
            }
        }
        let table = ranked.iter().find(|(param, _)| *param == own.param);
        out.push(Followed {
            address: address.clone(),
            unit: param.unit.clone(),
            of: own.of.iter().map(|(name, _)| unit(name)).collect(),
            law: own.clone(),
            ranked: table.map(|(_, table)| table.clone()).unwrap_or_default(),
            levels: levels?,
            curve,
        });
    }
    Ok(out)
}
