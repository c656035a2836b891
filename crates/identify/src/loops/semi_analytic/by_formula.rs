//! A fit whose values come from formulas instead of a search.

use super::{Crossing, Hypothesis, SemiAnalytic, semi_analytic};
use crate::error::FitError;
use crate::fit::Solution;
use crate::fit::diagnostics::diagnostics;
use crate::fit::held_out::predict_held_out;
use crate::loops::law::{LoopModel, loop_model};
use crate::objective::residuals::Residuals;
use crate::result::Estimate;
use crate::search::optimise::Stop;
use crate::test::{MotionRecord, Test};
use crate::uncertainty::{Status, Uncertainty};
use masing_diagnostic::{Diagnostic, FitDiagnostic};
use masing_model::{LoopLaw, Model};
use nalgebra::{DMatrix, DVector};

/// Why the method cannot be used.
fn refuse<T>(why: &'static str) -> Result<T, FitError> {
    Err(FitError::SemiAnalytic { why })
}

/// The values that the method gives for one loop, compared with that loop and with the held-out tests.
pub(crate) fn by_formula(
    model: &Model,
    fitted: Vec<Test>,
    mut held_out: Vec<Test>,
) -> Result<Solution, FitError> {
    let law = loop_model(model.assembly()).filter(|law| law.linear.is_empty());
    let Some(law) = law.filter(|_| model.system().is_none()) else {
        return refuse(
            "it takes a hysteresis law that has formulas, alone, without anything in parallel",
        );
    };
    let [target] = <[Test; 1]>::try_from(fitted).or_else(|_| refuse("it takes one test"))?;
    let Some(rig) = target.motion_record() else {
        return refuse("it takes a record of displacement and force");
    };
    let Some((x, z)) = one_loop(rig) else {
        return refuse("the record does not turn twice, so that it holds no loop");
    };
    let Some(found) = semi_analytic(law.law, &x, &z, Crossing::Interpolated) else {
        return refuse("the record is no loop that loses energy");
    };
    let (best, mut model, mut target, outcome, predicted) = best(model, &law, &target, &found)?;
    target.choose_numerics(&model, model.values())?;
    model.numerics = None;
    let parameters = parameters(&model, best);
    let mut predicted = vec![predicted];
    let mut validation = Vec::new();
    for target in &mut held_out {
        let (outcome, values) = predict_held_out(&model, target)?;
        validation.push(outcome);
        predicted.push(values);
    }
    let freedom = (outcome.samples - model.param_count()).max(1) as f64;
    let chi2 = outcome.samples as f64 / freedom * (outcome.rms / outcome.noise).powi(2);
    let mut fit = Solution {
        parameters,
        others: vec![],
        relative: outcome.relative,
        chi2_dof: outcome.noise_known.then_some(chi2),
        history: vec![(1, outcome.relative)],
        tests: vec![outcome],
        validation,
        stop: Stop::Formula,
        evaluations: found.hypotheses.len(),
        trust: Uncertainty {
            std_error: vec![],
            correlation: DMatrix::zeros(0, 0),
            status: vec![],
            singular: vec![],
            weakest: DVector::zeros(0),
            inflated: false,
            unit_variance: vec![],
        },
        unknowns: vec![],
        left_out: vec![],
        profiles: vec![],
        predicted,
        simulated: std::iter::once(target).chain(held_out).collect(),
        model,
        diagnostics: vec![],
        loops: None,
        followed: Vec::new(),
    };
    fit.diagnostics = diagnostics(&fit);
    fit.diagnostics.push(told(best));
    Ok(fit)
}

/// The method applied to the loop of a record; `None` if there is no loop.
pub fn semi_analytic_of(
    law: &dyn LoopLaw,
    rig: &MotionRecord,
    crossing: Crossing,
) -> Option<SemiAnalytic> {
    let (x, z) = one_loop(rig)?;
    semi_analytic(law, &x, &z, crossing)
}

