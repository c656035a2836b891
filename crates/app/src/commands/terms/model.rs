//! The terms that were found as a model with parameters by address.

use crate::error::AppError;
use masing_identify::terms::{Coefficient, Found, FrictionKind, Term};
use masing_identify::{Found as Parameter, Status};
use masing_model::{Assembly, Model, MotionKind, Shape, registry};

/// A model and its parameters in the order of their addresses.
pub struct Built {
    pub model: Model,
    pub parameters: Vec<Parameter>,
    /// Whether tests had different preloads, so that the model holds none.
    pub several_preloads: bool,
}

/// Standard errors that an interval of 95 % reaches to either side.
const REACH: f64 = 1.96;

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

    let mut assembly = Assembly::new();
    // (value, standard error, status)
    let mut values: Vec<(f64, Option<f64>, Status)> = Vec::new();
    let sought = |c: &Coefficient| (c.value, Some(c.std_error), c.status);
    let with_powers = |list: &[(u32, &Coefficient)]| Shape {
        powers: Some(list.iter().map(|(p, _)| *p).collect()),
        ..Shape::default()
    };
    if !stiffness.is_empty() {
        let kind = registry::find("polynomial-spring")?;
        assembly.add(kind, with_powers(&stiffness), None)?;
        values.extend(stiffness.iter().map(|(_, c)| sought(c)));
        values.push(match found.preload_error {
            Some(error) => (x0, Some(error), Status::Ok),
            None => (x0, None, Status::Fixed),
        });
    }
    if !damping.is_empty() {
        let kind = registry::find("polynomial-dashpot")?;
        assembly.add(kind, with_powers(&damping), None)?;
        values.extend(damping.iter().map(|(_, c)| sought(c)));
    }
    let friction = &found.friction;
    match (friction.kind, friction.sliders.as_slice()) {
        (FrictionKind::None, _) | (_, []) => {}
        (_, [_]) => {
            assembly.add(registry::find("jenkins")?, Shape::default(), None)?;
            for (value, error) in [friction.ks, friction.zs] {
                values.push((value, Some(error), graded(value, error)));
            }
        }
        (_, sliders) => {
            let shape = Shape {
                lists: [("ks", sliders.len()), ("ys", sliders.len())]
                    .map(|(name, count)| (name.to_owned(), count))
                    .into(),
                ..Shape::default()
            };
            assembly.add(registry::find("iwan")?, shape, None)?;
            for (slider, error, _) in sliders {
                values.push((slider.ks, Some(*error), graded(slider.ks, *error)));
            }
            for (slider, _, error) in sliders {
                values.push(match error {
                    Some(error) => (slider.ys, Some(*error), graded(slider.ys, *error)),
                    None => (slider.ys, None, Status::Fixed),
                });
            }
        }
    }
    assembly.motion = motion;
    let plain: Vec<f64> = values.iter().map(|(value, ..)| *value).collect();
    let model = Model::new(assembly, None, plain)?;
    let each = model.params().into_iter().zip(values);
    let parameters = each.map(|((address, _), (value, std_error, status))| Parameter {
        address,
        value,
        std_error,
        ci95: std_error.map(|e| [value - REACH * e, value + REACH * e]),
        leave_one_out: None,
        status,
    });
    Ok(Built {
        parameters: parameters.collect(),
        model,
        several_preloads,
    })
}

fn graded(value: f64, error: f64) -> Status {
    if !(error <= value.abs()) {
        Status::Unidentifiable
    } else if error > 0.3 * value.abs() {
        Status::PoorlyDetermined
    } else {
        Status::Ok
    }
}
