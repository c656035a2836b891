//! The terms that were found as a model with parameters by address.

use crate::error::AppError;
use masing_identify::{Found as Parameter, Status, student};
use masing_model::{Model, MotionKind, presets};
use masing_terms::{Coefficient, Estimate, Found, FrictionKind, Term};

/// A model and its parameters in the order of their addresses.
pub struct Built {
    pub model: Model,
    pub parameters: Vec<Parameter>,
    /// Whether tests had different preloads, so that the model holds none.
    pub several_preloads: bool,
}

/// Powers and sliders that were found, as elements.
pub fn model_of(found: &Found, motion: MotionKind) -> Result<Built, AppError> {
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
    let first = found.preload.first().copied().unwrap_or(0.0);
    let several_preloads = found.preload.iter().any(|y0| *y0 != first);
    let x0 = if several_preloads { 0.0 } else { first };

    let mut values: Vec<(Estimate, Status)> = Vec::new();
    let plain = |value: f64, std_error: Option<f64>| Estimate {
        value,
        std_error,
        leave_one_out: None,
    };
    let sought = |c: &Coefficient| {
        let own = Estimate {
            leave_one_out: c.leave_one_out,
            ..plain(c.value, Some(c.std_error))
        };
        (own, c.status)
    };
    if !stiffness.is_empty() {
        values.extend(stiffness.iter().map(|(_, c)| sought(c)));
        values.push(match found.preload_error {
            Some(error) => (plain(x0, Some(error)), Status::Ok),
            None => (plain(x0, None), Status::Fixed),
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
    let fitted = found.tests.iter().filter(|test| !test.held_out);
    let samples: usize = fitted.map(|test| test.samples).sum();
    let sought = values.iter().filter(|(own, _)| own.std_error.is_some());
    let reach = student(samples.saturating_sub(sought.count()));
    let each = model.params().into_iter().zip(values);
    let parameters = each.map(|((address, _), (own, status))| {
        let ci95 = own
            .std_error
            .map(|e| [own.value - reach * e, own.value + reach * e]);
        Parameter {
            address,
            value: own.value,
            std_error: own.std_error,
            ci95,
            leave_one_out: own.leave_one_out,
            status: ci95.map_or(status, |ends| status.by_interval(ends)),
        }
    });
    Ok(Built {
        parameters: parameters.collect(),
        model,
        several_preloads,
    })
}

/// A value with what its error bar says about it; without one it was not sought.
fn graded(own: Estimate) -> (Estimate, Status) {
    let status = match own.std_error {
        None => Status::Fixed,
        Some(error) => Status::of(error, own.value.abs()),
    };
    (own, status)
}
