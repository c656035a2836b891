//! The terms as a model with its tests: the result type of all methods.

use super::error::TermsError;
use super::found::{Coefficient, Estimate as Value, Found, FrictionKind, Outcome};
use super::pipeline::find;
use super::{Options, Term, Test};
use masing_data::Preload;
use masing_diagnostic::TermsDiagnostic;
use masing_identify::result::{
    Comparison, Correlations, Curves, MethodName, Noise, NoiseSource, OverallError, Pair,
    RecordCurves, Role,
};
use masing_identify::{Estimate, Identified, Names, Status, student};
use masing_model::{Model, ModelError, MotionKind, presets};

/// A model whose terms were chosen, with what only this method knows.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The model, its parameters and its tests.
    pub identified: Identified,
    /// Ranking, friction, the paper's route, coefficients that change between tests.
    pub found: Found,
}

/// Finds the terms that tests support, as a model; tests that are held out are predicted.
pub fn identify(
    tests: &[Test],
    held_out: &[Test],
    options: &Options,
    motion: MotionKind,
) -> Result<Terms, TermsError> {
    let found = find(tests, held_out, options)?;
    let preload = ModelPreload::of(tests, &found);
    let (model, estimates) = model(&found, preload, motion)?;
    let names = Names::of(motion);
    let records = tests.iter().chain(held_out).zip(&found.tests);
    let comparisons: Vec<Comparison> = records
        .map(|(test, outcome)| comparison(test, outcome, &names))
        .collect();
    let mut diagnostics = found.diagnostics.clone();
    if preload == ModelPreload::PerTest {
        diagnostics.push(TermsDiagnostic::PreloadPerTest {}.into());
    }
    let error = OverallError::of(&comparisons, found.chi2_dof);
    let identified = Identified {
        nuisance: sought_preload(tests, &found, preload, &names),
        error: OverallError {
            relative: found.relative,
            ..error
        },
        diagnostics,
        correlations: Correlations {
            sought: estimates.iter().filter(|e| e.std_error.is_some()).count(),
            ..Correlations::default()
        },
        estimates,
        ..Identified::new(MethodName::Terms, model, comparisons)
    };
    Ok(Terms { identified, found })
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
    fn of(tests: &[Test], found: &Found) -> Self {
        let first = found.preload.first().copied().unwrap_or(0.0);
        let given = |t: &Test| matches!(t.preload, Some(Preload::Motion(_)));
        let mixed = tests.iter().any(given) && !tests.iter().all(given);
        if mixed || found.preload.iter().any(|y0| *y0 != first) {
            return Self::PerTest;
        }
        match found.preload_error {
            Some(error) => Self::Sought(first, error),
            None => Self::Given(first),
        }
    }
}

/// The preload that was estimated for some of the tests, where the model cannot contain it.
fn sought_preload(
    tests: &[Test],
    found: &Found,
    preload: ModelPreload,
    names: &Names,
) -> Vec<Estimate> {
    let Some(error) = found
        .preload_error
        .filter(|_| preload == ModelPreload::PerTest)
    else {
        return Vec::new();
    };
    let reach = reach(
        found,
        found.terms.len() + 2 * found.friction.sliders.len() + 1,
    ) * error;
    let each = tests.iter().zip(&found.preload);
    each.filter(|(test, _)| !matches!(test.preload, Some(Preload::Motion(_))))
        .map(|(test, y0)| Estimate {
            address: format!("{} preload", test.name),
            value: *y0,
            unit: names.length.si().to_owned(),
            std_error: Some(error),
            interval: Some([y0 - reach, y0 + reach]),
            leave_one_out: None,
            status: Status::Ok,
        })
        .collect()
}

/// A test beside the force of the model, over the samples that were compared.
fn comparison(test: &Test, outcome: &Outcome, names: &Names) -> Comparison {
    let pick = |values: &[f64]| -> Vec<f64> { outcome.rows.iter().map(|&i| values[i]).collect() };
    Comparison {
        name: outcome.name.clone(),
        role: if outcome.held_out {
            Role::HeldOut
        } else {
            Role::Fitted
        },
        samples: outcome.samples,
        error: outcome.relative,
        scale: format!("rms {}", names.force),
        alternating: None,
        rms: outcome.rms,
        unit: Some(names.load.si()),
        lag1: outcome.lag1,
        noise: Noise {
            value: outcome.noise,
            source: if outcome.noise_known {
                NoiseSource::Cycles
            } else {
                NoiseSource::Residual
            },
        },
        initial_state: None,
        curves: Curves::Record(RecordCurves {
            time: pick(&test.time),
            x: pick(&test.displacement),
            preload: Preload::default(),
            force: Pair {
                measured: pick(&test.force),
                model: pick(&outcome.predicted),
            },
            outside: test.time.len() - outcome.rows.len(),
        }),
    }
}

/// Half width of a 95 % interval in standard errors, with that many estimates.
fn reach(found: &Found, sought: usize) -> f64 {
    let fitted = found.tests.iter().filter(|test| !test.held_out);
    let samples: usize = fitted.map(|test| test.samples).sum();
    student(samples.saturating_sub(sought))
}

/// Powers and sliders that were found, as elements, and their parameters in the order of their addresses.
fn model(
    found: &Found,
    preload: ModelPreload,
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
            ModelPreload::PerTest => (plain(0.0, None), Status::Fixed),
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
    let reach = reach(found, sought.count());
    let each = model.params().into_iter().zip(values);
    let estimates = each.map(|((address, param), (own, status))| {
        let interval = own
            .std_error
            .map(|e| [own.value - reach * e, own.value + reach * e]);
        Estimate {
            address,
            value: own.value,
            unit: param.unit,
            std_error: own.std_error,
            interval,
            leave_one_out: own.leave_one_out,
            status: interval.map_or(status, |ends| status.by_interval(ends)),
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
