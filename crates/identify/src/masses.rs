//! Where a search begins for a system with mass, when nobody says: what drives it and how it moves
//! give mass, damping and stiffness of the linear system nearest to it; the stiffness is then split
//! between the linear spring and the elements, which get parameters of that size.

mod beginning;
mod filter;
mod linear;

pub(crate) use beginning::beginning;

use crate::features::Features;
use crate::start;
use crate::target::{Content, DrivenTest, Target};
use linear::Linear;
use masing_model::{Memory, Model};

/// Share of the stiffness that elements start with where a linear spring is there to take the rest.
const SHARE: f64 = 0.3;
/// Friction that elements start with, over the force that their stiffness carries.
const FRICTION: f64 = 0.5;
/// Share of the linear damping that is left beside elements that dissipate.
const LEFT: f64 = 0.5;

/// First values of all parameters, and the size of the motion that they stand for.
pub(crate) struct Guess {
    pub(crate) values: Vec<f64>,
    pub(crate) features: Features,
}

impl Guess {
    /// Sets what masses begin with from the first test, if that value is such.
    pub(crate) fn begin_at(&mut self, model: &Model, tests: &[Target], index: usize) {
        let (Some(masses), Some(test)) = (model.system(), tests.first()) else {
            return;
        };
        let first = model.assembly().param_count() + masses.x0().start;
        if index >= first {
            self.values[index] = test.beginning(model, index - first);
        }
    }
}

/// A first guess from what was measured; `known` are the values that are given, by their place in the
/// model. `None` where no test moves.
pub(crate) fn guess(model: &Model, tests: &[Target], known: &[Option<f64>]) -> Option<Guess> {
    let masses = model.system()?;
    let driven: Vec<&DrivenTest> = tests
        .iter()
        .filter_map(|t| match &t.content {
            Content::Driven(driven) => Some(driven),
            _ => None,
        })
        .collect();
    let at = model.assembly().param_count();
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
    let features = features(&linear, stiffness);
    let mut values = start::guess(model, &features);
    values.splice(at.., own);
    Some(Guess { values, features })
}

/// What a loop of the elements would look like at the largest motion.
fn features(linear: &Linear, stiffness: f64) -> Features {
    let Linear {
        amplitude, speed, ..
    } = *linear;
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
