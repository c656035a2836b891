//! What a fit left out: disturbances of the rig that would explain much of the difference, and
//! outliers.
//!
//! At the minimum the residual is compared with the derivative by each disturbance that was not sought
//! ([`crate::uncertainty::score`]). With the Jacobian J, the normal matrix N = J'J and the derivative a by
//! a disturbance, a'a - a'J N^-1 J'a is what no parameter can stand in for.

use crate::fit::warning::Warning;
use crate::objective::Objective;
use crate::objective::comparison::Comparison;
use crate::objective::loss::Loss;
use crate::problem::nuisance::disturbances;
use crate::problem::unknown::{Place, Unknown};
use crate::search::optimise::Outcome;
use crate::test::{Content, Nuisance};
use crate::uncertainty::Normals;
use crate::uncertainty::inflation::{inflation, lag1};
use crate::uncertainty::score::Score;
use masing_model::MotionKind;
use masing_sim::rate_independent;
use nalgebra::DVector;

/// Share of its squared error that a disturbance has to explain in a test, so that the error falls by a
/// tenth. A fit seeks few parameters of a law that is given, so that a disturbance seldom makes up for a
/// wrong one; the search for terms, whose terms are found along the way, asks for more.
const WORTH_NAMING: f64 = 0.2;
/// Error below which nobody looks for more: what channels of a rig are calibrated to.
const CALIBRATED: f64 = 2e-3;

/// Values below which a line through them explains anything.
const FEWEST_VALUES: usize = 30;

/// A disturbance that would explain much of the difference in one test.
struct Disturbance {
    place: Place,
    test: String,
    value: f64,
    before: f64,
    after: f64,
}

/// Warnings about disturbances that were not sought.
pub(crate) fn overlooked(
    objective: &Objective<'_>,
    outcome: &Outcome,
    normals: &Normals,
    tests: &[Comparison],
) -> Vec<Warning> {
    if objective.rules.loss != Loss::Linear {
        return vec![];
    }
    let scores: Vec<Disturbance> = (0..tests.len())
        .filter_map(|k| best(objective, outcome, normals, &tests[k], k))
        .collect();
    let rotation = objective.model.motion() == MotionKind::Rotation;
    let mut out: Vec<Warning> = Vec::new();
    let kinds = [
        "force-offset",
        "displacement-offset",
        "delay",
        "moving-mass",
    ];
    for kind in kinds {
        let of_kind: Vec<&Disturbance> =
            scores.iter().filter(|s| option(s.place) == kind).collect();
        let gain = |s: &&&Disturbance| s.before - s.after;
        let Some(worst) = of_kind.iter().max_by(|a, b| gain(a).total_cmp(&gain(b))) else {
            continue;
        };
        let more = match of_kind.len() - 1 {
            0 => String::new(),
            1 => " (and another test likewise)".to_owned(),
            n => format!(" (and {n} other tests likewise)"),
        };
        out.push(Warning {
            code: "disturbed",
            message: format!(
                "{} of about {} in test `{}` would lower its error from {:.2} % to {:.2} %{more}; add --nuisance {kind}, or nuisance = {{ {kind} = true }} in a study, if the rig may have caused it",
                called(worst.place),
                amount(worst.place, worst.value, rotation),
                worst.test,
                100.0 * worst.before,
                100.0 * worst.after,
            ),
        });
    }
    out
}

/// The disturbance that explains most of the difference in test `k`, if any explains enough.
fn best(
    objective: &Objective<'_>,
    outcome: &Outcome,
    normals: &Normals,
    test: &Comparison,
    k: usize,
) -> Option<Disturbance> {
    if test.relative < CALIBRATED || test.samples < FEWEST_VALUES {
        return None;
    }
    let others = not_sought(objective, k);
    if others.is_empty() {
        return None;
    }
    let own = objective.unknowns.len();
    let unknowns: Vec<Unknown> = objective.unknowns.iter().chain(&others).cloned().collect();
    let mut values = objective.values_of(&outcome.x);
    values.resize(unknowns.len(), 0.0);
    let wider = Objective::new(
        objective.model,
        objective.targets,
        &unknowns,
        objective.rules.clone(),
    );
    let predicted = wider.predict(k, &values, true).ok()?;
    let rows = wider.rows(k);
    let residual = DVector::from_iterator(
        rows.len(),
        rows.iter()
            .map(|(row, factor)| factor * (predicted.values[row.entry] - row.measured)),
    );
    let count = unknowns.len();
    let column = |c: usize, slope: f64| {
        let each = rows.iter();
        let each = each.map(|(row, f)| f * slope * predicted.jacobian[row.entry * count + c]);
        DVector::from_iterator(rows.len(), each)
    };
    let columns: Vec<DVector<f64>> = (0..own)
        .map(|c| column(c, unknowns[c].slope(values[c])))
        .collect();
    // A ridge far below what counts keeps silent directions from failing the factorisation.
    let mut normal = normals.sum();
    let ridge = 1e-12 * normal.diagonal().amax();
    for i in 0..own {
        normal[(i, i)] += ridge;
    }
    let factors = normal.cholesky()?;
    let cost = residual.norm_squared();
    let mut found: Option<Disturbance> = None;
    for (c, other) in others.iter().enumerate() {
        let a = column(own + c, 1.0);
        let b = DVector::from_iterator(own, columns.iter().map(|column| column.dot(&a)));
        let moved = factors.solve(&b);
        let size = a.norm_squared() - b.dot(&moved);
        let Some(score) = Score::new(a.dot(&residual), size, a.norm_squared()) else {
            continue;
        };
        let step = score.step;
        if !(other.min..=other.max).contains(&step) {
            continue;
        }
        let mut left = &residual + &a * step;
        for (column, by) in columns.iter().zip(&moved) {
            left -= column * (step * by);
        }
        let variance =
            left.norm_squared() / rows.len() as f64 * inflation(lag1(left.as_slice()), rows.len());
        if score.gain < WORTH_NAMING * cost || !score.significant(variance) {
            continue;
        }
        let after = test.relative * (left.norm_squared() / cost).sqrt();
        if found.as_ref().is_none_or(|best| after < best.after) {
            found = Some(Disturbance {
                place: other.place,
                test: test.name.clone(),
                value: step,
                before: test.relative,
                after,
            });
        }
    }
    found
}

