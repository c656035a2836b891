//! The terms as a model with its tests: the result type of all methods.

use super::algebra::norm2;
use super::error::TermsError;
use super::final_fit::Model as Settled;
use super::found::{Coefficient, Estimate as Value, FrictionKind, Outcome};
use super::motion::Prepared;
use super::{Term, Test};
use masing_data::Preload;
use masing_diagnostic::TermsDiagnostic;
use masing_identify::result::{
    Comparison, Curves, MethodName, Noise, NoiseSource, OverallError, Pair, RecordCurves, Role,
};
use masing_identify::uncertainty::inflation::lag1;
use masing_identify::{Estimate, Identified, Names, Status, student};
use masing_model::{Model, ModelError, MotionKind, presets};

/// The model that was settled on, its parameters and its tests.
pub(super) fn identified(
    settled: &Settled,
    tests: &[Test],
    preload: &[f64],
    comparisons: Vec<Comparison>,
    chi2_dof: Option<f64>,
    motion: MotionKind,
) -> Result<Identified, TermsError> {
    let fitted = comparisons.iter().filter(|c| c.role == Role::Fitted);
    let samples: usize = fitted.map(|c| c.samples).sum();
    let in_model = ModelPreload::of(tests, preload, settled.preload_error);
    let (model, estimates) = model(settled, in_model, samples, motion)?;
    let error = OverallError::of(&comparisons, chi2_dof);
    let mut found = Identified {
        error,
        ..Identified::new(MethodName::Terms, model, estimates, comparisons)
    };
    if in_model == ModelPreload::PerTest {
        found.diagnostics = vec![TermsDiagnostic::PreloadPerTest {}.into()];
        found.nuisance = sought_preload(settled, tests, preload, samples, motion);
    }
    Ok(found)
}

/// The preload as a parameter of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ModelPreload {
    /// Given, the same for all tests.
    Given(f64),
    /// Found from all tests, with its standard error.
    Sought(f64, f64),
    /// Different between tests, so that the model contains none.
    PerTest,
}

impl ModelPreload {
    fn of(tests: &[Test], preload: &[f64], error: Option<f64>) -> Self {
        let first = preload.first().copied().unwrap_or(0.0);
        let mixed = tests.iter().any(is_given) && !tests.iter().all(is_given);
        match error {
            _ if mixed || preload.iter().any(|y0| *y0 != first) => Self::PerTest,
            Some(error) => Self::Sought(first, error),
            None => Self::Given(first),
        }
    }
}

fn is_given(test: &Test) -> bool {
    matches!(test.preload, Some(Preload::Motion(_)))
}

/// The preload that was found for some of the tests, where the model cannot hold it.
fn sought_preload(
    settled: &Settled,
    tests: &[Test],
    preload: &[f64],
    samples: usize,
    motion: MotionKind,
) -> Vec<Estimate> {
    let Some(error) = settled.preload_error else {
        return Vec::new();
    };
    let sought = settled.terms.len() + 2 * settled.friction.sliders.len() + 1;
    let reach = student(samples.saturating_sub(sought));
    let unit = Names::of(motion).length.si();
    let each = tests
        .iter()
        .zip(preload)
        .filter(|(test, _)| !is_given(test));
    each.map(|(test, y0)| {
        let address = format!("{} preload", test.name);
        let known = (Some(error), Status::Ok);
        Estimate::new(address, unit.to_owned(), *y0, known, reach)
    })
    .collect()
}

