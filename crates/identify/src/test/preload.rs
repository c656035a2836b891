//! The displacement that a preload stands for.

use crate::error::FitError;
use masing_data::Preload;
use masing_model::Model;
use masing_sim::{Column, Linearised, Motion, Numerics, Prescribed, SimError};

/// Displacement of a preload at the values `p` of the elements, and its derivatives by them (empty
/// unless asked for and needed). A force is converted to the displacement at which the part carries
/// it at rest; `size` is a displacement to start the search with.
pub(super) fn displacement(
    model: &Model,
    p: &[f64],
    preload: Preload,
    size: f64,
    derivatives: bool,
) -> Result<(f64, Vec<f64>), FitError> {
    let force = match preload {
        Preload::Motion(x) => return Ok((x, vec![])),
        Preload::Force(force) => force,
    };
    let at = |x: f64| at_rest(model, p, x, &[]).map(|run| run.force[1] - force);
    let none = || FitError::NoPreload { force };
    // The static curve rises: go outwards until it has passed the force, then close in.
    let mut far = size.max(f64::MIN_POSITIVE).copysign(force);
    let mut near = 0.0;
    let mut passed = at(far)? * force >= 0.0;
    for _ in 0..60 {
        if passed {
            break;
        }
        (near, far) = (far, 2.0 * far);
        passed = at(far)? * force >= 0.0;
    }
    if !passed {
        return Err(none());
    }
    for _ in 0..200 {
        let middle = 0.5 * (near + far);
        if middle == near || middle == far {
            break;
        }
        if at(middle)? * force >= 0.0 {
            far = middle;
        } else {
            near = middle;
        }
    }
    if !derivatives {
        return Ok((far, vec![]));
    }
    let (ones, zeros) = ([1.0; 2], [0.0; 2]);
    let mut columns: Vec<Column<'_>> = (0..p.len()).map(Column::Param).collect();
    columns.push(Column::Motion {
        x: &ones,
        v: &zeros,
    });
    let run = at_rest(model, p, far, &columns)?;
    let row = &run.jacobian[columns.len()..];
    let stiffness = row[p.len()];
    if stiffness == 0.0 {
        return Err(none());
    }
    Ok((far, (0..p.len()).map(|i| -row[i] / stiffness).collect()))
}

/// The force of a part that rests at `x`.
fn at_rest(
    model: &Model,
    p: &[f64],
    x: f64,
    columns: &[Column<'_>],
) -> Result<Linearised, SimError> {
    let motion = Motion::new(vec![0.0, 1.0], vec![x; 2], Some(vec![0.0; 2]))?;
    Prescribed::new(model.assembly(), &motion, Numerics::default()).tangent(p, columns)
}

/// The same motion elsewhere.
pub(super) fn shifted(motion: &Motion, by: f64) -> Result<Motion, SimError> {
    if by == 0.0 {
        return Ok(motion.clone());
    }
    let x = motion.x().iter().map(|x| x + by).collect();
    let mut shifted = Motion::new(motion.time().to_vec(), x, Some(motion.v().to_vec()))?;
    shifted.cut(motion.pattern().cloned());
    Ok(shifted)
}
