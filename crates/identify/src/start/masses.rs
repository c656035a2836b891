//! Automatic starts for systems with mass. Load and motion give mass, damping and stiffness of the
//! nearest linear system; the stiffness is then split between the linear spring and the elements,
//! whose parameters are sized accordingly.

mod beginning;
mod filter;
mod linear;
mod misfit;
mod structure;

pub(crate) use beginning::beginning;

use crate::problem::unknown::Unknown;
use crate::start;
use crate::test::{DrivenMasses, Test};
use masing_model::{Features, Memory, Model, Part};

/// Share of the stiffness that the elements start with, where a linear spring takes the rest.
const SHARE: f64 = 0.3;
/// Friction that elements start with, over the force that their stiffness carries.
const FRICTION: f64 = 0.5;
/// Share of the linear damping that remains in parallel with dissipating elements.
const LEFT: f64 = 0.5;

/// First values of all parameters, and the features of the motion that they belong to.
pub(crate) struct Guess {
    pub(crate) values: Vec<f64>,
    pub(crate) features: Features,
}

impl Guess {
    /// Sets the value from the first test if it is an initial state of the masses.
    pub(crate) fn begin_at(&mut self, model: &Model, tests: &[Test], index: usize) {
        let (Some(masses), Some(test)) = (model.system(), tests.first()) else {
            return;
        };
        let first = model.assembly().param_count() + masses.x0().start;
        if index >= first {
            self.values[index] = test.first_state(model, index - first);
        }
    }
}

/// A first guess from what was measured; `known` are the values that are given, by their place in the
/// model, `sought` is what the fit looks for. `None` where no test moves.
pub(crate) fn guess(
    model: &Model,
    tests: &[Test],
    known: &[Option<f64>],
    sought: &[Unknown],
) -> Option<Guess> {
    let masses = model.system()?;
    let driven: Vec<&DrivenMasses> = tests.iter().filter_map(|t| t.driven_masses()).collect();
    let at = model.assembly().param_count();
    if masses.dofs() > 1 {
        let mut values = model.values().to_vec();
        for (value, known) in values.iter_mut().zip(known) {
            *value = known.unwrap_or(*value);
        }
        let held = model.with(values).ok()?;
        if let Some(found) = structure::estimate(&held, &driven, sought) {
            return Some(of_structure(&held, &found));
        }
    }
    let given = |index: usize| known.get(at + index).copied().flatten();
    let mut own = model.system_values().to_vec();
    let linear = if masses.dofs() == 1 {
        linear::estimate(&driven, given(masses.m().start))
    } else {
        linear::of_matrices(masses, &own, &driven)
    }?;
    let parts = model.assembly().parts();
    let elastic = parts.iter().any(|p| {
        let mut params = p.element.spec().params.iter();
        params.any(|param| param.unit.starts_with("N/m"))
    });
    let lossy = parts
        .iter()
        .any(|p| p.element.spec().memory != Memory::None);
    let stiffness = match given(masses.k().start) {
        _ if masses.dofs() > 1 => SHARE * linear.k,
        Some(k) => (linear.k - k).max(0.1 * linear.k),
        None => SHARE * linear.k,
    };
    if masses.dofs() == 1 {
        own[masses.m().start] = linear.m;
        own[masses.c().start] = if lossy { LEFT * linear.c } else { linear.c };
        own[masses.k().start] = if elastic {
            linear.k - stiffness
        } else {
            linear.k
        };
    }
    let features = features((linear.amplitude, linear.speed), stiffness);
    let mut values = start::guess(model, &features);
    values.splice(at.., own);
    Some(Guess { values, features })
}

/// Whether a value is an entry of a structure's matrices that no element can replace: a mass, or
/// damping or stiffness elsewhere than between the ends of an element.
pub(crate) fn apart_from_elements(model: &Model, index: usize) -> bool {
    let Some(masses) = model.system().filter(|m| m.dofs() > 1) else {
        return false;
    };
    let (at, n) = (model.assembly().param_count(), masses.dofs());
    let Some(inside) = index.checked_sub(at).filter(|i| *i < masses.x0().start) else {
        return false;
    };
    let entry = inside % (n * n);
    let (row, column) = (entry / n + 1, entry % n + 1);
    let beside = |p: &Part| p.between.contains(&row) && p.between.contains(&column);
    let mut laws = model.assembly().parts().iter().filter(|p| !is_linear(p));
    masses.m().contains(&inside) || !laws.any(beside)
}

/// Whether an element is stiffness or damping and nothing else.
fn is_linear(part: &Part) -> bool {
    structure::linear_order(part).is_some()
}

/// Matrices, springs and dashpots as they were found; the other elements by their sizes.
fn of_structure(model: &Model, found: &structure::Estimate) -> Guess {
    let features = features((found.amplitude, found.speed), found.stiffness);
    let mut values = found.values.clone();
    let sizes = start::guess(model, &features);
    for part in model.assembly().parts() {
        let own = part.params.clone();
        if !is_linear(part) {
            values[own.clone()].copy_from_slice(&sizes[own]);
        } else if let Some(param) = part.element.spec().params.first() {
            values[own.start] = values[own.start].clamp(param.min, param.max);
        }
    }
    Guess { values, features }
}

/// What a loop of the elements would look like at the largest motion.
fn features((amplitude, speed): (f64, f64), stiffness: f64) -> Features {
    let force = stiffness * amplitude;
    Features {
        amplitude,
        force,
        slope_after: 1.5 * stiffness,
        slope_before: 0.8 * stiffness,
        secant: stiffness,
        speed,
        energy: 4.0 * amplitude * FRICTION * force,
    }
}