/// The samples of one loop: the last one from turn to turn where there are several.
fn one_loop(rig: &MotionRecord) -> Option<(Vec<f64>, Vec<f64>)> {
    let samples: Vec<usize> = rig.samples().collect();
    let x: Vec<f64> = samples.iter().map(|&i| rig.motion.x()[i]).collect();
    let z: Vec<f64> = samples.iter().map(|&i| rig.force[i]).collect();
    let turns = turns(&x);
    match turns.as_slice() {
        [] | [_] => None,
        [.., first, _, last] if turns.len() > 4 => {
            Some((x[*first..=*last].to_vec(), z[*first..=*last].to_vec()))
        }
        _ => Some((x, z)),
    }
}

/// Samples at which the motion turns, by more than a tenth of its range.
fn turns(x: &[f64]) -> Vec<usize> {
    let low = x.iter().copied().fold(f64::INFINITY, f64::min);
    let high = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let room = 0.1 * (high - low);
    let (mut extreme, mut direction) = (0, 0.0_f64);
    let mut out = Vec::new();
    for (i, &q) in x.iter().enumerate() {
        let way = q - x[extreme];
        if direction == 0.0 {
            if way.abs() > room {
                (direction, extreme) = (way.signum(), i);
            }
        } else if direction * way > 0.0 {
            extreme = i;
        } else if direction * way < -room {
            out.push(extreme);
            (direction, extreme) = (-direction, i);
        }
    }
    out
}

type Best<'a> = (&'a Hypothesis, Model, Test, Residuals, Vec<f64>);

/// The hypothesis that fits the record best.
fn best<'a>(
    model: &Model,
    law: &LoopModel<'_>,
    target: &Test,
    found: &'a SemiAnalytic,
) -> Result<Best<'a>, FitError> {
    let part = &model.assembly().parts()[law.part];
    let mut best: Option<Best<'a>> = None;
    for hypothesis in &found.hypotheses {
        let Some(mean) = hypothesis.mean() else {
            continue;
        };
        let mut values = model.values().to_vec();
        values[part.params.clone()].copy_from_slice(&mean);
        let Ok(candidate) = model.with(values) else {
            continue;
        };
        let mut own = target.clone();
        let Ok((outcome, predicted)) = predict_held_out(&candidate, &mut own) else {
            continue;
        };
        let better = |b: &Best<'_>| outcome.relative < b.3.relative;
        if outcome.relative.is_finite() && best.as_ref().is_none_or(better) {
            best = Some((hypothesis, candidate, own, outcome, predicted));
        }
    }
    best.ok_or(FitError::NoFormula {
        law: law.law.title(),
    })
}

/// The parameters; the standard error is half the difference between the two halves of the loop.
fn parameters(model: &Model, best: &Hypothesis) -> Vec<Estimate> {
    let spread = match &best.halves {
        [Some(a), Some(b)] => a.iter().zip(b).map(|(a, b)| 0.5 * (a - b).abs()).collect(),
        _ => vec![f64::NAN; model.param_count()],
    };
    let params = model.params().into_iter().zip(model.values()).zip(spread);
    params
        .enumerate()
        .map(|(index, (((address, param), &value), spread))| {
            let size = value.abs();
            // The law stands alone, so that its parameters are those of the model.
            let assumed = best.assumed == Some(index);
            let status = if assumed {
                Status::Fixed
            } else if spread.is_nan() {
                // One half of the loop says nothing about the other.
                Status::PoorlyDetermined
            } else {
                Status::of(spread, size)
            };
            Estimate {
                address,
                value,
                unit: param.unit,
                std_error: Some(spread).filter(|s| s.is_finite() && !assumed),
                interval: None,
                leave_one_out: None,
                status,
            }
        })
        .collect()
}

fn told(best: &Hypothesis) -> Diagnostic {
    let disparity = best.disparity();
    FitDiagnostic::SemiAnalytic {
        hypothesis: best.name.to_owned(),
        disparity: disparity.map(|each| each.into_iter().fold(0.0, f64::max)),
    }
    .into()
}