/// A test beside the force of the model, over the samples that were compared; one without `sigma` was held out.
pub(super) fn comparison(
    raw: &Test,
    test: &Prepared,
    outcome: &Outcome,
    sigma: Option<f64>,
    names: &Names,
) -> Comparison {
    let pick = |values: &[f64]| -> Vec<f64> { test.rows.iter().map(|&i| values[i]).collect() };
    let (left, error) = outcome.residual(test);
    let rms = (norm2(&left) / left.len().max(1) as f64).sqrt();
    Comparison {
        name: test.name.clone(),
        role: if sigma.is_some() {
            Role::Fitted
        } else {
            Role::HeldOut
        },
        samples: test.rows.len(),
        error,
        scale: format!("rms {}", names.force),
        alternating: None,
        rms,
        unit: Some(names.load.si()),
        lag1: lag1(&left),
        noise: Noise {
            value: sigma.or(test.noise).unwrap_or(rms),
            source: if test.noise.is_some() {
                NoiseSource::Cycles
            } else {
                NoiseSource::Residual
            },
        },
        initial_state: None,
        curves: Curves::Record(RecordCurves {
            time: pick(&raw.time),
            x: pick(&raw.displacement),
            preload: Preload::default(),
            force: Pair {
                measured: pick(&raw.force),
                model: pick(&outcome.predicted),
            },
            outside: raw.time.len() - test.rows.len(),
        }),
    }
}

/// Powers and sliders that were found, as elements, and their parameters in the order of their addresses.
fn model(
    found: &Settled,
    preload: ModelPreload,
    samples: usize,
    motion: MotionKind,
) -> Result<(Model, Vec<Estimate>), ModelError> {
    let powers = |of: &dyn Fn(&Term) -> Option<u32>| -> Vec<(u32, &Coefficient)> {
        let each = found.terms.iter();
        let mut list: Vec<_> = each.filter_map(|c| Some((of(&c.term)?, c))).collect();
        list.sort_by_key(|(power, _)| *power);
        list
    };
    let stiffness = powers(&|t| match t {
        Term::Stiffness(p) => Some(*p),
        _ => None,
    });
    let damping = powers(&|t| match t {
        Term::Damping(p) => Some(*p),
        _ => None,
    });
    let mut values: Vec<(Value, Status)> = Vec::new();
    let plain = |value: f64, std_error: Option<f64>| Value {
        value,
        std_error,
        leave_one_out: None,
    };
    let sought = |c: &Coefficient| {
        let own = Value {
            leave_one_out: c.leave_one_out,
            ..plain(c.value, Some(c.std_error))
        };
        (own, c.status)
    };
    if !stiffness.is_empty() {
        values.extend(stiffness.iter().map(|(_, c)| sought(c)));
        values.push(match preload {
            ModelPreload::Sought(x0, error) => (plain(x0, Some(error)), Status::Ok),
            ModelPreload::Given(x0) => (plain(x0, None), Status::Fixed),
            ModelPreload::PerTest => (plain(0.0, None), Status::PerTest),
        });
    }
    values.extend(damping.iter().map(|(_, c)| sought(c)));
    let friction = &found.friction;
    let sliders = match friction.kind {
        FrictionKind::None => &[],
        _ => friction.sliders.as_slice(),
    };
    match sliders {
        [] => {}
        [_] => values.extend([friction.ks, friction.zs].map(graded)),
        sliders => {
            values.extend(sliders.iter().map(|s| graded(s.ks)));
            values.extend(sliders.iter().map(|s| graded(s.ys)));
        }
    }
    let of = |list: &[(u32, &Coefficient)]| -> Vec<u32> { list.iter().map(|(p, _)| *p).collect() };
    let mut assembly = presets::from_terms(&of(&stiffness), &of(&damping), sliders.len())?;
    assembly.motion = motion;
    let numbers: Vec<f64> = values.iter().map(|(own, _)| own.value).collect();
    let model = Model::new(assembly, None, numbers)?;
    let sought = values.iter().filter(|(own, _)| own.std_error.is_some());
    let reach = student(samples.saturating_sub(sought.count()));
    let each = model.params().into_iter().zip(values);
    let estimates = each.map(|((address, param), (own, status))| {
        let known = (own.std_error, status);
        let found = Estimate::new(address, param.unit, own.value, known, reach);
        Estimate {
            leave_one_out: own.leave_one_out,
            status: found
                .interval
                .map_or(status, |ends| status.by_interval(ends)),
            ..found
        }
    });
    let estimates = estimates.collect();
    Ok((model, estimates))
}

/// A value with the status that follows from its error bar; without one it was not estimated.
fn graded(own: Value) -> (Value, Status) {
    let status = match own.std_error {
        None => Status::Fixed,
        Some(error) => Status::of(error, own.value.abs()),
    };
    (own, status)
}
