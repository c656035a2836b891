//! What a fit left out: nuisances of the rig that would explain much of the residual, and outliers.
//!
//! At the minimum the residual is compared with the derivative with respect to each nuisance that was not
//! estimated ([`crate::uncertainty::score`]). With the Jacobian J, the normal matrix N = J'J and the
//! derivative a with respect to a nuisance, a'a - a'J N^-1 J'a is the part that no parameter can
//! reproduce.

use crate::objective::Objective;
use crate::objective::loss::Loss;
use crate::objective::residuals::Residuals;
use crate::problem::unknown::{Place, Unknown};
use crate::search::optimise::Outcome;
use crate::test::Nuisance;
use crate::uncertainty::Normals;
use crate::uncertainty::inflation::{inflation, lag1};
use crate::uncertainty::score::Score;
use masing_diagnostic::{
    self as diagnostic, Diagnostic, FitDiagnostic, Method, ResultDiagnostic, thresholds,
};
use masing_sim::rate_independent;
use nalgebra::DVector;

/// A nuisance that would explain much of the residual of one test.
struct Disturbance {
    nuisance: diagnostic::Nuisance,
    test: String,
    value: f64,
    before: f64,
    after: f64,
}

/// Diagnostics about nuisances that were not estimated.
pub(crate) fn overlooked(
    objective: &Objective<'_>,
    outcome: &Outcome,
    normals: &Normals,
    tests: &[Residuals],
) -> Vec<Diagnostic> {
    if objective.rules.loss != Loss::Linear {
        return vec![];
    }
    let scores: Vec<Disturbance> = (0..tests.len())
        .filter_map(|k| best(objective, outcome, normals, &tests[k], k))
        .collect();
    let mut out: Vec<Diagnostic> = Vec::new();
    for nuisance in diagnostic::Nuisance::ALL {
        let of_kind: Vec<&Disturbance> = scores.iter().filter(|s| s.nuisance == nuisance).collect();
        let gain = |s: &&&Disturbance| s.before - s.after;
        let Some(worst) = of_kind.iter().max_by(|a, b| gain(a).total_cmp(&gain(b))) else {
            continue;
        };
        let disturbed = ResultDiagnostic::Disturbed {
            method: Method::Fit,
            nuisance,
            value: worst.value,
            test: worst.test.clone(),
            before: worst.before,
            after: worst.after,
            others: of_kind.len() - 1,
        };
        out.push(disturbed.into());
    }
    out
}

/// The nuisance that explains most of the residual of test `k`, if any explains enough.
fn best(
    objective: &Objective<'_>,
    outcome: &Outcome,
    normals: &Normals,
    test: &Residuals,
    k: usize,
) -> Option<Disturbance> {
    if test.relative < thresholds::NUISANCE_SMALL || test.samples < thresholds::NUISANCE_SAMPLES {
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
        objective.tests,
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
        if score.gain < thresholds::NUISANCE_CLEAR * cost || !score.significant(variance) {
            continue;
        }
        let after = test.relative * (left.norm_squared() / cost).sqrt();
        // Where the columns nearly depend on each other the step may promise what it does not keep.
        if after >= test.relative {
            continue;
        }
        if found.as_ref().is_none_or(|best| after < best.after) {
            found = Some(Disturbance {
                nuisance: kind(other.place),
                test: test.name.clone(),
                value: step,
                before: test.relative,
                after,
            });
        }
    }
    found
}

/// Nuisances of test `k` that are neither estimated nor given.
fn not_sought(objective: &Objective<'_>, k: usize) -> Vec<Unknown> {
    let mut target = objective.tests[k].clone();
    let Some(rig) = target.motion_record_mut() else {
        return vec![];
    };
    let p = &objective.model.values()[..objective.model.assembly().param_count()];
    // A law that does not care about speed may have been given a record without time.
    let timed = !rate_independent(objective.model.assembly(), p).unwrap_or(false);
    rig.nuisance = Nuisance {
        force_offset: true,
        motion_offset: true,
        delay: timed,
        // Of a single test a level is the stiffness of its model.
        level: objective.tests.len() > 1 && !rig.nuisance.level,
        moving_mass: (timed && rig.nuisance.moving_mass.is_none()).then_some(-1.0),
    };
    let known = |place: Place| objective.unknowns.iter().any(|u| u.place == place);
    let all = target
        .nuisance(objective.model, &target.name, k)
        .into_iter();
    all.filter(|u| !u.place.is_start() && !known(u.place))
        .collect()
}

/// What kind of nuisance an unknown is.
fn kind(place: Place) -> diagnostic::Nuisance {
    match place {
        Place::MotionOffset(_) => diagnostic::Nuisance::DisplacementOffset,
        Place::Delay(_) => diagnostic::Nuisance::Delay,
        Place::Level(_) => diagnostic::Nuisance::Level,
        Place::MovingMass(_) => diagnostic::Nuisance::MovingMass,
        _ => diagnostic::Nuisance::ForceOffset,
    }
}

/// Outliers: single residuals far beyond the others that make up much of the cost.
pub(crate) fn outliers(objective: &Objective<'_>, tests: &[Residuals]) -> Vec<Diagnostic> {
    if objective.rules.loss != Loss::Linear {
        return vec![];
    }
    let mut out = Vec::new();
    for (test, target) in tests.iter().zip(objective.tests) {
        if !target.is_history() {
            continue;
        }
        let mut sizes: Vec<f64> = test.weighted.iter().map(|r| r.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
        // 1.4826: the standard deviation of a normal distribution over its median size.
        let far = thresholds::OUTLIER_SIGMAS * 1.4826 * median;
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
            if run[0].abs() > far && run.len() <= thresholds::OUTLIER_RUN && sudden {
                count += run.len();
                square += run.iter().map(|r| r * r).sum::<f64>();
            }
            from = to;
        }
        let all: f64 = test.weighted.iter().map(|r| r * r).sum();
        let smooth = test.lag1 > thresholds::OUTLIER_SMOOTH;
        if median > 0.0
            && count >= thresholds::OUTLIER_COUNT
            && square > thresholds::NUISANCE_CLEAR * all
            && test.relative >= thresholds::NUISANCE_SMALL
            && !smooth
        {
            let test = test.name.clone();
            out.push(FitDiagnostic::Outliers { test, count }.into());
        }
    }
    out
}