/// Disturbances of test `k` that were not sought and are not known.
fn not_sought(objective: &Objective<'_>, k: usize) -> Vec<Unknown> {
    let mut target = objective.targets[k].clone();
    let Content::Rig(rig) = &mut target.content else {
        return vec![];
    };
    let p = &objective.model.values()[..objective.model.assembly().param_count()];
    // A law that does not care about speed may have been given a record without time.
    let timed = !rate_independent(objective.model.assembly(), p).unwrap_or(false);
    rig.nuisance = Nuisance {
        force_offset: true,
        motion_offset: true,
        delay: timed,
        moving_mass: (timed && rig.nuisance.moving_mass.is_none()).then_some(-1.0),
    };
    let known = |place: Place| objective.unknowns.iter().any(|u| u.place == place);
    let all = disturbances(objective.model, &target, k).into_iter();
    all.filter(|u| !u.place.is_start() && !known(u.place))
        .collect()
}

/// Its name as an option.
fn option(place: Place) -> &'static str {
    match place {
        Place::MotionOffset(_) => "displacement-offset",
        Place::Delay(_) => "delay",
        Place::MovingMass(_) => "moving-mass",
        _ => "force-offset",
    }
}

fn called(place: Place) -> &'static str {
    match place {
        Place::MotionOffset(_) => "a displacement offset",
        Place::Delay(_) => "a delay of the force channel",
        Place::MovingMass(_) => "a mass between part and load cell",
        _ => "a force offset",
    }
}

/// A value in the unit people read.
fn amount(place: Place, value: f64, rotation: bool) -> String {
    let (factor, unit) = match (place, rotation) {
        (Place::MotionOffset(_), false) => (1e3, "mm"),
        (Place::MotionOffset(_), true) => (180.0 / std::f64::consts::PI, "deg"),
        (Place::Delay(_), _) => (1e3, "ms"),
        (Place::MovingMass(_), false) => (1.0, "kg"),
        (Place::MovingMass(_), true) => (1.0, "kg m^2"),
        (_, false) => (1.0, "N"),
        (_, true) => (1.0, "N m"),
    };
    let shown = factor * value;
    let digits = (1.0 - shown.abs().log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{shown:.digits$} {unit}")
}

/// Standard deviations beyond which a residual is an outlier: of a million normal ones not one is.
const OUTLIER: f64 = 5.0;
/// Neighbours up to which outliers stand alone; a longer run is an error of the model.
const LONGEST_RUN: usize = 3;
/// Share of the cost that outliers must make up to pull the result.
const PULLING: f64 = 0.2;

/// Single differences far beyond the others that make up much of the cost.
pub(crate) fn outliers(objective: &Objective<'_>, tests: &[Comparison]) -> Vec<Warning> {
    if objective.rules.loss != Loss::Linear {
        return vec![];
    }
    let mut out = Vec::new();
    for (test, target) in tests.iter().zip(objective.targets) {
        if matches!(target.content, Content::Table(_)) {
            continue;
        }
        let mut sizes: Vec<f64> = test.weighted.iter().map(|r| r.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
        // 1.4826: the standard deviation of a normal distribution over its median size.
        let far = OUTLIER * 1.4826 * median;
        let (mut count, mut square) = (0, 0.0);
        let mut from = 0;
        for run in test
            .weighted
            .chunk_by(|a, b| (a.abs() > far) == (b.abs() > far))
        {
            let to = from + run.len();
            let beside = [from.checked_sub(1), Some(to)].into_iter().flatten();
            let mut beside = beside.filter_map(|i| test.weighted.get(i));
            // The error of a model grows towards its largest values; an outlier comes from nowhere.
            let sudden = beside.all(|r| r.abs() < 0.5 * far);
            if run[0].abs() > far && run.len() <= LONGEST_RUN && sudden {
                count += run.len();
                square += run.iter().map(|r| r * r).sum::<f64>();
            }
            from = to;
        }
        let all: f64 = test.weighted.iter().map(|r| r * r).sum();
        let smooth = test.lag1 > 0.5;
        if median > 0.0
            && count >= 3
            && square > PULLING * all
            && test.relative >= CALIBRATED
            && !smooth
        {
            out.push(Warning {
                code: "outliers",
                message: format!(
                    "test `{}` has {count} single values more than {OUTLIER} standard deviations off, which pull the result; `--loss huber` is not pulled by them",
                    test.name
                ),
            });
        }
    }
    out
}
